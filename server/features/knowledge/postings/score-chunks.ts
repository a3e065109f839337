import { setImmediate as nextTurn } from 'node:timers/promises'
import { byScore } from '../retrieval/fuse-rankings.ts'
import type { KeywordHit } from '../retrieval/queries.ts'
import { keepBest } from '../vectors/best-chunks.ts'
import { frequencyBits, postingsOf, type Segment } from './segment.ts'

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
  const best = keepBest<KeywordHit>(limit)
  let turn = performance.now()
  for (const [i, { segment, alive }] of segments.entries()) {
    const { scores, covered } = scoreSegment(segment, i, terms, slope)
    const isFound = segment.documents.map(({ id }, place) => alive.has(place) && isAsked(id))
    for (let chunk = 0; chunk < scores.length; chunk++) {
      const score = 2.2 * (scores[chunk] as number)
      if (score === 0 || score <= best.threshold()) continue
      const place = segment.documentOf[chunk] as number
      if (!isFound[place]) continue
      const { id, language } = segment.documents[place] as Segment['documents'][number]
      const coverage = (covered[chunk] as number) / (wholes.get(language) as number)
      best.offer({ document_id: id, ordinal: segment.ordinals[chunk] as number, score, coverage })
    }
    if (performance.now() - turn < turnMs) continue
    await nextTurn()
    turn = performance.now()
  }
  const unknown = new Set(terms.filter(({ n }) => n === 0).map(({ lexeme }) => lexeme))
  return { hits: best.sorted().sort(byScore), unknown, whole: Math.max(0, ...wholes.values()) }
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

function scoreSegment(segment: Segment, number: number, terms: Term[], slope: number) {
  const { documents, documentOf, lengths, postings } = segment
  const scores = new Float64Array(documentOf.length)
  const covered = new Float64Array(documentOf.length)
  for (const { ranges, weight, languages } of terms) {
    const { start, end } = ranges[number] as Range
    if (start === end) continue
    const fits = Uint8Array.from(documents, ({ language }) => (languages.has(language) ? 1 : 0))
    for (let i = start; i < end; i++) {
      const posting = postings[i] as number
      const chunk = posting >>> frequencyBits
      if (fits[documentOf[chunk] as number] === 0) continue
      const frequency = posting & frequencyMask
      scores[chunk] =
        (scores[chunk] as number) + (weight * frequency) / (frequency + 0.3 + slope * (lengths[chunk] as number))
      covered[chunk] = (covered[chunk] as number) + weight
    }
  }
  return { scores, covered }
}
