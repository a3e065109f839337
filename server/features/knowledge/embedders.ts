import { type CosineScale, type Embedder, EmbeddingError } from '../../providers/embeddings/contract.ts'
import { measureScale } from './measure-scale.ts'

/**
 * Chooses the embedding model. Test mode never leaves this machine; live mode uses the hosted model where one is
 * configured.
 */
export interface Embedders {
  /** For new vectors. The organization's own account pays, if it has one. */
  current(livemode: boolean, organizationId?: string): Embedder
  /** The model that made these vectors, if it is still available: a question must be embedded into the same space. */
  named(livemode: boolean, model: string, organizationId: string): Embedder | undefined
  /** Measured once for each model; undefined if the model has none, or does not answer. */
  scaleOf(embedder: Embedder): Promise<CosineScale | undefined>
  close(): Promise<void>
}

interface Models {
  local: Embedder
  hosted?: Embedder
  /** Makes no new vectors, but still answers for those that it made. */
  previous?: Embedder
}

export function createEmbedders({ local, hosted, previous }: Models): Embedders {
  const ofMode = (livemode: boolean, organizationId?: string) => [
    ...(livemode && hosted ? [(organizationId && hosted.forOrganization?.(organizationId)) || hosted] : []),
    local,
    ...(previous ? [previous] : []),
  ]
  const scales = new Map<string, Promise<CosineScale | undefined>>()
  async function measure(embedder: Embedder): Promise<CosineScale | undefined> {
    try {
      return await measureScale(embedder)
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error
      if (error.verdict === 'retry') scales.delete(embedder.model)
      return undefined
    }
  }
  return {
    async scaleOf(embedder) {
      if (embedder.scale) return embedder.scale
      const known = scales.get(embedder.model) ?? measure(embedder)
      scales.set(embedder.model, known)
      return known
    },
    current: (livemode, organizationId) => ofMode(livemode, organizationId)[0] as Embedder,
    named: (livemode, model, organizationId) =>
      ofMode(livemode, organizationId).find((embedder) => embedder.model === model),
    async close() {
      await Promise.all([local.close(), hosted?.close(), previous?.close()])
    },
  }
}
