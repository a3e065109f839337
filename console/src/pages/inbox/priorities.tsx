import type { api as types } from '@frontdesk/sdk'
import { IconArrowDown, IconArrowUp, IconEqual, IconUrgent } from '@tabler/icons-react'
import classes from './inbox.module.css'

export type Priority = types.Ticket['priority']

const icons = { low: IconArrowDown, normal: IconEqual, high: IconArrowUp, urgent: IconUrgent }
const labels: Record<Priority, string> = { low: 'Low', normal: 'Normal', high: 'High', urgent: 'Urgent' }

/** Most urgent first. */
export const priorities: Priority[] = ['urgent', 'high', 'normal', 'low']
export const priorityChoices = priorities.map((value) => ({ value, label: labels[value] }))

export function PriorityIcon({ priority }: { priority: Priority }) {
  const Icon = icons[priority]
  return <Icon size={13} aria-hidden />
}

/** A priority other than normal, as a fact of a row. */
export function PriorityFact({ priority }: { priority: Priority }) {
  if (priority === 'normal') return null
  return (
    <span className={classes.priority} data-priority={priority}>
      <PriorityIcon priority={priority} /> {labels[priority]}
    </span>
  )
}
