import type { Embedder } from '../../providers/embeddings/contract.ts'

/**
 * Chooses the embedding model. Test mode never leaves this machine; live mode uses the hosted model where one is
 * configured.
 */
export interface Embedders {
  /** For new vectors. */
  current(livemode: boolean): Embedder
  /** The model that made these vectors, if it is still available: a question must be embedded into the same space. */
  named(livemode: boolean, model: string): Embedder | undefined
  close(): Promise<void>
}

interface Models {
  local: Embedder
  hosted?: Embedder
  /** Makes no new vectors, but still answers for those that it made. */
  previous?: Embedder
}

export function createEmbedders({ local, hosted, previous }: Models): Embedders {
  const ofMode = (livemode: boolean) => [
    ...(livemode && hosted ? [hosted] : []),
    local,
    ...(previous ? [previous] : []),
  ]
  return {
    current: (livemode) => ofMode(livemode)[0] as Embedder,
    named: (livemode, model) => ofMode(livemode).find((embedder) => embedder.model === model),
    async close() {
      await Promise.all([local.close(), hosted?.close(), previous?.close()])
    },
  }
}
