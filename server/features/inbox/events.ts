import { defineEvent } from '../../platform/events.ts'
import { Message, Ticket } from './schema.ts'

const scope = 'inbox:read'

export const ticketOpened = defineEvent('ticket.opened', scope, Ticket)
export const ticketClosed = defineEvent('ticket.closed', scope, Ticket)
export const ticketReopened = defineEvent('ticket.reopened', scope, Ticket)
export const ticketAssigned = defineEvent('ticket.assigned', scope, Ticket)

export const messageReceived = defineEvent('message.received', scope, Message)
/** The platform has accepted it. */
export const messageSent = defineEvent('message.sent', scope, Message)
export const messageDelivered = defineEvent('message.delivered', scope, Message)
/** The contact has read ours, or somebody has seen the contact's. */
export const messageRead = defineEvent('message.read', scope, Message)
export const messageFailed = defineEvent('message.failed', scope, Message)
/** Either side has put an emoji to it, or taken one back. */
export const messageReacted = defineEvent('message.reacted', scope, Message)

export const inboxEvents = [
  ticketOpened,
  ticketClosed,
  ticketReopened,
  ticketAssigned,
  messageReceived,
  messageSent,
  messageDelivered,
  messageRead,
  messageFailed,
  messageReacted,
]
