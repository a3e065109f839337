import type { api as types } from '@frontdesk/sdk'
import { SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import { JsonBody } from '../../ui/json-body.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordList } from '../../ui/record-list.tsx'

function sentenceOf({ action, current }: types.OperatorAction): string {
  if (action === 'job.retried') return 'Job retried'
  if (action === 'operator.created') return 'Operator added'
  if (action === 'operator.deleted') return 'Operator removed'
  if (current && 'suspended_at' in current) return current.suspended_at ? 'Suspended' : 'Suspension lifted'
  return current && 'suspended_reason' in current ? 'Reason of the suspension changed' : 'Limits changed'
}

/** Which operator did what. */
export function ActionsTab() {
  const [opened, setOpened] = useState<string>()
  const list = useCursorList(['operator-actions'], (starting_after, signal) =>
    api.operator.listActions({ limit: 50, ...(starting_after && { starting_after }) }, { signal }),
  )
  return (
    <RecordList
      list={list}
      label="Actions"
      empty={{ title: 'No actions yet', text: 'Suspensions, limits, retried jobs and new operators appear here.' }}
      expand={{
        opened,
        open: setOpened,
        label: (action) => `Details of ${sentenceOf(action)}`,
        body: ({ previous, current }) => (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {previous && <JsonBody label="Before" body={previous} />}
            {current && <JsonBody label="After" body={current} />}
          </SimpleGrid>
        ),
      }}
      columns={[
        { label: 'Action', cell: sentenceOf },
        {
          label: 'Organization or operator',
          cell: ({ organization_name, object_name }) => <bdi>{organization_name ?? object_name}</bdi>,
        },
        {
          label: 'By',
          from: 'sm',
          cell: by,
          below: (entry) => (
            <Text inherit lineClamp={1}>
              {by(entry)}
            </Text>
          ),
        },
        { label: 'IP address', from: 'md', noWrap: true, cell: ({ ip_address }) => ip_address ?? '–' },
        { label: 'Time', noWrap: true, cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  )
}

const by = ({ actor_name }: types.OperatorAction) => <bdi>{actor_name ?? 'A deleted account'}</bdi>
