import type { ReactNode } from 'react'
import classes from './inbox.module.css'

/** Chooses between a reply to the customer and a note for the team. */
export function WriterTabs({
  isNoting,
  write,
  children,
}: {
  isNoting: boolean
  write(isNote: boolean): void
  children: ReactNode
}) {
  return (
    <div className={classes.writerTabs}>
      <div role="tablist" aria-label="What to write">
        {[false, true].map((isNote) => (
          <button
            key={String(isNote)}
            type="button"
            role="tab"
            aria-selected={isNoting === isNote}
            className={classes.writerTab}
            data-note={isNote || undefined}
            onClick={() => write(isNote)}
          >
            {isNote ? 'Note' : 'Reply'}
          </button>
        ))}
      </div>
      {children}
    </div>
  )
}
