import Type, { type Static } from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../../platform/database.ts'
import { Id, Nullable, OneOf } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { documentTypes } from '../parsing/document.ts'
import type { FileKind } from '../parsing/file-kinds.ts'
import { documentColumns } from '../queries.ts'
import { Document, type DocumentSource } from '../schema.ts'

const StartedDocument = Type.Object({
  id: Type.String(),
  document_type: OneOf(documentTypes),
  file_kind: Nullable(Type.Unsafe<FileKind>({ type: 'string' })),
  file_name: Type.String(),
  file_key: Type.String(),
  size_bytes: Type.Integer(),
  source: Type.Unsafe<DocumentSource | null>({}),
  status: OneOf(['processing', 'ready'] as const),
  chunk_count: Type.Integer(),
  attempts: Type.Integer(),
})
export type StartedDocument = Static<typeof StartedDocument>

/** Claims a document whose index is out of date; undefined when there is nothing to do. */
export const startRun = (tx: TenantTx, id: string, { runId, model }: { runId: string; model: string }) =>
  tx.maybe(StartedDocument)`
    update documents set run_id = ${runId}, attempts = attempts + 1,
      updated_at = case when status = 'processing' then now() else updated_at end
    where id = ${id}
      and (status = 'processing' or (status = 'ready' and embedding_model is distinct from ${model}))
    returning id, document_type, file_kind, file_name, file_key, size_bytes, source, status, chunk_count, attempts`

/** A run that was stopped on purpose did not fail. */
export const endRun = (tx: TenantTx, id: string, runId: string) =>
  tx.run`update documents set attempts = greatest(attempts - 1, 0) where id = ${id} and run_id = ${runId}`

/** Updates nothing when the document is gone or another run has claimed it. A ready document keeps its `updated_at`. */
export const advanceRun = (tx: TenantSql, id: string, { runId, progress }: { runId: string; progress: number }) =>
  tx.run`
    update documents set attempts = 0,
      progress = case when status = 'processing' then greatest(progress, ${progress}) else progress end,
      updated_at = case when status = 'processing' then now() else updated_at end
    where id = ${id} and run_id = ${runId}`

export interface NewChunk {
  id: string
  ordinal: number
  page: number | null
  start_offset: number
  end_offset: number
  heading: string
  text: string
  child_lengths: number[]
}

export const insertChunks = (tx: TenantTx, documentId: string, chunks: NewChunk[]) =>
  tx.run`
    insert into chunks (document_id, ordinal, id, page, start_offset, end_offset, heading, text, child_lengths)
    select ${documentId}, ordinal, id, page, start_offset, end_offset, heading, text, child_lengths::integer[]
    from unnest(${chunks.map((chunk) => chunk.ordinal)}::integer[], ${chunks.map((chunk) => chunk.id)}::uuid[],
      ${chunks.map((chunk) => chunk.page)}::integer[], ${chunks.map((chunk) => chunk.start_offset)}::integer[],
      ${chunks.map((chunk) => chunk.end_offset)}::integer[], ${chunks.map((chunk) => chunk.heading)}::text[],
      ${chunks.map((chunk) => chunk.text)}::text[],
      ${chunks.map(({ child_lengths }) => `{${child_lengths.join(',')}}`)}::text[])
      chunk (ordinal, id, page, start_offset, end_offset, heading, text, child_lengths)`

/** The number of chunks that share a row of postings. */
export const chunksInPart = 1024

/**
 * Stores which chunks of one part of the document have which lexemes, and adds to the document's counts. All chunks
 * belong to the same part: `words` are theirs, in order, from the chunk `first` on.
 */
export const insertLexemes = (
  tx: TenantTx,
  documentId: string,
  { language, first, words }: { language: string; first: number; words: string[] },
) =>
  tx.run`
    with occurrence as materialized (
      select ordinal - 1 + ${first % chunksInPart} as number, lexeme, cardinality(positions) as frequency,
        sum(cardinality(positions)) over (partition by ordinal)::integer as length
      from unnest(${words}::text[]) with ordinality chunk (words, ordinal), unnest(to_tsvector(${language}::regconfig, words))
    ), posting as (
      insert into document_lexemes (lexeme, document_id, part, postings)
      select lexeme, ${documentId}, ${Math.floor(first / chunksInPart)},
        array_agg((number << 16) | (least(frequency, 63) << 10) | least(length, 1023) order by number)
      from occurrence group by lexeme order by lexeme
    )
    update documents set lexeme_count = lexeme_count + (select coalesce(sum(frequency), 0) from occurrence)
    where id = ${documentId}`

/** Leftovers of an earlier run. */
export const deleteIndex = (tx: TenantTx, documentId: string) =>
  Promise.all([
    tx.run`delete from chunks where document_id = ${documentId}`,
    tx.run`delete from document_lexemes where document_id = ${documentId}`,
    tx.run`delete from chunk_vectors where document_id = ${documentId}`,
  ])

/** Locks the row: a concurrent delete waits until everything is stored. */
export const beginChunks = (tx: TenantTx, id: string, runId: string) =>
  tx.run`
    update documents set chunk_count = 0, lexeme_count = 0
    where id = ${id} and run_id = ${runId} and status = 'processing'`

export const completeChunks = (
  tx: TenantTx,
  id: string,
  { language, chunkCount, progress }: { language: string; chunkCount: number; progress: number },
) =>
  tx.run`
    update documents set language = ${language}, chunk_count = ${chunkCount}, attempts = 0,
      progress = greatest(progress, ${progress}), updated_at = now()
    where id = ${id}`

const Done = Type.Object({ done: Type.Integer() })

/** Chunks are embedded in order, so their number says where to continue. */
export const countEmbedded = async (tx: TenantSql, documentId: string, model: string): Promise<number> =>
  (
    await tx.one(Done)`
      select coalesce(max(ordinal) + 1, 0) as done from chunk_vectors
      where document_id = ${documentId} and model = ${model}`
  ).done

const ChunkToEmbed = Type.Object({
  ordinal: Type.Integer(),
  heading: Type.String(),
  text: Type.String(),
  child_lengths: Type.Array(Type.Integer()),
})
export type ChunkToEmbed = Static<typeof ChunkToEmbed>

export const readChunksToEmbed = (tx: TenantSql, documentId: string, { from, to }: { from: number; to: number }) =>
  tx.all(ChunkToEmbed)`
    select ordinal, heading, text, child_lengths from chunks
    where document_id = ${documentId} and ordinal >= ${from} and ordinal < ${to}
    order by ordinal`

export const insertVectors = (
  tx: TenantTx,
  documentId: string,
  model: string,
  chunks: { ordinal: number; vectors: Buffer }[],
) =>
  tx.run`
    insert into chunk_vectors (document_id, model, ordinal, vectors)
    select ${documentId}, ${model}, ordinal, vectors
    from unnest(${chunks.map(({ ordinal }) => ordinal)}::integer[], ${chunks.map(({ vectors }) => vectors)}::bytea[])
      chunk (ordinal, vectors)`

/** From here on it is found; nothing when the document is gone or another run has claimed it. */
export const makeReady = (tx: TenantTx, id: string, { runId, model }: { runId: string; model: string | null }) =>
  tx.maybe(Document)`
    update documents set status = 'ready', error = null, progress = 1, attempts = 0, run_id = null,
      embedding_model = ${model}, updated_at = case when status = 'processing' then now() else updated_at end
    where id = ${id} and run_id = ${runId}
    returning ${documentColumns}`

export const deleteOtherVectors = (tx: TenantTx, documentId: string, model: string) =>
  tx.run`delete from chunk_vectors where document_id = ${documentId} and model <> ${model}`

export const makeFailed = (tx: TenantTx, id: string, { runId, error }: { runId: string; error: string }) =>
  tx.maybe(Document)`
    update documents set status = 'failed', error = ${error}, chunk_count = 0, lexeme_count = 0, run_id = null,
      updated_at = now()
    where id = ${id} and run_id = ${runId} and status = 'processing'
    returning ${documentColumns}`

const Neglected = Type.Object({ organization_id: Id, livemode: Type.Boolean(), id: Id, size_bytes: Type.Integer() })

const hasJob = sql`exists (
  select from pgboss.job where name = 'knowledge.index' and state in ('created', 'retry', 'active')
    and data ->> 'document_id' = d.id::text)`

/** Documents without a run that will finish them: their job was lost, or the model has changed. */
export const findNeglected = (tx: SystemSql, models: { test: string; live: string }, limit: number) =>
  tx.all(Neglected)`
    select organization_id, livemode, id, size_bytes from documents d
    where (status = 'processing' and updated_at < now() - interval '5 minutes'
        or status = 'ready' and embedding_model is distinct from case when livemode then ${models.live} else ${models.test} end)
      and not ${hasJob}
    union
    select organization_id, livemode, d.id, d.size_bytes from document_replacements r
      join documents d using (organization_id, livemode)
    where d.id = r.document_id and r.status = 'processing' and r.updated_at < now() - interval '5 minutes' and not ${hasJob}
    order by id
    limit ${limit}`
