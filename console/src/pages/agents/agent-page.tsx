import type { api as types } from '@frontdesk/sdk'
import { Alert, Anchor, Box, Button, Group, SegmentedControl, Skeleton, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRecord } from '../../data/use-records.ts'
import { StartCall } from '../../records/calls/start-call.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'
import { AgentActions } from './agent-actions.tsx'
import { AgentEditor } from './agent-editor.tsx'
import { changesBetween, checkValues, fieldOf, valuesOf } from './agent-values.ts'
import classes from './agents.module.css'
import { TryAgent } from './try-agent.tsx'

export function AgentPage() {
  const { agentId = '' } = useParams()
  const {
    data: agent,
    error,
    refetch,
  } = useRecord(['agents', agentId], (signal) => api.agents.get(agentId, { signal }))
  if (isMissing(error)) return <MissingRecord what="agent" />
  if (error && !agent) return <ErrorState error={error} retry={refetch} />
  if (agent?.id !== agentId)
    return (
      <Page title="Agent" head={<Skeleton height={28} width={220} />}>
        <Skeleton height={320} />
      </Page>
    )
  return <KnownAgent key={agent.id} agent={agent} />
}

function KnownAgent({ agent }: { agent: types.Agent }) {
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
      notifications.show({ message: `Saved as version ${saved.version}` })
    },
  })
  const takeOver = (next: types.Agent) => {
    const values = valuesOf(next)
    setBase({ values, version: next.version })
    form.reset(values)
  }
  useUnsavedGuard(form.isDirty && !isDeleted)
  // One's own saving is heard of before it is answered, at times.
  const isElsewhereNewer = agent.version > base.version && !form.isWorking
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newer version matters
  useEffect(() => {
    // Whoever has changed nothing simply sees what is new.
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
          <Alert color="yellow" variant="light" title={`Somebody saved version ${agent.version} meanwhile`}>
            <Text size="sm">Saving changes only the fields that you changed.</Text>
            <Button variant="default" size="xs" mt="xs" onClick={() => takeOver(agent)}>
              Drop my changes and load it
            </Button>
          </Alert>
        )
      }
    />
  )
  return (
    <Page
      title={agent.name}
      head={
        <Box miw={0} maw="100%">
          <Anchor component={Link} to="/agents" size="sm">
            Agents
          </Anchor>
          <Group gap="sm">
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              <bdi>{agent.name}</bdi>
            </Title>
            {agent.is_active === 'active' ? (
              <Status tone="good">Active</Status>
            ) : (
              <Status tone="waiting">Inactive</Status>
            )}
          </Group>
          <Group gap={4} wrap="nowrap">
            <Text size="xs" c="dimmed">
              Version {agent.version}, saved <Moment at={agent.updated_at} /> · {agent.id}
            </Text>
            <Copy value={agent.id} what="the id" />
          </Group>
        </Box>
      }
      actions={
        <>
          <ApiRequest method="GET" path={`/agents/${agent.id}`} />
          <StartCall agentId={agent.id} />
          <AgentActions agent={agent} onDeleted={() => setDeleted(true)} />
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
            { value: 'setup', label: 'Set up' },
            { value: 'try', label: 'Try it' },
          ]}
        />
      )}
      <div className={classes.columns}>
        {(!isNarrow || view === 'setup') && <div>{editor}</div>}
        {(!isNarrow || view === 'try') && <TryAgent agent={agent} isDirty={form.isDirty} />}
      </div>
    </Page>
  )
}
