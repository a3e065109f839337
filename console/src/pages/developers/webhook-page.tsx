import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Alert, Anchor, Button, Group, Menu, Skeleton, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconDots,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { Copy } from '../../ui/copy.tsx'
import { errorText } from '../../ui/error-text.ts'
import { Fact, Facts, ShownId } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { OverlapForm } from './overlap-form.tsx'
import { RecoverForm } from './recover-form.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { reasonOf, WebhookState } from './webhook-state.tsx'

const lookAgainMs = 3_000

export function WebhookPage() {
  const { webhookId = '' } = useParams()
  // Whoever deletes it leaves for the list: the page does not ask for it once more on the way.
  const [isGoing, setGoing] = useState(false)
  const { data, error, refetch } = useRecord(
    ['webhooks', webhookId],
    (signal) => api.webhooks.get(webhookId, { signal }),
    // Attempts are no events: whether it fails has to be asked for.
    { enabled: !isGoing, refetchInterval: lookAgainMs },
  )
  if (isMissing(error)) return <MissingRecord what="webhook" />
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data)
    return (
      <Page title="Webhook">
        <Skeleton height={160} />
      </Page>
    )
  return <Loaded webhook={data} isGoing={isGoing} setGoing={setGoing} />
}

type Dialog = 'edit' | 'rotate' | 'recover'

interface LoadedProps {
  webhook: types.Webhook
  isGoing: boolean
  setGoing(isGoing: boolean): void
}

function Loaded({ webhook, isGoing, setGoing }: LoadedProps) {
  const { id, url, status, disabled_reason, failing_since, disabled_at, former_secret_expires_at } = webhook
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { mode } = useSession()
  const [dialog, setDialog] = useState<Dialog>()
  const [secret, setSecret] = useState<string | null>()
  const [isTesting, setTesting] = useState(false)
  const close = () => setDialog(undefined)
  const refresh = () => queries.invalidateQueries({ queryKey: [mode, 'webhooks'] })

  async function test() {
    setTesting(true)
    try {
      await api.webhooks.test(id)
      await refresh()
    } catch (problem) {
      notifications.show({ color: 'red', title: 'No test event was sent', message: errorText(problem) })
    }
    setTesting(false)
  }
  const enable = async () => {
    await api.webhooks.update(id, { status: 'enabled' })
    await refresh()
  }
  const disable = () =>
    askFirst({
      title: 'Disable this webhook?',
      consequence: 'Nothing is sent to it until you enable it again. What it misses can be recovered then.',
      action: 'Disable',
      isHarmless: true,
      run: async () => {
        await api.webhooks.update(id, { status: 'disabled' })
        await refresh()
      },
    })
  const remove = () =>
    askFirst({
      title: 'Delete this webhook?',
      consequence: `${url} hears of nothing any more, and the log of what it was sent is gone for good.`,
      action: 'Delete webhook',
      run: async () => {
        setGoing(true)
        await api.webhooks.delete(id).catch((problem) => {
          setGoing(false)
          throw problem
        })
        await navigate('/developers/webhooks')
        await refresh()
      },
    })

  return (
    <Page
      title={webhook.description || 'Webhook'}
      head={
        <Stack gap={2} miw={0}>
          <Anchor component={Link} to="/developers/webhooks" size="sm">
            Webhooks
          </Anchor>
          <Title order={1}>{webhook.description || 'Webhook'}</Title>
        </Stack>
      }
      actions={
        <>
          <ApiRequest method="GET" path={`/webhooks/${id}`} />
          <Button
            leftSection={<IconSend size={16} />}
            onClick={() => void test()}
            loading={isTesting}
            disabled={status === 'disabled'}
          >
            Send a test event
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size="lg" aria-label="More actions">
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setDialog('edit')}>
                Edit
              </Menu.Item>
              <Menu.Item leftSection={<IconRefresh size={14} />} onClick={() => setDialog('rotate')}>
                Replace the secret
              </Menu.Item>
              <Menu.Item leftSection={<IconHistory size={14} />} onClick={() => setDialog('recover')}>
                Recover what was missed
              </Menu.Item>
              {status === 'enabled' ? (
                <Menu.Item leftSection={<IconPlayerPause size={14} />} onClick={disable}>
                  Disable
                </Menu.Item>
              ) : (
                <Menu.Item leftSection={<IconPlayerPlay size={14} />} onClick={() => void enable()}>
                  Enable
                </Menu.Item>
              )}
              <Menu.Divider />
              <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={remove}>
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      <Stack gap="md">
        {disabled_reason && (
          <Alert color={disabled_reason === 'requested' ? 'gray' : 'red'} variant="light" title="Disabled">
            <Group justify="space-between" gap="sm">
              <Text size="sm">
                {reasonOf[disabled_reason]} <Moment at={disabled_at} />
              </Text>
              <Group gap="xs">
                <Button size="xs" onClick={() => void enable()}>
                  Enable
                </Button>
                <Button size="xs" variant="default" onClick={() => setDialog('recover')}>
                  Recover what was missed
                </Button>
              </Group>
            </Group>
          </Alert>
        )}
        {status === 'enabled' && failing_since && (
          <Alert color="yellow" variant="light" title="This endpoint is failing">
            Nothing has reached it since it first failed, <Moment at={failing_since} />. After five days like this it is
            disabled.
          </Alert>
        )}
        <Facts>
          <Fact label="Endpoint">
            <Group gap={4} wrap="nowrap">
              <span>{url}</span>
              <Copy value={url} what="address" />
            </Group>
          </Fact>
          <Fact label="State">
            <WebhookState webhook={webhook} />
          </Fact>
          <Fact label="Events">{webhook.events.includes('*') ? 'All events' : webhook.events.join(', ')}</Fact>
          <Fact label="Created">
            <Moment at={webhook.created_at} />
          </Fact>
          <Fact label="Secret">
            {former_secret_expires_at && Date.parse(former_secret_expires_at) > Date.now() ? (
              <>
                The former one works too, until <Moment at={former_secret_expires_at} />
              </>
            ) : (
              'Shown once, when it was made'
            )}
          </Fact>
          <Fact label="Id">
            <ShownId id={id} />
          </Fact>
        </Facts>
        <Title order={2}>Deliveries</Title>
        {!isGoing && <DeliveryLog webhook={webhook} />}
      </Stack>
      <WebhookForm
        opened={dialog === 'edit'}
        title="Edit the webhook"
        action="Save"
        webhook={webhook}
        close={close}
        save={async (changes) => {
          await api.webhooks.update(id, changes)
          close()
          await refresh()
        }}
      />
      <OverlapForm
        opened={dialog === 'rotate'}
        title="Replace the secret"
        action="Make a new secret"
        close={close}
        run={async (overlap_seconds) => {
          const rotated = await api.webhooks.rotateSecret(id, { overlap_seconds })
          close()
          setSecret(rotated.secret)
          await refresh()
        }}
      >
        While both work, every delivery carries two signatures: change your receiver at any time in between, and it
        verifies before and after.
      </OverlapForm>
      <RecoverForm
        key={`${disabled_at}${failing_since}`}
        opened={dialog === 'recover'}
        webhookId={id}
        since={failing_since ?? disabled_at}
        close={close}
      />
      <SecretOnce title="The new secret" what="secret" secret={secret} onStored={() => setSecret(undefined)} />
    </Page>
  )
}
