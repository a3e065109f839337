import type { api as types } from '@frontdesk/sdk'
import { Group, Select, TextInput } from '@mantine/core'
import type { useApiForm } from '../../data/use-api-form.ts'
import { channelChoices } from '../../records/channels/use-channels.ts'
import { languageChoices } from '../../records/templates/languages.ts'
import { limits, type TemplateValues } from './template-values.ts'

/** The channel, name and language of a template. */
export function NamingFields({
  form,
  channels,
}: {
  form: ReturnType<typeof useApiForm<TemplateValues>>
  channels: types.Channel[]
}) {
  const { values, set } = form
  return (
    <>
      {channels.length > 1 && (
        <Select
          label="Channel"
          description="Its WhatsApp account owns the template"
          data={channelChoices(channels)}
          allowDeselect={false}
          {...form.control('channel_id')}
          value={values.channel_id}
        />
      )}
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <TextInput
          label="Name"
          description="Not visible to customers"
          placeholder="appointment_reminder"
          autoFocus
          required
          {...form.field('name')}
          onChange={(event) =>
            set(
              'name',
              event.currentTarget.value
                .toLowerCase()
                .replace(/[\s-]+/g, '_')
                .slice(0, limits.name),
            )
          }
          miw={240}
        />
        <Select
          label="Language"
          description={values.kind === 'code' ? 'WhatsApp writes the text in it' : 'Language of the text'}
          data={languageChoices}
          searchable
          allowDeselect={false}
          {...form.control('language')}
          value={values.language}
          miw={200}
        />
      </Group>
    </>
  )
}
