import { type ReactNode, useEffect, useRef } from 'react'
import classes from './talking.module.css'

export function Bubble({
  kind,
  isPartial,
  children,
}: {
  kind: 'caller' | 'agent'
  isPartial?: boolean
  children: ReactNode
}) {
  return (
    <div className={classes.entry} data-kind={kind} data-partial={isPartial || undefined}>
      <span className="sr-only">{kind === 'caller' ? 'You: ' : 'Agent: '}</span>
      <bdi>{children}</bdi>
    </div>
  )
}

export const Notice = ({ isError, children }: { isError?: boolean | undefined; children: ReactNode }) => (
  <div className={classes.notice} data-error={isError || undefined}>
    {children}
  </div>
)

/** A transcript that scrolls to its newest line unless the reader has scrolled up. */
export function TranscriptLog({ label, watch, children }: { label: string; watch: unknown; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `watch` changes when a line is added
  useEffect(() => {
    const element = list.current
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [watch])
  return (
    <div
      ref={list}
      className={classes.entries}
      role="log"
      aria-label={label}
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40
      }}
    >
      {children}
    </div>
  )
}
