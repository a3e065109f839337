import type { TenantTx } from '../../platform/database.ts'
import { optIn, optOut } from '../contacts/consent/opt-out.ts'
import { findKnownSenders } from '../contacts/senders/find-senders.ts'
import type { Preference } from './payloads/read-payload.ts'

/** Returns the preferences of people who are not contacts. */
export async function applyPreferences(tx: TenantTx, preferences: Preference[]): Promise<Preference[]> {
  const contacts = await findKnownSenders(
    tx,
    preferences.map(({ sender, at }) => ({ ...sender, at })),
  )
  const latest = new Map<string, { contactId: string; at: string; wants: boolean; reason: string }>()
  for (const [i, { at, wants }] of preferences.entries()) {
    const contactId = contacts[i]?.id
    if (contactId === undefined || at < (latest.get(contactId)?.at ?? '')) continue
    latest.set(contactId, {
      contactId,
      at,
      wants,
      reason: wants ? 'Resumed marketing messages' : 'Stopped marketing messages',
    })
  }
  const said = [...latest.values()]
  await optOut(
    tx,
    said.filter(({ wants }) => !wants),
    'platform',
  )
  await optIn(
    tx,
    said.filter(({ wants }) => wants),
    'platform',
  )
  return preferences.filter((_, i) => !contacts[i])
}
