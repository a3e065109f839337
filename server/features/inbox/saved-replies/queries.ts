import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import { visibleTo } from '../owned.ts'
import { SavedReply, type SavedReplyFilter } from './schema.ts'

/** Ids are in the order of time. */
const filesOf = sql`from saved_reply_attachments file
  where file.organization_id = saved_replies.organization_id and file.livemode = saved_replies.livemode
    and file.saved_reply_id = saved_replies.id`

const columns = sql`id, organization_id, name, body, owner_id is null as shared, owner_id,
  coalesce((select json_agg(json_build_object('id', file.id, 'file_name', file.file_name, 'mime_type', file.mime_type,
    'size_bytes', file.size_bytes) order by file.id) ${filesOf}), '[]') as attachments,
  (select json_build_object('file_name', file.file_name, 'mime_type', file.mime_type, 'size_bytes', file.size_bytes)
    ${filesOf} order by file.id limit 1) as attachment,
  use_count, last_used_at, livemode, created_at, updated_at`

export const listSavedReplies = (
  tx: TenantSql,
  memberId: string | null,
  { search = '', ...page }: SavedReplyFilter,
) => {
  const where = sql`${visibleTo(memberId)} and strpos(lower(name || ' ' || body), lower(${search})) > 0`
  return readCursorPage<SavedReply>(tx, { columns, from: sql`saved_replies`, where }, page)
}

export const findSavedReply = (tx: TenantSql, memberId: string | null, id: string) =>
  tx.maybe(SavedReply)`select ${columns} from saved_replies where id = ${id} and ${visibleTo(memberId)}`

const Locked = Type.Object({ id: Type.String() })

/** Reads it after the lock: a request that was waited for may have changed its attachments. */
export async function lockSavedReply(tx: TenantTx, memberId: string | null, id: string) {
  const locked = await tx.maybe(Locked)`
    select id from saved_replies where id = ${id} and ${visibleTo(memberId)} for update`
  return locked && findSavedReply(tx, memberId, id)
}

const Count = Type.Object({ n: Type.Integer() })

export const countSavedReplies = (tx: TenantTx) => tx.one(Count)`select count(*)::integer as n from saved_replies`

interface Values {
  name: string
  body: string
  ownerId: string | null
}

export const insertSavedReply = (tx: TenantTx, id: string, { name, body, ownerId }: Values) =>
  tx.one(SavedReply)`
    insert into saved_replies (id, name, body, owner_id) values (${id}, ${name}, ${body}, ${ownerId})
    returning ${columns}`

export const updateSavedReplyRow = (tx: TenantTx, id: string, { name, body, ownerId }: Values) =>
  tx.one(SavedReply)`
    update saved_replies set name = ${name}, body = ${body}, owner_id = ${ownerId}, updated_at = now() where id = ${id}
    returning ${columns}`

export const deleteSavedReplyRow = (tx: TenantTx, id: string) => tx.run`delete from saved_replies where id = ${id}`

/** No row if the caller cannot use it. */
export const countUse = (tx: TenantTx, memberId: string | null, id: string) =>
  tx.run`
    update saved_replies set use_count = use_count + 1, last_used_at = now()
    where id = ${id} and ${visibleTo(memberId)}`

interface NewAttachment {
  key: string
  fileName: string
  mimeType: string
  size: number
  sha256: string
}

export const insertAttachment = (tx: TenantTx, id: string, savedReplyId: string, file: NewAttachment) =>
  tx.run`
    insert into saved_reply_attachments (id, saved_reply_id, file_key, file_name, mime_type, size_bytes, sha256)
    values (${id}, ${savedReplyId}, ${file.key}, ${file.fileName}, ${file.mimeType}, ${file.size}, ${file.sha256})`

/** The old file is scheduled for removal. */
export const replaceAttachment = (tx: TenantTx, id: string, file: NewAttachment) =>
  tx.run`
    with old as (
      insert into removed_files (key) select file_key from saved_reply_attachments where id = ${id} on conflict do nothing
    )
    update saved_reply_attachments set file_key = ${file.key}, file_name = ${file.fileName},
      mime_type = ${file.mimeType}, size_bytes = ${file.size}, sha256 = ${file.sha256}
    where id = ${id}`

/** A trigger schedules the file for removal. */
export const deleteAttachment = (tx: TenantTx, id: string) =>
  tx.run`delete from saved_reply_attachments where id = ${id}`

/** The reply has other attachments now. */
export const touchSavedReply = (tx: TenantTx, id: string) =>
  tx.one(SavedReply)`update saved_replies set updated_at = now() where id = ${id} returning ${columns}`

const Attachment = Type.Object({
  file_key: Type.String(),
  file_name: Type.String(),
  mime_type: Type.String(),
  size_bytes: Type.Integer(),
  sha256: Type.String(),
})

export const findAttachment = (tx: TenantSql, savedReplyId: string, id: string) =>
  tx.maybe(Attachment)`
    select file_key, file_name, mime_type, size_bytes, sha256 from saved_reply_attachments
    where saved_reply_id = ${savedReplyId} and id = ${id}`
