import Type, { type Static } from 'typebox'
import type { SystemSql, SystemTx, TenantSql, TenantTx } from '../../../platform/database.ts'
import { QueueDepthRow } from '../../../platform/queue-depths.ts'
import { FreeObject, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { suspendedIds } from '../../../platform/suspended.ts'
import type { CallError } from '../schema.ts'

const isQueued = sql`telephony_status = 'queued' and status = 'in-progress' and medium = 'phone'`

const Waiting = Type.Object({ organization_id: Type.String(), livemode: Type.Boolean() })
type Waiting = Static<typeof Waiting>

/**
 * Organizations and modes with queued calls, each once. A recursive query skips through the index, so the cost does not
 * depend on the length of the queues.
 */
export const listWaiting = (system: SystemSql) =>
  system.all(Waiting)`
    with recursive waiting as (
      (select organization_id, livemode from calls where ${isQueued} order by organization_id, livemode limit 1)
      union all
      select next.organization_id, next.livemode from waiting cross join lateral (
        select organization_id, livemode from calls
        where ${isQueued} and (organization_id, livemode) > (waiting.organization_id, waiting.livemode)
        order by organization_id, livemode limit 1) next
    )
    select organization_id, livemode from waiting where organization_id <> all(${suspendedIds})`

/** Calls that wait to be dialed, and how long the oldest has been due. */
export const readQueuedCalls = (system: SystemSql) =>
  system.one(QueueDepthRow)`
    select 'calls' as queue, count(*) as waiting,
      greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::double precision as oldest_seconds
    from calls where ${isQueued} and organization_id <> all(${suspendedIds})`

const Taken = Type.Object({ taken: Type.Boolean() })

/**
 * Transaction lock on the slots of one organization and mode, so that concurrent transactions do not exceed the limit.
 */
export async function lockSlots(
  tx: SystemTx | TenantTx,
  { organizationId, livemode }: { organizationId: string; livemode: boolean },
): Promise<void> {
  await tx.one(Taken)`
    select pg_advisory_xact_lock(hashtextextended(${`call slots ${organizationId} ${livemode}`}, 0)) is null as taken`
}

/** A slot is a running call. There is no separate counter that could drift. */
const running = sql`status = 'in-progress' and not (telephony_status = 'queued' and medium = 'phone')`

const Running = Type.Object({ n: Type.Integer() })

export async function countRunning(tx: TenantSql): Promise<number> {
  const { n } = await tx.one(Running)`select count(*) as n from calls where ${running}`
  return n
}

const Slots = Type.Object({ slots: Type.Integer() })

/** How many calls of the organization may run at once: the operator's limit for it, else the setting; none if suspended. */
export async function slotsOf(tx: TenantSql, setting: number): Promise<number> {
  const { slots } = await tx.one(Slots)`
    select case when suspended_at is null then coalesce(calls_at_once, ${setting}) else 0 end::integer as slots
    from organizations where id = ${tx.scope.organizationId}`
  return slots
}

export const CallToDial = Type.Object({
  id: Type.String(),
  channel_id: Type.String(),
  agent_id: Nullable(Type.String()),
  to_number: Type.String(),
  metadata: FreeObject(),
  attempts: Type.Integer(),
  traceparent: Nullable(Type.String()),
})
export type CallToDial = Static<typeof CallToDial>

/**
 * Claims the oldest queued calls that are due, up to the number of free slots. A claimed call is dialed at most once.
 * The CTEs are materialized: inlined into the update, the planner could evaluate them again for each row.
 */
export const claimCalls = (
  tx: SystemTx,
  { organization_id, livemode }: Waiting,
  { slots, most, deadlineSeconds }: { slots: number; most: number; deadlineSeconds: number },
) =>
  tx.all(CallToDial)`
    with taken as materialized (
      select count(*) as n from calls
      where organization_id = ${organization_id} and livemode = ${livemode} and ${running}
    ), next as materialized (
      select id from calls
      where organization_id = ${organization_id} and livemode = ${livemode} and ${isQueued} and due_at <= now()
      order by id limit least(${most}::bigint, greatest(0, (
        select coalesce(calls_at_once, ${slots}::bigint) from organizations where id = ${organization_id}) - (select n from taken)))
      for update skip locked
    )
    update calls set telephony_status = 'dialing', attempts = attempts + 1, updated_at = now(),
      deadline_at = now() + make_interval(secs => ${deadlineSeconds})
    from next where organization_id = ${organization_id} and livemode = ${livemode} and calls.id = next.id
    returning calls.id, channel_id, agent_id, to_number, metadata, attempts, traceparent`

/** Requeues a call that the carrier certainly did not dial. */
export const requeue = (tx: TenantSql, id: string, { afterMs, error }: { afterMs: number; error: CallError }) =>
  tx.run`
    update calls set telephony_status = 'queued', due_at = now() + make_interval(secs => ${afterMs / 1000}),
      deadline_at = created_at + interval '1 hour', error = ${error}, updated_at = now()
    where id = ${id} and status = 'in-progress' and telephony_status = 'dialing'`

/** Saved before the carrier is asked, so that ending the call later reaches the same simulated carrier. */
export const saveCarrierUrl = (tx: TenantSql, id: string, carrierUrl: string | null) =>
  tx.run`
    update calls set carrier_url = ${carrierUrl} where id = ${id} and status = 'in-progress' and telephony_status = 'dialing'`

/**
 * Returns 0 if the call has ended meanwhile. A callback may have arrived before the carrier's answer to the request, so
 * the status only advances from `dialing`.
 */
export const markDialed = (
  tx: TenantSql,
  id: string,
  { callId, deadlineSeconds }: { callId: string; deadlineSeconds: number },
) =>
  tx.run`
    update calls set call_id = ${callId}, error = null, updated_at = now(),
      telephony_status = case when telephony_status = 'dialing' then 'initiated' else telephony_status end,
      deadline_at = case when telephony_status = 'dialing'
        then now() + make_interval(secs => ${deadlineSeconds}) else deadline_at end
    where id = ${id} and status = 'in-progress'`
