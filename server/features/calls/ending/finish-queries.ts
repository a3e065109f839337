import Type, { type Static } from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../../platform/database.ts'
import { Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import type { ConversationOutcome, ConversationUsage } from '../conversation/contract.ts'
import type { CallProviders } from '../holding/track-providers.ts'
import { lastAliveAt } from '../progress-queries.ts'
import { columns } from '../queries.ts'
import { Call } from '../schema.ts'
import type { Ending } from './ending.ts'
import type { Analysis, CostBreakdown } from './schema.ts'

/** Undefined if the call had already ended. */
export function endCallRow(tx: TenantTx, id: string, ending: Ending) {
  const { conversation } = ending
  const transcript = conversation
    ? sql`${JSON.stringify(conversation.transcript)}::jsonb`
    : sql`coalesce((select jsonb_agg(segment order by (segment ->> 'timestamp')::numeric, number)
        from call_segments s where s.call_id = calls.id), '[]')`
  // Duration: measured if the conversation ended normally. If the holder died, the audio lasted until its last
  // heartbeat or its last saved segment. Without audio on our side, the carrier's figure is used.
  const duration = conversation
    ? sql`${conversation.durationSeconds}::integer`
    : sql`ceil(coalesce(
        case when audio_at is not null then greatest(extract(epoch from ${ending.lastAliveAt ?? null}::timestamptz - audio_at),
          (select max((segment ->> 'timestamp')::numeric) from call_segments s where s.call_id = calls.id)) end,
        carrier_seconds, 0))::integer`
  const { failures, tools, fallbacks, ownKeys, handoffReason } = conversation ?? {}
  const details = { failures, tools, fallbacks, ownKeys, handoffReason }
  return tx.maybe(Call)`
    update calls set status = ${ending.status}, telephony_status = ${ending.telephonyStatus},
      ended_reason = ${ending.endedReason}, error = coalesce(${ending.error ?? null}::jsonb, error), ended_at = now(),
      duration_seconds = greatest(0, ${duration}), transcript = ${transcript},
      latency = ${conversation?.latency ?? null}::jsonb,
      usage = ${conversation ? { ...conversation.usage, ...details } : null}::jsonb,
      file_key = ${conversation?.recording?.key ?? null}, recording_size = ${conversation?.recording?.size ?? null},
      recording_sha256 = ${conversation?.recording?.sha256 ?? null},
      ticket_hash = null, ticket_expires_at = null, updated_at = now()
    where id = ${id} and status = 'in-progress'
    returning ${columns}`
}

export type StoredUsage = ConversationUsage &
  Pick<ConversationOutcome, 'failures'> &
  Partial<Pick<ConversationOutcome, 'tools'> & CallProviders> & { handoffReason: string | null }

const CallToAnalyze = Type.Object({
  ...Call.properties,
  usage: Type.Unsafe<StoredUsage | null>({}),
})
export type CallToAnalyze = Static<typeof CallToAnalyze>

export const findCallToAnalyze = (tx: TenantSql, id: string) =>
  tx.maybe(CallToAnalyze)`
    select ${columns}, usage from calls where id = ${id} and status <> 'in-progress' and analysis is null`

const Locked = Type.Object({ contact_id: Nullable(Type.String()) })

/** No row if another job was faster, or the transcript was erased meanwhile: `segments` is its length. */
export const lockCallToAnalyze = (tx: TenantTx, id: string, segments: number) =>
  tx.maybe(Locked)`
    select contact_id from calls where id = ${id} and status <> 'in-progress' and analysis is null
      and jsonb_array_length(transcript) = ${segments} for update`

export const saveAnalysis = (
  tx: TenantTx,
  id: string,
  found: { summary: string; analysis: Analysis; cost: number; costBreakdown: CostBreakdown },
) =>
  tx.maybe(Call)`
    update calls set summary = ${found.summary}, analysis = ${found.analysis}, cost = ${found.cost},
      cost_breakdown = ${found.costBreakdown}, updated_at = now()
    where id = ${id}
    returning ${columns}`

const LostCall = Type.Object({
  organization_id: Type.String(),
  livemode: Type.Boolean(),
  id: Type.String(),
  medium: Type.String(),
  telephony_status: Type.String(),
  channel_id: Nullable(Type.String()),
  call_id: Type.String(),
  carrier_url: Nullable(Type.String()),
  holder_id: Nullable(Type.String()),
  deadline_at: Type.String(),
  holder_lost: Type.Boolean(),
  last_alive_at: Nullable(Type.String()),
})
export type LostCall = Static<typeof LostCall>

/** Running calls past their deadline or with a dead holder, by the database clock. */
export const listLost = (system: SystemSql, limit: number) =>
  system.all(LostCall)`
    select c.organization_id, c.livemode, c.id, c.medium, c.telephony_status, c.channel_id, c.call_id, c.carrier_url,
      c.holder_id, c.deadline_at, c.deadline_at > now() as holder_lost, ${lastAliveAt} as last_alive_at
    from calls c left join worker_leases lease on lease.id = c.holder_id
    where c.status = 'in-progress' and (c.deadline_at <= now()
      or (c.holder_id is not null and coalesce(lease.expires_at <= now(), true)))
    order by c.deadline_at limit ${limit}`

/** Locks the call and checks that neither deadline nor holder changed since it was listed as lost. */
export const isUnchanged = async (tx: TenantTx, { id, deadline_at, holder_id }: LostCall): Promise<boolean> =>
  (await tx.run`
    select from calls where id = ${id} and status = 'in-progress' and deadline_at = ${deadline_at}
      and holder_id is not distinct from ${holder_id}::uuid for update`) === 1
