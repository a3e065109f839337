import Type, { type Static } from 'typebox'
import type { SystemSql, TenantTx } from '../../platform/database.ts'
import { FreeObject, Nullable } from '../../platform/schemas.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import { columns } from './queries.ts'
import { Call } from './schema.ts'

const Progress = Type.Object({
  status: Type.String(),
  telephony_status: Type.String(),
  channel_id: Nullable(Type.String()),
  call_id: Type.String(),
  carrier_url: Nullable(Type.String()),
  callback_sequence: Type.Integer(),
  holder_id: Nullable(Type.String()),
  agent_id: Nullable(Type.String()),
  is_being_transferred: Type.Boolean(),
})
export type Progress = Static<typeof Progress>

/** State of a call. Locks the row, so that concurrent callbacks are processed one after another. */
export const lockProgress = (tx: TenantTx, id: string) =>
  tx.maybe(Progress)`
    select status, telephony_status, channel_id, call_id, carrier_url, callback_sequence, holder_id, agent_id,
      coalesce(transfer ->> 'status' = 'requested', false) as is_being_transferred
    from calls where id = ${id} for update`

interface Step {
  callId: string
  telephonyStatus: string
  sequence: number
  answeredBy: string | null
  carrierSeconds: number | null
  isAnswered: boolean
  /** Null keeps the current deadline. */
  deadlineSeconds: number | null
}

export const saveStep = (tx: TenantTx, id: string, step: Step) =>
  tx.run`
    update calls set call_id = ${step.callId}, telephony_status = ${step.telephonyStatus},
      callback_sequence = greatest(callback_sequence, ${step.sequence}),
      answered_by = coalesce(${step.answeredBy}, answered_by),
      carrier_seconds = coalesce(${step.carrierSeconds}::integer, carrier_seconds),
      answered_at = case when ${step.isAnswered} then coalesce(answered_at, now()) else answered_at end,
      deadline_at = coalesce(now() + make_interval(secs => ${step.deadlineSeconds}), deadline_at), updated_at = now()
    where id = ${id}`

/** Saves the carrier's id for a call that ended before the id was known. Changes nothing else. */
export const saveCarrierId = (tx: TenantTx, id: string, callId: string) =>
  tx.run`update calls set call_id = ${callId}, updated_at = now() where id = ${id} and call_id = ''`

export const saveAnsweredBy = (tx: TenantTx, id: string, answeredBy: string) =>
  tx.run`update calls set answered_by = ${answeredBy}, updated_at = now() where id = ${id}`

/**
 * Issues a single-use ticket for the media socket of a call; it invalidates an earlier ticket. The carrier's id is
 * stored with it, because the media stream must name the same call.
 */
export const issueTicket = (
  tx: TenantTx,
  id: string,
  { hash, carrierCallId, seconds }: { hash: Buffer; carrierCallId: string; seconds: number },
) =>
  tx.run`
    update calls set ticket_hash = ${hash}, ticket_expires_at = now() + make_interval(secs => ${seconds}),
      call_id = ${carrierCallId},
      deadline_at = now() + make_interval(secs => ${seconds}), answered_at = coalesce(answered_at, now()),
      telephony_status = 'in-progress', updated_at = now()
    where id = ${id} and status = 'in-progress' and holder_id is null`

const JoinedCall = Type.Object({
  organization_id: Type.String(),
  livemode: Type.Boolean(),
  id: Type.String(),
  medium: Type.String(),
  direction: Type.Unsafe<'inbound' | 'outbound'>({}),
  agent_id: Nullable(Type.String()),
  channel_id: Nullable(Type.String()),
  contact_id: Nullable(Type.String()),
  call_id: Type.String(),
  carrier_url: Nullable(Type.String()),
  from_number: Type.String(),
  to_number: Type.String(),
  answered_by: Nullable(Type.String()),
  variables: FreeObject(),
  traceparent: Nullable(Type.String()),
})
export type JoinedCall = Static<typeof JoinedCall>

/** What a ticket is presented for: a call by our id, or a media stream by its channel and the carrier's call id. */
export type TicketOf = { id: string } | { channelId: string; carrierCallId: string }

/**
 * Uses up the ticket. Of two sockets with the same ticket, only one gets the call. A ticket presented for another call
 * stays valid.
 */
export const joinCall = (
  system: SystemSql,
  { hash, of, holderId, deadlineSeconds }: { hash: Buffer; of: TicketOf; holderId: string; deadlineSeconds: number },
) =>
  system.maybe(JoinedCall)`
    update calls set ticket_hash = null, ticket_expires_at = null, holder_id = ${holderId},
      telephony_status = 'in-progress', answered_at = coalesce(answered_at, now()),
      deadline_at = now() + make_interval(secs => ${deadlineSeconds}), updated_at = now()
    where ticket_hash = ${hash} and ticket_expires_at > now() and status = 'in-progress' and ${isCall(of)}
    returning organization_id, livemode, id, medium, direction, agent_id, channel_id, contact_id, call_id, carrier_url,
      from_number, to_number, answered_by, variables, traceparent`

const isCall = (of: TicketOf): Fragment =>
  'id' in of ? sql`id = ${of.id}` : sql`channel_id = ${of.channelId} and call_id = ${of.carrierCallId}`

export const isTicketOf = async (system: SystemSql, id: string, hash: Buffer): Promise<boolean> =>
  (await system.run`
    select from calls where id = ${id} and ticket_hash = ${hash} and ticket_expires_at > now()
      and status = 'in-progress'`) === 1

/** Records the agent version and the start of the audio, and sets the deadline. Undefined if the call has ended. */
export const beginConversation = (
  tx: TenantTx,
  id: string,
  { agentVersion, deadlineSeconds }: { agentVersion: number; deadlineSeconds: number },
) =>
  tx.maybe(Call)`
    update calls set agent_version = ${agentVersion}, updated_at = now(), audio_at = now(),
      deadline_at = now() + make_interval(secs => ${deadlineSeconds})
    where id = ${id} and status = 'in-progress'
    returning ${columns}`

/** When the lease of a holder expires, the process counts as dead and its calls are ended. */
export const holderLeaseSeconds = 15

/** Time of the last heartbeat of a holder. */
export const lastAliveAt = sql`lease.expires_at - make_interval(secs => ${holderLeaseSeconds})`

const Holder = Type.Object({ is_alive: Type.Boolean(), last_alive_at: Type.String() })

/** The process that holds a call; undefined if its lease is gone. */
export const findHolder = (system: SystemSql, holderId: string) =>
  system.maybe(Holder)`
    select expires_at > now() as is_alive, ${lastAliveAt} as last_alive_at from worker_leases lease
    where id = ${holderId}`
