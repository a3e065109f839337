import Type, { type Static } from 'typebox'
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { FileKind } from './parsing/file-kinds.ts'
import { Document } from './schema.ts'

export const documentColumns = sql`id, organization_id, document_type, file_name, status, error, progress, size_bytes,
  sha256, case when status = 'ready' then chunk_count else 0 end as chunk_count,
  case when status = 'ready' then language end as language, embedding_model, source,
  (select json_build_object('file_name', r.file_name, 'status', r.status, 'error', r.error, 'created_at', iso(r.created_at))
    from document_replacements r where r.document_id = documents.id) as replacement,
  array(select c.collection_id from collection_documents c where c.organization_id = documents.organization_id
    and c.livemode = documents.livemode and c.document_id = documents.id order by c.collection_id) as collection_ids,
  livemode, uploaded_at, updated_at`

export const listDocuments = (tx: TenantSql) =>
  tx.all(Document)`select ${documentColumns} from documents order by id desc`

export const findDocument = (tx: TenantSql, id: string) =>
  tx.maybe(Document)`select ${documentColumns} from documents where id = ${id}`

const StoredDocument = Type.Object({ ...Document.properties, file_key: Type.String() })

export const findStoredDocument = (tx: TenantSql, id: string) =>
  tx.maybe(StoredDocument)`select ${documentColumns}, file_key from documents where id = ${id}`

/** Marked for removal after a while, unless a document takes it. */
export const announceFile = (tx: TenantSql, key: string) =>
  tx.run`insert into removed_files (key, created_at) values (${key}, now() + interval '1 hour')`

/** Updates nothing when the file was released meanwhile. */
export const keepFile = (tx: TenantTx, key: string) => tx.run`delete from removed_files where key = ${key}`

/** The file is not needed after all: the next sweep removes it. A file that a document has taken is left alone. */
export const dropFile = (tx: TenantSql, key: string) =>
  tx.run`update removed_files set created_at = now() where key = ${key}`

/** A stored file, and how it is read and shown. */
export type DocumentFile = Pick<Document, 'document_type' | 'file_name' | 'size_bytes' | 'sha256' | 'source'> & {
  file_kind: FileKind | null
  file_key: string
}
export type NewDocument = DocumentFile & { id: string }

/** Nothing when the same bytes exist under the same name; waits for a concurrent upload of them. */
export const insertDocument = (tx: TenantTx, made: NewDocument) =>
  tx.maybe(Document)`
    insert into documents (id, document_type, file_kind, file_name, file_key, size_bytes, sha256, source)
    values (${made.id}, ${made.document_type}, ${made.file_kind}, ${made.file_name}, ${made.file_key},
      ${made.size_bytes}, ${made.sha256}, ${made.source})
    on conflict (organization_id, livemode, sha256, file_name) do nothing
    returning ${documentColumns}`

export const lockSameFile = (tx: TenantTx, { sha256, file_name }: Pick<Document, 'sha256' | 'file_name'>) =>
  tx.maybe(Document)`
    select ${documentColumns} from documents where sha256 = ${sha256} and file_name = ${file_name} for update`

export const retryDocument = (tx: TenantTx, id: string) =>
  tx.one(Document)`
    update documents set status = 'processing', error = null, progress = 0, attempts = 0, run_id = null, updated_at = now()
    where id = ${id}
    returning ${documentColumns}`

/** Its chunks, lexemes and vectors are deleted by cascade, its bytes by the trigger that records removed files. */
export const deleteDocumentRow = (tx: TenantTx, id: string) =>
  tx.maybe(Document)`delete from documents where id = ${id} returning ${documentColumns}`

const Copied = Type.Object({ copied: Type.Boolean() })

/** In live mode: false when the test document is gone, or live mode has the same file. */
export const copyTestDocument = async (
  tx: TenantTx,
  { sourceId, id, key, chunkIds }: { sourceId: string; id: string; key: string; chunkIds: string[] },
): Promise<boolean> =>
  (await tx.one(Copied)`select promote_document(${sourceId}, ${id}, ${key}, ${chunkIds}) as copied`).copied

const KnownId = Type.Object({ id: Type.String() })

export const listKnownIds = (tx: TenantSql, ids: string[]) =>
  tx.all(KnownId)`select id from documents where id = any (${ids}::uuid[])`

const NamedFile = Type.Object({ id: Type.String(), sha256: Type.String(), file_name: Type.String() })
type NamedFile = Static<typeof NamedFile>

export const listNamedFiles = (tx: TenantSql, ids: string[]) =>
  tx.all(NamedFile)`select id, sha256, file_name from documents where id = any (${ids}::uuid[])`

/** The documents with the same bytes under the same names: at most one for each. */
export const listSameFiles = (tx: TenantSql, files: NamedFile[]) =>
  tx.all(NamedFile)`
    select d.id, d.sha256, d.file_name from documents d
      join unnest(${files.map(({ sha256 }) => sha256)}::text[], ${files.map(({ file_name }) => file_name)}::text[])
        wanted (sha256, file_name) using (sha256, file_name)`
