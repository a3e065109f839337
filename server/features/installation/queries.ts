import Type from 'typebox'
import type { SystemSql, SystemTx } from '../../platform/database.ts'
import { readCursorPage } from '../../platform/http/pagination.ts'
import { Id } from '../../platform/schemas.ts'
import { sql } from '../../platform/sql.ts'
import {
  MonthOfUsage,
  OperatedOrganization,
  type OperatedOrganizationFilter,
  type OperatorAction,
  type OperatorActionFilter,
  type OrganizationLimits,
  StuckJob,
  type UsageFilter,
  WorkQueue,
} from './schema.ts'

const columns = sql`id, name, created_at, suspended_at, suspended_reason, requests_per_minute, calls_at_once,
  case when suspended_at is null then 'active' else 'suspended' end as status,
  (select count(*)::integer from members where members.organization_id = organizations.id) as members_count`

export function listOrganizations(tx: SystemSql, { search, status, ...page }: OperatedOrganizationFilter) {
  const words = search?.trim().toLowerCase() ?? ''
  const where = sql`(${words} = '' or position(${words} in lower(name)) > 0 or id::text = ${words})
    and (${status ?? ''} = '' or (suspended_at is not null) = (${status ?? ''} = 'suspended'))`
  return readCursorPage<OperatedOrganization>(tx, { columns, from: sql`organizations`, where }, page)
}

export const findOrganization = (tx: SystemSql, id: string) =>
  tx.maybe(OperatedOrganization)`select ${columns} from organizations where id = ${id}`

export const setLimits = (tx: SystemTx, id: string, limits: OrganizationLimits) =>
  tx.maybe(OperatedOrganization)`
    update organizations set
      requests_per_minute = case when ${limits.requests_per_minute !== undefined} then ${limits.requests_per_minute ?? null}::integer else requests_per_minute end,
      calls_at_once = case when ${limits.calls_at_once !== undefined} then ${limits.calls_at_once ?? null}::integer else calls_at_once end
    where id = ${id} returning ${columns}`

/** A second suspension changes only the reason. */
export const suspend = (tx: SystemTx, id: string, reason: string) =>
  tx.maybe(OperatedOrganization)`
    update organizations set suspended_at = coalesce(suspended_at, now()), suspended_reason = ${reason}
    where id = ${id} returning ${columns}`

export const lift = (tx: SystemTx, id: string) =>
  tx.maybe(OperatedOrganization)`
    update organizations set suspended_at = null, suspended_reason = null where id = ${id} returning ${columns}`

/** Ids begin with their creation time: a month is a range of the primary key. */
const lowestIdAt = (time: ReturnType<typeof sql>) =>
  sql`rpad(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`

export const readUsage = (tx: SystemSql, id: string, { mode, months }: UsageFilter) =>
  tx.all(MonthOfUsage)`
    with month as (
      select month, ${lowestIdAt(sql`month at time zone 'UTC'`)} as first,
        ${lowestIdAt(sql`(month + interval '1 month') at time zone 'UTC'`)} as beyond
      from generate_series(date_trunc('month', now() at time zone 'UTC') - (${months}::int - 1) * interval '1 month',
        date_trunc('month', now() at time zone 'UTC'), interval '1 month') month)
    select to_char(month.month, 'YYYY-MM') as month, m.received as messages_received, m.sent as messages_sent, c.*,
      coalesce(t.input_tokens, 0)::float8 as chat_input_tokens, coalesce(t.output_tokens, 0)::float8 as chat_output_tokens,
      coalesce(t.own_key_input_tokens, 0)::float8 as chat_own_key_input_tokens,
      coalesce(t.own_key_output_tokens, 0)::float8 as chat_own_key_output_tokens
    from month
      cross join lateral (
        select count(*) filter (where direction = 'inbound')::integer as received,
          count(*) filter (where direction = 'outbound')::integer as sent
        from messages where organization_id = ${id} and livemode = ${mode === 'live'} and id >= first and id < beyond) m
      cross join lateral (
        select count(*)::integer as calls, round(coalesce(sum(duration_seconds), 0) / 60.0, 2)::float8 as call_minutes,
          coalesce(sum(cost), 0)::float8 as call_cost,
          coalesce(sum((cost_breakdown ->> 'own_keys')::numeric), 0)::float8 as call_own_key_cost,
          coalesce(sum((usage -> 'model' ->> 'inputTokens')::bigint), 0)::float8 as call_input_tokens,
          coalesce(sum((usage -> 'model' ->> 'outputTokens')::bigint), 0)::float8 as call_output_tokens
        from calls where organization_id = ${id} and livemode = ${mode === 'live'} and id >= first and id < beyond) c
      left join chat_tokens t on t.organization_id = ${id} and t.livemode = ${mode === 'live'} and t.month = month.month::date
    order by month.month desc`

const actionColumns = sql`id, operated_organization_id as organization_id, organization_name, action, actor_id, actor_name,
  object_type, object_id, object_name, previous, current, ip_address, request_id, created_at`

export function listActions(tx: SystemSql, { organization_id, ...page }: OperatorActionFilter) {
  const where = organization_id === undefined ? sql`true` : sql`operated_organization_id = ${organization_id}`
  return readCursorPage<OperatorAction>(tx, { columns: actionColumns, from: sql`operator_actions`, where }, page)
}

const Counts = Type.Object({ organizations_count: Type.Integer(), suspended_count: Type.Integer() })

export const countOrganizations = (tx: SystemSql) =>
  tx.one(Counts)`
    select count(*)::integer as organizations_count,
      count(*) filter (where suspended_at is not null)::integer as suspended_count
    from organizations`

const seconds = (oldest: ReturnType<typeof sql>) =>
  sql`extract(epoch from now() - ${oldest})::integer as oldest_seconds`

/** The condition of the index `job_unfinished`. */
const isUnfinished = sql`(state <= 'active' or state = 'failed')`

/** What is due of each kind of work, over all organizations. */
export const readQueues = (tx: SystemSql) =>
  tx.all(WorkQueue)`
    select 'inbound webhooks' as name, count(*) filter (where due_at <= now())::integer as waiting, 0 as active,
      (select count(*)::integer from kept_hooks where outcome = 'failed') as failed,
      ${seconds(sql`min(due_at) filter (where due_at <= now())`)}
    from incoming_hooks
    union all
    select 'webhook endpoints', count(*) filter (where due_at <= now() and holder is null)::integer,
      count(holder)::integer, count(failing_since)::integer,
      ${seconds(sql`min(due_at) filter (where due_at <= now() and holder is null)`)}
    from endpoint_leases
    union all
    select 'campaign messages', coalesce(sum(pending), 0)::integer, coalesce(sum(sending), 0)::integer,
      0, (select ${seconds(sql`min(due_at)`)} from sending_channels where due_at <= now())
    from delivery_counts
    union all
    select 'calls', count(*) filter (where telephony_status = 'queued')::integer,
      count(*) filter (where telephony_status <> 'queued')::integer, 0,
      ${seconds(sql`min(due_at) filter (where telephony_status = 'queued')`)}
    from calls where status = 'in-progress'
    union all
    select name, count(*) filter (where state < 'active' and start_after <= now())::integer,
      count(*) filter (where state = 'active')::integer, count(*) filter (where state = 'failed')::integer,
      ${seconds(sql`min(start_after) filter (where state < 'active' and start_after <= now())`)}
    from pgboss.job where ${isUnfinished} group by name`

/** Jobs that failed for good, are due for ten minutes, or have been running for an hour. */
const isStuck = sql`(state = 'failed' or state < 'active' and start_after < now() - interval '10 minutes'
  or state = 'active' and started_on < now() - interval '1 hour')`

export const listStuckJobs = (tx: SystemSql, most: number) =>
  tx.all(StuckJob)`
    select id, name, case when state = 'failed' then 'failed' when state = 'active' then 'running' else 'waiting' end as state,
      coalesce(data ->> 'organizationId', data ->> 'organization_id') as organization_id, retry_count as attempts,
      left(coalesce(output ->> 'message', output ->> 'value'), 500) as error, created_on::timestamptz(3) as created_at
    from pgboss.job where ${isUnfinished} and ${isStuck} order by created_on desc limit ${most}`

const FoundJob = Type.Object({
  id: Id,
  name: Type.String(),
  state: Type.String(),
  organization_id: Type.Unsafe<string | null>({}),
})

export const findJob = (tx: SystemSql, id: string) =>
  tx.maybe(FoundJob)`
    select id, name, state::text, coalesce(data ->> 'organizationId', data ->> 'organization_id') as organization_id
    from pgboss.job where id = ${id}`

/** A retried job changes no row of the organization, so its entry is written here. */
export const recordRetry = (tx: SystemTx, organizationId: string, { id, name }: { id: string; name: string }) =>
  tx.run`
    select write_audit_entry(${organizationId}, null, 'job.retried', 'job', ${id}::uuid, ${name}, null, null)`
