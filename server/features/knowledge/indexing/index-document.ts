import type { Database, TenantScope, TenantTx } from '../../../platform/database.ts'
import { emit } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { EmbeddingError } from '../../../providers/embeddings/contract.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import type { Embedders } from '../embedders.ts'
import { enqueueRest } from '../enqueue-indexing.ts'
import { documentFailed, documentReady } from '../events.ts'
import { UnreadableDocument } from '../parsing/document.ts'
import type { VectorIndex } from '../vectors/contract.ts'
import { embedChunks } from './embed-chunks.ts'
import {
  advanceRun,
  deleteIndex,
  deleteOtherVectors,
  endRun,
  makeFailed,
  makeReady,
  type StartedDocument,
  startRun,
} from './queries.ts'
import { readText } from './read-text.ts'
import { storeChunks } from './store-chunks.ts'
import { Superseded } from './superseded.ts'

export interface Indexing {
  database: Database
  files: FileStore
  embedders: Embedders
  vectorIndex: VectorIndex
  log: Log
  /** Of text recognition; none when it is not set up. */
  ocrLanguages?: readonly string[]
}

export interface IndexRun {
  scope: TenantScope
  documentId: string
  signal: AbortSignal
}

/** Starts without progress in between; restarts that made progress do not count. */
export const maxAttempts = 3
export const givenUp =
  'The document could not be processed because of a fault of ours. Upload it again to have it tried once more.'

/** The document's progress after each step: embedding takes most of the time. */
const progressAfter = { reading: 0.15, storing: 0.2 }

/**
 * Brings a document's index up to date from wherever an earlier run stopped: reads the file, stores its chunks and
 * their lexemes, embeds them, and marks it ready in one last transaction. A ready document gets new vectors while the
 * old ones keep answering. A long document takes several jobs, so that others of the organization need not wait for it.
 */
export async function indexDocument(deps: Indexing, { scope, documentId, signal }: IndexRun): Promise<void> {
  const { database, embedders } = deps
  const runId = newId()
  const inTenant = <T>(work: (tx: TenantTx) => Promise<T>) => database.inTenant(scope, work)
  const { model } = embedders.current(scope.livemode)
  const document = await inTenant((tx) => startRun(tx, documentId, { runId, model }))
  if (!document) return
  const work = { ...deps, scope, document, runId, signal }
  const hadEnough = document.status === 'processing' && document.attempts > maxAttempts
  try {
    if (hadEnough && document.chunk_count === 0) return await fail(work, givenUp)
    if (document.chunk_count === 0) document.chunk_count = await storeText(work)
    const embedded = hadEnough ? { model: null } : await embed(work)
    if (embedded) await finish(work, embedded.model)
    else await inTenant((tx) => enqueueRest(tx, document))
  } catch (error) {
    if (error instanceof Superseded) return
    if (error instanceof UnreadableDocument) return await fail(work, error.message)
    if (signal.aborted) await inTenant((tx) => endRun(tx, documentId, runId))
    throw error
  }
}

type Work = Indexing & { scope: TenantScope; document: StartedDocument; runId: string; signal: AbortSignal }

async function storeText({ database, files, ocrLanguages, scope, document, runId, signal }: Work): Promise<number> {
  const { id } = document
  const sql = database.forTenant(scope)
  const reading = new AbortController()
  const report = throttled(async (share: number) => {
    // Deleted, or claimed by another run: text recognition might go on for an hour.
    const touched = await advanceRun(sql, id, { runId, progress: share * progressAfter.reading })
    if (touched === 0) reading.abort(new Superseded())
  })
  const text = await readText({ files, ocrLanguages, sql }, document, {
    signal: AbortSignal.any([signal, reading.signal]),
    onProgress: report,
  })
  const progress = progressAfter.storing
  await database.inTenant(scope, (tx) => storeChunks(tx, { id, runId, progress, ...text }))
  return text.chunks.length
}

/**
 * Returns the model of the document's current vectors; null when it cannot be embedded for now. Undefined when chunks
 * are left.
 */
async function embed(work: Work): Promise<{ model: string | null } | undefined> {
  const { embedders, scope, document, log } = work
  const embedder = embedders.current(scope.livemode, scope.organizationId)
  const progressAt = (share: number) => progressAfter.storing + (1 - progressAfter.storing) * share
  try {
    const isComplete = await embedChunks({ ...work, embedder, progressAt })
    return isComplete ? { model: embedder.model } : undefined
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error
    if (error.verdict === 'retry' && document.status === 'processing') throw error
    // Keyword search or its old vectors find it meanwhile; the sweep retries later.
    log.warn(
      { err: error, document: document.id },
      'knowledge indexing: embedding model unavailable, document has no vectors',
    )
    return { model: null }
  }
}

async function finish({ database, scope, document, runId, vectorIndex }: Work, model: string | null): Promise<void> {
  // The vectors of a ready document keep answering.
  if (document.status === 'ready' && model === null) return
  await database.inTenant(scope, async (tx) => {
    const ready = await makeReady(tx, document.id, { runId, model })
    if (!ready) throw new Superseded()
    if (model !== null) {
      await deleteOtherVectors(tx, document.id, model)
      await vectorIndex.add(tx, document.id, model)
    }
    if (document.status === 'processing') await emit(tx, documentReady, ready)
  })
}

const fail = ({ database, scope, document, runId }: Work, error: string) =>
  database.inTenant(scope, async (tx) => {
    const failed = await makeFailed(tx, document.id, { runId, error })
    if (!failed) return
    await deleteIndex(tx, document.id)
    await emit(tx, documentFailed, failed)
  })

/** At most one report per second, one after the other. */
function throttled(report: (share: number) => Promise<unknown>): (share: number) => void {
  let last = 0
  let running = false
  return (share) => {
    if (running || performance.now() - last < 1000) return
    running = true
    last = performance.now()
    report(share)
      // Only a display value.
      .catch(() => {})
      .finally(() => {
        running = false
      })
  }
}
