import type { api as types } from '@frontdesk/sdk'
import { Alert, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { Copy } from '../../ui/copy.tsx'
import { errorText } from '../../ui/error-text.ts'
import { JsonBody } from '../../ui/json-body.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Status } from '../../ui/status.tsx'

interface Props {
  delivery: types.WebhookDelivery
  refresh(): Promise<unknown>
}

export function DeliveryState({ delivery: { status, attempts } }: Pick<Props, 'delivery'>) {
  if (status === 'succeeded') return <Status tone="good">Delivered</Status>
  if (status === 'failed') return <Status tone="bad">Failed</Status>
  return attempts > 0 ? <Status tone="warning">Retrying</Status> : <Status tone="busy">Pending</Status>
}

export const responseOf = ({ response, error, duration_ms }: types.WebhookDelivery) => {
  const took = duration_ms === null ? '' : `, ${duration_ms} ms`
  if (response) return `${response.status}${took}`
  return error ? `No response${took}` : '–'
}

export function DeliveryDetails({ delivery, refresh }: Props) {
  const { id, webhook_id, request, response, error, next_attempt_at, status, history } = delivery
  const [isWorking, setWorking] = useState(false)
  async function retry() {
    setWorking(true)
    try {
      await api.webhooks.retryDelivery(webhook_id, id)
      await refresh()
    } catch (problem) {
      notifications.show({ color: 'red', title: 'Could not resend', message: errorText(problem) })
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
          <Copy value={id} what="event ID" />
        </Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={isWorking}
          onClick={() => void retry()}
        >
          {status === 'succeeded' ? 'Resend' : 'Retry now'}
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
              {request ? 'No response.' : ''}
            </Text>
          )}
          {history.length > 0 && (
            <div>
              <Text size="xs" c="dimmed" mb={4}>
                Earlier attempts
              </Text>
              {history.map(({ attempted_at, response_status, error, duration_ms }) => (
                <Text key={attempted_at} size="sm">
                  <Moment at={attempted_at} />: {response_status ?? error ?? 'no response'}, {duration_ms} ms
                </Text>
              ))}
            </div>
          )}
        </Stack>
      </SimpleGrid>
    </Stack>
  )
}
