import { contentWords } from '../../platform/content-words.ts'
import type { Source } from '../knowledge/retrieval/retrieve-passages.ts'

/** A sentence with less than this share of the question's words is about something else. */
const leastShare = 0.4
const longestAnswer = 400

/** The sentences of the passages that have most of the question's words; none where nothing fits. */
export function extractAnswer(question: string, sources: Source[]): { text: string; source: Source } | undefined {
  const asked = contentWords(question)
  if (asked.size === 0) return undefined
  let best: { share: number; text: string; source: Source } | undefined
  for (const source of sources) {
    const sentences = sentencesOf(source.text)
    for (const [i, sentence] of sentences.entries()) {
      const words = contentWords(sentence)
      const share = [...asked].filter((word) => words.has(word) || isPart(word, sentence)).length / asked.size
      if (share < leastShare || share <= (best?.share ?? 0)) continue
      const text = isQuestion(sentence) ? answerAfter(sentences, i) : withHeading(sentences, i)
      if (text === '') continue
      best = { share, text, source }
    }
  }
  if (!best) return undefined
  const text = best.text.length > longestAnswer ? `${best.text.slice(0, longestAnswer).toWellFormed()} …` : best.text
  return { text, source: best.source }
}

/** In scripts without spaces, words are cut differently beside others: 北京 and 北京市. */
const isPart = (word: string, sentence: string): boolean =>
  word.length > 1 && /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]+$/u.test(word) && sentence.includes(word)

const isQuestion = (sentence: string): boolean => /[?？؟]$/.test(sentence)

/** A question is no answer: what follows it is, up to the next question. */
function answerAfter(sentences: string[], i: number): string {
  const first = sentences.findIndex((sentence, at) => at > i && !isQuestion(sentence))
  if (first === -1) return ''
  const end = sentences.findIndex((sentence, at) => at > first && isQuestion(sentence))
  return sentences.slice(first, end === -1 ? undefined : end).join(' ')
}

/** A heading alone is no answer: the text after it is. The row of a table, "Product: Lamp | Price: 9", is one. */
function withHeading(sentences: string[], i: number): string {
  const sentence = sentences[i] as string
  return /[.!。！।]$|: .* \| /.test(sentence) ? sentence : [sentence, sentences[i + 1]].filter(Boolean).join(' ')
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?؟।])\s+|(?<=[。！？])\s*|\n+/)
    .map((sentence) => sentence.replace(/^[#*\-\s]+/, '').trim())
    .filter((sentence) => sentence !== '')
