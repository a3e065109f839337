import Type, { type Static } from 'typebox'
import type { SystemSql, SystemTx } from '../../../platform/database.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { type Attempt, Webhook } from '../schema.ts'

/** The workers' own books: they deliver for every organization. */

const ClaimedLane = Type.Object({
  organization_id: Id,
  livemode: Type.Boolean(),
  webhook_id: Id,
  failing_since: Nullable(Type.String()),
  url: Type.String(),
  status: Webhook.properties.status,
  sealed_secrets: Type.Unsafe<Buffer | null>({}),
  scopes: Type.Array(Type.String()),
})
export type ClaimedLane = Static<typeof ClaimedLane>

/** Lanes that are due and that nobody alive holds: the one that has waited longest first. */
export const claimLanes = (
  system: SystemSql,
  workerId: string,
  { most, mayFail }: { most: number; mayFail: boolean },
) =>
  system.all(ClaimedLane)`
    with free as materialized (
      select l.organization_id, l.livemode, l.webhook_id from webhook_lanes l
      where l.due_at <= now() and (l.failing_since is null or ${mayFail}) and (l.holder is null or not exists (
        select from webhook_workers worker where worker.id = l.holder and worker.alive_until > now()))
      order by l.due_at limit ${most} for update skip locked
    )
    update webhook_lanes l set holder = ${workerId}
    from free join webhooks w on w.organization_id = free.organization_id and w.livemode = free.livemode
      and w.id = free.webhook_id
    where l.organization_id = free.organization_id and l.livemode = free.livemode and l.webhook_id = free.webhook_id
    returning l.organization_id, l.livemode, l.webhook_id, l.failing_since, w.url, w.status, w.sealed_secrets, w.scopes`

const WaitingDelivery = Type.Object({
  place: Type.Integer(),
  id: Id,
  event_type: Type.String(),
  attempts: Type.Integer(),
  step: Type.Integer(),
  next_attempt_at: Type.String(),
})

export interface LaneReading {
  webhookId: string
  /** Read on behind this one. */
  after: { at: string; id: string }
  most: number
}

/** The next deliveries of several lanes, each in the order of their time. */
export const readWaiting = (tx: SystemTx, lanes: LaneReading[]) =>
  tx.all(WaitingDelivery)`
    select lane.place::integer, d.* from unnest(${lanes.map(({ webhookId }) => webhookId)}::uuid[],
        ${lanes.map(({ after }) => after.at)}::timestamptz[], ${lanes.map(({ after }) => after.id)}::uuid[],
        ${lanes.map(({ most }) => most)}::integer[]) with ordinality lane (webhook_id, at, id, most, place)
      cross join lateral (
        select id, event_type, attempts, step, next_attempt_at from webhook_deliveries
        where webhook_id = lane.webhook_id and status = 'pending' and next_attempt_at <= now()
          and (next_attempt_at, id) > (lane.at, lane.id)
        order by next_attempt_at, id limit lane.most
      ) d
    order by lane.place, d.next_attempt_at, d.id`

const EventRow = Type.Object({
  organization_id: Id,
  livemode: Type.Boolean(),
  id: Id,
  type: Type.String(),
  created_at: Type.String(),
  data: Type.String(),
})

export const readEventTexts = (tx: SystemTx, events: { organizationId: string; livemode: boolean; id: string }[]) =>
  tx.all(EventRow)`
    select e.* from unnest(${events.map(({ organizationId }) => organizationId)}::uuid[],
        ${events.map(({ livemode }) => livemode)}::boolean[], ${events.map(({ id }) => id)}::uuid[])
        wanted (organization_id, livemode, id)
      cross join lateral (
        select organization_id, livemode, id, type, created_at, data::text from events
        where organization_id = wanted.organization_id and livemode = wanted.livemode and id = wanted.id limit 1
      ) e`

/** What became of one attempt, as it is written down. */
export interface Result {
  organizationId: string
  livemode: boolean
  webhookId: string
  id: string
  /** Attempts before this one: a result that somebody else has written down already is left alone. */
  attempts: number
  status: 'pending' | 'succeeded' | 'failed'
  step: number
  delayMs: number | null
  url: string
  attempt: Attempt
  responseBody: string | null
}

/**
 * The last attempt stands in columns of its own; the ones before it are kept briefly. Rows are looked up one by one and
 * updated by where they lie, which leaves the planner no way to read the whole log. They are not locked first, which would
 * write each of them twice: one that somebody changes at this very moment is another version by then, stays as they left it and
 * is sent again.
 */
export const recordResults = (tx: SystemTx, results: Result[]) =>
  tx.run`
    with look as materialized (
      select d.ctid, d.version, r.* from unnest(${results.map(({ organizationId }) => organizationId)}::uuid[],
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
      cross join lateral (
        select ctid, xmin as version from webhook_deliveries
        where organization_id = r.organization_id and livemode = r.livemode and webhook_id = r.webhook_id and id = r.id
          and status = 'pending' and attempts = r.attempts
        limit 1
      ) d
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
    from look r where d.ctid = r.ctid and d.xmin = r.version`

export interface Health {
  webhookId: string
  organizationId: string
  livemode: boolean
  failingSince: string | null
}

/** Only where it changes: an endpoint that begins to fail, or works again. */
export const recordHealth = (system: SystemSql, healths: Health[]) =>
  system.run`
    update webhook_lanes l set failing_since = h.failing_since
    from unnest(${healths.map(({ organizationId }) => organizationId)}::uuid[],
        ${healths.map(({ livemode }) => livemode)}::boolean[], ${healths.map(({ webhookId }) => webhookId)}::uuid[],
        ${healths.map(({ failingSince }) => failingSince)}::timestamptz[]) h (organization_id, livemode, webhook_id, failing_since)
    where l.organization_id = h.organization_id and l.livemode = h.livemode and l.webhook_id = h.webhook_id`

const Held = Type.Object({ webhook_id: Id })

/** Until the transaction ends nobody adds to these lanes: what is looked up now is all there is. Those being added to are left. */
export const lockHeldLanes = (tx: SystemTx, workerId: string, webhookIds: string[]) =>
  tx.all(Held)`
    select webhook_id from webhook_lanes where holder = ${workerId} and webhook_id = any(${webhookIds}::uuid[])
    order by webhook_id for update skip locked`

/** Due again when the next of its deliveries is, unless it asked to be left alone for longer; never while it is disabled. */
export const releaseLanes = (tx: SystemTx, workerId: string, lanes: { webhookId: string; pausedMs: number | null }[]) =>
  tx.run`
    update webhook_lanes l set holder = null,
      paused_until = now() + given.paused_ms * interval '1 millisecond',
      due_at = case when w.status = 'enabled' then (
        select greatest(d.next_attempt_at, now() + given.paused_ms * interval '1 millisecond') from webhook_deliveries d
        where d.webhook_id = l.webhook_id and d.status = 'pending' order by d.next_attempt_at limit 1) end
    from unnest(${lanes.map(({ webhookId }) => webhookId)}::uuid[],
        ${lanes.map(({ pausedMs }) => pausedMs)}::double precision[]) given (webhook_id, paused_ms), webhooks w
    where l.holder = ${workerId} and l.webhook_id = given.webhook_id and w.organization_id = l.organization_id and w.livemode = l.livemode
      and w.id = l.webhook_id`

/** Answers those that are still this worker's, as they are now. */
export const stillHeld = (system: SystemSql, workerId: string) =>
  system.all(ClaimedLane)`
    select l.organization_id, l.livemode, l.webhook_id, l.failing_since, w.url, w.status, w.sealed_secrets, w.scopes
    from webhook_lanes l join webhooks w on w.organization_id = l.organization_id and w.livemode = l.livemode
      and w.id = l.webhook_id
    where l.holder = ${workerId}`

export const stayAlive = (system: SystemSql, workerId: string, seconds: number) =>
  system.run`
    insert into webhook_workers (id, alive_until) values (${workerId}, now() + ${seconds} * interval '1 second')
    on conflict (id) do update set alive_until = excluded.alive_until`

/** Says goodbye: whoever comes next need not wait. */
export const leaveWorker = (system: SystemSql, workerId: string) =>
  system.run`delete from webhook_workers where id = ${workerId}`
