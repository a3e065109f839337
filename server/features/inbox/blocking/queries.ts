import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { Nullable } from '../../../platform/schemas.ts'

const BlockState = Type.Object({
  is_blocked: Type.Boolean(),
  phone_number: Type.String(),
  whatsapp_user_id: Nullable(Type.String()),
  channel_ids: Type.Array(Type.String()),
})

/** Whether the contact is blocked, and the channels that it wrote to: the platform blocks on these only. */
export const findBlockState = (sql: TenantSql, contactId: string) =>
  sql.maybe(BlockState)`
    select blocked_at is not null as is_blocked, phone_number, whatsapp_user_id, array(
      select w.channel_id from chat_windows w join channels on channels.id = w.channel_id and channels.deleted_at is null
        and channels.organization_id = w.organization_id and channels.livemode = w.livemode
      where w.contact_id = contacts.id
        and (contacts.blocked_at is null or w.last_inbound_at > now() - interval '24 hours')) as channel_ids
    from contacts where id = ${contactId}`
