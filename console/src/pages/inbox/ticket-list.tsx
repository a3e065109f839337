import { ActionIcon, Button, Group, Skeleton, Switch, Title, Tooltip } from '@mantine/core'
import { IconKeyboard, IconPencilPlus } from '@tabler/icons-react'
import { memo, type ReactNode, type Ref, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { IfMay, may, useMe } from '../../data/session.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { BulkTickets } from './bulk-tickets.tsx'
import { ClosedMatches } from './closed-matches.tsx'
import classes from './inbox.module.css'
import { Queues } from './queues.tsx'
import { SavedViews } from './saved-views.tsx'
import { MoreFilters } from './ticket-filters.tsx'
import { TicketRows } from './ticket-rows.tsx'
import type { TicketFilters, useTickets } from './tickets.ts'

interface Props {
  filters: TicketFilters
  list: ReturnType<typeof useTickets>
  selectedId: string | undefined
  searchRef: Ref<HTMLInputElement>
  onOpen(id: string, matchedId: string | undefined): void
  onStart(): void
  onKeys(): void
}

const emptyQueues: Record<string, { title: string; text?: string }> = {
  mine: { title: 'Nothing is assigned to you', text: 'Conversations assigned to you appear here.' },
  unassigned: { title: 'Everything is assigned', text: 'Conversations that no one has taken appear here.' },
  needs_person: { title: 'No one is waiting', text: 'Customers waiting for a person appear here.' },
  ai: { title: 'No AI conversations', text: 'Conversations answered by an agent appear here.' },
  all: { title: 'No conversations', text: 'New conversations appear here when customers write.' },
  snoozed: { title: 'Nothing is snoozed', text: 'Snoozed conversations stay here until they come back.' },
}

export function TicketList({ filters, list, selectedId, searchRef, onOpen, onStart, onKeys }: Props) {
  const box = useRef<HTMLElement>(null)
  const mayChange = may(useMe(), 'inbox:write')
  const [selected, select] = useState<ReadonlySet<string>>(nothing)
  const check = useCallback(
    (id: string, isChecked: boolean) =>
      select((current) => new Set(isChecked ? [...current, id] : [...current].filter((each) => each !== id))),
    [],
  )
  // Other filters show other conversations: what is out of sight must not be changed.
  const shownFilters = JSON.stringify(filters.kept)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters alone decide
  useEffect(() => select(nothing), [shownFilters])

  return (
    <>
      <ListHead filters={filters} searchRef={searchRef} onStart={onStart} onKeys={onKeys}>
        {selected.size > 0 && <BulkTickets rows={list.rows} selected={selected} select={select} />}
      </ListHead>
      <section
        className={classes.listBox}
        ref={box}
        aria-label="Conversations"
        data-selecting={selected.size > 0 || undefined}
      >
        <RecordList
          list={list}
          filters={filters}
          empty={{
            ...(emptyQueues[filters.queue] ?? { title: 'No closed conversations' }),
            action: (
              <IfMay scope="inbox:write">
                <Button size="xs" variant="default" onClick={onStart}>
                  Start a conversation
                </Button>
              </IfMay>
            ),
          }}
          noMatch={{
            text: filters.search
              ? `No conversations match “${filters.search}”.`
              : 'No conversations match these filters.',
          }}
          isNarrow
          paging={<MoreWhenSeen list={list} box={box} />}
        >
          {({ rows, isHidden }) =>
            isHidden ? null : rows ? (
              <TicketRows
                tickets={rows}
                total={list.total}
                box={box}
                selectedId={selectedId}
                checked={selected}
                filters={filters}
                isOld={list.isPlaceholderData}
                onOpen={onOpen}
                {...(mayChange && { onCheck: check })}
              />
            ) : (
              <RowsToCome />
            )
          }
        </RecordList>
        {filters.search && filters.status === 'open' && <ClosedMatches filters={filters} />}
      </section>
    </>
  )
}

const nothing: ReadonlySet<string> = new Set()

interface HeadProps extends Pick<Props, 'filters' | 'searchRef' | 'onStart' | 'onKeys'> {
  /** Takes the place of the queues and filters. */
  children: ReactNode
}

/** The search, the queues and the filters. Opening a conversation does not render them again. */
const ListHead = memo(function ListHead({ filters, searchRef, onStart, onKeys, children }: HeadProps) {
  return (
    <div className={classes.listHead}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={1}>Inbox</Title>
        <Group gap={4} wrap="nowrap">
          <Tooltip label="Keyboard shortcuts (?)">
            <ActionIcon variant="subtle" color="gray" onClick={onKeys} aria-label="Keyboard shortcuts" visibleFrom="sm">
              <IconKeyboard size={18} />
            </ActionIcon>
          </Tooltip>
          <IfMay scope="inbox:write">
            <Button size="xs" leftSection={<IconPencilPlus size={14} />} onClick={onStart}>
              New
            </Button>
          </IfMay>
        </Group>
      </Group>
      <SearchField
        ref={searchRef}
        size="xs"
        label="Search conversations"
        placeholder="Search names, numbers, messages"
        value={filters.search}
        onChange={(search) => filters.set({ search })}
      />
      {children || (
        <>
          <Queues filters={filters} />
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Group gap={4} wrap="nowrap" miw={0}>
              <MoreFilters filters={filters} />
              <SavedViews filters={filters} />
            </Group>
            <Switch
              size="xs"
              label="Unread"
              checked={filters.unread}
              onChange={({ currentTarget }) => filters.set({ unread: currentTarget.checked ? 'true' : undefined })}
            />
          </Group>
        </>
      )}
    </div>
  )
})

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

/** Loads the next page when the end of the list is visible; after a failure, on a click. */
function MoreWhenSeen({ list, box }: { list: Props['list']; box: RefObject<HTMLElement | null> }) {
  const { rows, total, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const end = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refetch may have cancelled the request, so look again
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || isFetchNextPageError) return
    const observer = new IntersectionObserver(
      // On a busy page one call reports several changes: the last one holds.
      (entries) => entries.at(-1)?.isIntersecting && void fetchNextPage(),
      // The margin counts only around the box that scrolls.
      { root: box.current, rootMargin: '400px' },
    )
    observer.observe(end.current as HTMLDivElement)
    return () => observer.disconnect()
  }, [box, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  if (isFetchNextPageError) return <MoreButton list={list} />
  return (
    <div ref={end} className={classes.listEnd} aria-live="polite">
      {total !== undefined && total > 20 && `${rows.length.toLocaleString()} of ${total.toLocaleString()}`}
    </div>
  )
}
