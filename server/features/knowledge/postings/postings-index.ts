import type { TenantScope, TenantSql } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { guessWords } from '../retrieval/guess-words.ts'
import type { KeywordQuery, KeywordRanking, Question } from '../retrieval/queries.ts'
import { listReadyDocuments } from './queries.ts'
import { readSegments } from './read-segments.ts'
import { scoreChunks, type WantedLexeme } from './score-chunks.ts'
import { lexemesLike, type Segment, type SegmentDocument } from './segment.ts'

/** Ranks by keyword from postings in memory, with the scores that `rankByKeyword` computes in SQL. */
export interface PostingsIndex {
  /** Undefined when the memory has no current copy: the caller asks the database. */
  rank(sql: TenantSql, question: Question, query: KeywordQuery): Promise<KeywordRanking | undefined>
}

interface PostingsIndexOptions {
  maxBytes: number
  log: Log
  /** A copy that lacks up to this many chunks is brought up to date before it answers; reading them takes some 50 ms. */
  maxAwaitedChunks?: number
}

/** One segment, and which of its documents are still there with the same text. */
interface Part {
  segment: Segment
  alive: Set<number>
}

/** The postings of one organization and mode. */
interface Copy {
  version: number
  parts: Part[]
  bytes: number
  refreshing: Promise<void> | undefined
}

/** Beyond this many small segments they are read again as one. */
const maxSmallParts = 16
const smallChunks = 4096
/** Vocabulary entries of a prefix that are compared with a misspelled word. */
const maxGuesses = 3000

/**
 * A copy answers only while the organization's knowledge has the version it was read at. It is read through the scope
 * of a caller, so it never has more than that organization and mode. When the memory is full, the least recently used
 * copy goes; one that does not fit at all is not tried again until its version changes.
 */
export function createPostingsIndex({ maxBytes, log, maxAwaitedChunks = 1024 }: PostingsIndexOptions): PostingsIndex {
  /** Least recently used first. */
  const copies = new Map<string, Copy>()
  const tooLarge = new Map<string, number>()
  let used = 0

  function drop(key: string, copy: Copy): void {
    if (copies.get(key) === copy) copies.delete(key)
    used -= copy.bytes
    copy.bytes = 0
  }

  function makeRoom(bytes: number, except: Copy): boolean {
    for (const [key, copy] of copies) {
      if (used + bytes <= maxBytes) break
      if (copy !== except && !copy.refreshing) drop(key, copy)
    }
    return used + bytes <= maxBytes
  }

  /** Adds the documents that it lacks; false when there is no room for them. */
  async function addMissing(sql: TenantSql, copy: Copy, parts: Part[], missing: SegmentDocument[]): Promise<boolean> {
    for await (const segment of readSegments(sql, missing)) {
      if (!makeRoom(segment.bytes, copy)) return false
      used += segment.bytes
      copy.bytes += segment.bytes
      parts.push({ segment, alive: new Set(segment.documents.keys()) })
    }
    return true
  }

  async function refresh(sql: TenantSql, key: string, copy: Copy, version: number): Promise<void> {
    try {
      const ready = new Map((await listReadyDocuments(sql)).map((document) => [document.id, document]))
      const { kept, missing } = compareWith(copy.parts, ready)
      const keptBytes = kept.reduce((sum, { segment }) => sum + segment.bytes, 0)
      used -= copy.bytes - keptBytes
      copy.bytes = keptBytes
      const isComplete = await addMissing(sql, copy, kept, missing)
      copy.parts = kept
      // Read after the version: what changed meanwhile raises it again, and the next search notices.
      if (isComplete) copy.version = version
      else {
        drop(key, copy)
        if (tooLarge.size > 1000) tooLarge.clear()
        tooLarge.set(key, version)
      }
    } catch (error) {
      drop(key, copy)
      throw error
    }
  }

  /** Starts to read what a copy lacks; resolves to whether it is worth waiting for. */
  function bringUpToDate(sql: TenantSql, key: string, copy: Copy, question: Question): boolean {
    copy.refreshing ??= refresh(sql, key, copy, question.version)
      .catch((err) => log.warn({ err }, 'knowledge search: postings not read, the database ranks instead'))
      .finally(() => {
        copy.refreshing = undefined
      })
    const known = copy.parts.reduce((sum, { segment }) => sum + segment.documentOf.length, 0)
    return question.chunks - known <= maxAwaitedChunks
  }

  async function currentParts(sql: TenantSql, question: Question): Promise<Part[] | undefined> {
    const key = keyOf(sql.scope)
    if (tooLarge.get(key) === question.version) return undefined
    const copy = copies.get(key) ?? { version: -1, parts: [], bytes: 0, refreshing: undefined }
    copies.delete(key)
    copies.set(key, copy)
    if (copy.version !== question.version) {
      const isSoon = bringUpToDate(sql, key, copy, question)
      if (isSoon) await copy.refreshing
    }
    return copy.version === question.version ? copy.parts : undefined
  }

  return {
    async rank(sql, question, query) {
      const main = languageOf(question)
      if (!main) return { lexemes: [], unknown: [], whole: 0, language: '', hits: [] }
      const parts = await currentParts(sql, question)
      if (!parts) return undefined
      const asked = query.documentIds && new Set(query.documentIds)
      const score = (guesses: string[]) =>
        scoreChunks(parts, {
          wanted: wantedBy(question, guesses),
          totals: { chunks: question.chunks, lexemes: question.total_lexemes },
          isAsked: (id) => asked?.has(id) ?? true,
          limit: query.limit,
        })
      const ranked = await score([])
      const unknown = main.lexemes.filter((lexeme) => ranked.unknown.has(lexeme))
      const guesses = await guessWords(unknown, async (words, prefix) => vocabularyLike(parts, words, prefix))
      const { hits, wholes } = guesses.length > 0 ? await score(guesses) : ranked
      const whole = wholes.get(main.language) ?? Math.max(0, ...wholes.values())
      const lexemes = wantedBy(question, guesses).map(({ lexeme }) => lexeme)
      return { lexemes, unknown, whole, language: main.language, hits }
    },
  }
}

const keyOf = ({ organizationId, livemode }: TenantScope) => `${organizationId} ${livemode}`

/**
 * The language of the question is the one where it has most stop words, and so the fewest lexemes: in others they are
 * words that no document has. The languages come in the order of their chunks.
 */
const languageOf = ({ languages }: Question) => languages.toSorted((a, b) => a.lexemes.length - b.lexemes.length)[0]

/** Which segments stay, and which documents have to be read. */
function compareWith(parts: Part[], ready: Map<string, SegmentDocument>): { kept: Part[]; missing: SegmentDocument[] } {
  const missing = new Map(ready)
  const current = parts.map(({ segment }) => ({
    segment,
    alive: new Set(
      [...segment.documents.entries()]
        .filter(([, { id, revision }]) => ready.get(id)?.revision === revision)
        .map(([i]) => i),
    ),
  }))
  const isSmall = ({ segment }: Part) => segment.documentOf.length < smallChunks
  const hasTooManySmall = current.filter(isSmall).length > maxSmallParts
  const kept = current.filter(
    (part) => part.alive.size * 2 > part.segment.documents.length && !(hasTooManySmall && isSmall(part)),
  )
  for (const { segment, alive } of kept) for (const i of alive) missing.delete(segment.documents[i]?.id as string)
  return { kept, missing: [...missing.values()] }
}

function wantedBy({ languages }: Question, guesses: string[]): WantedLexeme[] {
  const wanted = new Map<string, WantedLexeme>()
  for (const { language, lexemes } of languages)
    for (const lexeme of [...lexemes, ...guesses]) {
      const known = wanted.get(lexeme) ?? { lexeme, languages: new Set(), isGuess: guesses.includes(lexeme) }
      known.languages.add(language)
      wanted.set(lexeme, known)
    }
  return [...wanted.values()]
}

function vocabularyLike(parts: Part[], words: string[], prefix: number): { word: string; lexeme: string }[] {
  return words.flatMap((word) => {
    const like = new Set<string>()
    for (const { segment } of parts)
      for (const lexeme of lexemesLike(segment, word.slice(0, prefix))) {
        if (like.size >= maxGuesses) break
        like.add(lexeme)
      }
    return [...like].map((lexeme) => ({ word, lexeme }))
  })
}
