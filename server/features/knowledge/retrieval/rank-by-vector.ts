import type { TenantSql } from '../../../platform/database.ts'
import type { Embedder } from '../../../providers/embeddings/contract.ts'
import type { Embedders } from '../embedders.ts'
import type { VectorHits, VectorIndex } from '../vectors/contract.ts'
import { listModels } from './queries.ts'

interface VectorSearch {
  query: string
  documentIds: string[] | undefined
  limit: number
  signal: AbortSignal | undefined
}

export interface VectorRanking extends VectorHits {
  embedder?: Pick<Embedder, 'cosines' | 'isEnglish'>
}

/**
 * A ranking for each model that the organization has vectors of: usually one, two while documents are embedded again.
 * Throws `EmbeddingError` when no model is available.
 */
export async function rankByVector(
  sql: TenantSql,
  { embedders, vectorIndex }: { embedders: Embedders; vectorIndex: VectorIndex },
  { query, documentIds, limit, signal }: VectorSearch,
): Promise<VectorRanking[]> {
  const models = await listModels(sql)
  const rank = async (model: string): Promise<VectorRanking> => {
    const embedder = embedders.named(sql.scope.livemode, model, sql.scope.organizationId)
    // The model of these vectors is gone, so the question cannot be embedded into their space; they are being replaced.
    if (!embedder) return { hits: [], partial: true }
    const [vector] = await embedder.embed([query], signal, 'question')
    const found = await vectorIndex.search(sql, { model, vector: vector as Float32Array, limit, documentIds, signal })
    return { ...found, embedder }
  }
  return Promise.all(models.map(rank))
}
