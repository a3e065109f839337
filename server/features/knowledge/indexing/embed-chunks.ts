import type { Database, TenantScope } from '../../../platform/database.ts'
import type { Embedder } from '../../../providers/embeddings/contract.ts'
import { packVectors } from '../vectors/quantize.ts'
import { advanceRun, type ChunkToEmbed, countEmbedded, insertVectors, readChunksToEmbed } from './queries.ts'
import { Superseded } from './superseded.ts'
import { titleOf } from './title.ts'

/** About thirty children: a full batch for the model, and a second of work that a killed worker loses. */
export const chunksAtOnce = 16

/** Half a minute of the local model on two cores: then the next document of the organization gets its turn. */
const chunksPerJob = 512

interface Embedding {
  database: Database
  scope: TenantScope
  document: { id: string; file_name: string; chunk_count: number }
  runId: string
  embedder: Embedder
  signal: AbortSignal
  /** The document's progress when this share of the chunks is embedded. */
  progressAt(share: number): number
}

interface Batch {
  rows: Promise<{ ordinal: number; vectors: Buffer }[]>
  share: number
}

/**
 * Embeds the chunks that have no vectors yet, in batches; each batch commits with its progress. Returns whether the
 * document is complete: of a long one, a later job embeds the rest.
 */
export async function embedChunks(work: Embedding): Promise<boolean> {
  const { database, scope, document, embedder } = work
  const ending = new AbortController()
  const signal = AbortSignal.any([work.signal, ending.signal])
  let from = await countEmbedded(database.forTenant(scope), document.id, embedder.model)
  const end = Math.min(document.chunk_count, from + chunksPerJob)
  const next = async (): Promise<Batch | undefined> => {
    if (from >= end) return undefined
    const chunks = await readChunksToEmbed(database.forTenant(scope), document.id, {
      from,
      to: Math.min(end, from + chunksAtOnce),
    })
    // The chunks existed before, so the document was deleted.
    if (chunks.length === 0) throw new Superseded()
    from += chunks.length
    const rows = embedBatch(embedder, titleOf(document.file_name), chunks, signal)
    // Awaited when its turn comes; until then it must not become an unhandled rejection.
    rows.catch(() => {})
    return { rows, share: from / document.chunk_count }
  }
  // The model gets the next batch before it has finished this one, so it never waits for the database.
  try {
    for (let batch = await next(); batch; ) {
      const following = next()
      following.catch(() => {})
      await writeBatch(work, batch.share, await batch.rows)
      signal.throwIfAborted()
      batch = await following
    }
    return end === document.chunk_count
  } finally {
    ending.abort()
  }
}

export async function embedBatch(embedder: Embedder, title: string, chunks: ChunkToEmbed[], signal: AbortSignal) {
  const children = chunks.map((chunk) => childrenOf(chunk, title))
  // Tables and forms repeat themselves.
  const texts = [...new Set(children.flat())]
  const vectors = await embedder.embed(texts, signal)
  const byText = new Map(texts.map((text, i) => [text, vectors[i] as Float32Array]))
  return chunks.map(({ ordinal }, i) => ({
    ordinal,
    vectors: packVectors((children[i] as string[]).map((child) => byText.get(child) as Float32Array)),
  }))
}

/** A child is embedded together with the document's title and its heading, which gives it context. */
function childrenOf({ heading, text, child_lengths }: ChunkToEmbed, title: string): string[] {
  const above = [title, heading].filter(Boolean).join(' › ')
  let at = 0
  return child_lengths.map((length) => {
    const child = text.slice(at, at + length)
    at += length
    return `${above}\n${child}`
  })
}

const writeBatch = (
  { database, scope, document, runId, embedder, progressAt }: Embedding,
  share: number,
  rows: { ordinal: number; vectors: Buffer }[],
) =>
  database.inTenant(scope, async (tx) => {
    const touched = await advanceRun(tx, document.id, { runId, progress: progressAt(share) })
    if (touched === 0) throw new Superseded()
    await insertVectors(tx, document.id, embedder.model, rows)
  })
