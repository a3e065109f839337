import type { TenantTx } from '../../../platform/database.ts'
import { searchableWords } from '../searchable-words.ts'
import {
  beginChunks,
  chunksInPart,
  completeChunks,
  deleteIndex,
  insertChunks,
  insertLexemes,
  type NewChunk,
} from './queries.ts'
import { Superseded } from './superseded.ts'

/** Small enough not to block the event loop for long. */
const chunksAtOnce = 128

interface StoredText {
  id: string
  runId: string
  /** What the file name says about the document. */
  title: string
  language: string
  chunks: NewChunk[]
  /** The document's progress once they are stored. */
  progress: number
}

/** Stores the chunks and their lexemes in one transaction. */
export async function storeChunks(tx: TenantTx, { runId, progress, ...text }: StoredText): Promise<void> {
  if ((await beginChunks(tx, text.id, runId)) === 0) throw new Superseded()
  await writeChunks(tx, text)
  await completeChunks(tx, text.id, { language: text.language, chunkCount: text.chunks.length, progress })
}

/** Replaces all chunks and lexemes of the document; its counts are zero before. */
export async function writeChunks(
  tx: TenantTx,
  { id, title, language, chunks }: Omit<StoredText, 'runId' | 'progress'>,
): Promise<void> {
  await deleteIndex(tx, id)
  for (let first = 0; first < chunks.length; first += chunksInPart) {
    const part = chunks.slice(first, first + chunksInPart)
    const words: string[] = []
    for (let at = 0; at < part.length; at += chunksAtOnce) {
      const some = part.slice(at, at + chunksAtOnce)
      words.push(...some.map((chunk) => searchableWords(`${title} ${chunk.heading} ${chunk.text}`)))
      await insertChunks(tx, id, some)
    }
    await insertLexemes(tx, id, { language, first, words })
  }
}
