import type { api as types } from '@frontdesk/sdk'
import { Radio, Select, Stack, TextInput } from '@mantine/core'
import { channelChoices } from '../../records/channels/use-channels.ts'
import { TagsField } from '../../records/contacts/tags-field.tsx'
import { useTags } from '../../records/contacts/use-tags.ts'
import type { Draft } from './campaign-draft.ts'
import { ContactPicker } from './contact-picker.tsx'

export interface StepProps {
  draft: Draft
  change(members: Partial<Draft>): void
}

const kinds: { value: Draft['audienceType']; label: string; description: string }[] = [
  {
    value: 'all',
    label: 'All contacts',
    description: 'All contacts except those who opted out',
  },
  { value: 'tags', label: 'By tags', description: 'Contacts with at least one of the tags' },
  {
    value: 'manual',
    label: 'Selected contacts',
    description: 'Pick contacts, or add all that match a search, stage, tag or ad',
  },
]

export function AudienceStep({ draft, change, channels }: StepProps & { channels: types.Channel[] }) {
  return (
    <Stack gap="lg" maw={680}>
      <TextInput
        label="Name"
        description="Visible to your team only"
        placeholder="Spring news"
        maxLength={255}
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        autoFocus
      />
      {channels.length > 1 && (
        <Select
          label="Send from"
          allowDeselect={false}
          data={channelChoices(channels)}
          value={draft.channelId}
          onChange={(channelId) => channelId && change({ channelId, templateId: null, sources: {} })}
        />
      )}
      <Radio.Group
        label="Audience"
        value={draft.audienceType}
        onChange={(value) => change({ audienceType: value as Draft['audienceType'] })}
      >
        <Stack gap="sm" mt="xs">
          {kinds.map((kind) => (
            <Radio key={kind.value} {...kind} />
          ))}
        </Stack>
      </Radio.Group>
      {draft.audienceType === 'tags' && <Tags draft={draft} change={change} />}
      {draft.audienceType === 'manual' && (
        <ContactPicker chosen={draft.contactIds} onChange={(contactIds) => change({ contactIds })} />
      )}
    </Stack>
  )
}

function Tags({ draft, change }: StepProps) {
  const known = useTags().map(({ tag }) => tag)
  return (
    <TagsField
      description="Add tags on a contact’s page or with an import."
      value={draft.tags}
      onChange={(tags) => change({ tags })}
      suggestions={known}
    />
  )
}
