import { Alert, Anchor, Button, Group, Progress, Select, Table, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import listClasses from '../../ui/list.module.css'
import { Moment } from '../../ui/moment.tsx'
import { MoreOf } from '../../ui/more-button.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyState, ErrorState, NothingMatches, RowSkeletons } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { dropDraft, readDraft } from './campaign-draft.ts'
import { audienceInWords, type Campaign, campaignStates, isMoving, progressOf } from './campaign-standing.ts'

const filterNames = ['search', 'status'] as const
type Query = NonNullable<Parameters<typeof api.campaigns.list>[0]>

export function CampaignsPage() {
  const { values: filters, set, isFiltered, clear: clearFilters } = useFilters(filterNames)
  const list = useCursorList(
    ['campaigns', 'list', filters],
    (starting_after, signal) => api.campaigns.list({ ...(filters as Query), starting_after, limit: 30 }, { signal }),
    // Its progress is no event: what is under way is looked at again.
    { refetchInterval: (rows) => (rows.some(isMoving) ? 3_000 : false) },
  )
  const isEmpty = list.isSuccess && list.rows.length === 0
  return (
    <Page
      title="Campaigns"
      actions={
        <Button component={Link} to="/campaigns/new" leftSection={<IconPlus size={16} />}>
          New campaign
        </Button>
      }
    >
      <UnfinishedDraft />
      {(!isEmpty || isFiltered) && (
        <Group gap="xs" mb="sm" className={listClasses.filters}>
          <SearchField
            label="Search by name"
            value={filters.search}
            onChange={(words) => set({ search: words })}
            className={listClasses.search}
          />
          <Select
            aria-label="State"
            placeholder="Any state"
            clearable
            w={150}
            data={Object.entries(campaignStates).map(([value, { word }]) => ({ value, label: word }))}
            value={filters.status ?? null}
            onChange={(value) => set({ status: value })}
          />
        </Group>
      )}
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      ) : isEmpty && !isFiltered ? (
        <EmptyState
          title="No campaigns yet"
          action={
            <Button component={Link} to="/campaigns/new">
              Make the first campaign
            </Button>
          }
        >
          A campaign sends one approved template to many contacts, now or later, each exactly once. You see who would
          get it and what it would say before anything is sent.
        </EmptyState>
      ) : isEmpty ? (
        <NothingMatches title="No campaign matches" clear={clearFilters} />
      ) : (
        <>
          <Table stickyHeader className={listClasses.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th w={120}>State</Table.Th>
                <Table.Th w={220} visibleFrom="sm">
                  Progress
                </Table.Th>
                <Table.Th w={100} ta="right" visibleFrom="md">
                  Delivered
                </Table.Th>
                <Table.Th w={80} ta="right" visibleFrom="md">
                  Read
                </Table.Th>
                <Table.Th w={80} ta="right" visibleFrom="md">
                  Failed
                </Table.Th>
                <Table.Th w={130} visibleFrom="sm">
                  When
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.isPending ? (
                <RowSkeletons columns={7} />
              ) : (
                list.rows.map((campaign) => <Row key={campaign.id} campaign={campaign} />)
              )}
            </Table.Tbody>
          </Table>
          <MoreOf list={list} />
        </>
      )}
    </Page>
  )
}

function Row({ campaign }: { campaign: Campaign }) {
  const { tone, word } = campaignStates[campaign.status]
  const { total_contacts_count: total, sent_count: sent, status } = campaign
  const number = (count: number) => (total > 0 ? count.toLocaleString() : '–')
  return (
    <Table.Tr>
      <Table.Td maw={0}>
        <Anchor component={Link} to={`/campaigns/${campaign.id}`} fw={550} dir="auto" className={listClasses.name}>
          {campaign.name}
        </Anchor>
        <Text size="sm" c="dimmed" truncate>
          {audienceInWords(campaign)}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {total > 0 && `${sent.toLocaleString()} of ${total.toLocaleString()} sent · `}
          <Moment at={campaign.started_at ?? campaign.scheduled_at ?? campaign.created_at} />
        </Text>
      </Table.Td>
      <Table.Td>
        <Status tone={tone}>{word}</Status>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {total > 0 ? (
          <>
            <Progress
              value={progressOf(campaign) * 100}
              size="sm"
              color={status === 'cancelled' ? 'gray' : undefined}
              aria-label={`${Math.floor(progressOf(campaign) * 100)} % done`}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {sent.toLocaleString()} of {total.toLocaleString()} sent
            </Text>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {status === 'scheduled' ? 'Not started' : status === 'sending' ? 'Counting recipients' : 'Nobody'}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md">
        {number(campaign.delivered_count)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md">
        {number(campaign.read_count)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md" c={campaign.failed_count > 0 ? 'var(--mantine-color-error)' : undefined}>
        {number(campaign.failed_count)}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Moment at={campaign.started_at ?? campaign.scheduled_at ?? campaign.created_at} />
      </Table.Td>
    </Table.Tr>
  )
}

/** Somebody began one in this tab and went elsewhere. */
function UnfinishedDraft() {
  const [draft, setDraft] = useState(() => readDraft('new'))
  if (!draft) return null
  return (
    <Alert variant="light" color="gray" mb="sm" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">You have an unfinished campaign{draft.name && `: “${draft.name}”`}.</Text>
        <Group gap="xs">
          <Button component={Link} to="/campaigns/new" size="xs" variant="default">
            Go on with it
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={() => {
              dropDraft('new')
              setDraft(undefined)
            }}
          >
            Discard it
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}
