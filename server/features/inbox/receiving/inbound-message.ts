import type { PersonalTable } from '../../../platform/personal-data.ts'
import type { Sender } from '../../contacts/senders/sender.ts'
import type { Digest } from '../../privacy/erasure/erased-addresses.ts'
import type { MessageType } from '../schema.ts'

/** What receiving messages needs. */
export interface Receiving {
  mediaAddress: string
  secrets: Digest
  /** What every feature holds about people: messages can prove that two contacts are one person. */
  personalData: PersonalTable[]
}

/** A message from a contact, independent of the platform's format. */
export interface InboundMessage {
  channelId: string
  chatMessageId: string
  sender: Sender
  /** The platform's time, ISO 8601, never in the future. */
  at: string
  type: MessageType
  body: string
  contextMessageId: string | null
  payload: Record<string, unknown> | null
  media: InboundMedia | null
}

export interface InboundMedia {
  platformId: string | null
  mimeType: string | null
  fileName: string | null
  sha256: string | null
}
