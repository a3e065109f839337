import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { Nullable } from '../../../platform/schemas.ts'

const Reach = Type.Object({
  has_opted_out: Type.Boolean(),
  sent: Type.Integer(),
  /** The status of the message of this turn, if there is one. */
  status: Nullable(Type.String()),
})

/** Whether the contact wants messages, and what was sent in this call. */
export const findReach = (
  sql: TenantSql,
  { contactId, callId, turn }: { contactId: string; callId: string; turn: number },
) =>
  sql.maybe(Reach)`
    select contacts.opted_out_at is not null as has_opted_out,
      (select count(*) from call_messages where call_id = ${callId})::integer as sent,
      (select coalesce(m.status, 'deleted') from call_messages sent
        left join messages m on m.id = sent.message_id and m.organization_id = sent.organization_id
          and m.livemode = sent.livemode
        where sent.call_id = ${callId} and sent.turn = ${turn}) as status
    from contacts where contacts.id = ${contactId}`

/** False if this turn of the call has a message already. */
export const recordMessage = async (
  tx: TenantTx,
  { callId, turn, messageId }: { callId: string; turn: number; messageId: string },
): Promise<boolean> =>
  (await tx.run`
    insert into call_messages (call_id, turn, message_id) values (${callId}, ${turn}, ${messageId})
    on conflict do nothing`) === 1

const TemplateId = Type.Object({ id: Type.String() })

/** The template of this name in the business account, an approved one first: another account may have one, too. */
export const findNamedTemplate = (
  sql: TenantSql,
  { name, language }: { name: string; language: string },
  businessAccountId: string,
) =>
  sql.maybe(TemplateId)`
    select id from templates
    where name = ${name} and language = ${language} and business_account_id = ${businessAccountId}
    order by (status = 'APPROVED') desc, id desc limit 1`
