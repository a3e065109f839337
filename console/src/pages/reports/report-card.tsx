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
    // On a phone three columns fit, and more of them scroll.
    <Table.ScrollContainer minWidth={90 * head.length}>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {head.map((name, i) => (
              <Table.Th key={name} ta={i === 0 ? 'left' : 'right'}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, i) => (
                <Table.Td
                  key={head[i]}
                  {...(i === 0 ? { dir: 'auto' } : { ta: 'right', style: { whiteSpace: 'nowrap' } })}
                >
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
