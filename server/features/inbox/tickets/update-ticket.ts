import type { TenantTx } from '../../../platform/database.ts'
import { AppError, invalid, notFound, violates } from '../../../platform/errors.ts'
import { emitMany } from '../../../platform/events.ts'
import { uniqueTags } from '../../contacts/tags.ts'
import { ticketClosed, ticketReopened, ticketUpdated } from '../events.ts'
import { wakeTicketsJob } from '../jobs.ts'
import {
  type BulkTicketChanges,
  type BulkTicketResult,
  type Ticket,
  type TicketChanges,
  ticketLimits,
} from './schema.ts'
import { lockTickets, type TicketValues, updateTicketRows } from './ticket-queries.ts'

type Changes = TicketChanges & Omit<BulkTicketChanges, 'ids'>

/** Changes one ticket, or refuses. */
export async function updateTicket(tx: TenantTx, id: string, changes: TicketChanges): Promise<Ticket> {
  const { updated, refused } = await changeTickets(tx, [id], changes)
  if (refused[0]) throw refused[0].error
  return updated[0] as Ticket
}

/** The same for a set: tickets that cannot change are named, the others change. */
export async function updateTickets(tx: TenantTx, { ids, ...changes }: BulkTicketChanges): Promise<BulkTicketResult> {
  const { updated, refused } = await changeTickets(tx, [...new Set(ids)], changes)
  return { updated, failed: refused.map(({ id, error }) => ({ id, detail: error.message })) }
}

/** Closes, reopens, assigns, passes to a team, snoozes, tags or prioritizes tickets, and emits an event for each that changed. */
async function changeTickets(tx: TenantTx, ids: string[], changes: Changes) {
  checkChanges(changes)
  const found = new Map((await lockTickets(tx, ids)).map((ticket) => [ticket.id, ticket]))
  await tx.liftLimit()
  const refused: { id: string; error: AppError }[] = []
  const rows: TicketValues[] = []
  for (const id of ids) {
    const ticket = found.get(id)
    const values = ticket && valuesAfter(ticket, changes)
    const error = values ? obstacleTo(values, changes) : notFound('Inbox ticket')
    if (error) refused.push({ id, error })
    else if (values) rows.push(values)
  }
  if (rows.length === 0) return { updated: [], refused }
  const updated = await updateTicketRows(tx, rows).catch((error) => {
    if (violates(error, 'tickets_assignee_is_a_member')) throw notFound('Assignee')
    throw violates(error, 'tickets_team_exists') ? notFound('Team') : error
  })
  await emitChanges(tx, updated, found)
  if (changes.snoozed_until)
    await tx.enqueue(
      wakeTicketsJob,
      { ...tx.scope, ticketIds: rows.map(({ id }) => id) },
      { startAfter: new Date(changes.snoozed_until) },
    )
  return { updated, refused }
}

function checkChanges(changes: Changes): void {
  if (Object.values(changes).every((value) => value === undefined))
    throw invalid(['body', 'status'], 'status must be open or closed', 'missing')
  const { status, snoozed_until: until } = changes
  if (!until) return
  if (Date.parse(until) <= Date.now()) throw invalid(['body', 'snoozed_until'], 'snoozed_until must be in the future')
  if (status === 'closed')
    throw invalid(['body', 'snoozed_until'], 'snoozed_until cannot be set together with status closed')
}

function valuesAfter(before: Ticket, changes: Changes): TicketValues {
  const { status = before.status, team_id = before.team_id, priority = before.priority } = changes
  const isPassedOn = team_id !== null && team_id !== before.team_id
  const { assignee_id = isPassedOn ? null : before.assignee_id } = changes
  const { add_tags: added = [], remove_tags: removed = [], snoozed_until = before.snoozed_until } = changes
  const kept = uniqueTags([...(changes.tags ?? before.tags), ...added])
  const unwanted = uniqueTags(removed)
  const tags = kept.filter((tag) => !unwanted.includes(tag))
  return {
    ...{ id: before.id, status, assignee_id, team_id, priority, tags },
    snoozed_until: status === 'open' ? snoozed_until : null,
  }
}

function obstacleTo({ status, tags }: TicketValues, { snoozed_until }: Changes): AppError | undefined {
  if (snoozed_until && status === 'closed')
    return new AppError(409, 'A closed ticket cannot be snoozed: reopen it first')
  if (tags.length > ticketLimits.tags) return new AppError(409, `A ticket can have ${ticketLimits.tags} tags`)
  return undefined
}

const shown = ['status', 'assignee_id', 'team_id', 'priority', 'tags', 'snoozed_until'] as const

async function emitChanges(tx: TenantTx, updated: Ticket[], found: Map<string, Ticket>): Promise<void> {
  const changes = updated.flatMap((after) => {
    const before = found.get(after.id) as Ticket
    const changed = shown.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    if (changed.length === 0) return []
    const previous = Object.fromEntries(changed.map((name) => [name, before[name]])) as Partial<Ticket>
    const turned = after.status === 'closed' ? ticketClosed : ticketReopened
    return [{ kind: changed.includes('status') ? turned : ticketUpdated, after, previous }]
  })
  for (const [kind, own] of Map.groupBy(changes, (change) => change.kind))
    await emitMany(
      tx,
      kind,
      own.map(({ after }) => after),
      own.map(({ previous }) => previous),
    )
}
