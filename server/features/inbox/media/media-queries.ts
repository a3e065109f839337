import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { Nullable, OneOf } from '../../../platform/schemas.ts'
import type { KeptFile } from './kept-file.ts'

export const insertStoredMedia = (tx: TenantTx, { messageId, file }: { messageId: string; file: KeptFile }) =>
  tx.run`
    with kept as (delete from removed_files where key = ${file.key})
    insert into message_media (id, message_id, state, mime_type, file_name, size_bytes, sha256, file_key)
    values (${file.id}, ${messageId}, 'stored', ${file.mimeType}, ${file.fileName}, ${file.size}, ${file.sha256},
      ${file.key})`

const Media = Type.Object({
  id: Type.String(),
  state: OneOf(['pending', 'stored', 'failed'] as const),
  error: Nullable(Type.String()),
  mime_type: Nullable(Type.String()),
  file_name: Nullable(Type.String()),
  size_bytes: Nullable(Type.Integer()),
  sha256: Nullable(Type.String()),
  file_key: Nullable(Type.String()),
})

export const findMedia = (tx: TenantSql, id: string) =>
  tx.maybe(Media)`
    select id, state, error, mime_type, file_name, size_bytes, sha256, file_key from message_media where id = ${id}`

const MediaToFetch = Type.Object({
  state: OneOf(['pending', 'stored', 'failed'] as const),
  platform_media_id: Nullable(Type.String()),
  mime_type: Nullable(Type.String()),
  sha256: Nullable(Type.String()),
  channel_id: Type.String(),
  is_kept_by_platform: Type.Boolean(),
})

/** The platform keeps received files for seven days. */
export const findMediaToFetch = (tx: TenantSql, id: string) =>
  tx.maybe(MediaToFetch)`
    select media.state, media.platform_media_id, media.mime_type, media.sha256, messages.channel_id,
      media.created_at > now() - interval '7 days' as is_kept_by_platform
    from message_media media join messages on messages.id = media.message_id
      and messages.organization_id = media.organization_id and messages.livemode = media.livemode
    where media.id = ${id}`

interface FetchedFile {
  key: string
  mimeType: string
  size: number
  sha256: string
}

/** Updates no row if another worker was faster or the message is gone. */
export const markStored = (tx: TenantTx, id: string, file: FetchedFile) =>
  tx.run`
    update message_media set state = 'stored', error = null, mime_type = ${file.mimeType}, size_bytes = ${file.size},
      sha256 = ${file.sha256}, file_key = ${file.key}
    where id = ${id} and state = 'pending'`

export const markUnfetchable = (tx: TenantTx, id: string, reason: string) =>
  tx.run`update message_media set state = 'failed', error = ${reason} where id = ${id} and state = 'pending'`
