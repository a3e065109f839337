import type { Settings } from '../config.ts'
import { oldestSigningKey } from '../features/organizations/credentials/signing-keys.ts'
import type { Database } from '../platform/database.ts'
import { openSealedValue } from '../platform/sealed-values.ts'
import { createSecretBox, digestKeyOf, type SecretBox } from '../platform/secrets.ts'
import { secretKey } from './secret-key.ts'

const digestKeyName = 'digest key'

/**
 * Opens the secret box. Digests are stored (which app a channel belongs to) and known to the simulator, so their key
 * must outlive SECRET_KEY: it is derived from the installation's first SECRET_KEY and stored sealed from then on.
 */
export async function openSecrets(database: Database, settings: Settings): Promise<SecretBox> {
  const current = secretKey(settings)
  const previousKey = settings.SECRET_KEY_PREVIOUS
  const box = createSecretBox(current, { previousKey })
  const create = async () => digestKeyOf(await firstKey(database, current, previousKey)).toString('hex')
  // With a SECRET_KEY that opens no stored secret, digests change too; `doctor` reports the wrong key.
  const stored = await openSealedValue(database, box, digestKeyName, create)
  const digestKey = stored === undefined ? digestKeyOf(current) : Buffer.from(stored, 'hex')
  return createSecretBox(current, { previousKey, digestKey })
}

/** Of the two keys, the one that the installation started with: it opens the oldest signing key. */
async function firstKey(database: Database, current: string, previous: string | undefined): Promise<string> {
  const opens = await oldestSigningKey(database.forSystem())
  return previous !== undefined && opens && !opens(createSecretBox(current)) && opens(createSecretBox(previous))
    ? previous
    : current
}
