import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { Gap, type GapFilter } from './schema.ts'

const mostExamples = 5

const columns = sql`g.id, g.organization_id, g.status, asked.question, asked.question_count, asked.examples,
  asked.first_seen_at, asked.last_seen_at, g.document_id, g.closed_at, g.livemode, g.created_at, g.updated_at`

/** A gap stores nothing about its questions: count, times and examples are computed from them. */
const withQuestions = sql`knowledge_gaps g cross join lateral (
  select count(*)::integer as question_count, min(created_at) as first_seen_at, max(created_at) as last_seen_at,
    (array_agg(text order by id))[1] as question, (
      select json_agg(json_build_object('text', text, 'reason', reason, 'agent_id', agent_id, 'contact_id', contact_id,
        'inbox_id', ticket_id, 'call_id', call_id, 'asked_at', iso(created_at)) order by id desc)
      from (select * from gap_questions e where e.organization_id = g.organization_id and e.livemode = g.livemode
        and e.gap_id = g.id order by e.id desc limit ${mostExamples}) latest) as examples
  from gap_questions q
  where q.organization_id = g.organization_id and q.livemode = g.livemode and q.gap_id = g.id
) asked`

/** Hides a gap from a caller who may see none of its questions. */
const isSeen = sql`asked.question_count > 0`

const hasQuestions = sql`exists (select from gap_questions q where q.organization_id = g.organization_id
  and q.livemode = g.livemode and q.gap_id = g.id)`

export const listGaps = (tx: TenantSql, { status, ...page }: GapFilter) => {
  const where = sql`${isSeen} and g.status = ${status}`
  const total = sql`select count(*) as total_count from knowledge_gaps g where g.status = ${status} and ${hasQuestions}`
  return readCursorPage<Gap>(tx, { columns, from: withQuestions, where, id: sql`g.id`, total }, page)
}

export const findGap = (tx: TenantSql, id: string) =>
  tx.maybe(Gap)`select ${columns} from ${withQuestions} where ${isSeen} and g.id = ${id}`

const GapState = Type.Object({ status: Gap.properties.status })

export const lockGap = (tx: TenantTx, id: string) =>
  tx.maybe(GapState)`select status from knowledge_gaps where id = ${id} for update`

interface Closing {
  status: Gap['status']
  documentId: string | null
  memberId: string | null
}

export const closeGap = (tx: TenantTx, id: string, { status, documentId, memberId }: Closing) =>
  tx.run`
    update knowledge_gaps set status = ${status}, document_id = coalesce(${documentId}, document_id),
      closed_at = case when ${status} = 'open' then null else now() end, closed_by = ${memberId}, updated_at = now()
    where id = ${id}`

export interface NewQuestion {
  id: string
  askedIn: string
  contactId: string | null
  ticketId: string | null
  callId: string | null
  agentId: string | null
  text: string
  reason: 'not_found' | 'handed_off'
}

/** Returns how many were not recorded before. */
export const insertQuestion = (
  tx: TenantTx,
  { id, askedIn, contactId, ticketId, callId, agentId, text, reason }: NewQuestion,
) =>
  tx.run`
    insert into gap_questions (id, asked_in, contact_id, ticket_id, call_id, agent_id, text, reason)
    values (${id}, ${askedIn}, ${contactId}, ${ticketId}, ${callId}, ${agentId}, ${text}, ${reason})
    on conflict (organization_id, livemode, asked_in) do nothing`

/** One worker at a time groups the questions of an organization and mode. */
export const lockGrouping = (tx: TenantTx) =>
  tx.run`select pg_advisory_xact_lock(hashtextextended(
    ${`gaps ${tx.scope.organizationId} ${tx.scope.livemode}`}, 0))`

const Ungrouped = Type.Object({ id: Type.String(), text: Type.String() })

export const listUngrouped = (tx: TenantSql, limit: number) =>
  tx.all(Ungrouped)`select id, text from gap_questions where gap_id is null order by id limit ${limit}`

/** Those of them that are still there and in no group. Locked, so that erasing one waits for its group. */
export const lockUngrouped = (tx: TenantTx, ids: string[]) =>
  tx.all(Ungrouped)`
    select id, text from gap_questions where id = any (${ids}::uuid[]) and gap_id is null order by id for update`

const Representative = Type.Object({
  gap_id: Type.String(),
  status: Gap.properties.status,
  text: Type.String(),
  vector: Type.Unsafe<Buffer | null>({}),
  embedding_model: Nullable(Type.String()),
})

/** The first question of each group, the newest groups first. */
export const listRepresentatives = (tx: TenantSql, limit: number) =>
  tx.all(Representative)`
    select g.id as gap_id, g.status, first.text, first.vector, first.embedding_model
    from knowledge_gaps g cross join lateral (
      select text, vector, embedding_model from gap_questions q
      where q.organization_id = g.organization_id and q.livemode = g.livemode and q.gap_id = g.id order by q.id limit 1
    ) first
    order by g.id desc limit ${limit}`

export const insertGap = (tx: TenantTx, id: string) => tx.run`insert into knowledge_gaps (id) values (${id})`

/** Waits for an erasure that deletes the gap; no row if it did. */
export const shareGap = (tx: TenantTx, id: string) =>
  tx.maybe(GapState)`select status from knowledge_gaps where id = ${id} for no key update`

interface Grouped {
  id: string
  gapId: string
  vector: Buffer | null
  model: string | null
}

export const putIntoGap = (tx: TenantTx, { id, gapId, vector, model }: Grouped) =>
  tx.run`
    update gap_questions set gap_id = ${gapId}, vector = ${vector}, embedding_model = ${model} where id = ${id}`

/** The question came again after the answer was given. */
export const reopenGap = (tx: TenantTx, gapId: string, questionId: string) =>
  tx.run`
    update knowledge_gaps g set status = 'open', closed_at = null, updated_at = now()
    where g.id = ${gapId} and g.status = 'answered'
      and exists (select from gap_questions q where q.id = ${questionId} and q.created_at > g.closed_at)`

/** Of chats, which expire with messages, or of calls, which expire with transcripts. */
export const deleteOldQuestions = (of: 'chats' | 'calls') => (tx: TenantTx, oldestKept: string, batchSize: number) =>
  tx.run`
    delete from gap_questions where id in (
      select id from gap_questions where id < ${oldestKept} and (call_id is not null) = ${of === 'calls'}
      order by id limit ${batchSize})`
