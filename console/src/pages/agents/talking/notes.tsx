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
    <div className={classes.note} data-kind={kind} data-partial={isPartial || undefined}>
      <span className="sr-only">{kind === 'caller' ? 'You: ' : 'Agent: '}</span>
      <bdi>{children}</bdi>
    </div>
  )
}

export const Aside = ({ isError, children }: { isError?: boolean; children: ReactNode }) => (
  <div className={classes.aside} data-error={isError || undefined}>
    {children}
  </div>
)

/** A conversation that stays at its newest line, unless somebody reads further up. */
export function Notes({ label, watch, children }: { label: string; watch: unknown; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is watched is what makes it longer
  useEffect(() => {
    const element = list.current
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [watch])
  return (
    <div
      ref={list}
      className={classes.notes}
      role="log"
      aria-label={label}
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40
      }}
    >
      {children}
    </div>
  )
}
