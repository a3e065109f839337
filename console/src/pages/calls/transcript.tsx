import { Text, Tooltip, UnstyledButton } from '@mantine/core'
import { memo, useEffect, useRef } from 'react'
import { clock, seconds } from '../../records/calls/call-text.ts'
import classes from './calls.module.css'
import type { Line } from './transcript-lines.ts'

/** The transcript. With a recording, a click on a sentence plays it, and the playing sentence is marked. */
export const Transcript = memo(function Transcript({
  lines,
  now,
  onSeek,
}: {
  lines: Line[]
  /** The index of the playing sentence. */
  now?: number
  onSeek?: (time: number) => void
}) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const box = list.current
    const item = now === undefined || now < 0 ? undefined : box?.querySelector<HTMLElement>(`[data-line="${now}"]`)
    if (!box || !item) return
    // Scrolls the list only, not the page.
    const isSeen =
      item.offsetTop >= box.scrollTop && item.offsetTop + item.offsetHeight <= box.scrollTop + box.clientHeight
    if (!isSeen) box.scrollTop = item.offsetTop - box.clientHeight / 3
  }, [now])
  return (
    // Scrollable by keyboard where the sentences are not focusable.
    <ol ref={list} className={classes.transcript} aria-label="Transcript" tabIndex={onSeek ? undefined : 0}>
      {lines.map((line, index) => (
        <li key={line.key} data-line={index}>
          {line.latency && (
            <Tooltip
              label={`End of turn ${seconds(line.latency.endpointing)}, speech recognition ${seconds(line.latency.transcription)}, model ${seconds(line.latency.llm)}, voice ${seconds(line.latency.voice)}`}
            >
              <div className={classes.gap} data-testid="latency">
                replied after {seconds(line.latency.total)}
              </div>
            </Tooltip>
          )}
          {onSeek ? (
            <UnstyledButton
              className={classes.sentence}
              data-now={index === now || undefined}
              aria-current={index === now ? 'true' : undefined}
              onClick={() => onSeek(line.start)}
            >
              <Said line={line} />
            </UnstyledButton>
          ) : (
            <div className={classes.sentence}>
              <Said line={line} />
            </div>
          )}
        </li>
      ))}
    </ol>
  )
})

function Said({ line }: { line: Line }) {
  return (
    <>
      <span className={classes.time}>{clock(line.start)}</span>
      <span className={classes.speaker}>{line.isFirst ? (line.speaker === 'agent' ? 'Agent' : 'Caller') : ''}</span>
      <span>
        <bdi>{line.source === 'keys' ? `Pressed ${line.text.replace(/^\[keys: (.*)\]$/, '$1')}` : line.text}</bdi>
        {line.isInterrupted && (
          <Text span size="xs" c="dimmed">
            {' '}
            – interrupted
          </Text>
        )}
        {line.source === 'scripted' && (
          <Text span size="xs" c="dimmed">
            {' '}
            from the script, not recognized
          </Text>
        )}
        {line.scriptedText && (
          <Text size="xs" c="dimmed" component="span" display="block">
            Script: {line.scriptedText}
          </Text>
        )}
      </span>
    </>
  )
}
