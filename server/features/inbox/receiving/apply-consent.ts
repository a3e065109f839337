import type { TenantTx } from '../../../platform/database.ts'
import { consentIn } from '../../contacts/consent/consent-words.ts'
import { optIn, optOut } from '../../contacts/consent/opt-out.ts'

/** The text of a new message, or the new text of an edited one. */
interface ContactText {
  contactId: string
  at: string
  body: string
  /** Not null for a message with a file: a caption is not read as consent. */
  media: unknown
}

/**
 * Applies opt-out and opt-in keywords such as STOP. They count only if they are the whole text of the message or
 * button.
 */
export async function applyConsent(tx: TenantTx, rows: ContactText[]): Promise<void> {
  const keywords = rows.flatMap(({ contactId, at, body, media }) => {
    const consent = media ? undefined : consentIn(body)
    return consent ? [{ contactId, at, reason: body.trim(), consent }] : []
  })
  // If a contact sent several keywords in one batch, the last one counts; within the same second, the one that arrived
  // later.
  const last = new Map(
    keywords.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map((each) => [each.contactId, each]),
  )
  const stops = [...last.values()].filter(({ consent }) => consent === 'stop')
  const starts = [...last.values()].filter(({ consent }) => consent === 'start')
  await optOut(tx, stops, 'message')
  await optIn(tx, starts, 'message')
}
