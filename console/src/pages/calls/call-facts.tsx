import type { api as types } from '@frontdesk/sdk'
import { Anchor, Card, Code, Stack, Table, Text, Title } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { clock, money, outcomes, reasonOf, seconds } from '../../records/calls/call-text.ts'
import { ResultFacts } from '../../records/results/result-facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import classes from './calls.module.css'

/** Everything about a call except the transcript. */
export function CallFacts({ call, agentName }: { call: types.Call; agentName: string | undefined }) {
  const { analysis, cost_breakdown: cost, latency } = call
  const facts: [string, ReactNode][] = [
    [
      'Contact',
      call.contact_id && (
        <ToPlace to={`/contacts/${call.contact_id}`}>{call.contact_name || 'Unnamed contact'}</ToPlace>
      ),
    ],
    [
      'Agent',
      call.agent_id ? (
        <>
          <ToPlace to={`/agents/${call.agent_id}`}>{agentName ?? 'Agent'}</ToPlace>
          {call.agent_version !== null && `, version ${call.agent_version}`}
        </>
      ) : (
        'Deleted'
      ),
    ],
    ['From', call.from_number],
    ['To', call.to_number],
    ['Started', <Moment key="moment" at={call.started_at} />],
    ['Duration', call.status !== 'in-progress' && clock(call.duration_seconds)],
    ['Ended', reasonOf(call)],
    ['Outcome', analysis && outcomes[analysis.outcome]],
    ['Handoff reason', analysis?.handoff_reason],
    ['Transferred to', call.transfer && `${call.transfer.to}, ${transferWords[call.transfer.status]}`],
    ['Briefing', call.transfer?.briefing],
    ['Interruptions', analysis && analysis.interruptions > 0 && String(analysis.interruptions)],
    [
      'Provider fallbacks',
      analysis?.fallbacks?.length &&
        analysis.fallbacks.map(({ stage, from, to }) => `${stage}: ${from} → ${to}`).join(', '),
    ],
    ['Carrier response', call.error && `${call.error.message} (${call.error.code})`],
  ]
  return (
    <Stack gap="md">
      {call.summary && (
        <Fact title="Summary">
          <Text size="sm">
            <bdi>{call.summary}</bdi>
          </Text>
        </Fact>
      )}
      {analysis?.results && (
        <Fact title="Results">
          <ResultFacts results={analysis.results} />
        </Fact>
      )}
      <Fact title="Call">
        <Pairs pairs={facts} />
      </Fact>
      {cost && (
        <Fact title={`Cost ${money(call.cost)}`}>
          <Pairs
            pairs={[
              ['Telephony', money(cost.telephony)],
              ['Speech recognition', money(cost.transcription)],
              ['Voice', money(cost.voice)],
              ['Language model', money(cost.llm)],
              ['Paid with your own keys', cost.own_keys && money(cost.own_keys)],
            ]}
          />
          {!call.livemode && (
            <Text size="xs" c="dimmed" mt="xs">
              Estimated at your rates. Test mode is free.
            </Text>
          )}
        </Fact>
      )}
      {latency && (
        <Fact title="Response time">
          <LatencyTable latency={latency} />
        </Fact>
      )}
      <ToolCalls calls={analysis?.tool_calls ?? []} />
      {analysis && analysis.failures.length > 0 && (
        <Fact title="Errors">
          {analysis.failures.map(({ stage, message, at }) => (
            <Text key={`${stage}${at}`} size="sm">
              {clock(at)} {stage}: {message}
            </Text>
          ))}
        </Fact>
      )}
      <Data title="Variables" value={call.variables} />
      <Data title="Metadata" value={call.metadata} />
    </Stack>
  )
}

const transferWords: Record<types.CallTransfer['status'], string> = {
  requested: 'ringing',
  connected: 'connected',
  not_answered: 'not answered',
}

const stages = [
  ['endpointing', 'End of turn detected'],
  ['transcription', 'Transcribed'],
  ['llm', 'First model output'],
  ['voice', 'First audio'],
  ['total', 'Total'],
  ['retrieval', 'Knowledge search'],
  ['tools', 'Tools'],
  ['heard', 'In the recording'],
] as const

function LatencyTable({ latency }: { latency: types.CallLatency }) {
  return (
    <>
      <Table verticalSpacing={4} horizontalSpacing={4} fz="sm" highlightOnHover={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Stage</Table.Th>
            <Table.Th ta="right">Median</Table.Th>
            <Table.Th ta="right">95%</Table.Th>
            <Table.Th ta="right">Slowest</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {stages.map(([stage, label]) => {
            const measured = latency[stage]
            return (
              measured && (
                <Table.Tr key={stage} fw={stage === 'total' ? 600 : undefined}>
                  <Table.Td>{label}</Table.Td>
                  <Table.Td ta="right">{seconds(measured.p50)}</Table.Td>
                  <Table.Td ta="right">{seconds(measured.p95)}</Table.Td>
                  <Table.Td ta="right">{seconds(measured.max)}</Table.Td>
                </Table.Tr>
              )
            )
          })}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt={4}>
        Over {latency.turns === 1 ? '1 turn' : `${latency.turns} turns`}, from the end of the caller’s words.
        {latency.heard &&
          ' The last line is measured in the recording: from the caller’s last sound to the agent’s first.'}
      </Text>
    </>
  )
}

function ToolCalls({ calls }: { calls: NonNullable<types.CallAnalysis['tool_calls']> }) {
  if (calls.length === 0) return null
  return (
    <Fact title="Tool calls">
      <Stack gap="xs">
        {calls.map(({ name, arguments: given, result, is_error, at }) => (
          <details key={`${name}${at}`}>
            <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
              {clock(at)} <b>{name}</b>{' '}
              {is_error && (
                <Text span c="var(--mantine-color-error)" size="sm">
                  failed
                </Text>
              )}
            </Text>
            <Code block mt={4} className={classes.code}>
              {JSON.stringify(given, null, 2)}
            </Code>
            <Code block mt={4} className={classes.code}>
              {result}
            </Code>
          </details>
        ))}
      </Stack>
    </Fact>
  )
}

function Data({ title, value }: { title: string; value: Record<string, unknown> }) {
  if (Object.keys(value).length === 0) return null
  return (
    <Fact title={title}>
      <Code block className={classes.code}>
        {JSON.stringify(value, null, 2)}
      </Code>
    </Fact>
  )
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card withBorder component="section">
    <Title order={2} mb="xs">
      {title}
    </Title>
    {children}
  </Card>
)

const ToPlace = ({ to, children }: { to: string; children: string }) => (
  <Anchor component={Link} to={to} size="sm">
    <bdi>{children}</bdi>
  </Anchor>
)

const Pairs = ({ pairs }: { pairs: [string, ReactNode][] }) => (
  <dl className={classes.facts}>
    {pairs
      .filter(([, value]) => value)
      .map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
  </dl>
)
