import type { api as types } from '@frontdesk/sdk'
import { Modal, TextInput } from '@mantine/core'
import { useApiForm } from '../../data/use-api-form.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { EventPicker } from './event-picker.tsx'

interface Props {
  title: string
  action: string
  webhook?: types.Webhook
  close(): void
  save(webhook: types.NewWebhook): Promise<void>
}

export function WebhookForm({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.close} title={props.title} size="lg">
      <Form {...props} />
    </Modal>
  )
}

function Form({ action, webhook, close, save }: Props) {
  const form = useApiForm({
    initialValues: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      events: webhook?.events ?? ['*'],
    },
    submit: ({ description, ...values }) => save({ ...values, description: description.trim() || null }),
  })
  return (
    <DialogForm form={form} action={action} cancel={close}>
      <TextInput
        label="Endpoint URL"
        description="Events are sent as POST requests. Respond with any 2xx status within 15 seconds"
        placeholder="https://example.com/hooks/frontdesk"
        required
        data-autofocus
        inputMode="url"
        {...form.field('url')}
      />
      <TextInput label="Description" placeholder="CRM sync" {...form.field('description')} />
      <EventPicker
        value={form.values.events}
        error={
          form.errors.events && (form.values.events.length === 0 ? 'Choose at least one event' : form.errors.events)
        }
        onChange={(events) => form.set('events', events)}
      />
    </DialogForm>
  )
}
