import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Alert, Button, Code, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconChevronDown, IconChevronRight, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { Copy } from '../../ui/copy.tsx'
import { errorText } from '../../ui/error-text.ts'
import { JsonBody } from '../../ui/json-body.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Status } from '../../ui/status.tsx'

interface Props {
  delivery: types.WebhookDelivery
  isOpen: boolean
  toggle(): void
  refresh(): Promise<unknown>
}

function DeliveryState({ delivery: { status, attempts } }: Pick<Props, 'delivery'>) {
  if (status === 'succeeded') return <Status tone="good">Delivered</Status>
  if (status === 'failed') return <Status tone="bad">Failed</Status>
  return attempts > 0 ? <Status tone="warning">Will be retried</Status> : <Status tone="busy">On its way</Status>
}

const answerOf = ({ response, error, duration_ms }: types.WebhookDelivery) => {
  const took = duration_ms === null ? '' : `, ${duration_ms} ms`
  if (response) return `${response.status}${took}`
  return error ? `No answer${took}` : '–'
}

export function DeliveryRow({ delivery, isOpen, toggle, refresh }: Props) {
  const { event_type, attempts, created_at } = delivery
  return (
    <>
      <Table.Tr onClick={toggle} style={{ cursor: 'pointer' }}>
        <Table.Td>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-expanded={isOpen}
            aria-label={`Details of ${event_type}`}
            onClick={(click) => {
              click.stopPropagation()
              toggle()
            }}
          >
            {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </ActionIcon>
        </Table.Td>
        <Table.Td>
          <Code>{event_type}</Code>
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {answerOf(delivery)}, <Moment at={created_at} />
          </Text>
        </Table.Td>
        <Table.Td>
          <DeliveryState delivery={delivery} />
        </Table.Td>
        <Table.Td visibleFrom="sm">{answerOf(delivery)}</Table.Td>
        <Table.Td visibleFrom="sm" ta="right">
          {attempts}
        </Table.Td>
        <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
          <Moment at={created_at} />
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={6} maw={0}>
            <Details delivery={delivery} refresh={refresh} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

function Details({ delivery, refresh }: Pick<Props, 'delivery' | 'refresh'>) {
  const { id, webhook_id, request, response, error, next_attempt_at, status, history } = delivery
  const [isWorking, setWorking] = useState(false)
  async function retry() {
    setWorking(true)
    try {
      await api.webhooks.retryDelivery(webhook_id, id)
      await refresh()
    } catch (problem) {
      notifications.show({ color: 'red', title: 'It was not sent again', message: errorText(problem) })
    }
    setWorking(false)
  }
  return (
    <Stack gap="sm" py="xs">
      <Group justify="space-between" gap="xs">
        <Group gap={4}>
          <Text size="xs" c="dimmed">
            Event
          </Text>
          <Code>{id}</Code>
          <Copy value={id} what="id of the event" />
        </Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={isWorking}
          onClick={() => void retry()}
        >
          {status === 'succeeded' ? 'Send it again' : 'Retry now'}
        </Button>
      </Group>
      {error && (
        <Alert color={status === 'failed' ? 'red' : 'yellow'} variant="light" py="xs">
          {error}
          {next_attempt_at && (
            <>
              . Next attempt <Moment at={next_attempt_at} />
            </>
          )}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack gap="xs" miw={0}>
          {request ? (
            <>
              <JsonBody label="Request body" body={request.body ?? ''} />
              <JsonBody label="Request headers" body={request.headers} />
            </>
          ) : (
            <Text size="sm" c="dimmed">
              Not sent yet.
            </Text>
          )}
        </Stack>
        <Stack gap="xs" miw={0}>
          {response ? (
            <JsonBody label={`Response ${response.status}`} body={response.body} />
          ) : (
            <Text size="sm" c="dimmed">
              {request ? 'There was no answer.' : ''}
            </Text>
          )}
          {history.length > 0 && (
            <div>
              <Text size="xs" c="dimmed" mb={4}>
                Earlier attempts
              </Text>
              {history.map(({ attempted_at, response_status, error, duration_ms }) => (
                <Text key={attempted_at} size="sm">
                  <Moment at={attempted_at} />: {response_status ?? error ?? 'no answer'}, {duration_ms} ms
                </Text>
              ))}
            </div>
          )}
        </Stack>
      </SimpleGrid>
    </Stack>
  )
}
