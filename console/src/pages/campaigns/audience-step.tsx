import type { api as types } from '@frontdesk/sdk'
import { Radio, Select, Stack, TextInput } from '@mantine/core'
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
    description: 'Everybody whom you know, apart from those who opted out of marketing.',
  },
  { value: 'tags', label: 'By tags', description: 'Whoever has at least one of the tags.' },
  { value: 'manual', label: 'Chosen contacts', description: 'One by one, or all that match a search, stage or tag.' },
]

export function AudienceStep({ draft, change, channels }: StepProps & { channels: types.Channel[] }) {
  return (
    <Stack gap="lg" maw={680}>
      <TextInput
        label="Name"
        description="For you and your team; customers do not see it."
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
          data={channels.map(({ id, display_name, phone_number }) => ({
            value: id,
            label: [display_name, phone_number].filter(Boolean).join(' · '),
          }))}
          value={draft.channelId}
          onChange={(channelId) => channelId && change({ channelId, templateId: null, sources: {} })}
        />
      )}
      <Radio.Group
        label="Who gets it"
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
      description="Tags are given on the contact’s page or by an import."
      value={draft.tags}
      onChange={(tags) => change({ tags })}
      suggestions={known}
    />
  )
}
