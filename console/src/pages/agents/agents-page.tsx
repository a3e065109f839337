import type { api as types } from '@frontdesk/sdk'
import { Text } from '@mantine/core'
import { api } from '../../data/api.ts'
import { IfMay } from '../../data/session.tsx'
import { useCursorList, useRecord } from '../../data/use-records.ts'
import { providerNames } from '../../records/agents/provider-names.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { RecordList, RowLink } from '../../ui/record-list.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { AgentStatus } from './agent-status.tsx'

const NewAgent = () => (
  <IfMay scope="agents:write">
    <NewButton to="/agents/new">New agent</NewButton>
  </IfMay>
)

const choices = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
]

function answersWith({ agent_type, agent_config }: types.Agent): string {
  if (agent_type !== 'static') return agent_config.llm_model ?? ''
  const rules = agent_config.call_settings.rules.length
  return rules === 1 ? '1 rule' : `${rules} rules`
}

export function AgentsPage() {
  const filters = useFilters(['search', 'state'])
  const { search, state } = filters.values
  const list = useCursorList(['agents', 'list', search, state], (starting_after, signal) =>
    api.agents.list(
      { starting_after, limit: 50, search, is_active: state === 'active' || state === 'inactive' ? state : undefined },
      { signal },
    ),
  )
  const { data: voices } = useRecord(['voices'], (signal) => api.agents.listVoices({}, { signal }))
  const voiceOf = ({ agent_config }: types.Agent) =>
    agent_config.voice_settings?.provider_voice_id
      ? providerNames[agent_config.voice_settings.provider as keyof typeof providerNames]
      : voices?.voices.find(({ id }) => id === agent_config.voice_settings?.voice_id)?.name
  return (
    <Page title="Agents" actions={<NewAgent />}>
      <RecordList
        label="Agents"
        list={list}
        filters={filters}
        fields={[
          { name: 'search', label: 'Search agents', placeholder: 'Search by name' },
          { name: 'state', label: 'Status', choices },
        ]}
        empty={{
          title: 'No agents yet',
          text: 'Agents answer calls and chats, with fixed rules or with a language model that knows your documents and can use your systems. Create one in a minute and talk to it in this browser.',
          action: <NewAgent />,
        }}
        address={({ id }) => `/agents/${id}`}
        skeletons={4}
        columns={[
          { label: 'Name', cell: ({ id, name }) => <RowLink to={`/agents/${id}`}>{name}</RowLink> },
          { label: 'Status', cell: (agent) => <AgentStatus agent={agent} /> },
          { label: 'Answers with', from: 'sm', cell: answersWith },
          {
            label: 'Voice',
            from: 'sm',
            cell: (agent) =>
              voiceOf(agent) ?? (
                <Text span size="sm" c="dimmed">
                  Default
                </Text>
              ),
          },
          {
            label: 'Updated',
            from: 'sm',
            noWrap: true,
            cell: ({ updated_at, version }) => (
              <>
                <Moment at={updated_at} />{' '}
                <Text span size="xs" c="dimmed">
                  v{version}
                </Text>
              </>
            ),
          },
        ]}
      />
    </Page>
  )
}
