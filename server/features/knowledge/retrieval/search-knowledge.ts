import type { Database, TenantScope, TenantSql } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { EmbeddingError } from '../../../providers/embeddings/contract.ts'
import type { Embedders } from '../embedders.ts'
import type { PostingsIndex } from '../postings/postings-index.ts'
import type { Search, SearchResult, SearchResults } from '../schema.ts'
import { wordsOfQuestion } from '../searchable-words.ts'
import type { VectorIndex } from '../vectors/contract.ts'
import { byScore, fuseRankings, type Hit } from './fuse-rankings.ts'
import { isSame, keepNearest, mostKept } from './keep-nearest.ts'
import { preferNearWords } from './near-words.ts'
import { phrasesOf, preferPhrases } from './phrases.ts'
import { type KeywordRanking, limitStatements, type Question, readPassages, readQuestion } from './queries.ts'
import { rankByVector, type VectorRanking } from './rank-by-vector.ts'
import { rankByWords } from './rank-by-words.ts'

export interface Retrieval {
  database: Database
  embedders: Embedders
  vectorIndex: VectorIndex
  /** Without it the database ranks by keyword. */
  postingsIndex?: PostingsIndex
  log: Log
  /** The weight of keywords against vectors, from 0 to 1. */
  keywordWeight: number
}

/** How far down each half is read: a chunk below this in both never reaches the top. */
const depth = 200

/** How many of the best are ranked again by word distance. */
const lookedAt = 20

/** The weight of the question's words being close together, where documents have them at all. */
const nearCounts = 0.35

interface Half {
  rankings: ScaledRanking[]
  /** The lexemes of the question's words. */
  lexemes: string[]
  /** From 0 to 1: how much of the question the best chunks cover. */
  trust: number
  /** Of the question, among those of the documents; empty if unknown. */
  language: string
  partial: boolean
}

interface ScaledRanking {
  hits: Hit[]
  from: number
  to: number
  /** Whether the best hit of a vector ranking may be more than chance; undefined where its model has no scale. */
  isNear?: boolean | undefined
  /** Made by a model that knows English alone. */
  isEnglish?: boolean
}

const nothing: Half = { rankings: [], lexemes: [], trust: 1, language: '', partial: false }
const outOfTime: Half = { ...nothing, partial: true }

/** How sure a search is that anything it found is about the question. */
export interface Evidence {
  /** From 0 to 1: how much of the question, by the weight of its words, the best chunks cover. */
  coverage: number
  /** Whether the vector of any chunk is nearer than chance explains; null where vectors do not tell. */
  isNear: boolean | null
  /** Whether there is anything to find. */
  searched: boolean
}

/** Finds the chunks that answer the question best, by keywords, by vectors or by both. */
export async function searchKnowledge(deps: Retrieval, scope: TenantScope, search: Search): Promise<SearchResults> {
  return (await searchWithEvidence(deps, scope, search)).found
}

export async function searchWithEvidence(
  deps: Retrieval,
  scope: TenantScope,
  search: Search,
): Promise<{ found: SearchResults; evidence: Evidence }> {
  const began = performance.now()
  const first = await searchOnce(deps, scope, search)
  // A chunk that was ranked and is gone belonged to a version that was just replaced: the new one has not been ranked.
  const { results, partial, evidence } = first.isOutdated ? await searchOnce(deps, scope, search) : first
  const took_ms = Math.round((performance.now() - began) * 10) / 10
  return { found: partial ? { results, took_ms, partial: true } : { results, took_ms }, evidence }
}

async function searchOnce(deps: Retrieval, scope: TenantScope, search: Search) {
  const { query, top_k: limit, mode, timeout_ms: timeoutMs } = search
  const documentIds = search.document_ids ?? undefined
  const signal = timeoutMs ? AbortSignal.timeout(timeoutMs) : undefined
  const words = mode === 'vector' ? '' : wordsOfQuestion(query)
  const question = readQuestion(deps.database.forTenant(scope), words)
  const asked = { query, words, question, documentIds, signal, timeoutMs: timeoutMs ?? undefined }
  const [keyword, vector] = await Promise.all([
    mode === 'vector' ? nothing : inTime(signal, byKeyword(deps, scope, asked)),
    mode === 'keyword' ? nothing : inTime(signal, byVector(deps, scope, asked, mode === 'vector')),
  ])
  const fused = fuse(keyword, vector, { query, keywordWeight: deps.keywordWeight })
  const near = { lexemes: keyword.lexemes, counts: nearCounts * keyword.trust }
  const read = await readResults(deps, scope, fused, { query, phrases: phrasesOf(query), near, limit })
  return { ...read, partial: keyword.partial || vector.partial, evidence: evidenceOf(keyword, vector) }
}

function evidenceOf(keyword: Half, vector: Half): Evidence {
  const near = vector.rankings.flatMap(({ isNear }) => isNear ?? [])
  return {
    coverage: keyword.rankings.length === 0 ? 0 : keyword.trust,
    isNear: near.length === 0 ? null : near.includes(true),
    searched: keyword.lexemes.length > 0 || vector.rankings.some(({ hits }) => hits.length > 0),
  }
}

interface Asked {
  query: string
  words: string
  question: Promise<Question>
  documentIds: string[] | undefined
  signal: AbortSignal | undefined
  timeoutMs: number | undefined
}

async function byKeyword(
  { database, postingsIndex }: Retrieval,
  scope: TenantScope,
  { words, question, documentIds, timeoutMs }: Asked,
): Promise<Half> {
  const wanted = { words, documentIds: documentIds ?? null, limit: depth }
  // The caller stops waiting then, so the database stops too.
  const limited = <T>(ask: (sql: TenantSql) => Promise<T>) =>
    timeoutMs === undefined
      ? ask(database.forTenant(scope))
      : database.inTenant(scope, async (tx) => (await Promise.all([limitStatements(tx, timeoutMs), ask(tx)]))[1])
  try {
    const knowledge = await question
    const ranking = await postingsIndex?.rank(database.forTenant(scope), knowledge, wanted)
    return keywordHalf(ranking ?? (await limited((sql) => rankByWords(sql, wanted))))
  } catch (error) {
    if ((error as { code?: string }).code === queryCanceled) return outOfTime
    throw error
  }
}

const queryCanceled = '57014'

/**
 * What a chunk scores that has every word of the question a few times, in parts of the sum of their weights; 2.2 is the
 * limit that BM25 approaches.
 */
const perfectMatch = 1.6

/** Where even the best chunks have few of the question's words, others probably say the same in other words. */
const keywordHalf = ({ hits, lexemes, whole, language }: KeywordRanking): Half => ({
  rankings: [{ hits, from: 0, to: perfectMatch * whole }],
  lexemes,
  trust: Math.max(0, ...hits.slice(0, 5).map(({ coverage }) => coverage)),
  language,
  partial: false,
})

/** Where a model has no scale, its own hits say what is far and what is near. */
const farHit = 49

function scaled({ hits, scale, isEnglish = false }: VectorRanking): ScaledRanking {
  const best = hits[0]?.score
  const from = scale?.unrelated ?? (hits[farHit] ?? hits.at(-1))?.score ?? 0
  const isNear = scale && best !== undefined ? best >= scale.floor : undefined
  return { hits, from, to: scale?.answer ?? best ?? 0, isNear, isEnglish }
}

async function byVector(deps: Retrieval, scope: TenantScope, asked: Asked, isAlone: boolean): Promise<Half> {
  try {
    const knowledge = await asked.question
    const rankings = await rankByVector(deps.database.forTenant(scope), deps, { ...asked, knowledge, limit: depth })
    const partial = rankings.some((ranking) => ranking.partial)
    return { ...nothing, rankings: rankings.map(scaled), partial }
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

interface Fused {
  found: Hit[]
  /** By vectors that know the language of the question, and where keywords compete with them. */
  nearest: Hit[]
  /** What vectors of an English model added to a score, where they count fully. */
  byEnglish: Map<string, number>
}

/** If only one half found anything, its own scores are kept. */
function fuse(keyword: Half, vector: Half, asked: { query: string; keywordWeight: number }): Fused {
  const all = [...keyword.rankings, ...vector.rankings]
  if (all.length === 1) return { found: (all[0] as ScaledRanking).hits, nearest: [], byEnglish: new Map() }
  const counts = weightOfEnglish(asked.query, keyword.language)
  // An English model does not know how another language says the same in other words.
  const trust = counts < 1 && vector.rankings.every(({ isEnglish }) => isEnglish) ? 1 : keyword.trust
  const weight = (asked.keywordWeight * (1 + 3 * trust)) / 4
  const byVector = vector.rankings.map((ranking) => ({
    ...ranking,
    weight: (1 - weight) * (ranking.isEnglish ? counts : 1),
  }))
  const found = fuseRankings([...keyword.rankings.map((ranking) => ({ ...ranking, weight })), ...byVector])
  const english = counts === 1 ? fuseRankings(byVector.filter(({ isEnglish }) => isEnglish)) : []
  const fluent = vector.rankings.find(({ isEnglish, isNear }) => isNear !== false && (!isEnglish || counts === 1))
  return {
    found,
    nearest: (keyword.rankings.length > 0 && fluent?.hits.slice(0, mostKept)) || [],
    byEnglish: new Map(english.map((hit) => [keyOf(hit), hit.score])),
  }
}

const keyOf = ({ document_id, ordinal }: Pick<Hit, 'document_id' | 'ordinal'>) => `${document_id} ${ordinal}`

/** What the vectors of an English model still say about another language: cognates and names in Latin letters. */
function weightOfEnglish(query: string, language: string): number {
  if (!isLatin(query)) return otherScript
  return language === 'english' || language === '' ? 1 : 0.2
}

/** To an English model, texts in other scripts are next to noise. */
const otherScript = 0.1

/** The beginning of a text tells its script. */
const scriptSample = 300

function isLatin(text: string): boolean {
  const sample = text.slice(0, scriptSample)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  return (sample.match(/\p{Script=Latin}/gu)?.length ?? 0) >= letters / 2
}

interface Ordering {
  query: string
  phrases: string[]
  near: { lexemes: string[]; counts: number }
  limit: number
}

async function readResults(
  { database }: Retrieval,
  scope: TenantScope,
  { found, nearest, byEnglish }: Fused,
  { query, phrases, near, limit }: Ordering,
): Promise<{ results: SearchResult[]; isOutdated: boolean }> {
  const first = phrases.length > 0 ? found : found.slice(0, Math.max(limit, near.lexemes.length > 1 ? lookedAt : 0))
  const isNearest = (hit: Hit) => nearest.some((each) => isSame(each, hit))
  const wanted = [...first, ...found.slice(first.length).filter(isNearest)]
  if (wanted.length === 0) return { results: [], isOutdated: false }
  const passages = await readPassages(database.forTenant(scope), wanted)
  const byChunk = new Map(passages.map((passage) => [keyOf(passage), passage]))
  const isForeign = byEnglish.size > 0 && isLatin(query) ? (text: string) => !isLatin(text) : () => false
  const candidates = wanted.flatMap((hit) => {
    const [key, passage] = [keyOf(hit), byChunk.get(keyOf(hit))]
    if (!passage) return []
    const noise = isForeign(passage.text) ? (byEnglish.get(key) ?? 0) * (1 - otherScript) : 0
    return [{ ...passage, score: hit.score - noise, isNoise: noise > 0 }]
  })
  const kept = nearest.filter((hit) => !candidates.some((each) => each.isNoise && isSame(each, hit)))
  const ordered = candidates.some(({ isNoise }) => isNoise) ? candidates.toSorted(byScore) : candidates
  const results = preferPhrases(keepNearest(preferNearWords(ordered, near), kept), phrases)
    .slice(0, limit)
    .map(({ ordinal: _, isNoise: __, ...result }) => result)
  return { results, isOutdated: candidates.length < wanted.length }
}
