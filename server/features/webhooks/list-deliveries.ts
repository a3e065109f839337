import type { TenantSql } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { toCursorPage } from '../../platform/http/pagination.ts'
import { type DeliveryRow, findDelivery, listDeliveries } from './delivery-queries.ts'
import { findWebhook } from './queries.ts'
import { requestBody, requestHeaders } from './request-body.ts'
import type { DeliveryFilter, WebhookDelivery } from './schema.ts'

export async function readDeliveries(sql: TenantSql, webhookId: string, filter: DeliveryFilter) {
  const [webhook, rows] = await Promise.all([findWebhook(sql, webhookId), listDeliveries(sql, webhookId, filter)])
  if (!webhook) throw notFound('Webhook')
  const page = toCursorPage<DeliveryRow>(rows, filter.limit)
  return { ...page, data: page.data.map(showDelivery) }
}

export async function readDelivery(sql: TenantSql, webhookId: string, id: string): Promise<WebhookDelivery> {
  const row = await findDelivery(sql, webhookId, id)
  if (!row) throw notFound('Delivery')
  return showDelivery(row)
}

/** What was sent is made again from the event that it told of. */
function showDelivery(row: DeliveryRow): WebhookDelivery {
  const { url, response_status, response_body, event_created_at, event_data, ...delivery } = row
  const { id, event_type: type, organization_id, livemode, attempted_at } = delivery
  const body =
    event_data !== null && event_created_at !== null
      ? requestBody({ organization_id, livemode, id, type, created_at: event_created_at, data: event_data })
      : null
  return {
    ...delivery,
    request: url !== null && attempted_at ? { url, headers: requestHeaders(id, new Date(attempted_at)), body } : null,
    response: response_status === null ? null : { status: response_status, body: response_body ?? '' },
  }
}
