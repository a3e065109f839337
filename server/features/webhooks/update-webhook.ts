import type { TenantTx } from '../../platform/database.ts'
import { found, insufficientScope } from '../../platform/errors.ts'
import { type EventKind, emit } from '../../platform/events.ts'
import { may, type Principal } from '../../platform/http/principal.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { checkUrl } from './check-url.ts'
import { deliveriesChannel } from './deliveries/channel.ts'
import { describeWebhook } from './describe-webhook.ts'
import { webhookDisabled } from './events.ts'
import {
  disableEndpoint,
  enableEndpoint,
  findWebhook,
  lockWebhook,
  updateWebhookRow,
  type WebhookRow,
} from './queries.ts'
import { checkEvents, receivedTypes } from './receivable-types.ts'
import type { Webhook, WebhookChanges } from './schema.ts'

/**
 * Changes the given fields. Pending deliveries of a disabled webhook continue once it is enabled; events in between are
 * not stored for it. The credential that changes the events or the address becomes the one whose scopes decide what the
 * webhook receives.
 */
export async function updateWebhook(
  tx: TenantTx,
  id: string,
  { url, events, description, status }: WebhookChanges,
  principal: Principal,
  { http, eventKinds }: { http: OutboundHttp; eventKinds: EventKind[] },
): Promise<Webhook> {
  const before = found(await lockWebhook(tx, id), 'Webhook')
  const isStatusChange = status !== undefined && status !== before.status
  const address = url === undefined ? before.url : checkUrl(url, http)
  const isNewUrl = address !== before.url
  if (isNewUrl && events === undefined) requireReadable(before, principal, eventKinds)
  const wanted: WebhookRow = {
    ...before,
    url: address,
    ...(events !== undefined && { events: checkEvents(events, principal.scopes, eventKinds) }),
    ...((isNewUrl || events !== undefined) && { scopes: [...principal.scopes] }),
    ...(description !== undefined && { description }),
    ...(isStatusChange && { status, disabled_reason: status === 'disabled' ? 'requested' : null }),
  }
  await updateWebhookRow(tx, wanted, { isStatusChange })
  if (isStatusChange) await (status === 'enabled' ? enableEndpoint : disableEndpoint)(tx, id)
  const after = describeWebhook((await findWebhook(tx, id)) as WebhookRow, eventKinds)
  if (isStatusChange && status === 'disabled') await emit(tx, webhookDisabled, after, { status: before.status })
  // The worker that holds this endpoint still has the former address and scopes.
  tx.signal(deliveriesChannel, id)
  return after
}

/** A new address receives what the former one did, so the credential that sets it must be able to read all of that. */
function requireReadable(webhook: WebhookRow, principal: Principal, kinds: EventKind[]): void {
  const received = new Set(receivedTypes(webhook, kinds))
  const missing = kinds.find(({ type, scope }) => received.has(type) && !may(principal, scope))
  if (missing)
    throw insufficientScope(
      missing.scope,
      `, which this webhook’s event ${missing.type} requires: send \`events\` that it may read together with the new \`url\``,
    )
}
