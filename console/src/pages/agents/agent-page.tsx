import type { api as types } from '@frontdesk/sdk'
import { Alert, Button, SegmentedControl, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { LoadRecord } from '../../data/load-record.tsx'
import { useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord } from '../../data/use-records.ts'
import { StartCall } from '../../records/calls/start-call.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { showDone } from '../../ui/undo.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'
import { AgentActions } from './agent-actions.tsx'
import { changesBetween } from './agent-changes.ts'
import { AgentEditor } from './agent-editor.tsx'
import { checkValues, fieldOf } from './agent-problems.ts'
import { AgentStatus } from './agent-status.tsx'
import { valuesOf } from './agent-values.ts'
import classes from './agents.module.css'
import { TryAgent } from './try-agent.tsx'

export function AgentPage() {
  const { agentId = '' } = useParams()
  // While the agent is being deleted it is not requested again.
  const [isDeleting, setDeleting] = useState(false)
  const query = useRecord(['agents', agentId], (signal) => api.agents.get(agentId, { signal }), {
    enabled: !isDeleting,
  })
  return (
    <LoadRecord what="Agent" id={agentId} query={query}>
      {(agent) => <KnownAgent key={agent.id} agent={agent} setDeleting={setDeleting} />}
    </LoadRecord>
  )
}

function KnownAgent({ agent, setDeleting }: { agent: types.Agent; setDeleting(isDeleting: boolean): void }) {
  const { mode } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [base, setBase] = useState(() => ({ values: valuesOf(agent), version: agent.version }))
  const [isDeleted, setDeleted] = useState(false)
  const form = useApiForm({
    initialValues: base.values,
    check: checkValues,
    fieldOf,
    async submit(values) {
      const saved = await api.agents.update(agent.id, changesBetween(base.values, values))
      queries.setQueryData([mode, 'agents', agent.id], saved)
      void queries.invalidateQueries({ queryKey: [mode, 'agents', 'list'] })
      setBase({ values: valuesOf(saved), version: saved.version })
      form.adopt(valuesOf(saved))
      showDone(`Saved as version ${saved.version}`)
    },
  })
  const takeOver = (next: types.Agent) => {
    const values = valuesOf(next)
    setBase({ values, version: next.version })
    form.reset(values)
  }
  useUnsavedGuard(form.isDirty && !isDeleted)
  // The event about one's own save may arrive before the response to it.
  const isElsewhereNewer = agent.version > base.version && !form.isWorking
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a newer version appears
  useEffect(() => {
    // Without local changes the newer version simply replaces the form.
    if (isElsewhereNewer && !form.isDirty) takeOver(agent)
  }, [isElsewhereNewer, form.isDirty])
  useEffect(() => {
    if (isDeleted) void navigate('/agents')
  }, [isDeleted, navigate])

  const [params, setParams] = useSearchParams()
  const isNarrow = useMediaQuery('(max-width: 75em)', undefined, { getInitialValueInEffect: false })
  const view = params.get('view') === 'try' ? 'try' : 'setup'
  const editor = (
    <AgentEditor
      form={form}
      isTest={mode === 'test'}
      saveLabel="Save"
      onDiscard={() => form.reset(base.values)}
      notice={
        isElsewhereNewer &&
        form.isDirty && (
          <Alert color="yellow" variant="light" title={`Version ${agent.version} was saved in the meantime`}>
            <Text size="sm">If you save, only the fields that you changed are overwritten.</Text>
            <Button variant="default" size="xs" mt="xs" onClick={() => takeOver(agent)}>
              Discard my changes and load it
            </Button>
          </Alert>
        )
      }
    />
  )
  return (
    <RecordPage
      list={{ to: '/agents', label: 'Agents' }}
      title={agent.name}
      status={<AgentStatus agent={agent} />}
      id={agent.id}
      details={
        <>
          Version {agent.version}, saved <Moment at={agent.updated_at} />
        </>
      }
      actions={
        <>
          <ApiRequest method="GET" path={`/agents/${agent.id}`} />
          <StartCall agentId={agent.id} />
          <AgentActions agent={agent} setDeleting={setDeleting} onDeleted={() => setDeleted(true)} />
        </>
      }
    >
      {isNarrow && (
        <SegmentedControl
          aria-label="View"
          fullWidth
          mb="md"
          value={view}
          onChange={(value) =>
            setParams(
              (now) => {
                if (value === 'try') now.set('view', 'try')
                else now.delete('view')
                return now
              },
              { replace: true },
            )
          }
          data={[
            { value: 'setup', label: 'Setup' },
            { value: 'try', label: 'Try it' },
          ]}
        />
      )}
      <div className={classes.columns}>
        {(!isNarrow || view === 'setup') && <div>{editor}</div>}
        {(!isNarrow || view === 'try') && <TryAgent agent={agent} isDirty={form.isDirty} />}
      </div>
    </RecordPage>
  )
}
