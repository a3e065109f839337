import type { TenantTx } from '../../platform/database.ts'
import { conflict } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { checkEvents } from './check-events.ts'
import { checkUrl } from './check-url.ts'
import { countWebhooks, findWebhook, insertWebhook } from './queries.ts'
import type { NewWebhook, Webhook, WebhookWithSecret } from './schema.ts'
import { newSecret, sealSecrets } from './signing.ts'

/** Every event is a delivery for each of them: beyond this, one organization's events would be everybody's wait. */
const most = 200

export async function createWebhook(
  tx: TenantTx,
  input: NewWebhook,
  { http, secrets, eventTypes }: { http: OutboundHttp; secrets: SecretBox; eventTypes: string[] },
): Promise<WebhookWithSecret> {
  const url = checkUrl(input.url, http)
  const events = checkEvents(input.events, eventTypes)
  const { n } = await countWebhooks(tx)
  if (n >= most) throw conflict(`There are ${most} webhooks already, which is as many as there can be`)
  const id = newId()
  const secret = newSecret()
  await insertWebhook(tx, {
    id,
    url,
    events,
    description: input.description ?? null,
    sealedSecrets: sealSecrets(secrets, tx.scope, id, [{ secret, expiresAt: null }]),
  })
  return { ...((await findWebhook(tx, id)) as Webhook), secret }
}
