import Type from 'typebox'
import { type Settings, secretKey } from '../config.ts'
import { oldestSigningKey } from '../features/organizations/credentials/signing-keys.ts'
import type { Database } from '../platform/database.ts'
import { sealedColumn } from '../platform/reseal.ts'
import { createSecretBox, digestKeyOf, type SecretBox } from '../platform/secrets.ts'

const contextOf = ({ name }: { name: string }) => `value ${name}`
const digestKeyName = 'digest key'

export const sealedValues = sealedColumn({
  table: 'sealed_values',
  column: 'sealed_value',
  key: { name: 'text' },
  context: contextOf,
})

const Row = Type.Object({ sealed_value: Type.Unsafe<Buffer>({}) })

/**
 * Opens the secret box. Digests are stored (which app a channel belongs to) and known to the simulator, so their key
 * must outlive SECRET_KEY: it is derived from the installation's first SECRET_KEY and stored sealed from then on.
 */
export async function openSecrets(database: Database, settings: Settings): Promise<SecretBox> {
  const current = secretKey(settings)
  const previousKey = settings.SECRET_KEY_PREVIOUS
  const box = createSecretBox(current, { previousKey })
  const system = database.forSystem()
  const read = () => system.maybe(Row)`select sealed_value from sealed_values where name = ${digestKeyName}`
  let row = await read()
  if (!row) {
    const first = await firstKey(database, current, previousKey)
    const sealed = box.seal(digestKeyOf(first).toString('hex'), contextOf({ name: digestKeyName }))
    await system.run`
      insert into sealed_values (name, sealed_value) values (${digestKeyName}, ${sealed}) on conflict do nothing`
    row = await read()
  }
  return createSecretBox(current, { previousKey, digestKey: openDigestKey(box, row?.sealed_value, current) })
}

/** Of the two keys, the one that the installation started with: it opens the oldest signing key. */
async function firstKey(database: Database, current: string, previous: string | undefined): Promise<string> {
  const opens = await oldestSigningKey(database.forSystem())
  return previous !== undefined && opens && !opens(createSecretBox(current)) && opens(createSecretBox(previous))
    ? previous
    : current
}

/** With a SECRET_KEY that opens no stored secret, digests change too; `doctor` reports the wrong key. */
function openDigestKey(box: SecretBox, sealed: Buffer | undefined, current: string): Buffer {
  try {
    if (sealed) return Buffer.from(box.open(sealed, contextOf({ name: digestKeyName })), 'hex')
  } catch {}
  return digestKeyOf(current)
}
