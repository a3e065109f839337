import type { Sender } from '../contacts/find-senders.ts'
import type { InboundMessage } from './inbound-message.ts'

/** A contact edited or deleted a message that it had sent. */
export interface InboundEdit {
  kind: 'edit' | 'revoke'
  channelId: string
  /** The platform's id of the edit itself: the same one may come twice. */
  eventId: string
  /** The message that it is about; null where the platform does not say. */
  chatMessageId: string | null
  sender: Sender
  /** The platform's time, ISO 8601, never in the future. */
  at: string
  /** The new words; null for a deletion, and where the platform does not deliver them. */
  content: Pick<InboundMessage, 'type' | 'body' | 'media' | 'payload' | 'contextMessageId'> | null
  /** What the platform sent in place of the new words. */
  raw: Record<string, unknown> | null
}
