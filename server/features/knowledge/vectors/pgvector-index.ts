import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { Fragment, sql } from '../../../platform/sql.ts'
import type { VectorIndex, VectorQuery } from './contract.ts'
import { fillFrom, maxIndexedDimensions } from './pgvector-tables.ts'

const Hit = Type.Object({ document_id: Type.String(), ordinal: Type.Integer(), score: Type.Number() })
const Size = Type.Object({ chunks: Type.Integer() })

/** Children of one chunk are often neighbours, and a filter removes some: so many more candidates are read. */
const spare = 10

interface PgvectorOptions {
  /** From this many chunks of an organization on, the graph is used, which may miss a few, instead of every vector. */
  approximateFrom: number
}

/** Compares in PostgreSQL with the extension `vector`, for more vectors than memory should hold. */
export function createPgvectorIndex({ approximateFrom }: PgvectorOptions): VectorIndex {
  return {
    async search(tx, query) {
      const { chunks } = await tx.one(Size)`
        select coalesce(sum(chunk_count), 0)::integer as chunks from knowledge_totals where embedding_model = ${query.model}`
      const isLarge = chunks >= approximateFrom && query.vector.length <= maxIndexedDimensions
      // A few documents have few vectors: the graph would only slow the search.
      const hits = isLarge && !query.documentIds ? await searchGraph(tx, query) : await searchAll(tx, query)
      return { hits, partial: false }
    },
    async add(tx: TenantTx, documentId, model) {
      await tx.run`delete from chunk_embeddings where document_id = ${documentId}`
      await tx.run`
        insert into chunk_embeddings (organization_id, livemode, document_id, ordinal, child, model, embedding)
        ${fillFrom(sql`v.document_id = ${documentId} and v.model = ${model}`)}`
    },
  }
}

const toText = (vector: Float32Array) => `[${vector.join(',')}]`

const answering = (model: string) =>
  sql`document_id in (select id from documents where status = 'ready' and embedding_model = ${model})`

const searchAll = (tx: TenantSql, { model, vector, limit, documentIds }: VectorQuery) =>
  tx.all(Hit)`
    with compared as (
      select document_id, ordinal, 1 - (embedding <=> ${toText(vector)}::vector) as score from chunk_embeddings
      where model = ${model} and ${answering(model)}
        and (${documentIds ?? null}::uuid[] is null or document_id = any (${documentIds ?? null}))
    )
    select document_id, ordinal, max(score) as score from compared
    group by document_id, ordinal
    order by score desc, document_id, ordinal
    limit ${limit}`

/**
 * Continues along the graph until it has enough of the caller's own; the cast is the expression that the graph indexes.
 */
const searchGraph = (tx: TenantSql, { model, vector, limit }: VectorQuery) => {
  const cast = new Fragment([`embedding::vector(${vector.length})`], [])
  return tx.all(Hit)`
    with tuned as materialized (
      select set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', '200', true)
    ), nearest as materialized (
      select found.* from tuned, lateral (
        select document_id, ordinal, 1 - (${cast} <=> ${toText(vector)}::vector) as score from chunk_embeddings
        where model = ${model}
        order by ${cast} <=> ${toText(vector)}::vector
        limit ${limit * spare}
      ) found
    )
    select document_id, ordinal, max(score) as score from nearest
    where ${answering(model)}
    group by document_id, ordinal
    order by score desc, document_id, ordinal
    limit ${limit}`
}
