import type { api as types } from '@frontdesk/sdk'
import { Drawer, Text, UnstyledButton } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { useCursorList, useRecord } from '../../data/use-records.ts'
import { Moment } from '../../ui/moment.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { OrganizationDetails } from './organization-details.tsx'

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
]

const StatusOf = ({ status }: Pick<types.OperatedOrganization, 'status'>) =>
  status === 'active' ? <Status tone="good">Active</Status> : <Status tone="bad">Suspended</Status>

export function OrganizationsTab() {
  const filters = useFilters(['search', 'status'])
  const { search, status } = filters.values
  const [parameters, setParameters] = useSearchParams()
  const opened = parameters.get('organization')
  const open = (id: string | undefined) =>
    setParameters((now) => {
      if (id) now.set('organization', id)
      else now.delete('organization')
      return now
    })
  const list = useCursorList(['operated', search, status], (starting_after, signal) =>
    api.operator.listOperatedOrganizations(
      {
        limit: 50,
        search,
        status: status === 'active' || status === 'suspended' ? status : undefined,
        ...(starting_after && { starting_after }),
      },
      { signal },
    ),
  )
  return (
    <>
      <RecordList
        label="Organizations"
        list={list}
        filters={filters}
        fields={[
          { name: 'search', label: 'Search by name or ID' },
          { name: 'status', label: 'Status', choices: statuses },
        ]}
        empty={{ title: 'No organizations yet' }}
        columns={[
          {
            label: 'Name',
            cell: ({ id, name }) => (
              <UnstyledButton onClick={() => open(id)} fz="sm" fw={550} c="var(--mantine-color-anchor)">
                <bdi>{name}</bdi>
              </UnstyledButton>
            ),
          },
          { label: 'Status', cell: (organization) => <StatusOf {...organization} /> },
          { label: 'Members', from: 'xs', cell: ({ members_count }) => members_count.toLocaleString() },
          { label: 'Limits', from: 'md', cell: (organization) => limitsOf(organization) },
          { label: 'Created', from: 'sm', cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
      <Drawer
        opened={opened !== null}
        onClose={() => open(undefined)}
        position="right"
        size="lg"
        title={<Text fw={600}>Organization</Text>}
      >
        {opened && <OpenOrganization id={opened} />}
      </Drawer>
    </>
  )
}

const limitsOf = ({ requests_per_minute, calls_at_once }: types.OperatedOrganization) =>
  [
    requests_per_minute !== null && `${requests_per_minute.toLocaleString()} requests/min`,
    calls_at_once !== null && `${calls_at_once} calls at once`,
  ]
    .filter(Boolean)
    .join(', ') || 'Default'

function OpenOrganization({ id }: { id: string }) {
  const { data, error, refetch } = useRecord(['operated', 'one', id], (signal) =>
    api.operator.getOperatedOrganization(id, { signal }),
  )
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data?.id !== id) return null
  return <OrganizationDetails key={id} organization={data} />
}
