import type { api as types } from '@frontdesk/sdk'
import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { useSession } from '../../data/session.tsx'
import { useCursorList, useRefresh } from '../../data/use-records.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { summaryOfEvents } from './event-types.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'

export function WebhooksTab() {
  const refresh = useRefresh('webhooks')
  const navigate = useNavigate()
  const { mode } = useSession()
  const [parameters, setParameters] = useSearchParams()
  const [made, setMade] = useState<types.WebhookWithSecret>()
  const list = useCursorList(['webhooks'], (starting_after, signal) =>
    api.webhooks.list({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
  )
  const createButton = <NewButton onClick={() => setParameters({ new: 'webhook' })}>New webhook</NewButton>
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Signed {mode}-mode events, delivered at least once.
        </Text>
        <Group gap="xs">
          <ApiRequest method="GET" path="/webhooks" />
          {createButton}
        </Group>
      </Group>
      <RecordList
        list={list}
        empty={{
          title: 'No webhooks yet',
          text: 'A webhook sends events to your server as they happen: a message received, a call ended. Every event is signed, retried for three days and logged.',
          action: createButton,
        }}
        skeletons={4}
        address={({ id }) => `/developers/webhooks/${id}`}
        columns={[
          {
            label: 'Endpoint',
            cell: ({ id, url, description }) => (
              <>
                <RowLink to={`/developers/webhooks/${id}`}>{url}</RowLink>
                <Text size="xs" c="dimmed">
                  {description}
                </Text>
              </>
            ),
          },
          { label: 'Events', from: 'sm', cell: ({ events }) => summaryOfEvents(events) },
          { label: 'Status', cell: (webhook) => <WebhookState webhook={webhook} /> },
          { label: 'Created', from: 'sm', cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
      <WebhookForm
        opened={parameters.get('new') === 'webhook'}
        title="New webhook"
        action="Create webhook"
        close={() => setParameters({})}
        save={async (webhook) => {
          const created = await api.webhooks.create(webhook)
          setParameters({})
          setMade(created)
          await refresh()
        }}
      />
      <SecretOnce
        title="Your webhook secret"
        what="secret"
        secret={made ? made.secret : undefined}
        onStored={() => {
          const id = made?.id
          setMade(undefined)
          if (id) void navigate(`/developers/webhooks/${id}`)
        }}
      >
        <Text size="sm" c="dimmed">
          Use it in your endpoint to verify that events come from Frontdesk. The quick start shows how.
        </Text>
      </SecretOnce>
    </Stack>
  )
}
