import { Alert, Button, Group, Progress, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { IfMay } from '../../data/session.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { type Column, RecordList, RowLink } from '../../ui/record-list.tsx'
import { Status } from '../../ui/status.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { dropDraft, readDraft } from './campaign-draft.ts'
import { audienceText, type Campaign, campaignStates, isMoving, progressOf } from './campaign-status.ts'

type Query = NonNullable<Parameters<typeof api.campaigns.list>[0]>

const statuses = Object.entries(campaignStates).map(([value, { word }]) => ({ value, label: word }))
const timeOf = ({ started_at, scheduled_at, created_at }: Campaign) => started_at ?? scheduled_at ?? created_at

const countColumn = (label: string, countOf: (campaign: Campaign) => number, color = 'inherit'): Column<Campaign> => ({
  label,
  width: 100,
  align: 'right',
  from: 'md',
  cell: (campaign) => (
    <Text span size="sm" c={countOf(campaign) > 0 ? color : 'inherit'}>
      {campaign.total_contacts_count > 0 ? countOf(campaign).toLocaleString() : '–'}
    </Text>
  ),
})

export function CampaignsPage() {
  const filters = useFilters(['search', 'status'])
  const list = useCursorList(
    ['campaigns', 'list', filters.values],
    (starting_after, signal) =>
      api.campaigns.list({ ...(filters.values as Query), starting_after, limit: 30 }, { signal }),
    // Progress makes no events, so campaigns that are sending are polled.
    { refetchInterval: (rows) => (rows.some(isMoving) ? 3_000 : false) },
  )
  return (
    <Page
      title="Campaigns"
      actions={
        <IfMay scope="campaigns:manage">
          <NewButton to="/campaigns/new">New campaign</NewButton>
        </IfMay>
      }
    >
      <UnfinishedDraft />
      <RecordList
        label="Campaigns"
        list={list}
        filters={filters}
        fields={[
          { name: 'search', label: 'Search by name' },
          { name: 'status', label: 'Status', choices: statuses },
        ]}
        empty={{
          title: 'No campaigns yet',
          text: 'A campaign sends one approved template to many contacts, now or later. You see the recipients and the message before anything is sent.',
          action: (
            <IfMay scope="campaigns:manage">
              <Button component={Link} to="/campaigns/new">
                Create a campaign
              </Button>
            </IfMay>
          ),
        }}
        address={({ id }) => `/campaigns/${id}`}
        columns={[
          { label: 'Name', cell: (campaign) => <Name campaign={campaign} /> },
          {
            label: 'Status',
            width: 120,
            cell: ({ status }) => <Status tone={campaignStates[status].tone}>{campaignStates[status].word}</Status>,
          },
          { label: 'Progress', width: 220, from: 'sm', cell: (campaign) => <CampaignProgress campaign={campaign} /> },
          countColumn('Delivered', ({ delivered_count }) => delivered_count),
          countColumn('Read', ({ read_count }) => read_count),
          countColumn('Failed', ({ failed_count }) => failed_count, 'var(--mantine-color-error)'),
          {
            label: 'Date',
            width: 130,
            from: 'sm',
            cell: (campaign) => <Moment at={timeOf(campaign)} />,
            below: (campaign) => (
              <>
                {campaign.total_contacts_count > 0 && `${sentText(campaign)} · `}
                <Moment at={timeOf(campaign)} />
              </>
            ),
          },
        ]}
      />
    </Page>
  )
}

function Name({ campaign }: { campaign: Campaign }) {
  const { id, name } = campaign
  return (
    <>
      <RowLink to={`/campaigns/${id}`}>{name}</RowLink>
      <Text size="sm" c="dimmed" truncate>
        {audienceText(campaign)}
      </Text>
    </>
  )
}

const sentText = ({ total_contacts_count: total, sent_count }: Campaign) =>
  `${sent_count.toLocaleString()} of ${total.toLocaleString()} sent`

function CampaignProgress({ campaign }: { campaign: Campaign }) {
  const { total_contacts_count: total, status } = campaign
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        {status === 'scheduled' ? 'Not started' : status === 'sending' ? 'Counting recipients' : 'No recipients'}
      </Text>
    )
  return (
    <>
      <Progress
        value={progressOf(campaign) * 100}
        size="sm"
        {...(status === 'cancelled' && { color: 'gray' })}
        aria-label={`${Math.floor(progressOf(campaign) * 100)}% done`}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {sentText(campaign)}
      </Text>
    </>
  )
}

/** A draft that was started in this tab and not sent. */
function UnfinishedDraft() {
  const [draft, setDraft] = useState(() => readDraft('new'))
  if (!draft) return null
  return (
    <Alert variant="light" color="gray" mb="sm" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">You have an unfinished campaign{draft.name && `: “${draft.name}”`}.</Text>
        <Group gap="xs">
          <Button component={Link} to="/campaigns/new" size="xs" variant="default">
            Continue
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
            Discard
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}
