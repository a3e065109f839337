import Type, { type Static } from 'typebox'
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { readCursorPage } from '../../platform/http/pagination.ts'
import { sql } from '../../platform/sql.ts'
import { Webhook, type WebhookFilter } from './schema.ts'

const columns = sql`w.id, w.organization_id, w.url, w.events, w.description, w.status, w.disabled_reason, w.disabled_at,
  l.failing_since, case when w.former_secret_expires_at > now() then w.former_secret_expires_at end as former_secret_expires_at,
  w.livemode, w.created_at, w.updated_at, w.scopes`

const withLease = sql`webhooks w left join endpoint_leases l on l.organization_id = w.organization_id
  and l.livemode = w.livemode and l.webhook_id = w.id`

const { event_types, ...shown } = Webhook.properties
const WebhookRow = Type.Object({ ...shown, scopes: Type.Array(Type.String()) })
export type WebhookRow = Static<typeof WebhookRow>

const LockedWebhook = Type.Object({ ...WebhookRow.properties, sealed_secrets: Type.Unsafe<Buffer>({}) })

export const findWebhook = (tx: TenantSql, id: string) =>
  tx.maybe(WebhookRow)`select ${columns} from ${withLease} where w.id = ${id} and w.deleted_at is null`

export const lockWebhook = (tx: TenantTx, id: string) =>
  tx.maybe(LockedWebhook)`
    select ${columns}, w.sealed_secrets from ${withLease} where w.id = ${id} and w.deleted_at is null for update of w`

export const listWebhooks = (tx: TenantSql, filter: WebhookFilter) =>
  readCursorPage<WebhookRow>(tx, { columns, from: withLease, where: sql`w.deleted_at is null`, id: sql`w.id` }, filter)

const Count = Type.Object({ n: Type.Integer() })

export const countWebhooks = (tx: TenantSql) =>
  tx.one(Count)`select count(*)::integer as n from webhooks where deleted_at is null`

export async function insertWebhook(
  tx: TenantTx,
  webhook: Pick<WebhookRow, 'id' | 'url' | 'events' | 'scopes' | 'description'> & { sealedSecrets: Buffer },
): Promise<void> {
  await tx.run`
    insert into webhooks (id, url, events, scopes, description, sealed_secrets)
    values (${webhook.id}, ${webhook.url}, ${webhook.events}, ${webhook.scopes}, ${webhook.description},
      ${webhook.sealedSecrets})`
  await tx.run`insert into endpoint_leases (webhook_id) values (${webhook.id})`
}

/** After a webhook is enabled it receives only events that commit later. */
export const updateWebhookRow = (
  tx: TenantTx,
  { id, url, events, scopes, description, status, disabled_reason }: WebhookRow,
  { isStatusChange }: { isStatusChange: boolean },
) =>
  tx.run`
    update webhooks set url = ${url}, events = ${events}, scopes = ${scopes}, description = ${description},
      status = ${status}, disabled_reason = ${disabled_reason},
      disabled_at = case when ${isStatusChange} and ${status} = 'disabled' then now() when ${isStatusChange} then null else disabled_at end,
      hears_since = case when ${isStatusChange} and ${status} = 'enabled' then event_snapshot() else hears_since end,
      updated_at = now()
    where id = ${id}`

/** Makes the endpoint due, without its pause and its failures. Pending deliveries continue. */
export const enableEndpoint = (tx: TenantTx, webhookId: string) =>
  tx.run`
    update endpoint_leases set due_at = now(), paused_until = null, failing_since = null where webhook_id = ${webhookId}`

export const disableEndpoint = (tx: TenantTx, webhookId: string) =>
  tx.run`update endpoint_leases set due_at = null where webhook_id = ${webhookId}`

/** Blocks while a worker releases the endpoint's lease, so that the release cannot overwrite the new due time. */
export const makeEndpointDue = (tx: TenantTx, webhookId: string) =>
  tx.run`update endpoint_leases set due_at = now(), paused_until = null where webhook_id = ${webhookId}`

export const replaceSecrets = (
  tx: TenantTx,
  id: string,
  { sealed, formerExpiresAt }: { sealed: Buffer; formerExpiresAt: string | null },
) =>
  tx.run`
    update webhooks set sealed_secrets = ${sealed}, former_secret_expires_at = ${formerExpiresAt}, updated_at = now()
    where id = ${id}`

/** Deletes the secrets and the lease at once; the next sweep deletes the log and then the row. */
export async function markDeleted(tx: TenantTx, id: string): Promise<boolean> {
  const hidden = await tx.run`
    update webhooks set deleted_at = now(), sealed_secrets = null where id = ${id} and deleted_at is null`
  await tx.run`delete from endpoint_leases where webhook_id = ${id}`
  return hidden > 0
}
