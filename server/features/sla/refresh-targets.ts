import type { TenantTx } from '../../platform/database.ts'
import { type EventKind, emitMany } from '../../platform/events.ts'
import { announceTicket } from '../inbox/tickets/announce-ticket.ts'
import type { Ticket } from '../inbox/tickets/schema.ts'
import { slaBreached, slaWarning } from './events.ts'
import { refreshTargetsJob } from './job-kinds.ts'
import type { TicketWithTarget } from './schema.ts'
import {
  findNext,
  lockTicketRow,
  markBreached,
  markWarned,
  type Reached,
  refreshTargetRows,
  storeDue,
} from './target-queries.ts'

/**
 * Computes the targets of a ticket again and announces what was reached. Runs after each change of the ticket and at the
 * next warning or due time. Marks and events are written in one transaction with the ticket locked, so that each event
 * is sent once, also if the job is repeated.
 */
export async function refreshTargets(tx: TenantTx, ticketId: string): Promise<void> {
  const before = await lockTicketRow(tx, ticketId)
  if (!before) return
  const { check_at: known } = await findNext(tx, ticketId)
  await refreshTargetRows(tx, ticketId)
  const breached = await markBreached(tx, ticketId)
  const warned = await markWarned(tx, ticketId)
  const next = await findNext(tx, ticketId)
  const isChanged = before.sla_due_at !== next.due_at || before.sla_target !== next.kind
  if (isChanged) await storeDue(tx, ticketId, next.due_at, next.kind)
  if (isChanged || breached.length + warned.length > 0) {
    const ticket = await announceTicket(tx, ticketId, isChanged ? { sla_due_at: before.sla_due_at } : undefined)
    await announce(tx, slaBreached, ticket, breached)
    await announce(tx, slaWarning, ticket, warned)
  }
  // Otherwise the job that was added with this time is still to come.
  if (next.check_at !== null && (next.check_at !== known || Date.parse(known) <= Date.now())) {
    const { organizationId } = tx.scope
    const job = { ...tx.scope, ticketId }
    await tx.enqueue(refreshTargetsJob, job, { startAfter: next.check_at, group: { id: organizationId } })
  }
}

const announce = (
  tx: TenantTx,
  kind: EventKind<typeof slaBreached.object>,
  ticket: Ticket,
  targets: Reached[],
): Promise<void> =>
  emitMany(
    tx,
    kind,
    targets.map((target): TicketWithTarget => ({ ...ticket, target })),
  )
