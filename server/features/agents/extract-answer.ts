import { plainWords } from '../../providers/llm/phrases.ts'
import type { Source } from '../knowledge/retrieval/retrieve-passages.ts'

/** Words that say nothing about the subject of a question. */
const idle = new Set(
  'a an and any are as at be been but by can could did do does for from had has have how i if in into is it its just me my of on or our please shall she should so some tell than that the their them then there these they this those to us was we were what when where which who whom why will with would you your about much many'.split(
    ' ',
  ),
)

const stem = (word: string): string => (word.length > 4 ? word.replace(/(ing|ed|es|s)$/, '') : word)
const contentOf = (text: string): Set<string> =>
  new Set(
    plainWords(text)
      .filter((word) => !idle.has(word))
      .map(stem),
  )

/** A sentence with less than this share of the question's words is about something else. */
const leastShare = 0.4
const longestAnswer = 400

/** The sentences of the passages that have most of the question's words; none where nothing fits. */
export function extractAnswer(question: string, sources: Source[]): { text: string; source: Source } | undefined {
  const asked = contentOf(question)
  if (asked.size === 0) return undefined
  let best: { share: number; text: string; source: Source } | undefined
  for (const source of sources) {
    const sentences = sentencesOf(source.text)
    for (const [i, sentence] of sentences.entries()) {
      const words = contentOf(sentence)
      const share = [...asked].filter((word) => words.has(word)).length / asked.size
      if (share < leastShare || share <= (best?.share ?? 0)) continue
      // A heading alone is no answer: the text after it is.
      const isHeading = !/[.!?]$/.test(sentence)
      const text = isHeading ? [sentence, sentences[i + 1]].filter(Boolean).join(' ') : sentence
      best = { share, text, source }
    }
  }
  if (!best) return undefined
  const text = best.text.length > longestAnswer ? `${best.text.slice(0, longestAnswer).toWellFormed()} …` : best.text
  return { text, source: best.source }
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[#*\-\s]+/, '').trim())
    .filter((sentence) => sentence !== '')
