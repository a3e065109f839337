import { Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ApiRequest } from '../../data/api-request.tsx'
import { may, useMe } from '../../data/session.tsx'
import { useRefresh } from '../../data/use-records.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { EditButtons } from '../../ui/edit-buttons.tsx'
import { type Column, type ListState, RecordList } from '../../ui/record-list.tsx'
import { useLast } from '../../ui/use-last.ts'

interface Named {
  id: string
  name: string
}

interface Props<Row extends Named> {
  /** In the API, and the key of its queries. */
  noun: 'schedules' | 'teams' | 'sla-policies'
  text: string
  /** As in "New team". */
  what: string
  empty: string
  list: ListState<Row>
  columns: Column<Row>[]
  consequence: string
  remove(id: string): Promise<unknown>
  /** The dialog for a new or an existing record. */
  form(props: { opened: boolean; record: Row | undefined; close(): void; onSaved(): void }): ReactNode
}

/** A list of settings that members with the permission add, edit and delete. */
export function SettingsList<Row extends Named>(props: Props<Row>) {
  const { noun, text, what, empty, list, columns, consequence, remove, form } = props
  const me = useMe()
  const refresh = useRefresh(noun)
  const [editing, setEditing] = useState<Row | 'new'>()
  const shown = useLast(editing)
  const canManage = may(me, 'members:manage')
  const askToRemove = ({ id, name }: Row) =>
    askFirst({
      title: `Delete ${name}?`,
      consequence,
      action: `Delete ${what}`,
      run: async () => {
        await remove(id)
        await refresh()
      },
    })
  const add = <NewButton onClick={() => setEditing('new')}>New {what}</NewButton>
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        <Group gap="xs">
          <ApiRequest method="GET" path={`/${noun}`} />
          {canManage && add}
        </Group>
      </Group>
      <RecordList
        list={list}
        empty={{ title: empty }}
        skeletons={3}
        paging={list.hasNextPage ? undefined : null}
        columns={[
          {
            label: 'Name',
            cell: ({ name }) => (
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                <bdi>{name}</bdi>
              </Text>
            ),
          },
          ...columns.map((column) => ({ ...column, below: (row: Row) => <Labelled {...column} row={row} /> })),
          {
            label: 'Actions',
            isLabelHidden: true,
            align: 'right',
            cell: (row) =>
              canManage && <EditButtons name={row.name} edit={() => setEditing(row)} remove={() => askToRemove(row)} />,
          },
        ]}
      />
      {form({
        opened: editing !== undefined,
        record: shown === 'new' ? undefined : shown,
        close: () => setEditing(undefined),
        onSaved: () => {
          setEditing(undefined)
          void refresh()
        },
      })}
    </Stack>
  )
}

const Labelled = <Row,>({ label, cell, row }: Column<Row> & { row: Row }) => (
  <>
    <span className="sr-only">{label}: </span>
    {cell(row)}
  </>
)
