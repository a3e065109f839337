import type { SystemTx } from '../../platform/database.ts'
import type { StoredEvent, Subscription } from '../../platform/events.ts'
import { covers } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import { signalOf } from '../../platform/live-hints.ts'
import { contactHandoff } from '../contacts/events.ts'
import type { Contact } from '../contacts/schema.ts'
import {
  messageReceived,
  noteCreated,
  noteUpdated,
  ticketOpened,
  ticketReopened,
  ticketUpdated,
} from '../inbox/events.ts'
import type { Message } from '../inbox/messages/schema.ts'
import type { Note } from '../inbox/notes/schema.ts'
import { isRating } from '../inbox/ratings/rating.ts'
import type { Ticket } from '../inbox/tickets/schema.ts'
import { scopesGranted } from '../organizations/roles/scopes-granted.ts'
import { enqueuePushes } from './push/enqueue-pushes.ts'
import {
  findRecipients,
  findTickets,
  type NewNotification,
  type Recipient,
  type TicketState,
  upsertNotifications,
} from './queries.ts'
import type { NotificationKind } from './schema.ts'

/** Notifies members of what concerns them. Who receives what: docs/guides/inbox.md. */
export const notifyMembers: Subscription = {
  name: 'notifications',
  types: [
    messageReceived.type,
    ticketOpened.type,
    ticketUpdated.type,
    ticketReopened.type,
    contactHandoff.type,
    noteCreated.type,
    noteUpdated.type,
  ],
  async react(events, tx) {
    const causes = events.flatMap((event) => causeOf(event) ?? [])
    if (causes.length === 0) return
    const [tickets, recipients] = await Promise.all([
      findTickets(
        tx,
        causes.map(({ event, subjectId }) => subjectOf(event, subjectId)),
      ),
      findRecipients(tx, [...new Set(events.map(({ organization_id }) => organization_id))]),
    ])
    const readers = recipients.filter(({ role, scopes }) => covers(scopesGranted(role, scopes), 'inbox:read'))
    const wanted = causes.flatMap((cause) => notificationsOf(cause, tickets, readers))
    await store(tx, onePerMember(wanted))
  },
}

const subjectOf = ({ organization_id: organizationId, livemode }: StoredEvent, id: string) => ({
  organizationId,
  livemode,
  id,
})

interface Cause {
  event: StoredEvent
  kind: NotificationKind
  /** The ticket, or the contact of the ticket. */
  subjectId: string
  /** For mentions. */
  memberIds?: string[]
}

function causeOf(event: StoredEvent): Cause | undefined {
  const { type, data } = event
  if (type === messageReceived.type) {
    const { inbox_id: subjectId, payload } = data.object as Message
    // A rating needs no reply.
    return subjectId === null || isRating(payload) ? undefined : { event, kind: 'message', subjectId }
  }
  if (type === contactHandoff.type) {
    const { id: subjectId, ai_handling } = data.object as Contact
    return ai_handling ? undefined : { event, kind: 'handoff', subjectId }
  }
  if (type === noteCreated.type || type === noteUpdated.type) {
    const { inbox_id: subjectId, mentioned_ids: mentioned } = data.object as Note
    const { mentioned_ids: known = type === noteUpdated.type ? mentioned : [] } = (data.previous ?? {}) as Partial<Note>
    return { event, kind: 'mention', subjectId, memberIds: mentioned.filter((id) => !known.includes(id)) }
  }
  const { id: subjectId, assignee_id } = data.object as Ticket
  const isAssigned = type === ticketOpened.type || Object.hasOwn(data.previous ?? {}, 'assignee_id')
  return isAssigned && assignee_id !== null
    ? { event, kind: 'assigned', subjectId, memberIds: [assignee_id] }
    : undefined
}

function notificationsOf(cause: Cause, tickets: TicketState[], members: Recipient[]): NewNotification[] {
  const { event, subjectId, memberIds } = cause
  const { organization_id: organizationId, livemode } = event
  const ticket = tickets.find(
    ({ ticket_id, contact_id, status, ...of }) =>
      (ticket_id === subjectId || contact_id === subjectId) &&
      // Members mention each other in closed conversations too.
      (status === 'open' || cause.kind === 'mention') &&
      of.organization_id === organizationId &&
      of.livemode === livemode,
  )
  if (!ticket) return []
  const isOpenToAll = memberIds === undefined && ticket.assignee_id === null
  if (cause.kind === 'message' && isOpenToAll && ticket.is_answered_by_ai) return []
  // A person who takes over, here or in WhatsApp's own app, need not be told.
  if (cause.kind === 'handoff' && ticket.handed_off_by !== 'ai') return []
  const kind = cause.kind === 'message' && isOpenToAll ? 'unassigned' : cause.kind
  const ids = memberIds ?? [ticket.assignee_id]
  const preference = kind === 'mention' ? 'mentions' : isOpenToAll ? 'unassigned' : 'mine'
  return members
    .filter((member) => member.organization_id === organizationId && member[preference])
    .filter(({ user_id }) => (isOpenToAll || ids.includes(user_id)) && user_id !== event.actor_id)
    .map(({ user_id: userId }) => ({
      ...{ organizationId, livemode, userId, kind, ticketId: ticket.ticket_id },
      ...{ id: newId(), count: 1 },
    }))
}

/** Several events of a batch become one notification. */
function onePerMember(given: NewNotification[]): NewNotification[] {
  const byKey = Map.groupBy(given, ({ userId, ticketId, kind }) => `${userId} ${ticketId} ${kind}`)
  return [...byKey.values()].map((all) => ({ ...(all.at(-1) as NewNotification), count: all.length }))
}

async function store(tx: SystemTx, rows: NewNotification[]): Promise<void> {
  if (rows.length === 0) return
  const stored = await upsertNotifications(tx, rows)
  for (const { organization_id: organizationId, livemode, id, user_id: userId } of stored)
    tx.signal(
      ...signalOf({
        ...{ organizationId, livemode, userId },
        type: 'notification.created',
        requires: 'inbox:read',
        object: { id },
      }),
    )
  await enqueuePushes(
    tx,
    stored.filter(({ livemode }) => livemode),
  )
}
