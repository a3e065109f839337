import { type Fragment, sql } from '../../../platform/sql.ts'

/** SQL for the fields that are not columns of `messages`. */
interface JsonSources {
  /** The media members, as arguments of `jsonb_build_object`. */
  media: Fragment
  reactions: Fragment
  /** Both as text, by `iso()`. */
  createdAt: Fragment
  updatedAt: Fragment
}

/** The media members of a message without a file. */
export const noMedia = sql`'media_url', null, 'media_mime_type', null, 'media_filename', null, 'media_size', null`

/**
 * The outbound message `m` as the API shows it, for statements that insert its event themselves. Listed field by field,
 * because generating it from the row is slower.
 */
export const outboundJson = ({
  media,
  reactions,
  createdAt,
  updatedAt,
}: JsonSources): Fragment => sql`jsonb_build_object(
  'id', m.id, 'inbox_id', m.ticket_id, 'organization_id', m.organization_id, 'contact_id', m.contact_id,
  'chat_phone_number_id', m.channel_id, 'chat_message_id', m.chat_message_id, 'direction', m.direction,
  'message_type', m.message_type, 'body', m.body, 'status', m.status, 'error', m.error, ${media},
  'context_message_id', m.context_message_id, 'reactions', ${reactions},
  'edited_at', null, 'edit_history', '[]'::jsonb, 'edit_text_missing', false, 'revoked', false, 'revoked_at', null,
  'payload', m.payload, 'actor_type', m.actor_type, 'actor_id', m.actor_id, 'feedback', m.feedback, 'livemode', m.livemode,
  'created_at', ${createdAt}, 'updated_at', ${updatedAt})`
