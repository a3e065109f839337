import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import type { MergedPair } from '../../../platform/personal-data.ts'
import { Id } from '../../../platform/schemas.ts'
import type { Tap } from '../ratings/rating.ts'
import type { InboundMedia, InboundMessage } from './inbound-message.ts'

const KnownMessage = Type.Object({ id: Id, channel_id: Id, chat_message_id: Type.String() })

/** Which of these messages are stored already. */
export const findKnownMessages = (tx: TenantSql, messages: Pick<InboundMessage, 'channelId' | 'chatMessageId'>[]) =>
  tx.all(KnownMessage)`
    select messages.id, messages.channel_id, messages.chat_message_id
    from unnest(${messages.map(({ channelId }) => channelId)}::uuid[],
      ${messages.map(({ chatMessageId }) => chatMessageId)}::text[]) given (channel_id, chat_message_id)
      join messages on messages.channel_id = given.channel_id and messages.chat_message_id = given.chat_message_id
        and messages.chat_message_id <> ''`

export interface InboundRow extends InboundMessage {
  id: string
  contactId: string
  ticketId: string
  /** The rating that it gives to the ticket. */
  tap?: Tap
}

const Added = Type.Object({ id: Id })

/** Returns the rows that were inserted; duplicates are skipped. */
export const insertInbound = (tx: TenantTx, rows: InboundRow[]) =>
  tx.all(Added)`
    insert into messages (id, ticket_id, contact_id, channel_id, chat_message_id, direction, message_type, body, status,
      context_message_id, payload, actor_type, created_at)
    select id, ticket_id, contact_id, channel_id, chat_message_id, 'inbound', message_type, body, 'delivered',
      context_message_id, payload, 'system', created_at
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ ticketId }) => ticketId)}::uuid[],
      ${rows.map(({ contactId }) => contactId)}::uuid[], ${rows.map(({ channelId }) => channelId)}::uuid[],
      ${rows.map(({ chatMessageId }) => chatMessageId)}::text[], ${rows.map(({ type }) => type)}::text[],
      ${rows.map(({ body }) => body)}::text[], ${rows.map(({ contextMessageId }) => contextMessageId)}::text[],
      ${rows.map(({ payload }) => payload && JSON.stringify(payload))}::jsonb[],
      ${rows.map(({ at }) => at)}::timestamptz[]
    ) r (id, ticket_id, contact_id, channel_id, chat_message_id, message_type, body, context_message_id, payload, created_at)
    on conflict do nothing
    returning id`

export const insertPendingMedia = (tx: TenantTx, rows: (InboundMedia & { id: string; messageId: string })[]) =>
  tx.run`
    insert into message_media (id, message_id, state, platform_media_id, mime_type, file_name, sha256)
    select id, message_id, 'pending', platform_media_id, mime_type, file_name, sha256
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ messageId }) => messageId)}::uuid[],
      ${rows.map(({ platformId }) => platformId)}::text[], ${rows.map(({ mimeType }) => mimeType)}::text[],
      ${rows.map(({ fileName }) => fileName)}::text[], ${rows.map(({ sha256 }) => sha256)}::text[])
      r (id, message_id, platform_media_id, mime_type, file_name, sha256)`

/** Opens the 24-hour window of the contact on that channel, by the platform's clock. */
export const updateWindows = (tx: TenantTx, rows: Pick<InboundRow, 'contactId' | 'channelId' | 'at'>[]) =>
  tx.run`
    insert into chat_windows as w (contact_id, channel_id, last_inbound_at)
    select * from unnest(${rows.map(({ contactId }) => contactId)}::uuid[],
      ${rows.map(({ channelId }) => channelId)}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[])
    on conflict (organization_id, livemode, contact_id, channel_id)
      do update set last_inbound_at = greatest(w.last_inbound_at, excluded.last_inbound_at)`

/** The windows of a contact that is merged into another one. */
export const moveWindows = (tx: TenantTx, { from, into }: MergedPair) =>
  tx.run`
    insert into chat_windows as w (contact_id, channel_id, last_inbound_at)
    select ${into}, channel_id, last_inbound_at from chat_windows where contact_id = ${from}
    on conflict (organization_id, livemode, contact_id, channel_id)
      do update set last_inbound_at = greatest(w.last_inbound_at, excluded.last_inbound_at)`
