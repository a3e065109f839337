import { Tooltip, useComputedColorScheme } from '@mantine/core'
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useRef, useState } from 'react'
import { clock, seconds } from '../../records/calls/call-text.ts'
import classes from './calls.module.css'
import { momentsPerSecond, type Recording } from './read-recording.ts'

interface Mark {
  at: number
  ms: number
}

const bar = 2
const gap = 1

/** Both tracks, with the played part in colour and the caller's waits between turns. */
export function Waveform({
  recording,
  time,
  marks,
  onSeek,
}: {
  recording: Recording
  time: number
  marks: Mark[]
  onSeek(time: number): void
}) {
  const box = useRef<HTMLDivElement>(null)
  const total = recording.seconds || 1
  const share = `${(100 * Math.min(time, total)) / total}%`
  const seekTo = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onSeek((Math.max(0, Math.min(1, (event.clientX - left) / width)) * total) as number)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { Home: 0, End: total }[event.key]
    if (to === undefined) return
    event.preventDefault()
    onSeek(to)
  }
  return (
    <div
      ref={box}
      className={classes.wave}
      role="slider"
      tabIndex={0}
      aria-label="Position"
      aria-valuemin={0}
      aria-valuemax={Math.round(total)}
      aria-valuenow={Math.round(time)}
      aria-valuetext={`${clock(time)} of ${clock(total)}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        seekTo(event)
      }}
      onPointerMove={(event) => event.buttons === 1 && seekTo(event)}
      onKeyDown={onKeyDown}
    >
      <span className={classes.track} style={{ top: 2 }}>
        Caller
      </span>
      <span className={classes.track} style={{ bottom: 2 }}>
        Agent
      </span>
      {marks.map(({ at, ms }) => (
        <Tooltip key={at} label={`The caller waited ${seconds(ms)}`}>
          <span
            className={classes.mark}
            data-testid="wait-mark"
            style={{ left: `${(100 * at) / total}%`, width: `${(100 * ms) / 1000 / total}%` }}
          />
        </Tooltip>
      ))}
      <Tracks recording={recording} isHeard={false} />
      <div style={{ position: 'absolute', inset: 0, clipPath: `inset(0 calc(100% - ${share}) 0 0)` }}>
        <Tracks recording={recording} isHeard />
      </div>
      <div className={classes.head} style={{ left: share }} />
    </div>
  )
}

/** Redrawn only when its size or colours change; playback only reveals more of it. */
const Tracks = memo(function Tracks({ recording, isHeard }: { recording: Recording; isHeard: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const scheme = useComputedColorScheme('light')
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the colour scheme
  useEffect(() => {
    if (canvas.current && size.width > 0) draw(canvas.current, recording, isHeard)
  }, [recording, isHeard, size, scheme])
  return <canvas ref={canvas} aria-hidden />
})

function draw(canvas: HTMLCanvasElement, { tracks, seconds: length }: Recording, isHeard: boolean): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const sharp = window.devicePixelRatio || 1
  canvas.width = width * sharp
  canvas.height = height * sharp
  const context = canvas.getContext('2d')
  if (!context) return
  context.scale(sharp, sharp)
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const colors = isHeard
    ? [color('--mantine-color-text'), color('--mantine-primary-color-filled')]
    : [color('--mantine-color-gray-5'), color('--mantine-color-gray-5')]
  const half = height / 2
  for (const [index, track] of tracks.entries()) {
    context.fillStyle = colors[index] as string
    const middle = half * index + half / 2
    for (let x = 0; x < width; x += bar + gap) {
      const from = Math.floor((x / width) * length * momentsPerSecond)
      const to = Math.max(from + 1, Math.floor(((x + bar + gap) / width) * length * momentsPerSecond))
      let loudest = 0
      for (let at = from; at < to && at < track.length; at++) loudest = Math.max(loudest, track[at] as number)
      // The square root makes quiet speech visible.
      const tall = Math.max(1, Math.sqrt(loudest) * (half - 8))
      context.fillRect(x, middle - tall / 2, bar, tall)
    }
  }
}
