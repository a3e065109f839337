import type { ContactSource } from '../schema.ts'

/** The sender of an incoming message: identified by a number, by the platform's id of the person, or by both. */
export interface Sender {
  /** E.164, or null for people who hide their number. */
  phoneNumber: string | null
  userId: string | null
  /** The person's profile name on the platform; may be empty. */
  name: string
  username?: string | null
  /** When the message was written, ISO 8601: until a number changes hands, it is its former owner's. */
  at?: string
  /** The ad or post that the message responds to. */
  source?: ContactSource | null
}
