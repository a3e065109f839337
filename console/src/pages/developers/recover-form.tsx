import { Modal, Text, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { showDone } from '../../ui/undo.tsx'

/** Format of `<input type="datetime-local">`, in the viewer's time zone. */
const forField = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** Resends missed events. */
export function RecoverForm({
  opened,
  webhookId,
  since,
  close,
}: {
  opened: boolean
  webhookId: string
  /** When the webhook started to miss events. */
  since: string | null
  close(): void
}) {
  const form = useApiForm({
    initialValues: { since: forField(new Date(since ?? Date.now() - 86_400_000)) },
    async submit({ since }) {
      const { recovered, has_more } = await api.webhooks.recover(webhookId, { since: new Date(since).toISOString() })
      close()
      showDone(
        recovered === 0
          ? 'No missed events since then'
          : `Resending ${recovered.toLocaleString()} ${recovered === 1 ? 'event' : 'events'}${has_more ? ', more will follow' : ''}`,
      )
    },
  })
  return (
    <Modal opened={opened} onClose={close} title="Recover missed events" centered>
      <DialogForm form={form} action="Recover" cancel={close}>
        <Text size="sm">
          Resends events that failed or were never sent because the webhook was disabled or did not exist. Delivered
          events are not sent again.
        </Text>
        <TextInput label="Since" type="datetime-local" required data-autofocus {...form.field('since')} />
      </DialogForm>
    </Modal>
  )
}
