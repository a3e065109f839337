import Type, { type Static } from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { TemplateMedia, type TemplateMediaFilter } from './media-schema.ts'

interface NewMedia {
  id: string
  format: TemplateMedia['format']
  mimeType: string
  fileName: string
  size: number
  sha256: string
  key: string
  handle: string | null
}

const columns = sql`id, handle, format, mime_type, file_name, size_bytes, created_at`

export const insertMedia = (tx: TenantTx, media: NewMedia) =>
  tx.one(TemplateMedia)`
    insert into template_media (id, format, mime_type, file_name, size_bytes, sha256, file_key, handle)
    values (${media.id}, ${media.format}, ${media.mimeType}, ${media.fileName}, ${media.size}, ${media.sha256},
      ${media.key}, ${media.handle})
    returning ${columns}`

export const listMedia = (tx: TenantSql, filter: TemplateMediaFilter) =>
  readCursorPage<TemplateMedia>(tx, { columns, from: sql`template_media` }, filter)

const Deletable = Type.Object({ is_awaited: Type.Boolean() })

export const lockMedia = (tx: TenantTx, id: string) =>
  tx.maybe(Deletable)`
    select is_media_awaited(organization_id, livemode, id) as is_awaited from template_media where id = ${id} for update`

export const deleteMediaRow = (tx: TenantTx, id: string) => tx.run`delete from template_media where id = ${id}`

/** Files that no template names and no campaign is about to send. */
export const deleteOldMedia = (tx: TenantTx, oldestKept: string, limit: number) =>
  tx.run`
    delete from template_media where id in (
      select id from template_media where id < ${oldestKept} and not is_media_awaited(organization_id, livemode, id)
        and (handle is null or not is_media_sample(organization_id, livemode, handle))
      order by id limit ${limit})`

const MediaFile = Type.Object({
  id: Type.String(),
  mime_type: Type.String(),
  file_name: Type.String(),
  size_bytes: Type.Integer(),
  sha256: Type.String(),
  file_key: Type.String(),
  platform_media_id: Nullable(Type.String()),
})
export type MediaFile = Static<typeof MediaFile>

/** With the platform's id for this number, if it has the file for another day at least. */
export const findMedia = (tx: TenantSql, ids: string[], phoneNumberId = '') =>
  tx.all(MediaFile)`
    select media.id, mime_type, file_name, size_bytes, sha256, file_key, upload.platform_media_id
    from template_media media left join template_media_uploads upload on upload.media_id = media.id
      and upload.organization_id = media.organization_id and upload.livemode = media.livemode
      and upload.phone_number_id = ${phoneNumberId} and upload.uploaded_at > now() - interval '29 days'
    where media.id = any(${ids}::uuid[])`

export const saveUpload = (tx: TenantSql, mediaId: string, phoneNumberId: string, platformMediaId: string) =>
  tx.run`
    insert into template_media_uploads (media_id, phone_number_id, platform_media_id)
    values (${mediaId}, ${phoneNumberId}, ${platformMediaId})
    on conflict (organization_id, livemode, media_id, phone_number_id)
      do update set platform_media_id = excluded.platform_media_id, uploaded_at = now()`
