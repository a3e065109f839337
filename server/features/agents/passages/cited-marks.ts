import { contentWords } from '../../../platform/content-words.ts'
import type { Source } from '../../knowledge/retrieval/retrieve-passages.ts'

/** By this number a model says that its knowledge has no answer. */
export const noAnswerMark = 0

/** `[2]`, `[1, 3]`, and the brackets that some models use for citations. */
const mark = /\s*[[【]\s*(\d{1,2}(?:\s*[,;]\s*\d{1,2})*)\s*[\]】]/g
/** What may become a mark with the next piece, with the space before it. */
const unfinished = /\s*(?:[[【][\d\s,;]{0,24})?$/

/** Removes the marks from an answer as it streams, and collects the numbers in them. */
export function createMarkFilter() {
  const cited = new Set<number>()
  let held = ''
  const strip = (text: string): string =>
    text.replace(mark, (_, numbers: string) => {
      for (const number of numbers.split(/[,;]/)) cited.add(Number(number))
      return ''
    })
  return {
    cited,
    push(piece: string): string {
      const text = strip(held + piece)
      const safe = unfinished.exec(text)?.index ?? text.length
      held = text.slice(safe)
      return text.slice(0, safe)
    },
    /** What was held back after the last piece. */
    end(): string {
      const rest = strip(held).trimEnd()
      held = ''
      return rest
    },
    strip,
  }
}

/** A sentence with this share of its content words in a passage was taken from it. */
const takenShare = 0.6

/**
 * The passages that the answer used: those that it cites or, without marks, those that one of its sentences is made of.
 * A sentence that only repeats the question is taken from nowhere.
 */
export function usedSources(
  { text, question, cited }: { text: string; question: string; cited: Set<number> },
  sources: Source[],
): Source[] {
  const named = sources.filter(({ number }) => cited.has(number))
  if (named.length > 0 || cited.has(noAnswerMark) || sources.length === 0) return named
  const asked = contentWords(question)
  const passages = sources.map((source) => ({ source, words: contentWords(source.text) }))
  const used = new Set<Source>()
  for (const sentence of text.split(/(?<=[.!?。！？।؟])\s*|\n+/)) {
    const words = [...contentWords(sentence)]
    if (words.length < 2) continue
    const shares = passages.map(({ source, words: known }) => {
      const shared = words.filter((word) => known.has(word))
      return { source, share: shared.every((word) => asked.has(word)) ? 0 : shared.length / words.length }
    })
    const best = shares.reduce((a, b) => (b.share > a.share ? b : a))
    if (best.share >= takenShare) used.add(best.source)
  }
  return sources.filter((source) => used.has(source))
}
