import type { Database } from '../../../platform/database.ts'
import { openSealedValue } from '../../../platform/sealed-values.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { createPushKey, createPushSender, type PushSender } from '../../../platform/web-push.ts'

/**
 * The key pair of this installation, opened when it is first needed and created once for all nodes. Browsers are
 * subscribed for this key: with another one they would have to subscribe again.
 */
export function openPushSender(
  { database, secrets }: { database: Database; secrets: SecretBox },
  publicUrl: string,
): () => Promise<PushSender | undefined> {
  const contact = publicUrl.startsWith('https:') ? publicUrl : 'mailto:push@localhost'
  let opening: Promise<PushSender | undefined> | undefined
  const open = async () => {
    const key = await openSealedValue(database, secrets, 'push key', createPushKey)
    return key === undefined ? undefined : createPushSender(key, contact)
  }
  return () => {
    opening ??= open().catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }
}
