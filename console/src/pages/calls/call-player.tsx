import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Button, Card, Group, Select, Skeleton, Text, Title, Tooltip } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconDownload, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { clock } from '../../records/calls/call-text.ts'
import { ErrorState } from '../../ui/states.tsx'
import { Transcript } from './transcript.tsx'
import { linesOf } from './transcript-lines.ts'
import { useRecording } from './use-recording.ts'
import { Waveform } from './waveform.tsx'

const speeds = ['0.75', '1', '1.25', '1.5', '2']
const stepSeconds = 5

/** The recording and the transcript, synchronized. */
export function CallPlayer({ call }: { call: types.Call }) {
  const { address, recording, error, refetch, isPending } = useRecording(call.id)
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [time, setTime] = useState(0)
  const [speed, setSpeed] = useLocalStorage({ key: 'player-speed', defaultValue: '1' })
  const lines = useMemo(
    () => linesOf(call.transcript, { recording, latency: call.latency }),
    [call.transcript, call.latency, recording],
  )
  const total = recording?.seconds ?? call.duration_seconds

  useEffect(() => {
    if (audio.current && address) audio.current.playbackRate = Number(speed)
  }, [speed, address])
  useEffect(() => {
    if (!isPlaying) return
    let asked = 0
    const follow = () => {
      setTime(audio.current?.currentTime ?? 0)
      asked = requestAnimationFrame(follow)
    }
    asked = requestAnimationFrame(follow)
    return () => cancelAnimationFrame(asked)
  }, [isPlaying])

  const seek = useCallback((to: number) => {
    if (!audio.current) return
    audio.current.currentTime = to
    setTime(to)
  }, [])
  const hear = useCallback(
    (from: number) => {
      seek(from)
      void audio.current?.play()
    },
    [seek],
  )
  const toggle = useCallback(() => {
    if (audio.current?.paused) void audio.current.play()
    else audio.current?.pause()
  }, [])
  useKeys({ toggle, step: (by) => seek(Math.max(0, Math.min(total, (audio.current?.currentTime ?? 0) + by))) })

  const now = useMemo(() => (time > 0 ? lines.findLastIndex(({ start }) => start <= time + 0.05) : -1), [lines, time])
  // A wait ends when the agent starts to speak.
  const marks = useMemo(
    () =>
      lines.flatMap(({ start, latency }) =>
        latency ? [{ at: Math.max(0, start - latency.total / 1000), ms: latency.total }] : [],
      ),
    [lines],
  )
  if (error) return <ErrorState error={error} retry={refetch} />
  return (
    <Card withBorder component="section" aria-label="Recording and transcript">
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript below replaces captions */}
      <audio
        ref={audio}
        src={address}
        preload="auto"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setTime(total)}
        onLoadedMetadata={(event) => {
          event.currentTarget.playbackRate = Number(speed)
        }}
      />
      {isPending ? (
        <Skeleton height={128} />
      ) : (
        recording && <Waveform recording={recording} time={time} marks={marks} onSeek={seek} />
      )}
      <Group mt="sm" gap="sm" justify="space-between">
        <Group gap="sm">
          <Tooltip label="Space">
            <ActionIcon
              size={40}
              radius="xl"
              disabled={!address}
              onClick={toggle}
              aria-label={isPlaying ? 'Pause' : 'Play'}
            >
              {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
            </ActionIcon>
          </Tooltip>
          <Text size="sm">
            <span data-testid="position">{clock(time)}</span> of {clock(total)}
          </Text>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            Space: play or pause. Arrow keys: skip {stepSeconds} s
          </Text>
        </Group>
        <Group gap="xs">
          <Select
            aria-label="Speed"
            size="xs"
            w={88}
            data={speeds.map((value) => ({ value, label: `${value}×` }))}
            allowDeselect={false}
            value={speed}
            onChange={(value) => setSpeed(value ?? '1')}
          />
          <Button
            component="a"
            href={address}
            download={`call-${call.id}.wav`}
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
          >
            Download
          </Button>
        </Group>
      </Group>
      <Title order={2} mt="lg" mb="xs">
        Transcript
      </Title>
      {lines.length > 0 ? (
        <Transcript lines={lines} now={now} onSeek={hear} />
      ) : (
        <Text size="sm" c="dimmed">
          No speech was recognized.
        </Text>
      )}
    </Card>
  )
}

/** Keyboard shortcuts of the page, except in fields and on controls that use the same keys. */
function useKeys(keys: { toggle(): void; step(seconds: number): void }): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return
      const target = event.target as HTMLElement
      if (
        target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]')
      )
        return
      // The space bar presses a focused button.
      if (event.key === ' ' && !target.closest('button, a, summary')) latest.current.toggle()
      else if (event.key === 'ArrowLeft') latest.current.step(-stepSeconds)
      else if (event.key === 'ArrowRight') latest.current.step(stepSeconds)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
