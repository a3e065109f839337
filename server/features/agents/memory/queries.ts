import Type, { type Static } from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { Nullable } from '../../../platform/schemas.ts'

const Remembered = Type.Object({
  conversations: Type.Array(
    Type.Object({
      medium: Type.Unsafe<'call' | 'chat'>({}),
      at: Type.String(),
      summary: Type.String(),
      disposition: Nullable(Type.String()),
    }),
  ),
  tasks: Type.Array(Type.Object({ title: Type.String(), due_at: Nullable(Type.String()) })),
  messages: Type.Array(Type.Object({ direction: Type.String(), body: Type.String() })),
})
export type Remembered = Static<typeof Remembered>

interface Wanted {
  contactId: string
  conversations: number
  tasks: number
  messages: number
  /** The ticket of the conversation itself. */
  ticketId: string | null
}

/**
 * Summaries of the contact's last calls and closed chats, newest first; open tasks; and the last messages of an open
 * chat, oldest first, which has no summary yet.
 */
export const findRemembered = (sql: TenantSql, { contactId, conversations, tasks, messages, ticketId }: Wanted) =>
  sql.one(Remembered)`
    select
      coalesce((select json_agg(json_build_object('medium', medium, 'at', at, 'summary', summary,
          'disposition', disposition) order by at desc)
        from (
          (select 'call' as medium, started_at as at, summary, analysis #>> '{results,disposition}' as disposition
            from calls where contact_id = ${contactId} and status <> 'in-progress' and summary <> ''
              and transcript <> '[]'
            order by id desc limit ${conversations})
          union all
          (select 'chat', closed_at, summary, results ->> 'disposition'
            from ticket_analyses where contact_id = ${contactId} and summary <> ''
              and ticket_id is distinct from ${ticketId}::uuid
            order by closed_at desc, id desc limit ${conversations})
          order by at desc limit ${conversations}) newest), '[]') as conversations,
      coalesce((select json_agg(json_build_object('title', title, 'due_at', due_at) order by due_at nulls last, id)
        from (select id, title, due_at from tasks where contact_id = ${contactId} and status = 'pending'
          order by due_at nulls last, id limit ${tasks}) open_tasks), '[]') as tasks,
      coalesce((select json_agg(json_build_object('direction', direction, 'body', body) order by created_at, id)
        from (select m.id, m.direction, m.body, m.created_at
          from tickets t join messages m on m.organization_id = t.organization_id and m.livemode = t.livemode
            and m.ticket_id = t.id
          where t.contact_id = ${contactId} and t.status = 'open' and t.id is distinct from ${ticketId}::uuid
            and m.body <> '' and m.revoked_at is null and (m.direction = 'inbound' or m.status <> 'failed')
            and m.created_at > now() - interval '7 days'
          order by m.created_at desc, m.id desc limit ${messages}) latest), '[]') as messages`
