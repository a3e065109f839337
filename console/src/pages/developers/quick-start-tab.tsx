import { Alert, Anchor, Button, Card, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { type ApiCall, curlOf, sdkOf } from '../../data/request-lines.ts'
import { useMe, useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { Snippet } from '../../ui/snippet.tsx'

type Language = 'curl' | 'typescript'

/** Examples with the IDs of this organization. */
export function QuickStartTab() {
  const { mode } = useSession()
  const { organization } = useMe()
  const [language, setLanguage] = useLocalStorage<Language>({ key: 'snippets', defaultValue: 'curl' })
  const { data } = useRecord(['contacts', 'quick-start'], async (signal) => {
    const [contacts, channels] = await Promise.all([
      api.contacts.list({ limit: 1 }, { signal }),
      api.channels.list({ limit: 1 }, { signal }),
    ])
    return { contact: contacts.data[0], channel: channels.data[0] }
  })
  if (!data) return <Skeleton height={320} />
  const { contact, channel } = data
  const person = contact?.name || contact?.phone_number
  const line = (call: ApiCall) => (language === 'curl' ? curlOf(call, location.origin) : (sdkOf(call) ?? ''))
  const label = language === 'curl' ? 'curl' : 'TypeScript'
  return (
    <Stack gap="md" maw={860}>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          For {organization.name}, in {mode} mode.
        </Text>
        <Group gap="sm">
          <SegmentedControl
            size="xs"
            aria-label="Example language"
            value={language}
            onChange={(value) => setLanguage(value as Language)}
            data={[
              { value: 'curl', label: 'curl' },
              { value: 'typescript', label: 'TypeScript' },
            ]}
          />
          <Anchor href="/api/v1/openapi.json" target="_blank" rel="noreferrer" size="sm">
            OpenAPI document
          </Anchor>
        </Group>
      </Group>
      {mode === 'live' && (
        <Alert color="yellow" variant="light" py="xs">
          Live keys reach real people. Switch to test mode above to try things out.
        </Alert>
      )}
      <Step
        number={1}
        title="Create key and put it into your environment"
        action={
          <Button component={Link} to="/developers/keys?new=key" variant="default" size="xs">
            Create key
          </Button>
        }
      >
        {language === 'curl' ? (
          <Snippet label="Shell" code={`export FRONTDESK_KEY=svc_sk_${mode}_…`} />
        ) : (
          <Snippet
            label="TypeScript"
            code={`import { createClient } from '@frontdesk/sdk'\n\nconst frontdesk = createClient({ baseUrl: '${location.origin}', apiKey: process.env.FRONTDESK_KEY })`}
          />
        )}
      </Step>
      <Step number={2} title="Check your key">
        <Snippet label={label} code={line({ method: 'GET', path: '/me' })} />
      </Step>
      {contact ? (
        <>
          <Step number={3} title={`Get a contact: ${person}`}>
            <Snippet label={label} code={line({ method: 'GET', path: `/contacts/${contact.id}` })} />
          </Step>
          <Step number={4} title="Add a note to the timeline">
            <Snippet
              label={label}
              code={line({
                method: 'POST',
                path: `/contacts/${contact.id}/activities`,
                body: { type: 'note_added', note: 'Hello from the API' },
              })}
            />
          </Step>
        </>
      ) : (
        <Step number={3} title="Create your first contact">
          <Snippet
            label={label}
            code={line({
              method: 'POST',
              path: '/contacts',
              body: { phone_number: '+14155550123', name: 'Ada Lovelace' },
            })}
          />
        </Step>
      )}
      {mode === 'test' && channel && (
        <Step number={5} title="Simulate a customer message and watch the inbox">
          <Snippet
            label={label}
            code={line({
              method: 'POST',
              path: '/simulator/messages',
              body: {
                from: contact?.phone_number ?? '+14155550123',
                channel_id: channel.id,
                text: 'Are you open today?',
              },
            })}
          />
        </Step>
      )}
      <Step number={mode === 'test' && channel ? 6 : 5} title="Follow events">
        <Snippet
          label={label}
          code={
            language === 'curl'
              ? `curl -N '${location.origin}/api/v1/stream' \\\n  -H "Authorization: Bearer $FRONTDESK_KEY"`
              : line({ method: 'GET', path: '/stream' })
          }
        />
        <Text size="sm" c="dimmed">
          Or have events sent to you: create a{' '}
          <Anchor component={Link} to="/developers/webhooks" underline="always" inherit>
            webhook
          </Anchor>{' '}
          and verify its requests.
        </Text>
        {language === 'typescript' && (
          <Snippet
            label="Verify a webhook"
            code={`import { verifyWebhook } from '@frontdesk/sdk'\n\nconst event = await verifyWebhook({ secret: process.env.WEBHOOK_SECRET, headers: request.headers, body })`}
          />
        )}
      </Step>
    </Stack>
  )
}

function Step({
  number,
  title,
  action,
  children,
}: {
  number: number
  title: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2}>
          {number}. {title}
        </Title>
        {action}
      </Group>
      <Stack gap="xs">{children}</Stack>
    </Card>
  )
}
