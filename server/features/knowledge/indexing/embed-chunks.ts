import type { Database, TenantScope } from '../../../platform/database.ts'
import type { Embedder } from '../../../providers/embeddings/contract.ts'
import { packVectors } from '../vectors/quantize.ts'
import { advanceRun, type ChunkToEmbed, countEmbedded, insertVectors, readChunksToEmbed } from './queries.ts'
import { Superseded } from './superseded.ts'

/** Some thirty children: a model's full measure, and a second of work that a killed worker loses. */
const chunksAtOnce = 16

export interface Embedding {
  database: Database
  scope: TenantScope
  document: { id: string; chunk_count: number }
  runId: string
  embedder: Embedder
  signal: AbortSignal
  /** What the document's progress is when this share of the chunks is embedded. */
  progressAt(share: number): number
}

/** Embeds what is not embedded yet, some chunks at a time; each time commits with the progress it makes. */
export async function embedChunks(work: Embedding): Promise<void> {
  const { database, scope, document, embedder, signal } = work
  const sql = database.forTenant(scope)
  const readFrom = (from: number) => readChunksToEmbed(sql, document.id, { from, to: from + chunksAtOnce })
  let from = await countEmbedded(sql, document.id, embedder.model)
  let reading = readFrom(from)
  // The database writes the last batch and reads the next one while the model works on this one.
  let writing: Promise<void> = Promise.resolve()
  try {
    while (from < document.chunk_count) {
      const chunks = await reading
      // They were there: the document was deleted.
      if (chunks.length === 0) throw new Superseded()
      from += chunks.length
      reading = readFrom(from)
      reading.catch(() => {})
      const children = chunks.map(childrenOf)
      const vectors = await embedder.embed(children.flat(), signal)
      await writing
      signal.throwIfAborted()
      writing = writeBatch(work, from / document.chunk_count, toRows(chunks, children, vectors))
      writing.catch(() => {})
    }
  } finally {
    await writing
  }
}

/** A child is understood better under its heading. */
function childrenOf({ heading, text, child_lengths }: ChunkToEmbed): string[] {
  let at = 0
  return child_lengths.map((length) => {
    const child = text.slice(at, at + length)
    at += length
    return heading && !child.includes(heading) ? `${heading}\n${child}` : child
  })
}

function toRows(chunks: ChunkToEmbed[], children: string[][], vectors: Float32Array[]) {
  let at = 0
  return chunks.map(({ ordinal }, i) => {
    const count = (children[i] as string[]).length
    const own = vectors.slice(at, at + count)
    at += count
    return { ordinal, vectors: packVectors(own) }
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
