import type { TenantTx } from '../../../platform/database.ts'
import { emitMany } from '../../../platform/events.ts'
import { contactOptedOut, contactUpdated } from '../events.ts'
import { findContact } from '../queries.ts'
import type { Contact } from '../schema.ts'
import { insertConsents } from './consent-log-queries.ts'
import { type ConsentRow, markOptedIn, markOptedOut } from './consent-queries.ts'

interface Consent {
  contactId: string
  /** When it was said, ISO 8601: a statement older than the last one changes nothing, in whatever order they arrive. */
  at: string
  /** What was said: the word, the platform's code, a person's note. */
  reason: string
}

type ConsentSource = 'message' | 'platform' | 'user'

/** Opts these contacts out of marketing: recorded once, however often it is said. */
export async function optOut(
  tx: TenantTx,
  consents: Consent[],
  source: ConsentSource,
  { isLogged = false } = {},
): Promise<void> {
  const said = latestOfEach(consents)
  if (said.length === 0) return
  const changed = await markOptedOut(tx, said.map(toRow))
  const reasons = new Map(said.map(({ contactId, reason }) => [contactId, reason]))
  if (!isLogged) await log(tx, changed, said, 'withdrawn', source)
  await emitMany(
    tx,
    contactOptedOut,
    changed.map((contact) => ({ ...contact, opt_out: { source, reason: reasons.get(contact.id) as string } })),
    changed.map(() => ({ opted_out_at: null })),
  )
}

/** Opts them back in. */
export async function optIn(
  tx: TenantTx,
  consents: Consent[],
  source: ConsentSource,
  { isLogged = false } = {},
): Promise<void> {
  const said = latestOfEach(consents)
  if (said.length === 0) return
  const changed = await markOptedIn(tx, said.map(toRow))
  if (!isLogged) await log(tx, changed, said, 'granted', source)
  await emitMany(
    tx,
    contactUpdated,
    changed.map(({ previous_opted_out_at: _, ...contact }) => contact),
    changed.map(({ previous_opted_out_at }) => ({ opted_out_at: previous_opted_out_at })),
  )
}

/** A member enters it for a contact, for example after a phone call. */
export async function setConsent(tx: TenantTx, contact: Contact, optedOut: boolean | undefined): Promise<Contact> {
  if (optedOut === undefined || optedOut === (contact.opted_out_at !== null)) return contact
  const consent = { contactId: contact.id, at: new Date().toISOString(), reason: 'Entered by hand' }
  await (optedOut ? optOut(tx, [consent], 'user') : optIn(tx, [consent], 'user'))
  return (await findContact(tx, contact.id)) ?? contact
}

/** Adds what changed to the consent log: what was said, when and how. */
async function log(
  tx: TenantTx,
  changed: { id: string }[],
  said: Consent[],
  state: 'granted' | 'withdrawn',
  source: ConsentSource,
): Promise<void> {
  const ids = new Set(changed.map(({ id }) => id))
  const entries = said.filter(({ contactId }) => ids.has(contactId))
  if (entries.length === 0) return
  const marketing = { channel: 'all', purpose: 'marketing', state, source } as const
  await insertConsents(
    tx,
    entries.map(({ contactId, at, reason }) => ({ ...marketing, contactId, at, text: reason })),
  )
}

const toRow = ({ contactId, at }: Pick<Consent, 'contactId' | 'at'>): ConsentRow => ({ contactId, at })

function latestOfEach<C extends { contactId: string; at: string }>(consents: C[]): C[] {
  const latest = new Map<string, C>()
  for (const consent of consents)
    if (!(consent.at < (latest.get(consent.contactId)?.at ?? ''))) latest.set(consent.contactId, consent)
  return [...latest.values()]
}
