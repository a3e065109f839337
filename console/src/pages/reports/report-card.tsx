import { Card, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Column, RecordTable } from '../../ui/record-list.tsx'

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

interface Row {
  id: string
  cells: ReactNode[]
}

/** Rows of a report; numbers are right-aligned. */
export function ReportTable({ label, head, rows }: { label: string; head: string[]; rows: Row[] }) {
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing in this period.
      </Text>
    )
  const columns = head.map((name, i): Column<Row> => {
    const cell = ({ cells }: Row) => cells[i]
    if (i === 0) return { label: name, cell: (row) => <bdi>{cell(row)}</bdi> }
    const number = { label: name, align: 'right', noWrap: true, cell } as const
    if (i < onPhones) return number
    return {
      ...number,
      from: 'md',
      below: (row) => (
        <>
          {name} {cell(row)}
        </>
      ),
    }
  })
  return <RecordTable name={label} rows={rows} columns={columns} />
}
