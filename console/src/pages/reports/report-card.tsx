import { Card, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A part of a report with its heading. */
export function ReportCard({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <Card withBorder component="section">
      <Title order={2} mb={note ? 0 : 'sm'}>
        {title}
      </Title>
      {note && (
        <Text size="sm" c="dimmed" mb="sm">
          {note}
        </Text>
      )}
      {children}
    </Card>
  )
}

/** Columns that fit on a phone. The others stand below the name there. */
const onPhones = 3

/** Rows of a report; numbers are right-aligned. */
export function ReportTable({
  label,
  head,
  rows,
}: {
  label: string
  head: string[]
  rows: { key: string; cells: ReactNode[] }[]
}) {
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing in this period.
      </Text>
    )
  return (
    <Table aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {head.map((name, i) => (
            <Table.Th key={name} ta={i === 0 ? 'left' : 'right'} {...(i >= onPhones && { visibleFrom: 'md' })}>
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells }) => (
          <Table.Tr key={key}>
            {cells.map((cell, i) =>
              i === 0 ? (
                <Table.Td key={head[i]} style={{ overflowWrap: 'anywhere' }}>
                  <bdi>{cell}</bdi>
                  {/* The columns that a phone has no room for. */}
                  {cells.slice(onPhones).map((more, j) => (
                    <Text key={head[onPhones + j]} size="xs" c="dimmed" hiddenFrom="md">
                      {head[onPhones + j]} {more}
                    </Text>
                  ))}
                </Table.Td>
              ) : (
                <Table.Td
                  key={head[i]}
                  ta="right"
                  style={{ whiteSpace: 'nowrap' }}
                  {...(i >= onPhones && { visibleFrom: 'md' })}
                >
                  {cell}
                </Table.Td>
              ),
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
