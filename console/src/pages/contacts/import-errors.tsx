import type { api as types } from '@frontdesk/sdk'
import { Box, Button, Group, Table, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import classes from './contact-table.module.css'
import { csvOf, saveFile } from './save-file.ts'

/** The download has all errors that the service keeps. */
const shownRows = 100

export function ImportErrors({ report }: { report: types.ContactImportReport }) {
  const { errors, errors_omitted, counts, file_name } = report
  if (errors.length === 0) return null
  const save = () =>
    saveFile(
      `errors-${file_name.replace(/\.\w+$/, '')}.csv`,
      csvOf([['row', 'column', 'message'], ...errors.map(({ row, column, message }) => [row, column, message])]),
    )
  const hidden = counts.invalid - Math.min(errors.length, shownRows)
  return (
    <Box component="section" aria-label="Invalid rows">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Invalid rows</Title>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={save}>
          Download errors
        </Button>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard */}
      <section className={classes.errors} tabIndex={0} aria-label="Errors by row">
        <Table stickyHeader className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={70}>Row</Table.Th>
              <Table.Th>Column</Table.Th>
              <Table.Th>Error</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {errors.slice(0, shownRows).map(({ row, column, message }) => (
              <Table.Tr key={`${row} ${column}`}>
                <Table.Td>{row}</Table.Td>
                <Table.Td>{column || 'Whole row'}</Table.Td>
                <Table.Td style={{ whiteSpace: 'normal' }}>{message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {hidden > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          And {hidden.toLocaleString()} more
          {errors_omitted > 0
            ? `; the first ${errors.length.toLocaleString()} are in the download`
            : ' in the download'}
          .
        </Text>
      )}
    </Box>
  )
}
