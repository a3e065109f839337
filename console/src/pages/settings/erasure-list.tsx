import type { api as types } from '@frontdesk/sdk'
import { Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import { Fact, Facts, ShownId } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordList } from '../../ui/record-list.tsx'

const rowsOf = ({ counts }: types.Erasure) => Object.values(counts).reduce((sum, rows) => sum + rows, 0)

/** Proofs of erasure, newest first. */
export function ErasureList() {
  const [opened, setOpened] = useState<string>()
  const list = useCursorList(
    ['erasures'],
    (starting_after, signal) =>
      api.privacy.listErasures({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
    { refetchInterval: (erasures) => (erasures.some(({ state }) => state !== 'completed') ? 2_000 : false) },
  )
  return (
    <Stack gap="xs">
      <Title order={2}>Erasures</Title>
      <Text size="sm" c="dimmed">
        Proof that everything about a contact was erased. To erase one, open the contact’s menu.
      </Text>
      <RecordList
        list={list}
        label="Erasures"
        empty={{ title: 'No erasures yet', text: 'Erased contacts appear here, without personal data.' }}
        expand={{
          opened,
          open: setOpened,
          label: ({ contact_id }) => `Proof for ${contact_id}`,
          body: (erasure) => <Proof erasure={erasure} />,
        }}
        columns={[
          { label: 'Requested', cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            label: 'Status',
            cell: ({ state, error }) => (state === 'completed' ? 'Completed' : (error ?? 'In progress')),
          },
          { label: 'Rows', cell: (erasure) => rowsOf(erasure).toLocaleString() },
          { label: 'Files', cell: ({ files_count }) => files_count.toLocaleString() },
        ]}
      />
    </Stack>
  )
}

const Proof = ({ erasure }: { erasure: types.Erasure }) => (
  <Facts>
    <Fact label="Contact">
      <ShownId id={erasure.contact_id} />
    </Fact>
    {erasure.completed_at && (
      <Fact label="Completed">
        <Moment at={erasure.completed_at} />
      </Fact>
    )}
    {Object.entries(erasure.counts).map(([table, rows]) => (
      <Fact key={table} label={table.replaceAll('_', ' ')}>
        {rows.toLocaleString()}
      </Fact>
    ))}
  </Facts>
)
