import type { api as types } from '@frontdesk/sdk'
import { Card, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { labelOf, SlotField } from '../../records/templates/slot-field.tsx'
import { keyOf, slotsOf } from '../../records/templates/template-parts.ts'
import type { StepProps } from './audience-step.tsx'
import { customField, fieldsOf, isPersonal, type ValueSource } from './campaign-values.ts'
import classes from './campaigns.module.css'
import type { usePreflight } from './use-audience.ts'

/** Chooses the source of each variable, and the files and codes that all recipients get. */
export function VariablesStep({
  draft,
  change,
  template,
  sample,
  preflight,
}: StepProps & { template: types.Template; sample: types.Contact[]; preflight: ReturnType<typeof usePreflight> }) {
  const slots = slotsOf(template.components)
  if (slots.length === 0)
    return <Text c="dimmed">This template has no variables. Every recipient gets the same message.</Text>
  const lacking = new Map(preflight.data?.unresolved_variables.map(({ variable, contacts }) => [variable, contacts]))
  const set = (key: string, source: ValueSource) => change({ sources: { ...draft.sources, [key]: source } })
  return (
    <Stack gap="sm" maw={680}>
      {slots.map((slot) => {
        const key = keyOf(slot)
        const source = draft.sources[key] ?? { kind: 'text', text: '' }
        const title = labelOf(slot)
        const without = lacking.get(key) ?? 0
        if (!isPersonal(slot))
          return (
            <Card key={key} withBorder padding="sm">
              <SlotField
                slot={slot}
                channelId={draft.channelId}
                value={source.kind === 'text' ? source.text : ''}
                onChange={(text) => set(key, { kind: 'text', text })}
              />
            </Card>
          )
        return (
          <Card key={key} withBorder padding="sm">
            <Group justify="space-between" mb="xs">
              <Text fw={550}>{title}</Text>
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
            </Group>
            {source.kind === 'text' ? (
              <TextInput
                aria-label={title}
                placeholder="Same for every recipient"
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
            {/* The line is always there: a count that arrives late must not move the buttons below. */}
            {source.kind === 'field' && (
              <Text size="xs" mt="xs" {...(without > 0 ? { className: classes.warning } : { c: 'dimmed' })}>
                {without > 0
                  ? `${without === 1 ? '1 contact has' : `${without.toLocaleString('en')} contacts have`} no value and would be skipped. Add a fallback to include ${without === 1 ? 'it' : 'them'}.`
                  : preflight.isCurrent
                    ? 'Every contact in the audience gets a value.'
                    : preflight.error
                      ? 'The audience could not be checked.'
                      : 'Checking the audience…'}
              </Text>
            )}
          </Card>
        )
      })}
    </Stack>
  )
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
