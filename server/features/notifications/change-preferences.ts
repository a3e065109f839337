import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { requireTimeZone } from '../contacts/update-contact.ts'
import { findPreferences, savePreferences } from './queries.ts'
import type { PreferenceChanges, Preferences } from './schema.ts'

const defaults: Preferences = {
  mine: true,
  mentions: true,
  unassigned: true,
  email_digest: 'off',
  quiet_hours: null,
  time_zone: null,
}

export const readPreferences = async (sql: TenantSql, userId: string): Promise<Preferences> =>
  (await findPreferences(sql, userId)) ?? defaults

export async function changePreferences(
  tx: TenantTx,
  userId: string,
  changes: PreferenceChanges,
): Promise<Preferences> {
  if (changes.time_zone !== undefined) requireTimeZone(changes.time_zone)
  const wanted = { ...(await readPreferences(tx, userId)), ...changes }
  await savePreferences(tx, userId, wanted)
  return wanted
}
