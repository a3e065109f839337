import type { api as types } from '@frontdesk/sdk'
import { Text } from '@mantine/core'
import { IconAlertCircle, IconClock } from '@tabler/icons-react'
import { roughMinutes } from '../../ui/duration.ts'
import { exactTimeOnHover } from '../../ui/moment.tsx'
import { useTextAt } from '../../ui/use-clock.ts'

const targets = { first_reply: 'First reply', next_reply: 'Reply', resolution: 'Resolution' }

function words(dueAt: string, now: number): string {
  const minutes = Math.round((Date.parse(dueAt) - now) / 60_000)
  if (minutes < 0) return `overdue by ${roughMinutes(-minutes)}`
  return minutes === 0 ? 'now' : `in ${roughMinutes(minutes)}`
}

/** When the ticket’s next SLA target is due. A missed one says so in text, not by colour alone. */
export function DueBadge({ ticket }: { ticket: Pick<types.Ticket, 'status' | 'sla_due_at' | 'sla_target'> }) {
  const { status, sla_due_at: dueAt, sla_target: target } = ticket
  const text = useTextAt((now) => (dueAt ? words(dueAt, now) : ''))
  if (status === 'closed' || !dueAt || !target) return null
  const isMissed = text.startsWith('overdue')
  const Icon = isMissed ? IconAlertCircle : IconClock
  return (
    <Text
      span
      size="xs"
      fw={isMissed ? 500 : undefined}
      c={isMissed ? 'var(--mantine-color-error)' : 'dimmed'}
      style={{ display: 'inline-flex', alignItems: 'center', gap: 4, whiteSpace: 'nowrap' }}
    >
      <Icon size={12} aria-hidden />
      <time dateTime={dueAt} {...exactTimeOnHover}>
        {targets[target]} {text}
      </time>
    </Text>
  )
}
