import type { api as types } from '@frontdesk/sdk'
import { Badge, Button, Card, Text, Title } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { IconPhoneOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { LoadRecord } from '../../data/load-record.tsx'
import { IfMay, useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { statusOf, whoOf } from '../../records/calls/call-text.ts'
import { errorText } from '../../ui/error-text.ts'
import layout from '../../ui/layout.module.css'
import { RecordPage } from '../../ui/record-page.tsx'
import { Status } from '../../ui/status.tsx'
import { showDone } from '../../ui/undo.tsx'
import { CallFacts } from './call-facts.tsx'
import { CallIcon } from './call-icon.tsx'
import { CallPlayer } from './call-player.tsx'
import { ListenButton } from './listen-button.tsx'
import { LiveTranscript } from './live-transcript.tsx'
import { Running } from './running.tsx'
import { Transcript } from './transcript.tsx'
import { linesOf } from './transcript-lines.ts'

const pollMs = 2_000

export function CallPage() {
  const { callId = '' } = useParams()
  const [isMoving, setMoving] = useState(true)
  // While the call is being deleted it is not requested again.
  const [isDeleting, setDeleting] = useState(false)
  const query = useRecord(
    ['calls', callId],
    async (signal) => {
      const call = await api.calls.get(callId, { signal })
      // The summary and the cost arrive a moment after the call has ended.
      setMoving(call.status === 'in-progress' || call.analysis === null)
      return call
    },
    { enabled: !isDeleting, ...(isMoving && { refetchInterval: pollMs }) },
  )
  return (
    <LoadRecord what="Call" id={callId} query={query}>
      {(call) => <KnownCall key={call.id} call={call} setDeleting={setDeleting} />}
    </LoadRecord>
  )
}

function KnownCall({ call, setDeleting }: { call: types.Call; setDeleting(isDeleting: boolean): void }) {
  const isLive = call.status === 'in-progress'
  const [tone, word] = statusOf(call)
  const { data: agent } = useRecord(
    ['agents', call.agent_id],
    (signal) => api.agents.get(call.agent_id ?? '', { signal }),
    { enabled: call.agent_id !== null },
  )
  return (
    <RecordPage
      list={{ to: '/calls', label: 'Calls' }}
      title={whoOf(call)}
      icon={<CallIcon call={call} />}
      status={
        <>
          <Status tone={tone}>{word}</Status>
          {isLive && (
            <Badge size="sm" color="red.9" variant="filled">
              Live <Running call={call} />
            </Badge>
          )}
        </>
      }
      id={call.id}
      actions={
        <>
          <ApiRequest method="GET" path={`/calls/${call.id}`} />
          {isLive && call.telephony_status === 'in-progress' && (
            <IfMay scope="calls:listen">
              <ListenButton call={call} />
            </IfMay>
          )}
          <IfMay scope={isLive ? 'calls:dispatch' : 'full_access'}>
            {isLive ? <EndButton call={call} /> : <DeleteButton call={call} setDeleting={setDeleting} />}
          </IfMay>
        </>
      }
    >
      <div className={layout.columns}>
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
    </RecordPage>
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
            This call was not recorded.
          </Text>
          <Transcript lines={linesOf(call.transcript, { latency: call.latency })} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          No speech in this call.
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
      End call
    </Button>
  )
}

function DeleteButton({ call, setDeleting }: { call: types.Call; setDeleting(isDeleting: boolean): void }) {
  const navigate = useNavigate()
  const { mode } = useSession()
  const queries = useQueryClient()
  const ask = () =>
    modals.openConfirmModal({
      title: 'Delete this call?',
      children: (
        <Text size="sm">
          Its transcript{call.recording_url ? ' and recording are' : ' is'} permanently deleted for all members. The
          contact’s timeline still shows that there was a call.
        </Text>
      ),
      labels: { confirm: 'Delete call', cancel: 'Cancel' },
      confirmProps: { color: 'red.9' },
      async onConfirm() {
        setDeleting(true)
        try {
          await api.calls.delete(call.id)
          await navigate('/calls')
          queries.removeQueries({ queryKey: [mode, 'calls', call.id] })
          void queries.invalidateQueries({ queryKey: [mode, 'calls'] })
          showDone('Call deleted')
        } catch (error) {
          setDeleting(false)
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
