import type { Sender } from '../../contacts/senders/sender.ts'
import type { Message } from '../messages/schema.ts'
import type { InboundMessage } from '../receiving/inbound-message.ts'

/** A message between a contact and a person who uses the WhatsApp Business app. */
export interface AppMessage extends Omit<InboundMessage, 'sender'> {
  contact: Sender
  direction: Message['direction']
  status: Message['status']
}

export interface AppMessageRow extends AppMessage {
  id: string
  contactId: string
  ticketId: string
}

/** The person as of then: a number may have changed hands since. */
export const contactOf = ({ contact, at }: { contact: Sender; at: string }): Sender => ({ ...contact, at })
