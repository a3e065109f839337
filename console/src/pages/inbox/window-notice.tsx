import { Button, Text, Tooltip } from '@mantine/core'
import { IconClock, IconLock } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import classes from './inbox.module.css'
import type { Ticket } from './tickets.ts'

/** The clock turns into a warning when less is left. */
const soonMs = 2 * 3_600_000

/** Updates every 20 s, and when the window closes. */
function useNow({ window_expires_at }: Ticket): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const look = () => setNow(Date.now())
    look()
    const timer = setInterval(look, 20_000)
    const left = window_expires_at ? Date.parse(window_expires_at) - Date.now() : 0
    const closing = left > 0 ? setTimeout(look, left + 1) : undefined
    return () => {
      clearInterval(timer)
      clearTimeout(closing)
    }
  }, [window_expires_at])
  return now
}

const leftOf = ({ window_expires_at }: Ticket, now: number) =>
  window_expires_at ? Date.parse(window_expires_at) - now : 0

/** Whether free-form messages are allowed: WhatsApp accepts them for 24 hours after the customer's last message. */
export const useIsWindowOpen = (ticket: Ticket): boolean => leftOf(ticket, useNow(ticket)) > 0

function inWords(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000))
  const hours = Math.floor(minutes / 60)
  if (hours >= 6) return `${Math.round(minutes / 60)} h`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}

/** How long the reply window stays open. */
export function WindowClock({ ticket }: { ticket: Ticket }) {
  const left = leftOf(ticket, useNow(ticket))
  const label =
    left > 0
      ? 'WhatsApp allows free-form replies for 24 hours after the customer’s last message'
      : 'Until the customer writes again, WhatsApp delivers only approved templates'
  return (
    <Tooltip label={label} multiline maw={280}>
      <span className={classes.clock} data-soon={left < soonMs || undefined}>
        {left > 0 ? <IconClock size={13} /> : <IconLock size={13} />}
        {left > 0 ? (
          <>
            <span className={classes.clockWords}>Reply window closes in </span>
            {inWords(left)}
          </>
        ) : (
          'Templates only'
        )}
      </span>
    </Tooltip>
  )
}

/** Shown instead of the composer while the reply window is closed. */
export function WindowNotice({
  ticket,
  hasDraft,
  onTemplate,
}: {
  ticket: Ticket
  /** A draft was started while the window was open. */
  hasDraft: boolean
  onTemplate(): void
}) {
  const hasWritten = ticket.window_expires_at !== null
  return (
    <div className={classes.closedWindow}>
      <IconLock size={18} />
      <div>
        <Text size="sm" fw={600}>
          {hasWritten ? 'The 24-hour reply window is closed' : 'This contact has not written yet'}
        </Text>
        <Text size="sm">
          Until the customer writes{hasWritten ? ' again' : ''}, WhatsApp delivers only approved templates.
          {hasDraft && ' Your draft is kept.'}
        </Text>
      </div>
      <Button size="sm" onClick={onTemplate}>
        Send a template
      </Button>
    </div>
  )
}
