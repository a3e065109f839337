import type { api as types } from '@frontdesk/sdk'
import { Anchor, Button, Card, Group, Select, Table, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import listClasses from '../../ui/list.module.css'
import { Moment } from '../../ui/moment.tsx'
import { MoreOf } from '../../ui/more-button.tsx'
import { ErrorState, RowSkeletons } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { type Campaign, deliveryStates, isMoving } from './campaign-standing.ts'
import classes from './campaigns.module.css'

type Filter = types.Delivery['status']

/** Every recipient with how far the message came, and where it did not, why and what to do. */
export function CampaignDeliveries({ campaign }: { campaign: Campaign }) {
  const { values: filters, set } = useFilters(['deliveries'])
  const status = filters.deliveries as Filter | undefined
  const list = useCursorList(
    ['campaign-deliveries', campaign.id, status],
    (starting_after, signal) =>
      api.campaigns.listDeliveries(campaign.id, { starting_after, limit: 25, ...(status && { status }) }, { signal }),
    // All of them keep their places while they change; of some, those that change would vanish under the reader.
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
              Look again
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
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      ) : list.isSuccess && list.rows.length === 0 ? (
        <Text c="dimmed" p="md" pt={0}>
          {status
            ? `No delivery is “${deliveryStates[status]?.word.toLowerCase() ?? status}”.`
            : campaign.status === 'scheduled'
              ? 'Recipients are written down when sending starts.'
              : 'Nobody was in the audience.'}
        </Text>
      ) : (
        <>
          <Table className={listClasses.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Contact</Table.Th>
                <Table.Th w={120}>Status</Table.Th>
                <Table.Th w="45%" visibleFrom="sm">
                  Why, and what to do
                </Table.Th>
                <Table.Th w={130} visibleFrom="sm">
                  When
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.isPending ? (
                <RowSkeletons columns={4} rows={5} />
              ) : (
                list.rows.map((delivery) => <Row key={delivery.id} delivery={delivery} />)
              )}
            </Table.Tbody>
          </Table>
          <MoreOf list={list} />
        </>
      )}
    </Card>
  )
}

function Row({ delivery }: { delivery: types.Delivery }) {
  const { contact_id, contact_name, phone_number, read_at, delivered_at, sent_at, updated_at } = delivery
  const { tone, word } = deliveryStates[delivery.status]
  const name = contact_name || phone_number || 'Somebody without a name'
  return (
    <Table.Tr>
      <Table.Td>
        {contact_id ? (
          <Anchor component={Link} to={`/contacts/${contact_id}`} className={listClasses.name}>
            <bdi>{name}</bdi>
          </Anchor>
        ) : (
          <Text span>{phone_number || 'A deleted contact'}</Text>
        )}
        {contact_name && phone_number && (
          <Text size="xs" c="dimmed">
            {phone_number}
          </Text>
        )}
        <Text size="xs" hiddenFrom="sm" component="div" mt={4}>
          <Reason delivery={delivery} />
        </Text>
      </Table.Td>
      <Table.Td>
        <Status tone={tone}>{word}</Status>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Reason delivery={delivery} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Moment at={read_at ?? delivered_at ?? sent_at ?? updated_at} />
      </Table.Td>
    </Table.Tr>
  )
}

function Reason({ delivery }: { delivery: types.Delivery }) {
  const { explanation, what_to_do, code, detail, status, next_attempt_at } = delivery
  if (!explanation) return null
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
      {status === 'pending' && next_attempt_at && (
        <Text size="sm" c="dimmed">
          Tried again <Moment at={next_attempt_at} />
        </Text>
      )}
    </div>
  )
}
