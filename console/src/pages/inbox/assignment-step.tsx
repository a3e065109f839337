import type { api as types } from '@frontdesk/sdk'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { useMembers } from '../../records/members/use-members.ts'
import { useTeams } from '../../records/teams/use-teams.ts'
import { capitalized } from '../../ui/capitalized.ts'
import { exactTimeOnHover } from '../../ui/moment.tsx'
import { timeOfDay } from '../../ui/time-of-day.ts'
import classes from './inbox.module.css'

type Step = types.TicketAssignment

/** A thread shows at most this many steps: more than any conversation has. */
const mostSteps = 100

export function useAssignments(ticketId: string): Step[] {
  const { data, isPlaceholderData } = useRecord(['assignments', ticketId], (signal) =>
    api.inbox.listTicketAssignments(ticketId, { limit: mostSteps }, { signal }),
  )
  return (isPlaceholderData ? undefined : data?.data) ?? none
}
const none: Step[] = []

/** A line between the messages: who has the conversation from here on, and why. */
export function AssignmentStep({ step }: { step: Step }) {
  const { nameOf } = useMembers()
  const { nameOf: teamName } = useTeams()
  const name = (id: string | null, you?: 'You') => nameOf(id, you) ?? 'a former member'
  const actor = { user: name(step.actor_id, 'You'), key: 'an API key', system: 'Frontdesk' }[step.actor_type]
  const text = textOf(step, {
    actor: capitalized(actor),
    assignee: name(step.assignee_id),
    previous: capitalized(name(step.previous_assignee_id, 'You')),
    team: teamName(step.team_id) ?? 'a deleted team',
  })
  return (
    <div className={classes.step} data-step={step.reason}>
      {text}{' '}
      <time dateTime={step.created_at} {...exactTimeOnHover}>
        {timeOfDay(step.created_at)}
      </time>
    </div>
  )
}

interface Names {
  actor: string
  assignee: string
  previous: string
  team: string
}

function textOf(step: Step, { actor, assignee, previous, team }: Names): string {
  const { reason, assignee_id, previous_assignee_id, actor_id, team_id } = step
  switch (reason) {
    case 'taken':
      return `${capitalized(assignee)} took this conversation`
    case 'automatic':
      return `Assigned to ${assignee} automatically`
    case 'no_reply':
      return `Reassigned to ${assignee}: no reply in time`
    case 'after_hours':
      return `Passed to ${team}: outside business hours`
    case 'left_team':
      return `${previous} left the team`
    case 'member_removed':
      return `${previous} left the organization`
    case 'routed':
      return `Passed to ${team}`
    case 'manual':
      if (assignee_id === previous_assignee_id)
        return team_id ? `${actor} passed this to ${team}` : `${actor} removed the team`
      if (assignee_id === null) return `${actor} removed the assignee`
      return assignee_id === actor_id ? `${actor} took this conversation` : `${actor} assigned this to ${assignee}`
  }
}
