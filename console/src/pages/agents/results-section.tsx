import { Checkbox, Group, Select, Stack, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { AddButton } from '../../ui/add-button.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { FoldableRows } from './foldable-rows.tsx'
import { Heading } from './heading.tsx'
import { ParametersField } from './parameters-field.tsx'
import { type ContactFieldRow, propertiesOf } from './result-values.ts'
import { newKey } from './row-keys.ts'

const newNamed = () => ({ key: newKey(), name: '', description: '' })

/** What is found out after each call and each closed conversation. */
export function ResultsSection({ form }: { form: AgentForm }) {
  const { values, set } = form
  return (
    <AgentSection
      id="results"
      title="Results"
      text="Filled in by the model after each call and each closed conversation, and shown on its page."
    >
      <ParametersField
        title="Data to extract"
        hint="Values that the model extracts from the conversation. Values that were not mentioned stay empty."
        noun="property"
        value={values.extract}
        error={form.errors.extract}
        onChange={(text) => set('extract', text)}
      />
      {propertiesOf(values.extract).length > 0 && <ContactFields form={form} />}
      <Heading title="Success criteria" hint="Judged with a reason." />
      <NamedRows form={form} name="success_criteria" noun="criterion" example="Appointment booked" when="Met when" />
      <Heading title="Dispositions" hint="How a conversation can end. The model chooses one at most." />
      <NamedRows form={form} name="dispositions" noun="disposition" example="Call back" when="Applies when" />
    </AgentSection>
  )
}

function NamedRows({
  form,
  name,
  noun,
  example,
  when,
}: {
  form: AgentForm
  name: 'success_criteria' | 'dispositions'
  noun: string
  example: string
  when: string
}) {
  return (
    <FoldableRows form={form} name={name} noun={noun} create={newNamed} detailOf={({ description }) => description}>
      {(row, errorAt, change) => (
        <Stack gap="sm">
          <TextInput
            label="Name"
            placeholder={example}
            maxLength={100}
            value={row.name}
            error={errorAt('name')}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            label={when}
            maxLength={1000}
            value={row.description}
            error={errorAt('description')}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
        </Stack>
      )}
    </FoldableRows>
  )
}

/** Which extracted values are written to the contact. */
function ContactFields({ form }: { form: AgentForm }) {
  const rows = form.values.contact_fields
  const put = (changed: ContactFieldRow[]) => form.set('contact_fields', changed)
  const change = (index: number, changes: Partial<ContactFieldRow>) =>
    put(rows.map((row, at) => (at === index ? { ...row, ...changes } : row)))
  const properties = propertiesOf(form.values.extract)
  const add = () => {
    const property = properties.find((name) => !rows.some((row) => row.property === name)) ?? properties[0] ?? ''
    put([...rows, { key: newKey(), property, field: `custom_fields.${property}`, overwrite: false }])
  }
  return (
    <Stack gap={6}>
      <Heading title="Contact fields" hint="Extracted values that are written to the contact." />
      {rows.map(({ key, property, field, overwrite }, index) => (
        <Group key={key} gap="xs" wrap="wrap" align="flex-start">
          <Select
            aria-label={`Property of contact field ${index + 1}`}
            w={170}
            data={properties}
            allowDeselect={false}
            value={property}
            error={form.errorAt(`contact_fields.${index}.property`)}
            onChange={(chosen) => change(index, { property: chosen ?? '' })}
          />
          <TextInput
            aria-label={`Field for ${property}`}
            placeholder="custom_fields.plan or name"
            flex={1}
            miw={180}
            value={field}
            error={form.errorAt(`contact_fields.${index}.field`)}
            onChange={(event) => change(index, { field: event.currentTarget.value })}
          />
          <Checkbox
            label="Overwrite"
            mt={8}
            checked={overwrite}
            onChange={(event) => change(index, { overwrite: event.currentTarget.checked })}
          />
          <RowButton
            label={`Remove ${field}`}
            icon={IconX}
            isBesideInput
            onClick={() => put(rows.filter((_, at) => at !== index))}
          />
        </Group>
      ))}
      <AddButton isSmall onClick={add}>
        Add contact field
      </AddButton>
    </Stack>
  )
}
