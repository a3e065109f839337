import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { FormButtons } from '../../ui/form-buttons.tsx'

/** As the browser's own field for a date and time wants it, in the viewer's zone. */
const forField = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** Sends what an endpoint has missed. */
export function RecoverForm({
  opened,
  webhookId,
  since,
  close,
}: {
  opened: boolean
  webhookId: string
  /** Since when it is known to have missed things. */
  since: string | null
  close(): void
}) {
  const form = useApiForm({
    initialValues: { since: forField(new Date(since ?? Date.now() - 86_400_000)) },
    async submit({ since }) {
      const { recovered, has_more } = await api.webhooks.recover(webhookId, { since: new Date(since).toISOString() })
      close()
      notifications.show({
        color: 'green',
        message:
          recovered === 0
            ? 'It has missed nothing since then'
            : `${recovered.toLocaleString()} ${recovered === 1 ? 'event is' : 'events are'} on the way${has_more ? ', more follow by themselves' : ''}`,
      })
    },
  })
  return (
    <Modal opened={opened} onClose={close} title="Recover what was missed" centered>
      <form onSubmit={form.onSubmit}>
        <Stack gap="md">
          <Text size="sm">
            Sends the events from then on that failed, or that this endpoint was never told of because it was disabled
            or not there yet. What it has already is not sent again.
          </Text>
          <TextInput label="Since" type="datetime-local" required data-autofocus {...form.field('since')} />
          <FormButtons form={form} action="Recover" cancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}
