import type { Database, TenantScope, TenantTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { type Embedder, EmbeddingError } from '../../../providers/embeddings/contract.ts'
import type { Embedders } from '../embedders.ts'
import {
  insertGap,
  listRepresentatives,
  listUngrouped,
  lockGrouping,
  lockUngrouped,
  putIntoGap,
  reopenGap,
  shareGap,
} from './queries.ts'
import { type Comparable, type Comparing, likeness } from './similar-questions.ts'

interface Grouping {
  database: Database
  embedders: Embedders
  log: Log
}

const batchSize = 50
/** Groups that a new question is compared with. */
const mostGroups = 2_000

interface Group extends Comparable {
  gapId: string
}

/** Puts new questions into groups of one meaning. The model is called before the transaction that writes the groups. */
export async function groupQuestions(deps: Grouping, scope: TenantScope, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const found = await listUngrouped(deps.database.forTenant(scope), batchSize)
    if (found.length === 0) return
    const embedder = deps.embedders.current(scope.livemode, scope.organizationId)
    const vectors = await embed(deps, embedder, found, signal)
    const scale = await deps.embedders.scaleOf(embedder, scope.organizationId)
    const comparing = { scale, isEnglish: embedder.isEnglish ?? false }
    await deps.database.inTenant(scope, (tx) => writeGroups(tx, vectors, comparing))
  }
}

/** By question. Without a model, words decide. */
async function embed(
  { log }: Grouping,
  embedder: Embedder,
  questions: { id: string; text: string }[],
  signal: AbortSignal,
): Promise<Map<string, Omit<Comparable, 'text'>>> {
  const texts = questions.map(({ text }) => text)
  const vectors = await embedder.embed(texts, signal, 'question').catch((error) => {
    if (!(error instanceof EmbeddingError)) throw error
    log.warn({ err: error }, 'knowledge gaps: embedding failed, grouping by words')
    return undefined
  })
  return new Map(
    questions.map(({ id }, i) => [id, { vector: vectors?.[i], model: vectors ? embedder.model : null }] as const),
  )
}

async function writeGroups(
  tx: TenantTx,
  vectors: Map<string, Omit<Comparable, 'text'>>,
  comparing: Comparing,
): Promise<void> {
  await lockGrouping(tx)
  const questions = await lockUngrouped(tx, [...vectors.keys()])
  const groups = (await listRepresentatives(tx, mostGroups)).map(
    ({ gap_id: gapId, text, vector, embedding_model: model }): Group => ({
      gapId,
      text,
      vector: floats(vector),
      model,
    }),
  )
  for (const { id, text } of questions) {
    const question: Comparable = { text, ...(vectors.get(id) as Omit<Comparable, 'text'>) }
    const gapId = (await nearest(tx, question, groups, comparing)) ?? newId()
    if (!groups.some((group) => group.gapId === gapId)) {
      await insertGap(tx, gapId)
      groups.push({ ...question, gapId })
    }
    await putIntoGap(tx, { id, gapId, vector: bytes(question.vector), model: question.model })
    await reopenGap(tx, gapId, id)
  }
}

/** The nearest group that is still there: the last question of a group may be erased meanwhile. */
async function nearest(
  tx: TenantTx,
  question: Comparable,
  groups: Group[],
  comparing: Comparing,
): Promise<string | undefined> {
  const ranked = groups
    .map((group) => ({ gapId: group.gapId, score: likeness(question, group, comparing) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  for (const { gapId } of ranked) if (await shareGap(tx, gapId)) return gapId
  return undefined
}

const bytes = (vector: Float32Array | undefined): Buffer | null =>
  vector ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength) : null

/** Copied: the driver's buffer may start at an address that is no multiple of four. */
const floats = (stored: Buffer | null): Float32Array | undefined =>
  stored ? new Float32Array(Uint8Array.from(stored).buffer) : undefined
