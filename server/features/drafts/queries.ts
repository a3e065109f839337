import Type from 'typebox'
import type { TenantSql } from '../../platform/database.ts'

const Ref = Type.Object({ id: Type.String() })

/** The agent of the ticket's channel if it is active and has a model, otherwise the oldest agent that is and has. */
export const findDraftingAgent = (sql: TenantSql, ticketId: string) =>
  sql.maybe(Ref)`
    select a.id from tickets t
      left join channels on channels.organization_id = t.organization_id and channels.livemode = t.livemode
        and channels.id = t.channel_id
      join agents a on a.organization_id = t.organization_id and a.livemode = t.livemode
    where t.id = ${ticketId} and a.agent_type = 'prompt' and a.is_active = 'active'
    order by (a.id = channels.agent_id) is true desc, a.id limit 1`

const Body = Type.Object({ body: Type.String() })

/** The newest notes, oldest first. */
export const findNoteTexts = (sql: TenantSql, ticketId: string, limit: number) =>
  sql.all(Body)`
    select body from (
      select id, body from ticket_notes where ticket_id = ${ticketId} order by id desc limit ${limit}) newest
    order by id`
