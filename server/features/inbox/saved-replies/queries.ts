import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { visibleTo } from '../owned.ts'
import { SavedReply, type SavedReplyFilter } from './schema.ts'

const columns = sql`id, organization_id, name, body, owner_id is null as shared, owner_id,
  case when file_key is not null then json_build_object('file_name', file_name, 'mime_type', mime_type,
    'size_bytes', size_bytes) end as attachment,
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

export const lockSavedReply = (tx: TenantTx, memberId: string | null, id: string) =>
  tx.maybe(SavedReply)`select ${columns} from saved_replies where id = ${id} and ${visibleTo(memberId)} for update`

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

/** Replaces or, with null, removes the attachment. The old file is scheduled for removal. */
export const replaceAttachment = (tx: TenantTx, id: string, file: NewAttachment | null) =>
  tx.one(SavedReply)`
    with old as (
      insert into removed_files (key) select file_key from saved_replies where id = ${id} and file_key is not null
      on conflict do nothing
    )
    update saved_replies set file_key = ${file?.key ?? null}, file_name = ${file?.fileName ?? null},
      mime_type = ${file?.mimeType ?? null}, size_bytes = ${file?.size ?? null}, sha256 = ${file?.sha256 ?? null},
      updated_at = now()
    where id = ${id}
    returning ${columns}`

const Attachment = Type.Object({
  file_key: Nullable(Type.String()),
  file_name: Nullable(Type.String()),
  mime_type: Nullable(Type.String()),
  size_bytes: Nullable(Type.Integer()),
  sha256: Nullable(Type.String()),
})

export const findAttachment = (tx: TenantSql, memberId: string | null, id: string) =>
  tx.maybe(Attachment)`
    select file_key, file_name, mime_type, size_bytes, sha256 from saved_replies
    where id = ${id} and ${visibleTo(memberId)}`
