import type { api as types } from '@frontdesk/sdk'
import { Alert, Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRefresh } from '../../data/use-records.ts'
import { channelChoices } from '../../records/channels/use-channels.ts'
import { languageName } from '../../records/templates/languages.ts'
import { PhonePreview } from '../../records/templates/phone-preview.tsx'
import type { Components } from '../../records/templates/template-parts.ts'
import { wordOf } from '../../ui/capitalized.ts'
import { FormError } from '../../ui/form-error.tsx'
import layout from '../../ui/layout.module.css'
import { showDone } from '../../ui/undo.tsx'

/** Previews a library template and adds it. */
export function LibraryDialog({
  item,
  channels,
  close,
}: {
  item: types.LibraryTemplate
  channels: types.Channel[]
  close(): void
}) {
  const navigate = useNavigate()
  const refresh = useRefresh('templates')
  const needed = item.buttons.filter(({ type }) => type === 'URL' || type === 'PHONE_NUMBER')
  const form = useApiForm({
    initialValues: { channel_id: channels[0]?.id ?? '', name: item.name, inputs: needed.map(() => '') },
    async submit({ channel_id, name, inputs }) {
      const button_inputs = needed.map(({ type }, i) =>
        type === 'URL'
          ? { type: 'URL', url: { base_url: inputs[i]?.trim() } }
          : { type: 'PHONE_NUMBER', phone_number: inputs[i]?.trim() },
      )
      const reply = await api.templates.createFromLibrary(
        item.name,
        { language: item.language, name, ...(button_inputs.length > 0 && { button_inputs }) },
        { query: { channel_id } },
      )
      void refresh()
      showDone(`Added ${name}: ${reply.status.toLowerCase()}`)
      close()
      await navigate(reply.template_id ? `/templates/${reply.template_id}` : '/templates')
    },
  })
  const components = componentsOf(item, needed, form.values.inputs)
  return (
    <Modal opened onClose={close} title={wordOf(item.name)} size={760}>
      <div className={layout.columns}>
        <form onSubmit={form.onSubmit}>
          <Stack gap="sm">
            <TextInput
              label="Name"
              description="Visible to your team only"
              data-autofocus
              {...form.field('name')}
              onChange={(event) => form.set('name', event.currentTarget.value.toLowerCase().replace(/[\s-]+/g, '_'))}
            />
            {channels.length > 1 && (
              <Select
                label="Channel"
                allowDeselect={false}
                data={channelChoices(channels)}
                {...form.control('channel_id')}
                value={form.values.channel_id}
              />
            )}
            {needed.map((button, i) => (
              <TextInput
                // biome-ignore lint/suspicious/noArrayIndexKey: the buttons of a library template are fixed
                key={i}
                label={`${button.type === 'URL' ? 'URL' : 'Phone number'} of “${String(button.text)}”`}
                placeholder={button.type === 'URL' ? 'https://example.com' : '+14155550100'}
                required
                value={form.values.inputs[i] ?? ''}
                onChange={(event) =>
                  form.set(
                    'inputs',
                    form.values.inputs.map((value, at) => (at === i ? event.currentTarget.value : value)),
                  )
                }
              />
            ))}
            {channels.length === 0 && (
              <Alert color="yellow" variant="light">
                No number is connected to chat in this mode. Connect one in Settings first.
              </Alert>
            )}
            <FormError form={form} />
            <Group gap="xs">
              <Button type="submit" loading={form.isWorking} disabled={channels.length === 0}>
                Add in {languageName(item.language)}
              </Button>
              <Button variant="subtle" color="gray" onClick={close}>
                Cancel
              </Button>
            </Group>
          </Stack>
        </form>
        <PhonePreview
          components={components}
          valueAt={({ where, name }) => (where === 'body' ? item.body_params[Number(name) - 1] : undefined)}
          sender={channels[0]?.display_name || channels[0]?.phone_number}
        />
      </div>
    </Modal>
  )
}

function componentsOf(item: types.LibraryTemplate, needed: Record<string, unknown>[], inputs: string[]): Components {
  const buttons = item.buttons.map((button) => {
    const value = inputs[needed.indexOf(button)]
    return value && button.type === 'URL' ? { ...button, url: value } : button
  })
  return [
    ...(item.header ? [{ type: 'HEADER', format: 'TEXT', text: item.header }] : []),
    { type: 'BODY', text: item.body },
    ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons }] : []),
  ]
}
