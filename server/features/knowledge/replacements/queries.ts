import Type, { type Static } from 'typebox'
import type { TenantTx } from '../../../platform/database.ts'
import { Nullable, OneOf } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { documentTypes } from '../parsing/document.ts'
import type { FileKind } from '../parsing/file-kinds.ts'
import { type DocumentFile, documentColumns } from '../queries.ts'
import { Document, type DocumentSource } from '../schema.ts'

export const lockDocument = (tx: TenantTx, id: string) =>
  tx.maybe(Document)`select ${documentColumns} from documents where id = ${id} for update`

/** The trigger marks its file for removal. */
export const deleteReplacement = (tx: TenantTx, documentId: string) =>
  tx.run`delete from document_replacements where document_id = ${documentId}`

export const insertReplacement = (tx: TenantTx, documentId: string, id: string, file: DocumentFile) =>
  tx.run`
    insert into document_replacements (document_id, id, document_type, file_kind, file_name, file_key, size_bytes, sha256,
      source)
    values (${documentId}, ${id}, ${file.document_type}, ${file.file_kind}, ${file.file_name}, ${file.file_key},
      ${file.size_bytes}, ${file.sha256}, ${file.source})`

const Existing = Type.Object({ id: Type.String() })

/** Another document with the same bytes under the same name. */
export const findTwin = (tx: TenantTx, documentId: string, { sha256, file_name }: DocumentFile) =>
  tx.maybe(Existing)`
    select id from documents where sha256 = ${sha256} and file_name = ${file_name} and id <> ${documentId}`

const StartedReplacement = Type.Object({
  id: Type.String(),
  document_type: OneOf(documentTypes),
  file_kind: Nullable(Type.Unsafe<FileKind>({ type: 'string' })),
  file_name: Type.String(),
  file_key: Type.String(),
  size_bytes: Type.Integer(),
  sha256: Type.String(),
  source: Type.Unsafe<DocumentSource | null>({}),
  attempts: Type.Integer(),
})
export type StartedReplacement = Static<typeof StartedReplacement>

export const startReplacement = async (tx: TenantTx, documentId: string, runId: string) =>
  tx.maybe(StartedReplacement)`
    update document_replacements set run_id = ${runId}, attempts = attempts + 1, updated_at = now()
    where document_id = ${documentId} and status = 'processing'
    returning id, document_type, file_kind, file_name, file_key, size_bytes, sha256, source, attempts`

/** A run that was stopped on purpose did not fail. */
export const endReplacementRun = (tx: TenantTx, documentId: string, runId: string) =>
  tx.run`
    update document_replacements set attempts = greatest(attempts - 1, 0)
    where document_id = ${documentId} and run_id = ${runId}`

/** Keeps a long run from looking lost; 0 when another replacement or another run has taken its place. */
export const touchReplacement = (tx: TenantTx, documentId: string, runId: string) =>
  tx.run`
    update document_replacements set attempts = 1, updated_at = now()
    where document_id = ${documentId} and run_id = ${runId}`

/** 0 when the document has another replacement by now. */
export const takeReplacement = (tx: TenantTx, documentId: string, runId: string) =>
  tx.run`delete from document_replacements where document_id = ${documentId} and run_id = ${runId}`

/** Marks the document's file for removal, unless it is the new one. */
const removesOldFile = (id: string, { file_key }: DocumentFile) => sql`old as (
  insert into removed_files (key) select file_key from documents where id = ${id} and file_key <> ${file_key}
  on conflict do nothing)`

/** The columns of the new file. The document's counts start at zero. */
const newFile = (file: DocumentFile) => sql`document_type = ${file.document_type}, file_kind = ${file.file_kind},
  file_name = ${file.file_name}, file_key = ${file.file_key}, size_bytes = ${file.size_bytes}, sha256 = ${file.sha256},
  source = ${file.source}, chunk_count = 0, lexeme_count = 0`

/** The document takes the new file. */
export const swapFile = (tx: TenantTx, id: string, file: DocumentFile) =>
  tx.run`
    with ${removesOldFile(id, file)}, taken as (delete from removed_files where key = ${file.file_key})
    update documents set ${newFile(file)} where id = ${id}`

export const completeSwap = (
  tx: TenantTx,
  id: string,
  { language, chunkCount, model }: { language: string; chunkCount: number; model: string | null },
) =>
  tx.one(Document)`
    update documents set status = 'ready', error = null, progress = 1, attempts = 0, run_id = null,
      language = ${language}, chunk_count = ${chunkCount}, embedding_model = ${model}, revision = revision + 1,
      updated_at = now()
    where id = ${id}
    returning ${documentColumns}`

/** A document that has no version to answer with: it starts again with the new file. */
export const restartWithFile = (tx: TenantTx, id: string, file: DocumentFile) =>
  tx.one(Document)`
    with ${removesOldFile(id, file)}
    update documents set ${newFile(file)}, status = 'processing', error = null, progress = 0, attempts = 0,
      run_id = null, updated_at = now()
    where id = ${id}
    returning ${documentColumns}`

export const failReplacement = (tx: TenantTx, documentId: string, { runId, error }: { runId: string; error: string }) =>
  tx.run`
    update document_replacements set status = 'failed', error = ${error}, run_id = null, updated_at = now()
    where document_id = ${documentId} and run_id = ${runId}`
