import type { api as types } from '@frontdesk/sdk'
import { Card, Center, Loader, Text, Title } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { statusOf } from '../../records/calls/call-text.ts'
import { Transcript } from './transcript.tsx'
import { linesOf } from './transcript-lines.ts'

const pollMs = 1_000

/** The transcript of a running call. */
export function LiveTranscript({ call }: { call: types.Call }) {
  const { data } = useRecord(
    ['calls', call.id, 'transcript'],
    (signal) => api.calls.getLiveTranscript(call.id, {}, { signal }),
    { refetchInterval: pollMs },
  )
  const segments = (data?.segments ?? []).map(({ segment }) => segment)
  const [, word] = statusOf({ ...call, telephony_status: data?.telephony_status ?? call.telephony_status })
  const lines = linesOf(segments, {})
  return (
    <Card withBorder component="section" aria-label="Live transcript">
      <Title order={2} mb="xs">
        Live transcript
      </Title>
      <div aria-live="polite">
        {lines.length > 0 ? (
          <Transcript lines={lines} now={lines.length - 1} />
        ) : (
          <Center py="xl" style={{ gap: 8 }}>
            <Loader size="xs" />
            <Text size="sm" c="dimmed">
              {word} …
            </Text>
          </Center>
        )}
      </div>
    </Card>
  )
}
