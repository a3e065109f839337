import type { api as types } from '@frontdesk/sdk'
import { Anchor, Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useSession } from '../../data/session.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { Moment } from '../../ui/moment.tsx'
import { MoreOf } from '../../ui/more-button.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { EmptyState, ErrorState, RowSkeletons } from '../../ui/states.tsx'
import { summaryOfEvents } from './event-types.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'

export function WebhooksTab() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { mode } = useSession()
  const [parameters, setParameters] = useSearchParams()
  const [made, setMade] = useState<types.WebhookWithSecret>()
  const list = useCursorList(['webhooks'], (starting_after, signal) =>
    api.webhooks.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
  )
  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setParameters({ new: 'webhook' })}>
      Create a webhook
    </Button>
  )
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Each hears of what happens in {mode} mode, signed, at least once.
        </Text>
        <Group gap="xs">
          <ApiRequest method="GET" path="/webhooks" />
          {createButton}
        </Group>
      </Group>
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={list.refetch} />
      ) : list.data && list.rows.length === 0 ? (
        <EmptyState title="No webhook yet" action={createButton}>
          A webhook is an address of yours that hears of events as they happen: a message received, a call ended. Each
          is signed, retried for days, and kept in a log.
        </EmptyState>
      ) : (
        <>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Endpoint</Table.Th>
                <Table.Th visibleFrom="sm">Events</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th visibleFrom="sm">Created</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.data ? (
                list.rows.map((webhook) => (
                  <Table.Tr key={webhook.id}>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>
                      <Anchor component={Link} to={`/developers/webhooks/${webhook.id}`} size="sm" fw={500}>
                        {webhook.url}
                      </Anchor>
                      <Text size="xs" c="dimmed">
                        {webhook.description}
                      </Text>
                    </Table.Td>
                    <Table.Td visibleFrom="sm">{summaryOfEvents(webhook.events)}</Table.Td>
                    <Table.Td>
                      <WebhookState webhook={webhook} />
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      <Moment at={webhook.created_at} />
                    </Table.Td>
                  </Table.Tr>
                ))
              ) : (
                <RowSkeletons columns={4} rows={4} />
              )}
            </Table.Tbody>
          </Table>
          <MoreOf list={list} />
        </>
      )}
      <WebhookForm
        opened={parameters.get('new') === 'webhook'}
        title="Create a webhook"
        action="Create webhook"
        close={() => setParameters({})}
        save={async (webhook) => {
          const created = await api.webhooks.create(webhook)
          setParameters({})
          setMade(created)
          await queries.invalidateQueries({ queryKey: [mode, 'webhooks'] })
        }}
      />
      <SecretOnce
        title="The secret of your webhook"
        what="secret"
        secret={made ? made.secret : undefined}
        onStored={() => {
          const id = made?.id
          setMade(undefined)
          if (id) void navigate(`/developers/webhooks/${id}`)
        }}
      >
        <Text size="sm" c="dimmed">
          Your endpoint verifies with it that an event came from here: see the quick start.
        </Text>
      </SecretOnce>
    </Stack>
  )
}
