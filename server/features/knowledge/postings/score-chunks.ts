import { setImmediate as nextTurn } from 'node:timers/promises'
import { byScore } from '../retrieval/fuse-rankings.ts'
import type { KeywordHit } from '../retrieval/queries.ts'
import { type Best, keepBest } from '../vectors/best-chunks.ts'
import { frequencyBits, postingsOf, type Segment, type SegmentDocument } from './segment.ts'

/** A lexeme of the question: a word may have another lexeme in each language. */
export interface WantedLexeme {
  lexeme: string
  languages: Set<string>
  isGuess: boolean
}

interface ScoreOptions {
  wanted: WantedLexeme[]
  /** Of all documents of the organization. */
  totals: { chunks: number; lexemes: number }
  /** Whether a document of a segment may be found. */
  isAsked(documentId: string): boolean
  limit: number
}

/** How long it may block the event loop. */
const turnMs = 5
const frequencyMask = (1 << frequencyBits) - 1

/** The same BM25 as `rankByKeyword` computes in SQL. `alive` has the documents of each segment that still exist. */
export async function scoreChunks(
  segments: { segment: Segment; alive: Set<number> }[],
  { wanted, totals, isAsked, limit }: ScoreOptions,
) {
  const slope = (0.9 * totals.chunks) / totals.lexemes
  const terms = wanted.map((each) => {
    const bytes = Buffer.from(each.lexeme)
    const ranges = segments.map(({ segment }) => postingsOf(segment, bytes))
    const n = segments.reduce((sum, part, i) => sum + countAlive(part, ranges[i] as Range), 0)
    const idf = Math.log(1 + (totals.chunks - n + 0.5) / (n + 0.5))
    return { ...each, ranges, n, weight: each.isGuess ? idf / 2 : idf }
  })
  const wholes = wholesOf(terms)
  const best = keepBest<Candidate>(limit)
  let turn = performance.now()
  for (const [part, { segment, alive }] of segments.entries()) {
    const isFound = segment.documents.map(({ id }, place) => alive.has(place) && isAsked(id))
    offerChunks(segment, part, scoreSegment(segment, part, terms, slope), isFound, best)
    if (performance.now() - turn < turnMs) continue
    await nextTurn()
    turn = performance.now()
  }
  const unknown = new Set(terms.filter(({ n }) => n === 0).map(({ lexeme }) => lexeme))
  const hits = best.sorted().sort(byScore)
  return {
    hits: hits.map(({ part, chunk, ...hit }) => {
      const { segment } = segments[part] as { segment: Segment }
      const { language } = segment.documents[segment.documentOf[chunk] as number] as SegmentDocument
      const covered = coveredBy(segment, part, terms, { chunk, language })
      return { ...hit, coverage: covered / (wholes.get(language) as number) }
    }),
    unknown,
    /** Of the question's words, in each language. */
    wholes,
  }
}

interface Candidate extends Omit<KeywordHit, 'coverage'> {
  part: number
  chunk: number
}

function offerChunks(
  { documents, documentOf, ordinals }: Segment,
  part: number,
  scores: Float64Array,
  isFound: boolean[],
  best: Best<Candidate>,
): void {
  let threshold = Math.max(0, best.threshold())
  for (let chunk = 0; chunk < scores.length; chunk++) {
    const score = 2.2 * (scores[chunk] as number)
    if (score <= threshold) continue
    const place = documentOf[chunk] as number
    if (!isFound[place]) continue
    const { id } = documents[place] as SegmentDocument
    best.offer({ document_id: id, ordinal: ordinals[chunk] as number, score, part, chunk })
    threshold = Math.max(0, best.threshold())
  }
}

interface Range {
  start: number
  end: number
}
type Term = WantedLexeme & { ranges: Range[]; weight: number }

function countAlive({ segment, alive }: { segment: Segment; alive: Set<number> }, { start, end }: Range): number {
  if (alive.size === segment.documents.length) return end - start
  let count = 0
  for (let i = start; i < end; i++)
    if (alive.has(segment.documentOf[(segment.postings[i] as number) >>> frequencyBits] as number)) count++
  return count
}

/** The weight of all words of the question in each language. */
function wholesOf(terms: Term[]): Map<string, number> {
  const wholes = new Map<string, number>()
  for (const { languages, weight } of terms)
    for (const language of languages) wholes.set(language, (wholes.get(language) ?? 0) + weight)
  return wholes
}

const none = new Uint8Array()

function scoreSegment(segment: Segment, part: number, terms: Term[], slope: number): Float64Array {
  const { documents, languages: all, documentOf, lengths, postings } = segment
  const scores = new Float64Array(documentOf.length)
  for (const { ranges, weight, languages } of terms) {
    const { start, end } = ranges[part] as Range
    if (start === end) continue
    const fitAll = all.every((language) => languages.has(language))
    const fits = fitAll ? none : Uint8Array.from(documents, ({ language }) => (languages.has(language) ? 1 : 0))
    for (let i = start; i < end; i++) {
      const posting = postings[i] as number
      const chunk = posting >>> frequencyBits
      if (!fitAll && fits[documentOf[chunk] as number] === 0) continue
      const frequency = posting & frequencyMask
      scores[chunk] =
        (scores[chunk] as number) + (weight * frequency) / (frequency + 0.3 + slope * (lengths[chunk] as number))
    }
  }
  return scores
}

/** The weight of the words that a chunk has. */
function coveredBy(
  { postings }: Segment,
  part: number,
  terms: Term[],
  { chunk, language }: { chunk: number; language: string },
): number {
  let covered = 0
  for (const { ranges, weight, languages } of terms)
    if (languages.has(language) && hasChunk(postings, ranges[part] as Range, chunk)) covered += weight
  return covered
}

/** The postings of a lexeme are in the order of their chunks. */
function hasChunk(postings: Uint32Array, { start, end }: Range, chunk: number): boolean {
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = (postings[middle] as number) >>> frequencyBits
    if (found === chunk) return true
    if (found < chunk) low = middle + 1
    else high = middle
  }
  return false
}
