import type { CosineScale, Embedder } from '../../providers/embeddings/contract.ts'
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
  /**
   * Measured once for each model, with the organization's account; undefined if the model has none or the measurement
   * fails. Never throws.
   */
  scaleOf(embedder: Embedder, organizationId: string): Promise<CosineScale | undefined>
  close(): Promise<void>
}

interface Models {
  local: Embedder
  hosted?: Embedder
  /** Makes no new vectors, but still answers for those that it made. */
  previous?: Embedder
}

/** After a failed measurement, before the same organization's next one. */
const retryAfterMs = 60_000

export function createEmbedders({ local, hosted, previous }: Models): Embedders {
  const ofMode = (livemode: boolean, organizationId?: string) => [
    ...(livemode && hosted ? [(organizationId && hosted.forOrganization?.(organizationId)) || hosted] : []),
    local,
    ...(previous ? [previous] : []),
  ]
  /** By model. Undefined for a model that does not tell answers from other texts. */
  const scales = new Map<string, CosineScale | undefined>()
  /** By model and organization: an organization's invalid key must not keep the others from measuring. */
  const measurements = new Map<string, { scale: Promise<CosineScale | undefined>; failedAt?: number }>()

  function measure(embedder: Embedder, key: string): Promise<CosineScale | undefined> {
    const scale = measureScale(embedder).then(
      (measured) => {
        scales.set(embedder.model, measured)
        measurements.delete(key)
        return measured
      },
      // The question's own embedding fails for the same reason, and that error is reported.
      () => {
        measurements.set(key, { scale, failedAt: Date.now() })
        return undefined
      },
    )
    measurements.set(key, { scale })
    return scale
  }

  return {
    async scaleOf(embedder, organizationId) {
      if (embedder.scale) return embedder.scale
      if (scales.has(embedder.model)) return scales.get(embedder.model)
      const key = `${embedder.model} ${organizationId}`
      const last = measurements.get(key)
      const isCurrent = last && (last.failedAt === undefined || Date.now() < last.failedAt + retryAfterMs)
      return isCurrent ? last.scale : measure(embedder, key)
    },
    current: (livemode, organizationId) => ofMode(livemode, organizationId)[0] as Embedder,
    named: (livemode, model, organizationId) =>
      ofMode(livemode, organizationId).find((embedder) => embedder.model === model),
    async close() {
      await Promise.all([local.close(), hosted?.close(), previous?.close()])
    },
  }
}
