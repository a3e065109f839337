import type { TenantScope, TenantTx } from '../../../platform/database.ts'
import { violates } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { EmbeddingError } from '../../../providers/embeddings/contract.ts'
import { documentUpdated } from '../events.ts'
import { chunksAtOnce, embedBatch } from '../indexing/embed-chunks.ts'
import { givenUp, type Indexing, type IndexRun, maxAttempts } from '../indexing/index-document.ts'
import type { IndexedText } from '../indexing/indexed-text.ts'
import { insertVectors } from '../indexing/queries.ts'
import { readText } from '../indexing/read-text.ts'
import { writeChunks } from '../indexing/store-chunks.ts'
import { Superseded } from '../indexing/superseded.ts'
import { UnreadableDocument } from '../parsing/document.ts'
import { findDocument } from '../queries.ts'
import type { Document } from '../schema.ts'
import {
  completeSwap,
  endReplacementRun,
  failReplacement,
  lockDocument,
  type StartedReplacement,
  startReplacement,
  swapFile,
  takeReplacement,
  touchReplacement,
} from './queries.ts'

type Vectors = { model: string; rows: { ordinal: number; vectors: Buffer }[] } | undefined

interface Work extends Indexing {
  scope: TenantScope
  documentId: string
  runId: string
  replacement: StartedReplacement
  signal: AbortSignal
}

/**
 * Reads and embeds the new version of a document in memory, then swaps it for the old one in one transaction: until
 * then the old version answers, from then on the new one.
 */
export async function indexReplacement(deps: Indexing, { scope, documentId, signal }: IndexRun): Promise<void> {
  const { database, files, ocrLanguages } = deps
  const runId = newId()
  const inTenant = <T>(work: (tx: TenantTx) => Promise<T>) => database.inTenant(scope, work)
  const replacement = await inTenant((tx) => startReplacement(tx, documentId, runId))
  if (!replacement) return
  const work: Work = { ...deps, scope, documentId, runId, replacement, signal }
  const fail = (error: string) =>
    inTenant(async (tx) => {
      if ((await failReplacement(tx, documentId, { runId, error })) === 0) return
      await emit(tx, documentUpdated, (await findDocument(tx, documentId)) as Document)
    })
  try {
    if (replacement.attempts > maxAttempts) return await fail(givenUp)
    const source = { ...replacement, id: documentId }
    const text = await readText({ files, ocrLanguages, sql: database.forTenant(scope) }, source, {
      signal,
      onProgress: () => {},
    })
    const vectors = await embed(work, text)
    await inTenant((tx) => swap(tx, work, text, vectors))
  } catch (error) {
    if (error instanceof Superseded) return
    if (error instanceof UnreadableDocument) return await fail(error.message)
    if (violates(error, 'documents_file_is_unique'))
      return await fail('Another document has the same content under the same name.')
    if (signal.aborted) await inTenant((tx) => endReplacementRun(tx, documentId, runId))
    throw error
  }
}

/** Nothing when the model refuses: keywords find the new version meanwhile, and the sweep embeds it later. */
async function embed(
  { embedders, scope, documentId, runId, database, log, signal }: Work,
  { title, chunks }: IndexedText,
): Promise<Vectors> {
  const embedder = embedders.current(scope.livemode, scope.organizationId)
  const rows: { ordinal: number; vectors: Buffer }[] = []
  try {
    for (let at = 0; at < chunks.length; at += chunksAtOnce) {
      rows.push(...(await embedBatch(embedder, title, chunks.slice(at, at + chunksAtOnce), signal)))
      const touched = await database.inTenant(scope, (tx) => touchReplacement(tx, documentId, runId))
      if (touched === 0) throw new Superseded()
    }
    return { model: embedder.model, rows }
  } catch (error) {
    // The old version answers until the model is back.
    if (!(error instanceof EmbeddingError) || error.verdict === 'retry') throw error
    log.warn(
      { err: error, document: documentId },
      'knowledge indexing: embedding model refused, document has no vectors',
    )
    return undefined
  }
}

/** Few enough for one statement. */
const vectorsAtOnce = 256

async function swap(
  tx: TenantTx,
  { documentId: id, runId, replacement, vectorIndex }: Work,
  text: IndexedText,
  vectors: Vectors,
): Promise<void> {
  // The document first, as everything that changes it does.
  if (!(await lockDocument(tx, id)) || (await takeReplacement(tx, id, runId)) === 0) throw new Superseded()
  await swapFile(tx, id, replacement)
  await writeChunks(tx, { id, ...text })
  for (let at = 0; vectors && at < vectors.rows.length; at += vectorsAtOnce)
    await insertVectors(tx, id, vectors.model, vectors.rows.slice(at, at + vectorsAtOnce))
  const { language, chunks } = text
  const model = vectors?.model ?? null
  const document = await completeSwap(tx, id, { language, chunkCount: chunks.length, model })
  if (vectors) await vectorIndex.add(tx, id, vectors.model)
  await emit(tx, documentUpdated, document)
}
