import type { TenantTx } from '../../platform/database.ts'
import { consentIn } from '../contacts/consent-words.ts'
import { optIn, optOut } from '../contacts/opt-out.ts'

/** What a contact wrote, or changed a message to. */
interface Said {
  contactId: string
  at: string
  body: string
  /** Anything but null for a message with a file: its caption is no consent. */
  media: unknown
}

/** STOP and its kin, when they are all that was written or tapped. */
export async function heedConsent(tx: TenantTx, rows: Said[]): Promise<void> {
  const said = rows.flatMap(({ contactId, at, body, media }) => {
    const consent = media ? undefined : consentIn(body)
    return consent ? [{ contactId, at, reason: body.trim(), consent }] : []
  })
  // Of several words in one set each contact's last one counts; of two in the same second the one that came later.
  const last = new Map(
    said.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map((each) => [each.contactId, each]),
  )
  const stops = [...last.values()].filter(({ consent }) => consent === 'stop')
  const starts = [...last.values()].filter(({ consent }) => consent === 'start')
  await optOut(tx, stops, 'message')
  await optIn(tx, starts)
}
