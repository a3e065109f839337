import type { TenantTx } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseInstant } from '../../../platform/instants.ts'
import { existing } from '../merging/existing-contact.ts'
import { lockContact } from '../queries.ts'
import { insertConsents } from './consent-log-queries.ts'
import { optIn, optOut } from './opt-out.ts'
import type { Consent, NewConsent } from './schema.ts'

/** A member or a form records what a person said. Marketing on all channels is the contact's opt-out, which follows. */
export async function recordConsent(tx: TenantTx, contactId: string, given: NewConsent): Promise<Consent> {
  const contact = await existing(tx, contactId, lockContact(tx, contactId))
  const at = (given.at === undefined ? undefined : parseInstant(given.at)) ?? new Date().toISOString()
  if (Date.parse(at) > Date.now() + 60_000) throw new AppError(400, 'at must not be in the future')
  const [consent] = await insertConsents(tx, [{ ...given, contactId, at }])
  if (given.channel === 'all' && given.purpose === 'marketing') {
    const said = [{ contactId, at, reason: given.text || given.source }]
    const isWithdrawn = given.state === 'withdrawn'
    if (isWithdrawn !== (contact.opted_out_at !== null))
      await (isWithdrawn ? optOut(tx, said, 'user', { isLogged: true }) : optIn(tx, said, 'user', { isLogged: true }))
  }
  return consent as Consent
}
