import type { TenantTx } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import type { EventKind } from '../../platform/events.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { deliveriesChannel } from './deliveries/channel.ts'
import { describeWebhook } from './describe-webhook.ts'
import { findWebhook, lockWebhook, replaceSecrets, type WebhookRow } from './queries.ts'
import type { SecretRotation, WebhookWithSecret } from './schema.ts'
import { newSecret, openSecrets, rotate, sealSecrets } from './signing.ts'

/** Deliveries are signed with a new secret, and until the overlap ends also with the old one. */
export async function rotateSecret(
  tx: TenantTx,
  id: string,
  { overlap_seconds }: SecretRotation,
  { secrets, eventKinds }: { secrets: SecretBox; eventKinds: EventKind[] },
): Promise<WebhookWithSecret> {
  const webhook = found(await lockWebhook(tx, id), 'Webhook')
  const secret = newSecret()
  const kept = rotate(openSecrets(secrets, tx.scope, id, webhook.sealed_secrets), secret, Date.now(), overlap_seconds)
  await replaceSecrets(tx, id, {
    sealed: sealSecrets(secrets, tx.scope, id, kept),
    formerExpiresAt: kept[1]?.expiresAt ?? null,
  })
  tx.signal(deliveriesChannel, id)
  return { ...describeWebhook((await findWebhook(tx, id)) as WebhookRow, eventKinds), secret }
}
