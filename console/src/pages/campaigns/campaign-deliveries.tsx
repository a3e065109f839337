import type { api as types } from '@frontdesk/sdk'
import { Button, Card, Group, Select, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import { Moment } from '../../ui/moment.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
import { Status } from '../../ui/status.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { type Campaign, deliveryStates, isMoving } from './campaign-status.ts'
import classes from './campaigns.module.css'
import { clockOf, viewerZone } from './zones.ts'

type Filter = types.Delivery['status']

/** Each recipient with the status of their message and, where it failed, the reason and what to do. */
export function CampaignDeliveries({ campaign }: { campaign: Campaign }) {
  const { values: filters, set } = useFilters(['deliveries'])
  const status = filters.deliveries as Filter | undefined
  const list = useCursorList(
    ['campaign-deliveries', campaign.id, status],
    (starting_after, signal) =>
      api.campaigns.listDeliveries(campaign.id, { starting_after, limit: 25, ...(status && { status }) }, { signal }),
    // Filtered rows are not polled: a row whose status changes would vanish while it is read.
    { refetchInterval: () => (!status && isMoving(campaign) ? 2_000 : false) },
  )
  return (
    <Card withBorder padding={0}>
      <Group justify="space-between" p="md" pb="xs" gap="xs">
        <Title order={2}>Deliveries</Title>
        <Group gap="xs">
          {status && isMoving(campaign) && (
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              leftSection={<IconRefresh size={14} />}
              onClick={() => void list.refetch()}
            >
              Refresh
            </Button>
          )}
          <Select
            aria-label="Deliveries to show"
            placeholder="All"
            size="xs"
            clearable
            w={150}
            data={Object.entries(deliveryStates).map(([value, { word }]) => ({ value, label: word }))}
            value={status ?? null}
            onChange={(value) => set({ deliveries: value })}
          />
        </Group>
      </Group>
      <RecordList
        label="Deliveries"
        list={list}
        filters={{ isFiltered: status !== undefined, clear: () => set({ deliveries: null }) }}
        empty={{
          title: campaign.status === 'scheduled' ? 'No deliveries yet' : 'No recipients',
          text:
            campaign.status === 'scheduled'
              ? 'The recipients are fixed when sending starts.'
              : 'The audience was empty.',
        }}
        skeletons={5}
        columns={[
          { label: 'Contact', cell: (delivery) => <Recipient delivery={delivery} campaign={campaign} /> },
          {
            label: 'Status',
            width: 120,
            cell: ({ status, replied_at }) => (
              <Status tone={deliveryStates[status].tone}>{replied_at ? 'Replied' : deliveryStates[status].word}</Status>
            ),
          },
          {
            label: 'Reason and next step',
            width: '45%',
            from: 'sm',
            cell: (delivery) => <Reason delivery={delivery} campaign={campaign} />,
          },
          {
            label: 'Updated',
            width: 130,
            from: 'sm',
            cell: ({ read_at, delivered_at, sent_at, updated_at }) => (
              <Moment at={read_at ?? delivered_at ?? sent_at ?? updated_at} />
            ),
          },
        ]}
      />
    </Card>
  )
}

interface OfDelivery {
  delivery: types.Delivery
  campaign: Campaign
}

function Recipient({ delivery, campaign }: OfDelivery) {
  const { contact_id, contact_name, phone_number } = delivery
  return (
    <>
      {contact_id ? (
        <RowLink to={`/contacts/${contact_id}`}>{contact_name || phone_number || 'Unnamed contact'}</RowLink>
      ) : (
        <Text span>{phone_number || 'Deleted contact'}</Text>
      )}
      {contact_name && phone_number && (
        <Text size="xs" c="dimmed">
          {phone_number}
        </Text>
      )}
      <Text size="xs" hiddenFrom="sm" component="div" mt={4}>
        <Reason delivery={delivery} campaign={campaign} />
      </Text>
    </>
  )
}

function Reason({ delivery, campaign }: OfDelivery) {
  const { explanation, what_to_do, code, detail, status, next_attempt_at } = delivery
  if (delivery.tapped_buttons.length > 0)
    return (
      <Text size="sm" dir="auto">
        Tapped {delivery.tapped_buttons.join(', ')}
      </Text>
    )
  const waiting = status === 'pending' && next_attempt_at !== null && (
    <Text size="sm" c="dimmed">
      {explanation ? 'Next attempt' : waitOf(delivery, campaign)} <Moment at={next_attempt_at} />,{' '}
      {clockOf(next_attempt_at, viewerZone)} your time
    </Text>
  )
  if (!explanation) return waiting || null
  return (
    <div className={classes.reason}>
      <Text size="sm">
        {explanation}
        {code === 'missing_variable' && detail ? `. ${detail}` : ''}{' '}
        {code && /^\d+$/.test(code) && (
          <Text span size="xs" c="dimmed" title={detail ?? undefined}>
            (code {code})
          </Text>
        )}
      </Text>
      {what_to_do && (
        <Text size="sm" c="dimmed">
          {what_to_do}
        </Text>
      )}
      {waiting}
    </div>
  )
}

/** Why a message that nothing went wrong with is not sent yet. */
function waitOf({ time_zone }: types.Delivery, { sending_times }: Campaign): string {
  const zone = time_zone ? ` (${time_zone.replaceAll('_', ' ')})` : ''
  if (sending_times?.local_time) return `Goes out at ${sending_times.local_time} their time${zone}:`
  return sending_times?.quiet_hours ? `Waits for the end of their quiet hours${zone}:` : 'Goes out'
}
