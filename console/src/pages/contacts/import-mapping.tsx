import type { api as types } from '@frontdesk/sdk'
import { Box, Select, Table, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import classes from './contact-table.module.css'
import { readSamples } from './csv-sample.ts'
import type { Renamed } from './use-import.ts'

const custom = 'custom_fields.'
const leftOut = '-'
const fields: [string, string][] = [
  ['phone_number', 'Phone number'],
  ['name', 'Name'],
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['tags', 'Tags'],
  ['notes', 'Notes'],
  ['stage', 'Stage'],
  ['ai_handling', 'AI replies'],
  ['opted_out_at', 'Opted out at'],
  ['time_zone', 'Time zone'],
]

/** Maps columns to fields. The service suggests a mapping that can be corrected here. */
export function ImportMapping({
  report: { columns, encoding },
  file,
  renamed,
  onRename,
}: {
  report: Pick<types.ContactImportReport, 'columns' | 'encoding'>
  file: File | undefined
  renamed: Renamed
  onRename(renamed: Renamed): void
}) {
  const [samples, setSamples] = useState<string[][]>([])
  useEffect(() => {
    if (file) readSamples(file, { encoding, columns }).then(setSamples, () => setSamples([]))
  }, [file, encoding, columns])
  const meaning = (column: string, field: string | null) => (column in renamed ? (renamed[column] ?? null) : field)

  return (
    <Box component="section" aria-label="Columns">
      <Title order={2} mb="xs">
        Columns
      </Title>
      {!encoding.startsWith('utf-') && (
        <Text size="sm" c="dimmed" mb="xs">
          Read as {encoding}. If characters look wrong, save the file as UTF-8 and choose it again.
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard */}
      <section className={classes.errors} style={{ maxHeight: 'none' }} tabIndex={0} aria-label="Column mapping">
        <Table className={classes.table} highlightOnHover={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Column</Table.Th>
              <Table.Th>Example</Table.Th>
              <Table.Th>Field</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {columns.map(({ column, field }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: column names may repeat
              <Table.Tr key={index}>
                <Table.Td fw={550}>{column}</Table.Td>
                <Table.Td>
                  <Text size="sm" c="dimmed" truncate maw={320} dir="auto">
                    {samples[index]?.join(', ') || '–'}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Select
                    size="xs"
                    w={210}
                    aria-label={`Field for ${column}`}
                    disabled={!file}
                    data={choicesFor(column, field)}
                    value={meaning(column, field) ?? leftOut}
                    onChange={(value) => value && onRename({ ...renamed, [column]: value === leftOut ? null : value })}
                    allowDeselect={false}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Box>
  )
}

function choicesFor(column: string, field: string | null) {
  const name = field?.startsWith(custom) ? field.slice(custom.length) : column
  return [
    ...fields.map(([value, label]) => ({ value, label })),
    { value: custom + name, label: `Custom field “${name}”` },
    // The name of the export's column with all other custom fields.
    ...(field === 'custom_fields' ? [{ value: 'custom_fields', label: 'Custom fields, as JSON' }] : []),
    { value: leftOut, label: 'Skip column' },
  ]
}
