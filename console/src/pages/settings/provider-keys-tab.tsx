import type { api as types } from '@frontdesk/sdk'
import {
  Alert,
  Button,
  Card,
  Code,
  Divider,
  Group,
  Modal,
  PasswordInput,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { Fragment, useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { mayManage, useMe } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord } from '../../data/use-records.ts'
import { providerNames } from '../../records/agents/provider-names.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { capitalized } from '../../ui/capitalized.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { errorText } from '../../ui/error-text.ts'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Status, type Tone } from '../../ui/status.tsx'

/** The organization's own accounts at providers of models and speech. */
export function ProviderKeysTab() {
  const canManage = mayManage(useMe())
  const { data, error, refetch } = useRecord(['provider-keys'], (signal) => api.providerKeys.list({ signal }), {
    enabled: canManage,
  })
  if (!canManage) return <EmptyState title="Provider keys">Owners and admins manage provider keys.</EmptyState>
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (!data) return <Skeleton height={280} maw={860} />
  return (
    <Stack gap="sm" maw={860}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" maw={640}>
          Use your own accounts for models, speech and embeddings in live mode. Your provider then bills you directly.
          Keys are stored encrypted.
        </Text>
        <ApiRequest method="GET" path="/provider-keys" />
      </Group>
      <Card withBorder p={0}>
        {data.data.map((key, index) => (
          <Fragment key={key.provider}>
            {index > 0 && <Divider />}
            <KeyItem entry={key} refresh={refetch} />
          </Fragment>
        ))}
      </Card>
    </Stack>
  )
}

const uses: Record<types.ProviderKey['used_for'][number], string> = {
  model: 'models',
  transcriber: 'speech recognition',
  voice: 'voices',
  embeddings: 'embeddings',
}

const sources: Record<types.ProviderKey['source'], { tone: Tone; text: string }> = {
  organization: { tone: 'good', text: 'Your key' },
  installation: { tone: 'waiting', text: 'Installation key' },
  none: { tone: 'waiting', text: 'Not set' },
}

function KeyItem({ entry, refresh }: { entry: types.ProviderKey; refresh(): Promise<unknown> }) {
  const { provider, used_for, source, last_four, updated_at } = entry
  const name = providerNames[provider]
  const isOwn = source === 'organization'
  const [isEditing, setEditing] = useState(false)
  const [isTesting, setTesting] = useState(false)
  const [tested, setTested] = useState<types.ProviderKeyTest>()
  const test = async () => {
    setTesting(true)
    setTested(undefined)
    try {
      setTested(await api.providerKeys.test(provider))
    } catch (error) {
      setTested({ works: false, message: errorText(error) })
    } finally {
      setTesting(false)
    }
  }
  const saved = async () => {
    setEditing(false)
    await refresh()
    await test()
  }
  const remove = () =>
    askFirst({
      title: `Remove your ${name} key?`,
      consequence: 'Live requests use the installation’s key again, if there is one. Otherwise they fail.',
      action: 'Remove',
      run: async () => {
        await api.providerKeys.delete(provider)
        setTested(undefined)
        await refresh()
      },
    })
  return (
    <Stack gap={8} p="md">
      <Group justify="space-between" gap="sm">
        <Stack gap={2}>
          <Group gap="sm">
            <Title order={3} size="h5">
              {name}
            </Title>
            <Status tone={sources[source].tone}>{sources[source].text}</Status>
          </Group>
          <Text size="sm" c="dimmed">
            {capitalized(used_for.map((use) => uses[use]).join(', '))}
            {isOwn && (
              <>
                {' · '}
                <Code>••••{last_four}</Code>
                {updated_at && (
                  <>
                    {' · set '}
                    <Moment at={updated_at} />
                  </>
                )}
              </>
            )}
          </Text>
        </Stack>
        <Group gap="xs">
          {isOwn && (
            <>
              <Button
                size="compact-sm"
                variant="default"
                loading={isTesting}
                onClick={test}
                aria-label={`Test ${name} key`}
              >
                Test
              </Button>
              <Button size="compact-sm" variant="default" onClick={remove} aria-label={`Remove ${name} key`}>
                Remove
              </Button>
            </>
          )}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setEditing(true)}
            aria-label={`${isOwn ? 'Replace' : 'Add'} ${name} key`}
          >
            {isOwn ? 'Replace' : 'Add'}
          </Button>
        </Group>
      </Group>
      {tested && (
        <Alert color={tested.works ? 'green' : 'red'} variant="light" py="xs" role="status">
          {tested.message}
        </Alert>
      )}
      <Modal opened={isEditing} onClose={() => setEditing(false)} title={`${name} key`} centered>
        <KeyForm provider={provider} close={() => setEditing(false)} saved={saved} />
      </Modal>
    </Stack>
  )
}

function KeyForm({
  provider,
  close,
  saved,
}: {
  provider: types.ProviderKey['provider']
  close(): void
  saved(): Promise<void>
}) {
  const form = useApiForm({
    initialValues: { key: '' },
    async submit({ key }) {
      await api.providerKeys.set(provider, { key: key.trim() })
      await saved()
    },
  })
  return (
    <DialogForm form={form} action="Save" cancel={close} gap="sm">
      <PasswordInput
        label="API key"
        description={`Copy it from your ${providerNames[provider]} account. It is not shown again.`}
        autoComplete="off"
        required
        data-autofocus
        {...form.field('key')}
      />
    </DialogForm>
  )
}
