import { Button, Group, Select, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { useCursorList, useRecord } from '../../data/use-records.ts'
import { Moment } from '../../ui/moment.tsx'
import { MoreOf } from '../../ui/more-button.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState, ErrorState, RowSkeletons } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import classes from './agents.module.css'

const NewButton = () => (
  <Button component={Link} to="/agents/new" leftSection={<IconPlus size={16} />}>
    New agent
  </Button>
)

export function AgentsPage() {
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  const search = params.get('search') ?? ''
  const state = params.get('state') ?? ''
  const set = (name: string, value: string) =>
    setParams(
      (now) => {
        if (value) now.set(name, value)
        else now.delete(name)
        return now
      },
      { replace: true },
    )
  const searchLater = useDebouncedCallback((words: string) => set('search', words.trim()), 250)
  const list = useCursorList(['agents', 'list', search, state], (starting_after, signal) =>
    api.agents.list(
      {
        starting_after,
        limit: 50,
        search: search || undefined,
        is_active: state === 'active' || state === 'inactive' ? state : undefined,
      },
      { signal },
    ),
  )
  const { data: voices } = useRecord(['voices'], (signal) => api.agents.listVoices({ signal }))
  const isFiltered = search !== '' || state !== ''
  const isEmpty = list.isSuccess && list.rows.length === 0
  return (
    <Page title="Agents" actions={<NewButton />}>
      {(isFiltered || !isEmpty) && (
        <Group gap="xs" mb="sm">
          <TextInput
            aria-label="Search agents"
            placeholder="Search by name"
            leftSection={<IconSearch size={14} />}
            defaultValue={search}
            onChange={(event) => searchLater(event.currentTarget.value)}
            w={{ base: '100%', xs: 240 }}
          />
          <Select
            aria-label="State"
            placeholder="Any state"
            data={[
              { value: 'active', label: 'Active' },
              { value: 'inactive', label: 'Inactive' },
            ]}
            clearable
            value={state || null}
            onChange={(value) => set('state', value ?? '')}
            w={140}
          />
        </Group>
      )}
      {list.error && list.rows.length === 0 ? (
        <ErrorState error={list.error} retry={list.refetch} />
      ) : isEmpty ? (
        isFiltered ? (
          <EmptyState
            title="No agent fits"
            action={
              <Button variant="default" onClick={() => setParams({}, { replace: true })}>
                Show all agents
              </Button>
            }
          />
        ) : (
          <EmptyState title="No agents yet" action={<NewButton />}>
            An agent answers calls and chats: by fixed rules, or with a language model that knows your documents and can
            use your systems. Make one in a minute and talk to it in this browser.
          </EmptyState>
        )
      ) : (
        <>
          <Table.ScrollContainer minWidth={320}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>State</Table.Th>
                  <Table.Th visibleFrom="sm">Answers</Table.Th>
                  <Table.Th visibleFrom="sm">Voice</Table.Th>
                  <Table.Th visibleFrom="sm">Changed</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.isPending && <RowSkeletons columns={5} rows={4} />}
                {list.rows.map(({ id, name, is_active, agent_type, agent_config, updated_at, version }) => (
                  <Table.Tr key={id} onClick={() => void navigate(`/agents/${id}`)} style={{ cursor: 'pointer' }}>
                    <Table.Td maw={320}>
                      <Link
                        to={`/agents/${id}`}
                        className={classes.rowLink}
                        onClick={(event) => event.stopPropagation()}
                      >
                        <bdi>{name}</bdi>
                      </Link>
                    </Table.Td>
                    <Table.Td>
                      {is_active === 'active' ? (
                        <Status tone="good">Active</Status>
                      ) : (
                        <Status tone="waiting">Inactive</Status>
                      )}
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      {agent_type === 'static'
                        ? agent_config.call_settings.rules.length === 1
                          ? 'By one rule'
                          : `By ${agent_config.call_settings.rules.length} rules`
                        : `With ${agent_config.llm_model}`}
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      {voices?.voices.find((voice) => voice.id === agent_config.voice_settings?.voice_id)?.name ?? (
                        <Text span size="sm" c="dimmed">
                          The usual one
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
                      <Moment at={updated_at} />{' '}
                      <Text span size="xs" c="dimmed">
                        v{version}
                      </Text>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <MoreOf list={list} />
        </>
      )}
    </Page>
  )
}
