import Type, { type Static } from 'typebox'
import type { SystemSql, SystemTx, TenantScope } from '../../platform/database.ts'
import { QueueDepthRow } from '../../platform/queue-depths.ts'
import { Nullable } from '../../platform/schemas.ts'
import type { Sql } from '../../platform/sql.ts'
import type { IncomingHook } from './schema.ts'

/** Many webhooks in one statement and one commit. Their bodies travel as one byte string that is cut in SQL. */
export function insertHooks(sql: SystemSql, hooks: IncomingHook[]) {
  let end = 1
  const starts = hooks.map(({ body }) => {
    const start = end
    end += body.length
    return start
  })
  return sql.run`
    insert into incoming_hooks (id, hook_organization_id, hook_livemode, hook_app_hash, traceparent, body)
    select id, organization_id, livemode, app_hash, traceparent, substring(${Buffer.concat(hooks.map(({ body }) => body))}::bytea from start for size)
    from unnest(${hooks.map(({ id }) => id)}::uuid[], ${hooks.map(({ owner }) => owner?.organizationId ?? null)}::uuid[],
      ${hooks.map(({ owner }) => owner?.livemode ?? null)}::boolean[],
      ${hooks.map(({ owner }) => owner?.appHash ?? null)}::bytea[], ${hooks.map(({ traceparent }) => traceparent)}::text[],
      ${starts}::integer[], ${hooks.map(({ body }) => body.length)}::integer[])
      h (id, organization_id, livemode, app_hash, traceparent, start, size)`
}

const ClaimedHook = Type.Object({
  id: Type.String(),
  hook_organization_id: Nullable(Type.String()),
  hook_livemode: Nullable(Type.Boolean()),
  hook_app_hash: Type.Unsafe<Buffer | null>({}),
  body: Type.Unsafe<Buffer>({}),
  attempts: Type.Integer(),
  traceparent: Nullable(Type.String()),
})
export type ClaimedHook = Static<typeof ClaimedHook>

/**
 * The oldest unclaimed ones, up to a count and, after the first, to a total size. The count is estimated from the first
 * few: rows locked in vain would be kept from other workers.
 */
export const claimHooks = (tx: SystemTx, { most, mostBytes }: { most: number; mostBytes: number }) =>
  tx.all(ClaimedHook)`
    select id, hook_organization_id, hook_livemode, hook_app_hash, body, attempts, traceparent from (
      select claimed.*, sum(octet_length(body)) over (order by id) - octet_length(body) as bytes_before from (
        select id, hook_organization_id, hook_livemode, hook_app_hash, body, attempts, traceparent from incoming_hooks
        where due_at <= now() order by id limit (
          select least(${most}, ${mostBytes} / greatest(1, avg(octet_length(body))) + 1)::bigint from (
            select body from incoming_hooks where due_at <= now() order by id limit 20) first
        ) for update skip locked
      ) claimed
    ) weighed
    where bytes_before < ${mostBytes} order by id`

/** The claiming connection is idle while the work runs, possibly for longer than the idle timeout allows. */
export const keepClaim = (tx: SystemTx) => tx.run`set local idle_in_transaction_session_timeout = 0`

export const deleteHooks = (tx: SystemTx, ids: string[]) =>
  tx.run`delete from incoming_hooks where id = any(${ids}::uuid[])`

export interface KeptHook {
  id: string
  outcome: 'ignored' | 'failed' | 'held'
  reason: string
  attempts: number
}

/** Moves them out of the queue. */
export const keepHooks = (tx: SystemTx, kept: KeptHook[]) =>
  tx.run`
    with removed as (
      delete from incoming_hooks where id = any(${kept.map(({ id }) => id)}::uuid[]) returning *
    )
    insert into kept_hooks
      (id, hook_organization_id, hook_livemode, hook_app_hash, body, received_at, outcome, reason, attempts)
    select removed.id, hook_organization_id, hook_livemode, hook_app_hash, body, received_at, kept.outcome, kept.reason,
      kept.attempts
    from removed join unnest(${kept.map(({ id }) => id)}::uuid[], ${kept.map(({ outcome }) => outcome)}::text[],
      ${kept.map(({ reason }) => reason)}::text[], ${kept.map(({ attempts }) => attempts)}::smallint[])
      kept (id, outcome, reason, attempts) on kept.id = removed.id`

export const postponeHook = (tx: SystemTx, id: string, { attempts, delayMs }: { attempts: number; delayMs: number }) =>
  tx.run`
    update incoming_hooks set attempts = ${attempts}, due_at = now() + ${delayMs} * interval '1 millisecond'
    where id = ${id}`

/** Ignored webhooks are deleted after a month, or earlier where there are too many. */
export const sweepIgnoredHooks = (sql: SystemSql, { days, most }: { days: number; most: number }) =>
  sql.run`
    delete from kept_hooks where outcome = 'ignored' and (kept_at < now() - ${days} * interval '1 day'
      or kept_at <= (select kept_at from kept_hooks where outcome = 'ignored' order by kept_at desc offset ${most} limit 1))`

/**
 * A webhook of the whole installation may be about any organization: an ignored one is deleted. A failed one may hold
 * another organization's messages: see erase-from-failed-hooks.ts.
 */
export const deleteKeptHooksMentioning = (system: Sql, { organizationId, livemode }: TenantScope, patterns: string[]) =>
  system.run`
    delete from kept_hooks where encode(body, 'escape') ~ any (${patterns}::text[])
      and (hook_organization_id is null and outcome = 'ignored'
        or hook_organization_id = ${organizationId} and hook_livemode = ${livemode})`

const FailedHook = Type.Object({ id: Type.String(), body: Type.Unsafe<Buffer>({}) })

export const listSharedHooksMentioning = (
  system: Sql,
  patterns: string[],
  { after, most }: { after: string; most: number },
) =>
  system.all(FailedHook)`
    select id, body from kept_hooks
    where hook_organization_id is null and outcome <> 'ignored' and id > ${after}
      and encode(body, 'escape') ~ any (${patterns}::text[])
    order by id limit ${most} for update`

export const deleteKeptHooks = (system: Sql, ids: string[]) =>
  system.run`delete from kept_hooks where id = any(${ids}::uuid[])`

export const replaceKeptHook = (system: Sql, id: string, body: Buffer) =>
  system.run`update kept_hooks set body = ${body} where id = ${id}`

const HookCounts = Type.Object({ waiting: Type.Integer(), ignored: Type.Integer(), failed: Type.Integer() })

export const countHooks = (sql: SystemSql) =>
  sql.one(HookCounts)`
    select (select count(*) from incoming_hooks) as waiting,
      (select count(*) from kept_hooks where outcome = 'ignored') as ignored,
      (select count(*) from kept_hooks where outcome = 'failed') as failed`

/** Counting stops here: a scrape must stay cheap while there is a backlog. */
const mostCounted = 10_000

/** The oldest one is the next that a worker would claim. */
export const readHookDepth = (sql: SystemSql, queue: string) =>
  sql.one(QueueDepthRow)`
    select ${queue}::text as queue, (
      select count(*) from (select from incoming_hooks limit ${mostCounted}) counted) as waiting, coalesce((
      select extract(epoch from now() - received_at) from incoming_hooks where due_at <= now() order by id limit 1
    ), 0)::double precision as oldest_seconds`
