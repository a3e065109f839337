import type { api as types } from '@frontdesk/sdk'
import { Card, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { partName } from '../../records/templates/examples-field.tsx'
import { MediaField } from '../../records/templates/media-field.tsx'
import { type Components, keyOf, partsOf, slotsOf } from '../../records/templates/template-parts.ts'
import type { StepProps } from './audience-step.tsx'
import { customField, fieldsOf, type ValueSource } from './campaign-values.ts'
import classes from './campaigns.module.css'

/** Chooses the source of each variable. */
export function VariablesStep({
  draft,
  change,
  template,
  sample,
  preflight,
}: StepProps & { template: types.Template; sample: types.Contact[]; preflight: types.CampaignPreflight | undefined }) {
  const slots = slotsOf(template.components)
  if (slots.length === 0)
    return <Text c="dimmed">This template has no variables. Every recipient gets the same message.</Text>
  const lacking = new Map(preflight?.unresolved_variables.map(({ variable, contacts }) => [variable, contacts]))
  const set = (key: string, source: ValueSource) => change({ sources: { ...draft.sources, [key]: source } })
  return (
    <Stack gap="sm" maw={680}>
      {slots.map((slot) => {
        const key = keyOf(slot)
        const source = draft.sources[key] ?? { kind: 'text', text: '' }
        const title = slot.name === '' ? 'Header file' : `{{${slot.name}}} in the ${partName(slot.where)}`
        return (
          <Card key={key} withBorder padding="sm">
            <Group justify="space-between" mb="xs">
              <Text fw={550}>{title}</Text>
              {slot.name !== '' && (
                <SegmentedControl
                  size="xs"
                  aria-label={`Source of ${title}`}
                  data={[
                    { value: 'field', label: 'Contact field' },
                    { value: 'text', label: 'Fixed text' },
                  ]}
                  value={source.kind}
                  onChange={(kind) =>
                    set(
                      key,
                      kind === 'text' ? { kind: 'text', text: '' } : { kind: 'field', field: 'name', otherwise: '' },
                    )
                  }
                />
              )}
            </Group>
            {slot.name === '' && (
              <MediaField
                label="Upload a file"
                format={formatAt(template.components, slot.where)}
                channelId={draft.channelId}
                isSample={false}
                onUploaded={({ media }) => set(key, { kind: 'text', text: media.id })}
              />
            )}
            {source.kind === 'text' ? (
              <TextInput
                mt={slot.name === '' ? 'xs' : 0}
                aria-label={title}
                placeholder={placeholders[slot.name] ?? 'Same for every recipient'}
                dir="auto"
                value={source.text}
                onChange={(event) => set(key, { kind: 'text', text: event.currentTarget.value })}
              />
            ) : (
              <Group align="flex-start" grow preventGrowOverflow={false} gap="xs">
                <Select
                  label="Field"
                  allowDeselect={false}
                  searchable
                  data={fieldChoices(sample, source.field)}
                  value={source.field}
                  onChange={(field) => field && set(key, { ...source, field })}
                  miw={180}
                />
                <TextInput
                  label="Fallback"
                  placeholder="None: skip the contact"
                  dir="auto"
                  value={source.otherwise}
                  onChange={(event) =>
                    set(key, { ...source, otherwise: event.currentTarget.value.replace(/[{}|]/g, '') })
                  }
                  miw={180}
                />
              </Group>
            )}
            {(lacking.get(key) ?? 0) > 0 && (
              <Text size="sm" mt="xs" className={classes.warning}>
                {lacking.get(key)?.toLocaleString()} contacts in the audience have no value and would be skipped. Enter
                a fallback to include them.
              </Text>
            )}
          </Card>
        )
      })}
    </Stack>
  )
}

const placeholders: Record<string, string> = {
  '': 'Or enter its URL: https://example.com/picture.jpg',
  expires_at: '2027-01-31T18:00:00Z',
  products: 'Bundles: sku1, sku2; Seeds: sku3',
}

/** The format of the file that a header shows. */
function formatAt(components: Components, where: string): string {
  const card = /^card\.(\d+)\./.exec(where)?.[1]
  const { header, cards } = partsOf(components)
  return (card === undefined ? header : partsOf(cards[Number(card)] ?? []).header)?.format ?? 'IMAGE'
}

function fieldChoices(sample: types.Contact[], current: string) {
  const custom = [
    ...new Set([
      ...fieldsOf(sample).map((name) => `${customField}${name}`),
      ...(current.startsWith(customField) ? [current] : []),
    ]),
  ]
  return [
    { value: 'name', label: 'Name' },
    { value: 'first_name', label: 'First name' },
    { value: 'phone_number', label: 'Phone number' },
    ...custom.map((value) => ({ value, label: value.slice(customField.length) })),
  ]
}
