import type { TenantSql } from '../../../platform/database.ts'
import { found, notFound } from '../../../platform/errors.ts'
import type { EventKind } from '../../../platform/events.ts'
import { toCursorPage } from '../../../platform/http/pagination.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { requestBody, requestHeaders } from '../event-request.ts'
import { findWebhook } from '../queries.ts'
import { readableTypes } from '../receivable-types.ts'
import type { DeliveryFilter, WebhookDelivery } from '../schema.ts'
import { type DeliveryRow, findDelivery, listDeliveries } from './queries.ts'

/** The log contains event data, so bodies are shown only for types that the reader's credential may read. */
export interface LogReader {
  principal: Principal
  eventKinds: EventKind[]
}

export async function readDeliveries(sql: TenantSql, webhookId: string, filter: DeliveryFilter, reader: LogReader) {
  const [webhook, rows] = await Promise.all([findWebhook(sql, webhookId), listDeliveries(sql, webhookId, filter)])
  if (!webhook) throw notFound('Webhook')
  const page = toCursorPage<DeliveryRow>(rows, filter.limit)
  const mayRead = readableBy(reader)
  return { ...page, data: page.data.map((row) => showDelivery(row, mayRead(row.event_type))) }
}

export async function readDelivery(
  sql: TenantSql,
  webhookId: string,
  id: string,
  reader: LogReader,
): Promise<WebhookDelivery> {
  const row = found(await findDelivery(sql, webhookId, id), 'Delivery')
  return showDelivery(row, readableBy(reader)(row.event_type))
}

const readableBy = ({ principal, eventKinds }: LogReader) => readableTypes([...principal.scopes], eventKinds)

/** Rebuilds the request from its event; requests are not stored. */
function showDelivery(row: DeliveryRow, isReadable: boolean): WebhookDelivery {
  const { url, response_status, response_body, event_created_at, event_data, ...delivery } = row
  const { id, event_type: type, organization_id, livemode, attempted_at } = delivery
  const body =
    isReadable && event_data !== null && event_created_at !== null
      ? requestBody({ organization_id, livemode, id, type, created_at: event_created_at, data: event_data })
      : null
  // An endpoint may echo the request, so its response is as confidential as the event.
  const answer = isReadable ? (response_body ?? '') : ''
  return {
    ...delivery,
    request: url !== null && attempted_at ? { url, headers: requestHeaders(id, new Date(attempted_at)), body } : null,
    response: response_status === null ? null : { status: response_status, body: answer },
  }
}
