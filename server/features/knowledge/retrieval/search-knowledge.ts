import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { EmbeddingError } from '../../../providers/embeddings/contract.ts'
import type { Embedders } from '../embedders.ts'
import type { Search, SearchResult, SearchResults } from '../schema.ts'
import { wordsOfQuestion } from '../searchable-words.ts'
import type { VectorIndex } from '../vectors/contract.ts'
import { fuseRankings, type Hit } from './fuse-rankings.ts'
import { preferNearWords } from './near-words.ts'
import { phrasesOf, preferPhrases } from './phrases.ts'
import { type KeywordRanking, limitStatements, readPassages } from './queries.ts'
import { rankByVector } from './rank-by-vector.ts'
import { rankByWords } from './rank-by-words.ts'

export interface Retrieval {
  database: Database
  embedders: Embedders
  vectorIndex: VectorIndex
  log: Log
  /** The weight of keywords against vectors, from 0 to 1. */
  keywordWeight: number
}

/** How far down each half is read: a chunk below this in both never reaches the top. */
const depth = 50

/** How many of the best are ranked again by word distance. */
const lookedAt = 20

/** The weight of the question's words being close together, where documents have them at all. */
const nearCounts = 0.4

interface Half {
  rankings: Hit[][]
  /** The lexemes of the question's words. */
  lexemes: string[]
  /** From 0 to 1: how much of the question the best chunks cover. */
  trust: number
  partial: boolean
}

const nothing: Half = { rankings: [], lexemes: [], trust: 1, partial: false }
const outOfTime: Half = { ...nothing, partial: true }

/** Finds the chunks that answer the question best, by keywords, by vectors or by both. */
export async function searchKnowledge(deps: Retrieval, scope: TenantScope, search: Search): Promise<SearchResults> {
  const began = performance.now()
  const { query, top_k: limit, mode, timeout_ms: timeoutMs } = search
  const documentIds = search.document_ids ?? undefined
  const signal = timeoutMs ? AbortSignal.timeout(timeoutMs) : undefined
  const asked = { query, documentIds, signal, timeoutMs: timeoutMs ?? undefined }
  const [keyword, vector] = await Promise.all([
    mode === 'vector' ? nothing : inTime(signal, byKeyword(deps, scope, asked)),
    mode === 'keyword' ? nothing : inTime(signal, byVector(deps, scope, asked, mode === 'vector')),
  ])
  const found = fuse(keyword, vector, deps.keywordWeight)
  const near = { lexemes: keyword.lexemes, counts: nearCounts * keyword.trust }
  const results = await read(deps, scope, found, { phrases: phrasesOf(query), near, limit })
  const took_ms = Math.round((performance.now() - began) * 10) / 10
  return keyword.partial || vector.partial ? { results, took_ms, partial: true } : { results, took_ms }
}

interface Asked {
  query: string
  documentIds: string[] | undefined
  signal: AbortSignal | undefined
  timeoutMs: number | undefined
}

async function byKeyword(
  { database }: Retrieval,
  scope: TenantScope,
  { query, documentIds, timeoutMs }: Asked,
): Promise<Half> {
  const wanted = { words: wordsOfQuestion(query), documentIds: documentIds ?? null, limit: depth }
  if (timeoutMs === undefined) return keywordHalf(await rankByWords(database.forTenant(scope), wanted))
  try {
    // The caller stopped waiting, so the database stops too.
    return await database.inTenant(scope, async (tx) => {
      const [, ranking] = await Promise.all([limitStatements(tx, timeoutMs), rankByWords(tx, wanted)])
      return keywordHalf(ranking)
    })
  } catch (error) {
    if ((error as { code?: string }).code === queryCanceled) return outOfTime
    throw error
  }
}

const queryCanceled = '57014'

/** Where even the best chunks have few of the question's words, others probably say the same in other words. */
const keywordHalf = ({ hits, lexemes }: KeywordRanking): Half => ({
  rankings: [hits],
  lexemes,
  trust: Math.max(0, ...hits.slice(0, 5).map(({ coverage }) => coverage)),
  partial: false,
})

async function byVector(deps: Retrieval, scope: TenantScope, asked: Asked, isAlone: boolean): Promise<Half> {
  try {
    const rankings = await rankByVector(deps.database.forTenant(scope), deps, { ...asked, limit: depth })
    const partial = rankings.some((ranking) => ranking.partial)
    return { ...nothing, rankings: rankings.map(({ hits }) => hits), partial }
  } catch (error) {
    if (asked.signal?.aborted) return outOfTime
    if (!(error instanceof EmbeddingError)) throw error
    if (isAlone)
      throw new AppError(502, 'The embedding model is not available', {
        upstream: { code: error.verdict, message: error.message },
      })
    // Keywords still find most of what there is.
    deps.log.warn({ err: error }, 'knowledge search: vectors unavailable, answering by keywords')
    return outOfTime
  }
}

/** Results that are late are left out, and their work is not awaited. */
async function inTime(signal: AbortSignal | undefined, half: Promise<Half>): Promise<Half> {
  if (!signal) return half
  const timeUp = Promise.withResolvers<Half>()
  const onAbort = () => timeUp.resolve(outOfTime)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  half.catch(() => {})
  return Promise.race([half, timeUp.promise])
}

/** A half that stands alone keeps its own scores. */
function fuse(keyword: Half, vector: Half, keywordWeight: number): Hit[] {
  const all = [...keyword.rankings, ...vector.rankings]
  if (all.length === 1) return all[0] as Hit[]
  const weight = keywordWeight * keyword.trust
  return fuseRankings([
    // A chunk without any of the words would score zero; how far the farthest vector is depends on how many were read.
    ...keyword.rankings.map((hits) => ({ hits, weight, worthless: 0 })),
    ...vector.rankings.map((hits) => ({ hits, weight: 1 - weight, worthless: hits.at(-1)?.score ?? 0 })),
  ])
}

async function read(
  { database }: Retrieval,
  scope: TenantScope,
  found: Hit[],
  { phrases, near, limit }: { phrases: string[]; near: { lexemes: string[]; counts: number }; limit: number },
): Promise<SearchResult[]> {
  const wanted = phrases.length > 0 ? found : found.slice(0, Math.max(limit, near.lexemes.length > 1 ? lookedAt : 0))
  if (wanted.length === 0) return []
  const passages = await readPassages(database.forTenant(scope), wanted)
  const byChunk = new Map(passages.map((passage) => [`${passage.document_id} ${passage.ordinal}`, passage]))
  const candidates = wanted.flatMap((hit) => {
    const passage = byChunk.get(`${hit.document_id} ${hit.ordinal}`)
    return passage ? [{ ...passage, score: hit.score }] : []
  })
  return preferPhrases(preferNearWords(candidates, near), phrases)
    .slice(0, limit)
    .map(({ ordinal: _, ...result }) => result)
}
