import { Alert, Anchor, Button, Center, Group, Loader, Stack, Text } from '@mantine/core'
import { IconMicrophone, IconMicrophoneOff, IconPhoneOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { clock, reasonOf } from '../../../records/calls/call-text.ts'
import { VariableFields } from '../../../records/calls/variable-fields.tsx'
import { LevelMeter } from './level-meter.tsx'
import { Bubble, Notice, TranscriptLog } from './transcript-log.tsx'
import { useBrowserCall } from './use-browser-call.ts'

/** A call with the agent in this browser. */
export function Talk({ agentId, isActive, variables }: { agentId: string; isActive: boolean; variables: string[] }) {
  const call = useBrowserCall(agentId)
  const [given, setGiven] = useState<Record<string, string>>({})
  const { phase, entries, partial } = call
  if (phase === 'idle')
    return (
      <Center flex={1}>
        <Stack align="center" gap="sm" maw={300}>
          <Text ta="center" size="sm" c="dimmed">
            Talk to the agent like a caller. Your browser asks for the microphone first.
          </Text>
          <VariableFields names={variables} values={given} onChange={setGiven} />
          <Button
            leftSection={<IconMicrophone size={16} />}
            disabled={!isActive}
            onClick={() => void call.start(given)}
          >
            Start call
          </Button>
          {!isActive && (
            <Text size="xs" ta="center">
              This agent is inactive and does not answer calls. Activate it first.
            </Text>
          )}
        </Stack>
      </Center>
    )
  return (
    <>
      <TranscriptLog label="Transcript" watch={`${entries.length} ${partial}`}>
        {entries.map(({ key, kind, text, isInterrupted, isError }) =>
          kind === 'tool' ? (
            <Notice key={key} isError={isError}>
              {text}
            </Notice>
          ) : (
            <Bubble key={key} kind={kind}>
              {text}
              {isInterrupted && ' –'}
            </Bubble>
          ),
        )}
        {partial && (
          <Bubble kind="caller" isPartial>
            {partial} …
          </Bubble>
        )}
        {phase === 'starting' && (
          <Center flex={1}>
            <Group gap="xs">
              <Loader size="xs" />
              <Text size="sm">{call.callId ? 'Connecting…' : 'Waiting for the microphone…'}</Text>
            </Group>
          </Center>
        )}
      </TranscriptLog>
      {phase === 'talking' && <LevelMeter levels={call.levels} isMuted={call.isMuted} />}
      {phase === 'talking' || phase === 'starting' ? (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" component="div" role="status">
            {phase === 'talking' ? (
              <>
                <Timer since={call.startedAt ?? Date.now()} /> ·{' '}
                {call.isAgentSpeaking ? 'Agent speaking' : call.isMuted ? 'You are muted' : 'Listening'}
              </>
            ) : (
              ''
            )}
          </Text>
          <Group gap="xs" wrap="nowrap">
            {phase === 'talking' && (
              <Button
                variant="default"
                size="xs"
                aria-pressed={call.isMuted}
                leftSection={call.isMuted ? <IconMicrophoneOff size={14} /> : <IconMicrophone size={14} />}
                onClick={() => call.setMuted(!call.isMuted)}
              >
                {call.isMuted ? 'Unmute' : 'Mute'}
              </Button>
            )}
            <Button color="red.9" size="xs" leftSection={<IconPhoneOff size={14} />} onClick={call.hangUp}>
              {phase === 'talking' ? 'Hang up' : 'Cancel'}
            </Button>
          </Group>
        </Group>
      ) : (
        <Stack gap="xs">
          {call.problem ? (
            <Alert color="red" variant="light" role="alert" py="xs">
              {call.problem}
            </Alert>
          ) : (
            <Text size="sm" ta="center" role="status">
              {call.endedReason === 'caller_hung_up'
                ? 'You hung up.'
                : `${reasonOf({ ended_reason: call.endedReason ?? null, medium: 'web', direction: 'inbound', status: 'completed', telephony_status: '' })}.`}
            </Text>
          )}
          <Group justify="center" gap="md">
            <Button size="xs" leftSection={<IconMicrophone size={14} />} onClick={() => void call.start(given)}>
              {call.problem && !call.callId ? 'Try again' : 'Call again'}
            </Button>
            {call.callId && (
              <Anchor component={Link} to={`/calls/${call.callId}`} size="sm">
                View call
              </Anchor>
            )}
          </Group>
        </Stack>
      )}
    </>
  )
}

function Timer({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return <span>{clock((now - since) / 1000)}</span>
}
