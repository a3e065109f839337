import type { Sender } from '../../contacts/senders/sender.ts'
import type { InboundMessage } from './inbound-message.ts'

/** A contact edited or deleted a message that it had sent. */
export interface InboundEdit {
  kind: 'edit' | 'revoke'
  channelId: string
  /** The platform's id of the edit itself. The platform may deliver the same edit twice. */
  eventId: string
  /** The edited message; null if the platform does not say which one it is. */
  chatMessageId: string | null
  sender: Sender
  /** The platform's time, ISO 8601, never in the future. */
  at: string
  /** The new text; null for a deletion, and if the platform does not deliver the text. */
  content: Pick<InboundMessage, 'type' | 'body' | 'media' | 'payload' | 'contextMessageId'> | null
  /** What the platform sent instead of the new text. */
  raw: Record<string, unknown> | null
}
