import type { api as types } from '@frontdesk/sdk'
import { Alert, Button, Group, Menu, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { LoadRecord } from '../../data/load-record.tsx'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { Copy } from '../../ui/copy.tsx'
import { errorText } from '../../ui/error-text.ts'
import { Fact, Facts, ShownId } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { isLimited } from './event-types.ts'
import { OverlapForm } from './overlap-form.tsx'
import { RecoverForm } from './recover-form.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { reasonOf, WebhookState } from './webhook-state.tsx'

const pollMs = 3_000

export function WebhookPage() {
  const { webhookId = '' } = useParams()
  // While the webhook is being deleted it is not requested again.
  const [isDeleting, setDeleting] = useState(false)
  const query = useRecord(
    ['webhooks', webhookId],
    (signal) => api.webhooks.get(webhookId, { signal }),
    // Attempts make no events, so the state is polled.
    { enabled: !isDeleting, refetchInterval: pollMs },
  )
  return (
    <LoadRecord what="Webhook" id={webhookId} query={query}>
      {(webhook) => <KnownWebhook webhook={webhook} isDeleting={isDeleting} setDeleting={setDeleting} />}
    </LoadRecord>
  )
}

type Dialog = 'edit' | 'rotate' | 'recover'

interface Props {
  webhook: types.Webhook
  isDeleting: boolean
  setDeleting(isDeleting: boolean): void
}

function KnownWebhook({ webhook, isDeleting, setDeleting }: Props) {
  const { id, url, status, disabled_reason, failing_since, disabled_at, former_secret_expires_at } = webhook
  const refresh = useRefresh('webhooks')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<Dialog>()
  const [secret, setSecret] = useState<string | null>()
  const [isTesting, setTesting] = useState(false)
  const close = () => setDialog(undefined)

  async function test() {
    setTesting(true)
    try {
      await api.webhooks.test(id)
      await refresh()
    } catch (problem) {
      notifications.show({ color: 'red', title: 'Could not send a test event', message: errorText(problem) })
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
      consequence: 'It receives no events until you enable it again. You can recover missed events afterwards.',
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
      consequence: `${url} receives no more events and its delivery log is permanently deleted.`,
      action: 'Delete webhook',
      run: async () => {
        setDeleting(true)
        await api.webhooks.delete(id).catch((problem) => {
          setDeleting(false)
          throw problem
        })
        await navigate('/developers/webhooks')
        await refresh()
      },
    })

  return (
    <RecordPage
      list={{ to: '/developers/webhooks', label: 'Webhooks' }}
      title={webhook.description || 'Webhook'}
      actions={
        <>
          <ApiRequest method="GET" path={`/webhooks/${id}`} />
          <Button
            leftSection={<IconSend size={16} />}
            onClick={() => void test()}
            loading={isTesting}
            disabled={status === 'disabled'}
          >
            Send test event
          </Button>
          <MoreMenu>
            <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setDialog('edit')}>
              Edit
            </Menu.Item>
            <Menu.Item leftSection={<IconRefresh size={14} />} onClick={() => setDialog('rotate')}>
              Rotate secret
            </Menu.Item>
            <Menu.Item leftSection={<IconHistory size={14} />} onClick={() => setDialog('recover')}>
              Recover missed events
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
          </MoreMenu>
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
                  Recover missed events
                </Button>
              </Group>
            </Group>
          </Alert>
        )}
        {status === 'enabled' && failing_since && (
          <Alert color="yellow" variant="light" title="This endpoint is failing">
            The first failure was <Moment at={failing_since} />. After five days of failures the webhook is disabled.
          </Alert>
        )}
        {isLimited(webhook) && (
          <Alert color="yellow" variant="light" title="Limited events">
            The key that set up this webhook may not read every event it asks for. To receive them all, edit the webhook
            and save it.
          </Alert>
        )}
        <Facts>
          <Fact label="Endpoint">
            <Group gap={4} wrap="nowrap">
              <span>{url}</span>
              <Copy value={url} what="URL" />
            </Group>
          </Fact>
          <Fact label="Status">
            <WebhookState webhook={webhook} />
          </Fact>
          <Fact label="Events">{webhook.events.includes('*') ? 'All events' : webhook.events.join(', ')}</Fact>
          {isLimited(webhook) && <Fact label="Receives">{webhook.event_types.join(', ') || 'Nothing'}</Fact>}
          <Fact label="Created">
            <Moment at={webhook.created_at} />
          </Fact>
          <Fact label="Secret">
            {former_secret_expires_at && Date.parse(former_secret_expires_at) > Date.now() ? (
              <>
                The previous secret also works until <Moment at={former_secret_expires_at} />
              </>
            ) : (
              'Shown once, at creation'
            )}
          </Fact>
          <Fact label="ID">
            <ShownId id={id} />
          </Fact>
        </Facts>
        <Title order={2}>Deliveries</Title>
        {!isDeleting && <DeliveryLog webhook={webhook} />}
      </Stack>
      <WebhookForm
        opened={dialog === 'edit'}
        title="Edit webhook"
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
        title="Rotate secret"
        action="Rotate secret"
        close={close}
        run={async (overlap_seconds) => {
          const rotated = await api.webhooks.rotateSecret(id, { overlap_seconds })
          close()
          setSecret(rotated.secret)
          await refresh()
        }}
      >
        While both secrets work, every delivery carries two signatures, so you can update your endpoint at any time in
        between.
      </OverlapForm>
      <RecoverForm
        key={`${disabled_at}${failing_since}`}
        opened={dialog === 'recover'}
        webhookId={id}
        since={failing_since ?? disabled_at}
        close={close}
      />
      <SecretOnce title="Your new secret" what="secret" secret={secret} onStored={() => setSecret(undefined)} />
    </RecordPage>
  )
}
