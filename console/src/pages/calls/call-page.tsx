import type { api as types } from '@frontdesk/sdk'
import { Anchor, Badge, Box, Button, Card, Group, Skeleton, Text, Title } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { IconPhoneOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { statusOf, whoOf } from '../../records/calls/call-words.ts'
import { Copy } from '../../ui/copy.tsx'
import { errorText } from '../../ui/error-text.ts'
import { Page } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { CallFacts } from './call-facts.tsx'
import { CallPlayer } from './call-player.tsx'
import { Way } from './call-row.tsx'
import classes from './calls.module.css'
import { LiveTranscript } from './live-transcript.tsx'
import { Running } from './running.tsx'
import { Transcript } from './transcript.tsx'
import { linesOf } from './transcript-lines.ts'

const lookEveryMs = 2_000

export function CallPage() {
  const { callId = '' } = useParams()
  const [isMoving, setMoving] = useState(true)
  const { data, error, refetch } = useRecord(
    ['calls', callId],
    async (signal) => {
      const call = await api.calls.get(callId, { signal })
      // Its summary and cost come a moment after its end.
      setMoving(call.status === 'in-progress' || call.analysis === null)
      return call
    },
    isMoving ? { refetchInterval: lookEveryMs } : {},
  )
  if (isMissing(error)) return <MissingRecord what="call" />
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (data?.id !== callId)
    return (
      <Page title="Call" head={<Skeleton height={28} width={220} />}>
        <Skeleton height={320} />
      </Page>
    )
  return <KnownCall key={data.id} call={data} />
}

function KnownCall({ call }: { call: types.Call }) {
  const isLive = call.status === 'in-progress'
  const [tone, word] = statusOf(call)
  const { data: agent } = useRecord(
    ['agents', call.agent_id],
    (signal) => api.agents.get(call.agent_id ?? '', { signal }),
    { enabled: call.agent_id !== null },
  )
  return (
    <Page
      title={`Call with ${whoOf(call)}`}
      head={
        <Box miw={0} maw="100%">
          <Anchor component={Link} to="/calls" size="sm">
            Calls
          </Anchor>
          <Group gap="sm">
            <Way call={call} />
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              <bdi>{whoOf(call)}</bdi>
            </Title>
            <Status tone={tone}>{word}</Status>
            {isLive && (
              <Badge size="sm" color="red.9" variant="filled">
                Live <Running call={call} />
              </Badge>
            )}
          </Group>
          <Group gap={4}>
            <Text size="xs" c="dimmed">
              {call.id}
            </Text>
            <Copy value={call.id} what="the id" />
          </Group>
        </Box>
      }
      actions={
        <>
          <ApiRequest method="GET" path={`/calls/${call.id}`} />
          {isLive ? <EndButton call={call} /> : <DeleteButton call={call} />}
        </>
      }
    >
      <div className={classes.columns}>
        <div>
          {isLive ? (
            <LiveTranscript call={call} />
          ) : call.recording_url ? (
            <CallPlayer call={call} />
          ) : (
            <Unrecorded call={call} />
          )}
        </div>
        <CallFacts call={call} agentName={agent && agent.id === call.agent_id ? agent.name : undefined} />
      </div>
    </Page>
  )
}

function Unrecorded({ call }: { call: types.Call }) {
  return (
    <Card withBorder component="section" aria-label="Transcript">
      <Title order={2} mb="xs">
        Transcript
      </Title>
      {call.transcript.length > 0 ? (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            There is no recording of this call.
          </Text>
          <Transcript lines={linesOf(call.transcript, { latency: call.latency })} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          Nobody spoke, so there is nothing to hear or read.
        </Text>
      )}
    </Card>
  )
}

function EndButton({ call }: { call: types.Call }) {
  const { mode } = useSession()
  const queries = useQueryClient()
  const [isEnding, setEnding] = useState(false)
  const end = async () => {
    setEnding(true)
    try {
      queries.setQueryData([mode, 'calls', call.id], await api.calls.end(call.id))
    } catch (error) {
      setEnding(false)
      notifications.show({ color: 'red', message: errorText(error) })
    }
  }
  return (
    <Button color="red.9" leftSection={<IconPhoneOff size={16} />} loading={isEnding} onClick={() => void end()}>
      End the call
    </Button>
  )
}

function DeleteButton({ call }: { call: types.Call }) {
  const navigate = useNavigate()
  const { mode } = useSession()
  const queries = useQueryClient()
  const ask = () =>
    modals.openConfirmModal({
      title: 'Delete this call',
      children: (
        <Text size="sm">
          Its transcript{call.recording_url ? ' and its recording go' : ' goes'} with it, for everybody and for good.
          The contact’s timeline keeps that there was a call.
        </Text>
      ),
      labels: { confirm: 'Delete this call', cancel: 'Keep it' },
      confirmProps: { color: 'red.9' },
      async onConfirm() {
        try {
          await api.calls.delete(call.id)
          await navigate('/calls')
          queries.removeQueries({ queryKey: [mode, 'calls', call.id] })
          void queries.invalidateQueries({ queryKey: [mode, 'calls'] })
          notifications.show({ message: 'The call was deleted' })
        } catch (error) {
          notifications.show({ color: 'red', message: errorText(error) })
        }
      },
    })
  return (
    <Button variant="default" c="var(--mantine-color-error)" onClick={ask}>
      Delete
    </Button>
  )
}
