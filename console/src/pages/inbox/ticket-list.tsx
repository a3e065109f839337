import { ActionIcon, Button, Group, SegmentedControl, Skeleton, Switch, Text, Title, Tooltip } from '@mantine/core'
import { IconKeyboard, IconPencilPlus } from '@tabler/icons-react'
import { type Ref, useEffect, useRef } from 'react'
import { useMembers } from '../../records/members/use-members.ts'
import { ErrorState } from '../../ui/states.tsx'
import classes from './inbox.module.css'
import { AssigneeFilter, SearchBox } from './ticket-filters.tsx'
import { TicketRow } from './ticket-row.tsx'
import type { TicketFilters, useTickets } from './tickets.ts'

interface Props {
  filters: TicketFilters
  list: ReturnType<typeof useTickets>
  selectedId: string | undefined
  searchRef: Ref<HTMLInputElement>
  onStart(): void
  onKeys(): void
}

export function TicketList({ filters, list, selectedId, searchRef, onStart, onKeys }: Props) {
  const { tickets, total } = list
  const { nameOf } = useMembers()
  const isFiltered = filters.search !== '' || filters.assignee !== '' || filters.unread
  const box = useRef<HTMLElement>(null)

  // Keeps the selected row visible during keyboard navigation.
  useEffect(() => {
    if (selectedId) box.current?.querySelector(`[data-ticket="${selectedId}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [selectedId])

  return (
    <>
      <div className={classes.listHead}>
        <Group justify="space-between" wrap="nowrap">
          <Title order={1}>Inbox</Title>
          <Group gap={4} wrap="nowrap">
            <Tooltip label="Keyboard shortcuts (?)">
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={onKeys}
                aria-label="Keyboard shortcuts"
                visibleFrom="sm"
              >
                <IconKeyboard size={18} />
              </ActionIcon>
            </Tooltip>
            <Button size="xs" leftSection={<IconPencilPlus size={14} />} onClick={onStart}>
              New
            </Button>
          </Group>
        </Group>
        <SearchBox filters={filters} inputRef={searchRef} />
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Which conversations"
          value={filters.status}
          onChange={(status) => filters.set({ status: status === 'open' ? undefined : status })}
          data={[
            { value: 'open', label: 'Open' },
            { value: 'closed', label: 'Closed' },
            { value: 'all', label: 'All' },
          ]}
        />
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <AssigneeFilter filters={filters} />
          <Switch
            size="xs"
            label="Unread"
            checked={filters.unread}
            onChange={({ currentTarget }) => filters.set({ unread: currentTarget.checked ? 'true' : undefined })}
          />
        </Group>
      </div>
      <section className={classes.listBox} ref={box} aria-label="Conversations">
        {list.error && !list.data ? (
          <ErrorState error={list.error} retry={() => void list.refetch()} />
        ) : list.isPending ? (
          <RowsToCome />
        ) : tickets.length === 0 ? (
          <NothingHere filters={filters} isFiltered={isFiltered} onStart={onStart} />
        ) : (
          <ul className={classes.list} data-old={list.isPlaceholderData || undefined}>
            {tickets.map((ticket) => (
              <TicketRow
                key={ticket.id}
                ticket={ticket}
                isSelected={ticket.id === selectedId}
                suffix={filters.suffix}
                assignee={nameOf(ticket.assignee_id, 'You')}
              />
            ))}
          </ul>
        )}
        {tickets.length > 0 && (
          <MoreWhenSeen
            shown={tickets.length}
            total={total}
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        )}
      </section>
    </>
  )
}

function NothingHere({
  filters,
  isFiltered,
  onStart,
}: {
  filters: TicketFilters
  isFiltered: boolean
  onStart(): void
}) {
  if (isFiltered)
    return (
      <div className={classes.nothing}>
        <Text fw={600}>No results</Text>
        <Text size="sm" c="dimmed">
          {filters.search ? `No conversations match “${filters.search}”.` : 'No conversations match these filters.'}
        </Text>
        <Button
          size="xs"
          variant="default"
          onClick={() => filters.set({ search: undefined, assignee: undefined, unread: undefined })}
        >
          Clear filters
        </Button>
      </div>
    )
  return (
    <div className={classes.nothing}>
      <Text fw={600}>{filters.status === 'closed' ? 'No closed conversations' : 'No conversations'}</Text>
      <Text size="sm" c="dimmed">
        New conversations appear here when customers write.
      </Text>
      <Button size="xs" variant="default" onClick={onStart}>
        Start a conversation
      </Button>
    </div>
  )
}

function RowsToCome() {
  return (
    <div aria-hidden>
      {[60, 45, 70, 50, 65, 40, 55, 60].map((width, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={i} className={classes.ticketSkeleton}>
          <Skeleton height={12} width={`${width}%`} />
          <Skeleton height={10} width={`${width + 20}%`} mt={8} />
        </div>
      ))}
    </div>
  )
}

/** Loads the next page when the end of the list is visible. */
function MoreWhenSeen(props: {
  shown: number
  total: number | undefined
  hasMore: boolean
  isLoading: boolean
  onMore(): void
}) {
  const { shown, total, hasMore, isLoading, onMore } = props
  const end = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  useEffect(() => {
    more.current = onMore
  })
  useEffect(() => {
    if (!hasMore || isLoading) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more.current(), {
      rootMargin: '400px',
    })
    observer.observe(end.current as HTMLDivElement)
    return () => observer.disconnect()
  }, [hasMore, isLoading])
  return (
    <div ref={end} className={classes.listEnd} aria-live="polite">
      {total !== undefined && total > 20 && `${shown.toLocaleString()} of ${total.toLocaleString()}`}
    </div>
  )
}
