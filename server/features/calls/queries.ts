import Type from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../platform/database.ts'
import { readCursorPage } from '../../platform/http/pagination.ts'
import { lowestIdAt } from '../../platform/ids.ts'
import { Nullable } from '../../platform/schemas.ts'
import { type Fragment, joinSql, sql } from '../../platform/sql.ts'
import type { CallLogFilter } from './call-log-schema.ts'
import { Call, type CallFilter, Segment } from './schema.ts'

/** Columns of a call in API responses. Results such as the transcript are empty while the call runs. */
export const columns = sql`id, organization_id, call_id, medium, agent_id, agent_version, channel_id as chat_phone_number_id,
  phone_number_id, contact_id,
  (select contacts.name from contacts where contacts.id = calls.contact_id) as contact_name, from_number, to_number,
  direction, status, telephony_status, ended_reason, answered_by, duration_seconds, started_at, ended_at,
  case when file_key is null then '' else '/api/v1/call-logs/' || id || '/recording' end as recording_url,
  transcript, summary, cost, cost_breakdown, latency, analysis, error, transfer - '{language,not_taken}'::text[] as transfer,
  variables, metadata, livemode, created_at, updated_at`

/** A row of a page with the total count. If the page is empty, all other columns are null. */
const PagedCall = Type.Unsafe<Call & { total_count: number }>({})

export const findCall = (tx: TenantSql, id: string) => tx.maybe(Call)`select ${columns} from calls where id = ${id}`

export const lockCall = (tx: TenantTx, id: string) =>
  tx.maybe(Call)`select ${columns} from calls where id = ${id} for update`

export const isRunning = async (system: SystemSql, id: string): Promise<boolean> =>
  (await system.run`select from calls where id = ${id} and status = 'in-progress'`) === 1

/** Initial values of a call. */
interface NewCallRow {
  id: string
  medium: 'phone' | 'web'
  direction: 'inbound' | 'outbound'
  telephonyStatus: string
  callId: string
  agentId: string | null
  agentVersion: number | null
  channelId: string | null
  phoneNumberId: string | null
  contactId: string | null
  fromNumber: string
  toNumber: string
  variables: Record<string, unknown>
  metadata: Record<string, unknown>
  /** Time until the reaper ends the call, unless its state changes. */
  deadlineSeconds: number
  ticketHash?: Buffer | undefined
}

/** Undefined if a call with this carrier id exists. */
export const insertCall = (tx: TenantTx, call: NewCallRow) =>
  tx.maybe(Call)`
    insert into calls (id, medium, direction, telephony_status, call_id, agent_id, agent_version, channel_id,
      phone_number_id, contact_id, from_number, to_number, variables, metadata, deadline_at, ticket_hash, ticket_expires_at)
    values (${call.id}, ${call.medium}, ${call.direction}, ${call.telephonyStatus}, ${call.callId}, ${call.agentId},
      ${call.agentVersion}, ${call.channelId}, ${call.phoneNumberId}, ${call.contactId}, ${call.fromNumber},
      ${call.toNumber}, ${call.variables}, ${call.metadata}, now() + make_interval(secs => ${call.deadlineSeconds}),
      ${call.ticketHash ?? null},
      case when ${call.ticketHash !== undefined} then now() + make_interval(secs => ${call.deadlineSeconds}) end)
    on conflict do nothing
    returning ${columns}`

export const deleteCallRow = (tx: TenantTx, id: string) =>
  tx.run`delete from calls where id = ${id} and status <> 'in-progress'`

type Wanted = Pick<CallFilter, 'status' | 'direction' | 'agent_id' | 'contact_id' | 'started_after' | 'started_before'>

/**
 * The total comes from the counter table, unless the filter has a contact or a time range, which it does not cover, or
 * the member sees only some of the calls.
 */
function conditionsOf({ isLimited }: TenantSql, wanted: Wanted): { all: Fragment; total: Fragment } {
  const { status, direction, agent_id, contact_id, started_after, started_before } = wanted
  const counted: Fragment[] = []
  if (status !== undefined) counted.push(sql`status = ${status}`)
  if (direction !== undefined) counted.push(sql`direction = ${direction}`)
  if (agent_id !== undefined) counted.push(sql`agent_id = ${agent_id}`)
  const conditions = [...counted]
  if (contact_id !== undefined) conditions.push(sql`contact_id = ${contact_id}`)
  // Ids are ordered by time, so a time range is an id range on the same index.
  if (started_after !== undefined) conditions.push(sql`id >= ${lowestIdAt(new Date(started_after))}`)
  if (started_before !== undefined) conditions.push(sql`id < ${lowestIdAt(new Date(started_before))}`)
  const all = joinSql(conditions, ' and ', sql`true`)
  const total =
    conditions.length === counted.length && !isLimited
      ? sql`select coalesce(sum(n), 0)::bigint as total_count from call_counts where ${all}`
      : sql`select count(*) as total_count from calls where ${all}`
  return { all, total }
}

export function listCalls(tx: TenantSql, filter: CallFilter) {
  const { all, total } = conditionsOf(tx, filter)
  return readCursorPage<Call>(tx, { columns, from: sql`calls`, where: all, total }, filter)
}

/** A numbered page. The inner query needs only an index, so a deep page reads only the rows that it returns. */
export function listCallLogs(tx: TenantSql, filter: CallLogFilter) {
  const { page, page_size, status, direction, agent_id, started_after, started_before, search } = filter
  const offset = (page - 1) * page_size
  const from = started_after && lowestIdAt(new Date(started_after))
  const to = started_before && lowestIdAt(new Date(started_before))
  if (search?.trim()) {
    const filters = { status, direction, agent_id, from, to }
    return tx.all(PagedCall)`
      select page.*, total as total_count
      from search_calls(${patternsOf(search)}, ${nearbyText(search)}, ${filters}, ${page_size}, ${offset})
          with ordinality found (id, total, position)
        left join lateral (select ${columns} from calls where calls.id = found.id) page on true
      order by found.position`
  }
  const { all, total } = conditionsOf(tx, filter)
  return tx.all(PagedCall)`
    select page.*, total_count from (${total}) total
      left join lateral (
        select ${columns} from calls where id in (
          select id from calls where ${all} order by id desc limit ${page_size} offset ${offset})
      ) page on true
    order by page.id desc`
}

/**
 * Matches part of a number, however punctuated, or part of an id in any case. Numbers are stored with the country code,
 * so leading zeros (trunk or international prefix) are also tried without, if at least 7 digits remain.
 */
function patternsOf(search: string): Fragment {
  const digits = search.replace(/[\s().+/-]/g, '')
  const isNumber = /^\d{2,}$/.test(digits)
  const parts = [isNumber ? digits : search.trim().toLowerCase()]
  const dialed = digits.replace(/^0+/, '')
  if (isNumber && dialed !== digits && dialed.length >= 7) parts.push(dialed)
  return sql`array(select substring_pattern(part) from unnest(${parts}::text[]) part)`
}

/** Text for the similarity search: letters and digits. Empty if shorter than 6, which would match almost everything. */
function nearbyText(search: string): string {
  const text = search.toLowerCase().replace(/[^a-z0-9]/g, '')
  return text.length < 6 ? '' : text
}

const NumberedSegment = Type.Object({ number: Type.Integer(), segment: Segment })

/** Saved as soon as it is said. Saving the same number again replaces the segment. */
export const saveSegment = (tx: TenantSql, callId: string, number: number, segment: Segment) =>
  tx.run`
    insert into call_segments (call_id, number, segment)
    select id, ${number}, ${segment} from calls where id = ${callId} and status = 'in-progress'
    on conflict (organization_id, livemode, call_id, number) do update set segment = excluded.segment`

export const listSegments = (tx: TenantSql, callId: string, after: number) =>
  tx.all(NumberedSegment)`
    select number, segment from call_segments where call_id = ${callId} and number > ${after} order by number`

const Running = Type.Object({ n: Type.Integer() })

export const countRunningWith = async (tx: TenantSql, contactId: string): Promise<number> =>
  (await tx.one(Running)`select count(*) as n from calls where contact_id = ${contactId} and status = 'in-progress'`).n

export const removeSegments = (tx: TenantTx, callId: string) =>
  tx.run`delete from call_segments where call_id = ${callId}`

const Recording = Type.Object({
  file_key: Nullable(Type.String()),
  recording_size: Nullable(Type.Integer()),
  recording_sha256: Nullable(Type.String()),
})

export const findRecording = (tx: TenantSql, callId: string) =>
  tx.maybe(Recording)`select file_key, recording_size, recording_sha256 from calls where id = ${callId}`

const KnownCall = Type.Object({ id: Type.String(), status: Type.String() })

export const findCallByCarrierId = (tx: TenantTx, carrierCallId: string) =>
  tx.maybe(KnownCall)`select id, status from calls where call_id = ${carrierCallId} and call_id <> '' for update`

const CallId = Type.Object({ id: Type.String() })

export const findIdByCarrierId = (tx: TenantSql, carrierCallId: string) =>
  tx.maybe(CallId)`select id from calls where call_id = ${carrierCallId} and call_id <> ''`
