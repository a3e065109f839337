import type { TenantSql } from '../../../platform/database.ts'
import type { CosineScale } from '../../../providers/embeddings/contract.ts'
import type { Embedders } from '../embedders.ts'
import type { VectorHits, VectorIndex } from '../vectors/contract.ts'
import type { Question } from './queries.ts'

interface VectorSearch {
  query: string
  documentIds: string[] | undefined
  limit: number
  signal: AbortSignal | undefined
  /** As `readQuestion` read it. */
  knowledge: Pick<Question, 'models' | 'version'>
}

export interface VectorRanking extends VectorHits {
  scale?: CosineScale | undefined
  /** Made by a model that knows English alone. */
  isEnglish?: boolean
}

/**
 * A ranking for each model that the organization has vectors of: usually one, two while documents are embedded again.
 * Throws `EmbeddingError` when no model is available.
 */
export async function rankByVector(
  sql: TenantSql,
  { embedders, vectorIndex }: { embedders: Embedders; vectorIndex: VectorIndex },
  { query, documentIds, limit, signal, knowledge: { models, version } }: VectorSearch,
): Promise<VectorRanking[]> {
  const rank = async (model: string): Promise<VectorRanking> => {
    const embedder = embedders.named(sql.scope.livemode, model, sql.scope.organizationId)
    // The model of these vectors is gone, so the question cannot be embedded into their space; they are being replaced.
    if (!embedder) return { hits: [], partial: true }
    const embedding = embedder.embed([query], signal, 'question')
    let scale: CosineScale | undefined
    // Not awaited: a question does not wait for a measurement that is slower than its own vector and search.
    void embedders.scaleOf(embedder, sql.scope.organizationId).then((measured) => {
      scale = measured
    })
    const [vector] = await embedding
    const wanted = { model, version, vector: vector as Float32Array, limit, documentIds, signal }
    const found = await vectorIndex.search(sql, wanted)
    return { ...found, scale, isEnglish: embedder.isEnglish ?? false }
  }
  return Promise.all(models.map(rank))
}
