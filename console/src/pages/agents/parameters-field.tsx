import { Button, Checkbox, Group, JsonInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { AddButton } from '../../ui/add-button.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { Heading } from './heading.tsx'

interface Parameter {
  name: string
  type: string
  description: string
  required: boolean
}

const types = ['string', 'number', 'integer', 'boolean']
const only = (value: object, known: string[]) => Object.keys(value).every((name) => known.includes(name))

/** The parameters of a flat schema; undefined if the rows cannot express it. */
function parametersOf(text: string): Parameter[] | undefined {
  try {
    const schema = JSON.parse(text)
    const { properties = {}, required = [] } = schema
    if (schema.type !== 'object' || !only(schema, ['type', 'properties', 'required'])) return undefined
    const rows = Object.entries(properties as Record<string, Record<string, string>>).map(([name, value]) => {
      if (!types.includes(value.type ?? '') || !only(value, ['type', 'description']))
        throw new Error('not a flat object')
      return { name, type: value.type ?? '', description: value.description ?? '', required: required.includes(name) }
    })
    return rows
  } catch {
    return undefined
  }
}

const textOf = (parameters: Parameter[]): string => {
  const required = parameters.filter((each) => each.required).map(({ name }) => name)
  return JSON.stringify(
    {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map(({ name, type, description }) => [name, { type, ...(description && { description }) }]),
      ),
      ...(required.length > 0 && { required }),
    },
    null,
    2,
  )
}

/** Parameters of a tool or properties to extract, edited as rows or as JSON Schema. */
export function ParametersField({
  title = 'Parameters',
  hint = 'Values that the model fills in. {name} in the URL is replaced by that parameter.',
  noun = 'parameter',
  value,
  onChange,
  error,
}: {
  title?: string
  hint?: string
  noun?: string
  value: string
  onChange(value: string): void
  error: string | undefined
}) {
  const parameters = parametersOf(value)
  const [asJson, setAsJson] = useState(parameters === undefined)
  if (asJson || !parameters)
    return (
      <Stack gap={4}>
        <JsonInput
          label={`${title}, as a JSON Schema`}
          autosize
          minRows={5}
          maxRows={20}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
          value={value}
          error={error}
          onChange={onChange}
        />
        <Button
          variant="subtle"
          size="compact-xs"
          disabled={!parameters}
          onClick={() => setAsJson(false)}
          style={{ alignSelf: 'flex-start' }}
        >
          {parameters ? 'Edit as rows' : 'Too complex to edit as rows'}
        </Button>
      </Stack>
    )
  const change = (index: number, changes: Partial<Parameter>) =>
    onChange(textOf(parameters.map((each, at) => (at === index ? { ...each, ...changes } : each))))
  const freeName = () => {
    for (let number = parameters.length + 1; ; number++)
      if (!parameters.some(({ name }) => name === `${noun}_${number}`)) return `${noun}_${number}`
  }
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Heading title={title} hint={hint} />
        <Button variant="subtle" size="compact-xs" onClick={() => setAsJson(true)}>
          Edit as JSON
        </Button>
      </Group>
      {parameters.map(({ name, type, description, required }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name changes while it is typed, so the position is the key
        <Group key={index} gap="xs" wrap="wrap" align="center">
          <TextInput
            aria-label={`Name of ${noun} ${index + 1}`}
            w={150}
            value={name}
            onChange={(event) => {
              const typed = event.currentTarget.value
              // A duplicate name would merge two parameters.
              if (!parameters.some((other, at) => at !== index && other.name === typed)) change(index, { name: typed })
            }}
          />
          <Select
            aria-label={`Type of ${name}`}
            w={110}
            data={types}
            allowDeselect={false}
            value={type}
            onChange={(chosen) => change(index, { type: chosen ?? 'string' })}
          />
          <TextInput
            aria-label={`Description of ${name}`}
            placeholder="Description for the model"
            flex={1}
            miw={140}
            value={description}
            onChange={(event) => change(index, { description: event.currentTarget.value })}
          />
          <Checkbox
            label="Required"
            checked={required}
            onChange={(event) => change(index, { required: event.currentTarget.checked })}
          />
          <RowButton
            label={`Remove ${name}`}
            icon={IconX}
            onClick={() => onChange(textOf(parameters.filter((_, at) => at !== index)))}
          />
        </Group>
      ))}
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      <AddButton
        isSmall
        onClick={() =>
          onChange(
            textOf([
              ...parameters,
              { name: freeName(), type: 'string', description: '', required: noun === 'parameter' },
            ]),
          )
        }
      >
        Add {noun}
      </AddButton>
    </Stack>
  )
}
