import { found } from '../../platform/errors.ts'
import type { EventKind } from '../../platform/events.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { readDeliveries } from './deliveries/list-deliveries.ts'
import { recoverDeliveries } from './deliveries/recover-deliveries.ts'
import { retryDelivery } from './deliveries/retry-delivery.ts'
import { describeWebhook } from './describe-webhook.ts'
import { findWebhook, listWebhooks } from './queries.ts'
import { rotateSecret } from './rotate-secret.ts'
import {
  DeliveryFilter,
  DeliveryPage,
  DeliveryPath,
  NewWebhook,
  Recovery,
  RecoveryBegun,
  SecretRotation,
  Webhook,
  WebhookChanges,
  WebhookDelivery,
  WebhookFilter,
  WebhookPage,
  WebhookPath,
  WebhookWithSecret,
} from './schema.ts'
import { testWebhook } from './test-webhook.ts'
import { updateWebhook } from './update-webhook.ts'

const tag = 'Webhooks'
const scope = 'webhooks:admin'
const secret = ['secret']

export function webhookRoutes(
  routes: Routes,
  deps: { http: OutboundHttp; secrets: SecretBox; eventKinds: EventKind[] },
): void {
  const { eventKinds } = deps
  routes.read({
    id: 'listWebhooks',
    method: 'GET',
    url: '/webhooks',
    tag,
    summary: 'List webhooks',
    scope,
    query: WebhookFilter,
    response: WebhookPage,
    handler: async (sql, { query }) => {
      const page = await listWebhooks(sql, query)
      return { ...page, data: page.data.map((row) => describeWebhook(row, eventKinds)) }
    },
  })

  routes.write({
    id: 'createWebhook',
    method: 'POST',
    url: '/webhooks',
    tag,
    summary: 'Create a webhook',
    description:
      'From now on, events of this mode are posted to `url`, signed according to Standard Webhooks, at least once each and in no particular order. The response is the only place where the `secret` appears. A webhook receives only events that the credential creating it may read with `GET /events`: a type it may not read is refused with 403 and the missing scope; a pattern expands to the readable types, which the response lists.',
    scope,
    body: NewWebhook,
    response: WebhookWithSecret,
    status: 201,
    secrets: secret,
    handler: (tx, { body, principal }) => createWebhook(tx, body, principal, deps),
  })

  routes.read({
    id: 'getWebhook',
    method: 'GET',
    url: '/webhooks/{webhook_id}',
    tag,
    summary: 'Get a webhook',
    scope,
    params: WebhookPath,
    response: Webhook,
    handler: async (sql, { params }) => {
      const webhook = found(await findWebhook(sql, params.webhook_id), 'Webhook')
      return describeWebhook(webhook, eventKinds)
    },
  })

  routes.write({
    id: 'updateWebhook',
    method: 'PATCH',
    url: '/webhooks/{webhook_id}',
    tag,
    summary: 'Update a webhook',
    description:
      'A disabled webhook receives nothing. Pending deliveries continue when it is enabled again; use `recover` for events that happened in between. New `events` are checked against the scopes of the credential that sends them, as on create. To change only the `url`, the credential must be able to read every type that the webhook receives, otherwise the response is 403.',
    scope,
    params: WebhookPath,
    body: WebhookChanges,
    response: Webhook,
    handler: (tx, { params, body, principal }) => updateWebhook(tx, params.webhook_id, body, principal, deps),
  })

  routes.write({
    id: 'deleteWebhook',
    method: 'DELETE',
    url: '/webhooks/{webhook_id}',
    tag,
    summary: 'Delete a webhook',
    description: 'Deletes its delivery log too. A delivery in flight may still arrive.',
    scope,
    params: WebhookPath,
    response: Deleted,
    handler: (tx, { params }) => deleteWebhook(tx, params.webhook_id).then(() => deleted('Webhook')),
  })

  routes.write({
    id: 'rotateWebhookSecret',
    method: 'POST',
    url: '/webhooks/{webhook_id}/rotate-secret',
    tag,
    summary: 'Rotate a webhook secret',
    description:
      'For `overlap_seconds` deliveries have two signatures, one with each secret, then only the new one. The response is the only place where the new `secret` appears.',
    scope,
    params: WebhookPath,
    body: SecretRotation,
    response: WebhookWithSecret,
    secrets: secret,
    handler: (tx, { params, body }) => rotateSecret(tx, params.webhook_id, body, deps),
  })

  routes.write({
    id: 'testWebhook',
    method: 'POST',
    url: '/webhooks/{webhook_id}/test',
    tag,
    summary: 'Send a ping',
    description:
      'Sends a `ping`, whatever event types the webhook has. The delivery in the response is pending; list the deliveries to see its outcome.',
    scope,
    params: WebhookPath,
    response: WebhookDelivery,
    errors: [409],
    handler: (tx, { params, principal }) => testWebhook(tx, params.webhook_id, { principal, eventKinds }),
  })

  routes.read({
    id: 'listWebhookDeliveries',
    method: 'GET',
    url: '/webhooks/{webhook_id}/deliveries',
    tag,
    summary: 'List deliveries',
    description:
      'Requests and responses, for as long as events are kept. Bodies are omitted (`request.body` is null) if the credential may not read events of that type.',
    scope,
    params: WebhookPath,
    query: DeliveryFilter,
    response: DeliveryPage,
    handler: (sql, { params, query, principal }) =>
      readDeliveries(sql, params.webhook_id, query, { principal, eventKinds }),
  })

  routes.write({
    id: 'retryWebhookDelivery',
    method: 'POST',
    url: '/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
    tag,
    summary: 'Retry a delivery',
    description:
      'Sends the event now, whatever the status of the delivery, with the full retry schedule if it fails. 409 if the webhook may not receive events of that type.',
    scope,
    params: DeliveryPath,
    response: WebhookDelivery,
    errors: [409],
    handler: (tx, { params, principal }) =>
      retryDelivery(tx, params.webhook_id, params.delivery_id, { principal, eventKinds }),
  })

  routes.write({
    id: 'recoverWebhook',
    method: 'POST',
    url: '/webhooks/{webhook_id}/recover',
    tag,
    summary: 'Recover missed events',
    description:
      'Sends events since the given time that match the webhook and either failed or were never sent to it because it was disabled or did not exist yet.',
    scope,
    params: WebhookPath,
    body: Recovery,
    response: RecoveryBegun,
    errors: [409],
    handler: (tx, { params, body }) => recoverDeliveries(tx, params.webhook_id, body, eventKinds),
  })
}
