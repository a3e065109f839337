import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'

const Version = Type.Object({ version: Type.Integer() })

/** Zero while there is nothing to find. */
export const readKnowledgeVersion = async (tx: TenantSql): Promise<number> =>
  (await tx.maybe(Version)`select version from knowledge_versions`)?.version ?? 0

const AnsweringDocument = Type.Object({ id: Type.String(), revision: Type.Integer(), chunk_count: Type.Integer() })

export const listAnsweringDocuments = (tx: TenantSql, model: string) =>
  tx.all(AnsweringDocument)`
    select id, revision, chunk_count from documents where status = 'ready' and embedding_model = ${model} order by id`

const StoredVectors = Type.Object({
  document_id: Type.String(),
  ordinal: Type.Integer(),
  vectors: Type.Unsafe<Buffer>({}),
})

export interface VectorRange {
  documentIds: string[]
  /** Each document's chunks from this one on, up to but excluding that one. */
  from: number
  to: number
}

export const readVectors = (tx: TenantSql, model: string, { documentIds, from, to }: VectorRange) =>
  tx.all(StoredVectors)`
    select document_id, ordinal, vectors from chunk_vectors
    where document_id = any(${documentIds}) and model = ${model} and ordinal >= ${from} and ordinal < ${to}
    order by document_id, ordinal`
