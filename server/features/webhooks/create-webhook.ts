import type { TenantTx } from '../../platform/database.ts'
import { conflict } from '../../platform/errors.ts'
import type { EventKind } from '../../platform/events.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { checkUrl } from './check-url.ts'
import { describeWebhook } from './describe-webhook.ts'
import { countWebhooks, findWebhook, insertWebhook, type WebhookRow } from './queries.ts'
import { checkEvents } from './receivable-types.ts'
import type { NewWebhook, WebhookWithSecret } from './schema.ts'
import { newSecret, sealSecrets } from './signing.ts'

/** Every event becomes one delivery per webhook: without a limit, one organization's events would delay all others. */
const maxWebhooks = 200

export async function createWebhook(
  tx: TenantTx,
  input: NewWebhook,
  { scopes }: Pick<Principal, 'scopes'>,
  { http, secrets, eventKinds }: { http: OutboundHttp; secrets: SecretBox; eventKinds: EventKind[] },
): Promise<WebhookWithSecret> {
  const url = checkUrl(input.url, http)
  const events = checkEvents(input.events, scopes, eventKinds)
  const { n } = await countWebhooks(tx)
  if (n >= maxWebhooks) throw conflict(`An organization can have at most ${maxWebhooks} webhooks: delete one first`)
  const id = newId()
  const secret = newSecret()
  await insertWebhook(tx, {
    id,
    url,
    events,
    scopes: [...scopes],
    description: input.description ?? null,
    sealedSecrets: sealSecrets(secrets, tx.scope, id, [{ secret, expiresAt: null }]),
  })
  return { ...describeWebhook((await findWebhook(tx, id)) as WebhookRow, eventKinds), secret }
}
