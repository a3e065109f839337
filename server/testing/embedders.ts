import { createHash } from 'node:crypto'
import type { Embedder } from '../providers/embeddings/contract.ts'

interface ScriptedEmbedder extends Embedder {
  /** Every text that was embedded, in order. */
  readonly seen: string[]
}

/** An embedder whose vectors only identify their text: for tests about vectors, not about meaning. */
export function createScriptedEmbedder({
  model = 'scripted',
  dimensions = 16,
  before = async () => {},
}: {
  model?: string
  dimensions?: number
  /** Runs before each batch; `embed` rethrows its errors. */
  before?: (texts: string[], signal?: AbortSignal) => Promise<void>
} = {}): ScriptedEmbedder {
  const seen: string[] = []
  return {
    model,
    dimensions,
    // Given, so that nothing is embedded to measure it.
    scale: { unrelated: 0, floor: 0, answer: 1 },
    seen,
    async embed(texts, signal) {
      await before(texts, signal)
      seen.push(...texts)
      return texts.map((text) => {
        const bytes = createHash('shake256', { outputLength: dimensions }).update(text).digest()
        const vector = Float32Array.from(bytes, (byte) => byte - 127.5)
        const length = Math.hypot(...vector)
        return vector.map((component) => component / length)
      })
    },
    async close() {},
  }
}
