import Type from 'typebox'
import type { SystemTx, TenantSql, TenantTx } from '../../platform/database.ts'
import type { StoredEvent } from '../../platform/events.ts'
import { readCursorPage } from '../../platform/http/pagination.ts'
import { Id, Instant } from '../../platform/schemas.ts'
import { joinSql, sql } from '../../platform/sql.ts'
import { type AnalysisFilter, TicketAnalysis } from './schema.ts'

const columns = sql`ticket_id as id, organization_id, contact_id, agent_id, agent_version, summary, summary_by, results,
  closed_at, livemode, created_at`

const Closed = Type.Object({ organization_id: Id, livemode: Type.Boolean(), id: Id })

/** Of these closed tickets those that an agent can analyze. */
export function findToAnalyze(tx: SystemTx, closings: StoredEvent[]) {
  const ids = closings.map(({ data }) => (data.object as { id: string }).id)
  return tx.all(Closed)`
    select distinct t.organization_id, t.livemode, t.id
    from unnest(${closings.map(({ organization_id }) => organization_id)}::uuid[],
        ${closings.map(({ livemode }) => livemode)}::boolean[], ${ids}::uuid[]) closed (organization_id, livemode, id)
      join tickets t on t.organization_id = closed.organization_id and t.livemode = closed.livemode and t.id = closed.id
      join channels c on c.organization_id = t.organization_id and c.livemode = t.livemode and c.id = t.channel_id
      join agents a on a.organization_id = c.organization_id and a.livemode = c.livemode and a.id = c.agent_id
    where c.deleted_at is null and a.is_active = 'active' and t.status = 'closed' and t.message_count > 0`
}

const ToAnalyze = Type.Object({ agent_id: Id, contact_id: Id, closed_at: Instant, last_message_id: Id })

/** No row if the ticket was reopened, has no message of the contact, or was analyzed with this last message. */
const toAnalyze = (ticketId: string) => sql`
  select c.agent_id, t.contact_id, t.updated_at as closed_at, latest.id as last_message_id
  from tickets t join channels c on c.id = t.channel_id and c.organization_id = t.organization_id
      and c.livemode = t.livemode
    cross join lateral (
      select m.id from messages m where m.organization_id = t.organization_id and m.livemode = t.livemode
        and m.ticket_id = t.id and m.revoked_at is null and (m.direction = 'inbound' or m.actor_type <> 'system')
        and not coalesce(m.payload ? 'rating', false)
      order by m.created_at desc, m.id desc limit 1) latest
  where t.id = ${ticketId} and t.status = 'closed' and c.agent_id is not null
    and not exists (select from ticket_analyses a where a.ticket_id = t.id and a.organization_id = t.organization_id
      and a.livemode = t.livemode and a.last_message_id = latest.id)`

export const findTicketToAnalyze = (tx: TenantSql, ticketId: string) => tx.maybe(ToAnalyze)`${toAnalyze(ticketId)}`

/** Locks the ticket, so that of two jobs only one saves. */
export const lockTicketToAnalyze = (tx: TenantTx, ticketId: string) =>
  tx.maybe(ToAnalyze)`${toAnalyze(ticketId)} for update of t`

type Found = Pick<
  TicketAnalysis,
  'contact_id' | 'agent_id' | 'agent_version' | 'summary' | 'summary_by' | 'results' | 'closed_at'
>

/** Replaces an earlier analysis of the ticket, except for a part that the model failed to write this time. */
export const saveAnalysis = (
  tx: TenantTx,
  { id, ticketId, lastMessageId, ...found }: Found & { id: string; ticketId: string; lastMessageId: string },
) =>
  tx.one(TicketAnalysis)`
    insert into ticket_analyses as earlier
      (id, ticket_id, contact_id, agent_id, agent_version, last_message_id, summary, summary_by, results, closed_at)
    values (${id}, ${ticketId}, ${found.contact_id}, ${found.agent_id}, ${found.agent_version}, ${lastMessageId},
      ${found.summary}, ${found.summary_by}, ${found.results && JSON.stringify(found.results)}::jsonb, ${found.closed_at})
    on conflict (organization_id, livemode, ticket_id) do update set id = excluded.id, contact_id = excluded.contact_id,
      agent_id = excluded.agent_id, agent_version = excluded.agent_version,
      last_message_id = excluded.last_message_id, summary = coalesce(nullif(excluded.summary, ''), earlier.summary),
      summary_by = case when excluded.summary = '' then earlier.summary_by else excluded.summary_by end,
      results = case when excluded.results ->> 'error' is not null and earlier.results ->> 'error' is null
        then coalesce(earlier.results, excluded.results) else excluded.results end,
      closed_at = excluded.closed_at, created_at = now()
    returning ${columns}`

export const findAnalysis = (tx: TenantSql, ticketId: string) =>
  tx.maybe(TicketAnalysis)`select ${columns} from ticket_analyses where ticket_id = ${ticketId}`

/** A page and its total, newest ticket first. */
export function listAnalyses(tx: TenantSql, filter: AnalysisFilter) {
  const { inbox_id, contact_id } = filter
  const where = joinSql(
    [
      ...(inbox_id === undefined ? [] : [sql`ticket_id = ${inbox_id}`]),
      ...(contact_id === undefined ? [] : [sql`contact_id = ${contact_id}`]),
    ],
    ' and ',
    sql`true`,
  )
  return readCursorPage<TicketAnalysis>(tx, { columns, from: sql`ticket_analyses`, where, id: sql`ticket_id` }, filter)
}

export const deleteOldAnalyses = (tx: TenantTx, oldestKept: string, limit: number) =>
  tx.run`
    delete from ticket_analyses where id = any(array(
      select id from ticket_analyses where id < ${oldestKept} order by id limit ${limit} for update skip locked))`
