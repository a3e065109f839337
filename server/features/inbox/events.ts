import { defineEvent } from '../../platform/events.ts'
import { defineRecordEvents } from '../../platform/record-events.ts'
import { Message } from './messages/schema.ts'
import { Note } from './notes/schema.ts'
import { SavedReply } from './saved-replies/schema.ts'
import { Ticket } from './tickets/schema.ts'
import { InboxView } from './views/schema.ts'

const scope = 'inbox:read'

export const ticketOpened = defineEvent('ticket.opened', scope, Ticket)
export const ticketClosed = defineEvent('ticket.closed', scope, Ticket)
export const ticketReopened = defineEvent('ticket.reopened', scope, Ticket)
/** The assignee, the priority, the tags or the snoozing changed. */
export const ticketUpdated = defineEvent('ticket.updated', scope, Ticket)
/** A snoozed ticket came back: its time has come, or the contact wrote. */
export const ticketWoken = defineEvent('ticket.woken', scope, Ticket)

/** The contact rated a closed ticket. */
export const ticketRated = defineEvent('ticket.rated', scope, Ticket)

export const messageReceived = defineEvent('message.received', scope, Message)
/** The platform accepted the message. */
export const messageSent = defineEvent('message.sent', scope, Message)
export const messageDelivered = defineEvent('message.delivered', scope, Message)
/** The contact read an outbound message, or a member read an inbound one. */
export const messageRead = defineEvent('message.read', scope, Message)
export const messageFailed = defineEvent('message.failed', scope, Message)
/**
 * A reaction was added or removed, the contact edited or deleted the message, a member rated it, or a campaign's message joined the ticket
 * of its reply.
 */
export const messageUpdated = defineEvent('message.updated', scope, Message)

export const noteCreated = defineEvent('note.created', scope, Note)
export const noteUpdated = defineEvent('note.updated', scope, Note)
export const noteDeleted = defineEvent('note.deleted', scope, Note)

export const savedReplyEvents = {
  shared: defineRecordEvents('saved_reply', scope, SavedReply),
  hint: 'saved_reply.changed',
}
export const viewEvents = { shared: defineRecordEvents('inbox_view', scope, InboxView), hint: 'inbox_view.changed' }

export const inboxEvents = [
  ticketOpened,
  ticketClosed,
  ticketReopened,
  ticketUpdated,
  ticketWoken,
  ticketRated,
  messageReceived,
  messageSent,
  messageDelivered,
  messageRead,
  messageFailed,
  messageUpdated,
  noteCreated,
  noteUpdated,
  noteDeleted,
  ...Object.values(savedReplyEvents.shared),
  ...Object.values(viewEvents.shared),
]
