import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'

const BlockState = Type.Object({
  is_blocked: Type.Boolean(),
  phone_numbers: Type.Array(Type.String()),
  user_ids: Type.Array(Type.String()),
  channel_ids: Type.Array(Type.String()),
})

/** The contact's own. Past ones may be another person's: they are not blocked, but those that were are unblocked. */
const identities = (kind: 'phone' | 'whatsapp_user_id') => sql`array(
  select value from contact_identities i where i.contact_id = contacts.id and kind = ${kind}
    and (i.until is null or contacts.blocked_at is null) order by value)`

/** Whether the contact is blocked, and the channels that it wrote to: the platform blocks on these only. */
export const findBlockState = (tx: TenantSql, contactId: string) =>
  tx.maybe(BlockState)`
    select blocked_at is not null as is_blocked, ${identities('phone')} as phone_numbers,
      ${identities('whatsapp_user_id')} as user_ids, array(
      select w.channel_id from chat_windows w join channels on channels.id = w.channel_id and channels.deleted_at is null
        and channels.organization_id = w.organization_id and channels.livemode = w.livemode
      where w.contact_id = contacts.id
        and (contacts.blocked_at is null or w.last_inbound_at > now() - interval '24 hours')) as channel_ids
    from contacts where id = ${contactId}`
