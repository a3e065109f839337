import type { TenantTx } from '../../../platform/database.ts'
import { announceTicket } from '../../inbox/tickets/announce-ticket.ts'
import {
  chooseMember,
  findTeamState,
  isReplyDue,
  lockAssignment,
  lockTicketState,
  recordTurn,
  type TeamState,
  updateOwner,
} from './queries.ts'
import type { TicketAssignment } from './schema.ts'

/**
 * Gives an open ticket its team and, if the contact waits for a person, a member of that team. Repeating it changes
 * nothing: an assignee stays, unless the time to reply has passed and another member is free.
 */
export async function assignTicket(tx: TenantTx, ticketId: string): Promise<void> {
  await lockAssignment(tx)
  const ticket = await lockTicketState(tx, ticketId)
  if (ticket?.status !== 'open') return
  const { team, reason } = await teamFor(tx, ticket)
  const isMoved = team !== undefined && team.id !== ticket.team_id
  const assignee = isMoved && reason === 'after_hours' ? null : ticket.assignee_id
  if (isMoved) await updateOwner(tx, ticketId, { teamId: team.id, assigneeId: assignee, reason })
  const chosen = team && ticket.needs_person ? await nextOwner(tx, ticketId, team, assignee) : undefined
  if (team && chosen) {
    await updateOwner(tx, ticketId, {
      teamId: team.id,
      assigneeId: chosen,
      reason: assignee ? 'no_reply' : 'automatic',
    })
    await recordTurn(tx, team.id, chosen)
  }
  const isReassigned = (chosen ?? assignee) !== ticket.assignee_id
  if (isMoved || isReassigned)
    await announceTicket(tx, ticketId, {
      ...(isMoved && { team_id: ticket.team_id }),
      ...(isReassigned && { assignee_id: ticket.assignee_id }),
    })
}

interface RoutedTicket {
  team_id: string | null
  channel_team_id: string | null
  needs_person: boolean
}

/** The ticket's own team, else that of its channel; while it is closed, the team that takes over, if that one is open. */
async function teamFor(
  tx: TenantTx,
  { team_id, channel_team_id, needs_person }: RoutedTicket,
): Promise<{ team: TeamState | undefined; reason: TicketAssignment['reason'] }> {
  const id = team_id ?? channel_team_id
  const team = id === null ? undefined : await findTeamState(tx, id)
  if (!team || team.is_open || team.after_hours_team_id === null || !needs_person) return { team, reason: 'routed' }
  const other = await findTeamState(tx, team.after_hours_team_id)
  return other?.is_open ? { team: other, reason: 'after_hours' } : { team, reason: 'routed' }
}

/** Undefined if the ticket keeps its assignee, or if no member is available: then it waits in the team's queue. */
async function nextOwner(
  tx: TenantTx,
  ticketId: string,
  team: TeamState,
  assignee: string | null,
): Promise<string | undefined> {
  if (team.assignment === 'manual' || !team.is_open) return undefined
  if (assignee !== null && !(await isReplyDue(tx, ticketId)).is_due) return undefined
  return (await chooseMember(tx, team, assignee))?.user_id
}
