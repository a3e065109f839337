import Type, { type Static } from 'typebox'
import type { SystemSql, SystemTx } from '../../../platform/database.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { suspendedIds } from '../../../platform/suspended.ts'
import { type Attempt, Webhook } from '../schema.ts'

/**
 * A worker delivers for every organization, so these statements run as the system.
 *
 * Each webhook has a row in `endpoint_leases`: `holder` is the worker lease of the worker that delivers to the endpoint,
 * `due_at` when the next delivery is due (null if none is pending or the webhook is disabled), `paused_until` the end of
 * its pause, and `failing_since` the first of its failures since the last success.
 */

const HeldEndpoint = Type.Object({
  organization_id: Id,
  livemode: Type.Boolean(),
  webhook_id: Id,
  failing_since: Nullable(Type.String()),
  url: Type.String(),
  status: Webhook.properties.status,
  sealed_secrets: Type.Unsafe<Buffer | null>({}),
  scopes: Type.Array(Type.String()),
})
export type HeldEndpoint = Static<typeof HeldEndpoint>

/** Leases endpoints that are due and that no live worker holds, the longest due first. */
export const claimEndpoints = (
  system: SystemSql,
  workerId: string,
  { max, includeFailing }: { max: number; includeFailing: boolean },
) =>
  system.all(HeldEndpoint)`
    with free as materialized (
      select l.organization_id, l.livemode, l.webhook_id from endpoint_leases l
      where l.due_at <= now() and (l.failing_since is null or ${includeFailing}) and (l.holder is null or not exists (
        select from worker_leases worker where worker.id = l.holder and worker.expires_at > now()))
        and exists (select from worker_leases own where own.id = ${workerId} and own.expires_at > now())
        and l.organization_id <> all(${suspendedIds})
      order by l.due_at limit ${max} for update skip locked
    )
    update endpoint_leases l set holder = ${workerId}
    from free join webhooks w on w.organization_id = free.organization_id and w.livemode = free.livemode
      and w.id = free.webhook_id
    where l.organization_id = free.organization_id and l.livemode = free.livemode and l.webhook_id = free.webhook_id
    returning l.organization_id, l.livemode, l.webhook_id, l.failing_since, w.url, w.status, w.sealed_secrets, w.scopes`

const DueRow = Type.Object({
  position: Type.Integer(),
  id: Id,
  event_type: Type.String(),
  attempts: Type.Integer(),
  step: Type.Integer(),
  next_attempt_at: Type.String(),
})

interface Reading {
  webhookId: string
  /** Exclusive. */
  cursor: { at: string; id: string }
  max: number
}

/** The next due deliveries of several endpoints. `position` is the index of the endpoint in `readings`, from 1. */
export const readDueDeliveries = (system: SystemSql, readings: Reading[]) =>
  system.all(DueRow)`
    select endpoint.position::integer, d.* from unnest(${readings.map(({ webhookId }) => webhookId)}::uuid[],
        ${readings.map(({ cursor }) => cursor.at)}::timestamptz[], ${readings.map(({ cursor }) => cursor.id)}::uuid[],
        ${readings.map(({ max }) => max)}::integer[]) with ordinality endpoint (webhook_id, at, id, max, position)
      cross join lateral (
        select id, event_type, attempts, step, next_attempt_at from webhook_deliveries
        where webhook_id = endpoint.webhook_id and status = 'pending' and next_attempt_at <= now()
          and (next_attempt_at, id) > (endpoint.at, endpoint.id) and organization_id <> all(${suspendedIds})
        order by next_attempt_at, id limit endpoint.max
      ) d
    order by endpoint.position, d.next_attempt_at, d.id`

const EventRow = Type.Object({
  organization_id: Id,
  livemode: Type.Boolean(),
  id: Id,
  type: Type.String(),
  created_at: Type.String(),
  data: Type.String(),
  traceparent: Nullable(Type.String()),
})

export const readEventTexts = (
  system: SystemSql,
  events: { organizationId: string; livemode: boolean; id: string }[],
) =>
  system.all(EventRow)`
    select organization_id, livemode, id, type, created_at, data::text, traceparent
    from unnest(${events.map(({ organizationId }) => organizationId)}::uuid[],
        ${events.map(({ livemode }) => livemode)}::boolean[], ${events.map(({ id }) => id)}::uuid[])
        wanted (organization_id, livemode, id)
      join events using (organization_id, livemode, id)`

/** What one attempt changes in its delivery. */
export interface ResultRow {
  organizationId: string
  livemode: boolean
  webhookId: string
  id: string
  /** Attempts before this one. If another worker has recorded this attempt, the row has more and is left as it is. */
  attempts: number
  status: 'pending' | 'succeeded' | 'failed'
  step: number
  delayMs: number | null
  url: string
  attempt: Attempt
  responseBody: string | null
}

/**
 * The last attempt has columns of its own; earlier ones go to `history`. Every result adds an attempt, so a row with more
 * attempts was recorded by another worker. A row that another transaction changes meanwhile, such as a retry, has
 * a new `xmin`: it is left as it is, and its delivery is sent again. There is no condition on the status: a plan without
 * statistics would read all pending deliveries from their index.
 */
export const recordResults = (system: SystemSql, results: ResultRow[]) =>
  system.run`
    with found as materialized (
      select r.*, d.xmin as version from unnest(${results.map(({ organizationId }) => organizationId)}::uuid[],
          ${results.map(({ livemode }) => livemode)}::boolean[], ${results.map(({ webhookId }) => webhookId)}::uuid[],
          ${results.map(({ id }) => id)}::uuid[], ${results.map(({ attempts }) => attempts)}::integer[],
          ${results.map(({ status }) => status)}::text[], ${results.map(({ step }) => step)}::smallint[],
          ${results.map(({ delayMs }) => delayMs)}::double precision[], ${results.map(({ url }) => url)}::text[],
          ${results.map(({ attempt }) => attempt.attempted_at)}::timestamptz[],
          ${results.map(({ attempt }) => attempt.duration_ms)}::integer[],
          ${results.map(({ attempt }) => attempt.response_status)}::smallint[],
          ${results.map(({ attempt }) => attempt.error)}::text[],
          ${results.map(({ responseBody }) => responseBody)}::text[])
          r (organization_id, livemode, webhook_id, id, attempts, status, step, delay_ms, url, attempted_at, duration_ms,
            response_status, error, response_body)
        join webhook_deliveries d using (organization_id, livemode, webhook_id, id, attempts)
    )
    update webhook_deliveries d set
      status = r.status, step = r.step, attempts = d.attempts + 1,
      next_attempt_at = now() + r.delay_ms * interval '1 millisecond',
      history = case when d.attempted_at is null then d.history else (
        case when jsonb_array_length(d.history) < 50 then d.history else d.history - 0 end) || jsonb_build_object(
          'attempted_at', iso(d.attempted_at), 'duration_ms', d.duration_ms, 'response_status', d.response_status,
          'error', d.error) end,
      attempted_at = r.attempted_at, duration_ms = r.duration_ms, response_status = r.response_status,
      response_body = r.response_body, error = r.error, url = r.url
    from found r
    where d.organization_id = r.organization_id and d.livemode = r.livemode and d.webhook_id = r.webhook_id
      and d.id = r.id and d.xmin = r.version`

export interface EndpointHealth {
  webhookId: string
  organizationId: string
  livemode: boolean
  failingSince: string | null
}

/** Written only when an endpoint begins to fail or recovers. */
export const recordHealth = (system: SystemSql, healths: EndpointHealth[]) =>
  system.run`
    update endpoint_leases l set failing_since = h.failing_since
    from unnest(${healths.map(({ organizationId }) => organizationId)}::uuid[],
        ${healths.map(({ livemode }) => livemode)}::boolean[], ${healths.map(({ webhookId }) => webhookId)}::uuid[],
        ${healths.map(({ failingSince }) => failingSince)}::timestamptz[]) h (organization_id, livemode, webhook_id, failing_since)
    where l.organization_id = h.organization_id and l.livemode = h.livemode and l.webhook_id = h.webhook_id`

const Locked = Type.Object({ webhook_id: Id })

/**
 * Locks the leases that this worker is about to release: no delivery can be added to these endpoints until the
 * transaction ends. Endpoints to which another transaction is adding deliveries are skipped.
 */
export const lockHeldEndpoints = (tx: SystemTx, workerId: string, webhookIds: string[]) =>
  tx.all(Locked)`
    select webhook_id from endpoint_leases where holder = ${workerId} and webhook_id = any(${webhookIds}::uuid[])
    order by webhook_id for update skip locked`

/** Releases leases. An enabled endpoint is due again with its next pending delivery, or after its pause. */
export const releaseEndpoints = (
  tx: SystemTx,
  workerId: string,
  endpoints: { webhookId: string; pausedMs: number | null }[],
) =>
  tx.run`
    update endpoint_leases l set holder = null,
      paused_until = now() + given.paused_ms * interval '1 millisecond',
      due_at = case when w.status = 'enabled' then (
        select greatest(d.next_attempt_at, now() + given.paused_ms * interval '1 millisecond') from webhook_deliveries d
        where d.webhook_id = l.webhook_id and d.status = 'pending' order by d.next_attempt_at limit 1) end
    from unnest(${endpoints.map(({ webhookId }) => webhookId)}::uuid[],
        ${endpoints.map(({ pausedMs }) => pausedMs)}::double precision[]) given (webhook_id, paused_ms), webhooks w
    where l.holder = ${workerId} and l.webhook_id = given.webhook_id and w.organization_id = l.organization_id and w.livemode = l.livemode
      and w.id = l.webhook_id`

/** The endpoints that this worker holds, with their current address, secrets and status. */
export const listHeldEndpoints = (system: SystemSql, workerId: string) =>
  system.all(HeldEndpoint)`
    select l.organization_id, l.livemode, l.webhook_id, l.failing_since, w.url, w.status, w.sealed_secrets, w.scopes
    from endpoint_leases l join webhooks w on w.organization_id = l.organization_id and w.livemode = l.livemode
      and w.id = l.webhook_id
    where l.holder = ${workerId}`
