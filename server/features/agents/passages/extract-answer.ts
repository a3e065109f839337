import { contentWords } from '../../../platform/content-words.ts'
import type { Source } from '../../knowledge/retrieval/retrieve-passages.ts'

/** A sentence with less than this share of the question, by the weight of its words, is about something else. */
const leastShare = 0.4
const longestAnswer = 400

/** The sentences of the passages that have most of the question's words; none where nothing fits. */
export function extractAnswer(question: string, sources: Source[]): { text: string; source: Source } | undefined {
  const asked = [...contentWords(question)]
  const passages = sources.map((source) => {
    const sentences = sentencesOf(source.text)
    return { source, sentences, found: sentences.map((sentence) => wordsIn(sentence, asked)) }
  })
  const weights = weightsOf(
    asked,
    passages.flatMap(({ found }) => found),
  )
  const whole = sumOf(asked, weights)
  let best: { share: number; text: string; source: Source } | undefined
  for (const { source, sentences, found } of passages) {
    for (const [i, sentence] of sentences.entries()) {
      const share = sumOf(found[i] as string[], weights) / whole
      if (!(share >= leastShare) || share <= (best?.share ?? 0)) continue
      const text = isQuestion(sentence) ? answerAfter(sentences, i) : withHeading(sentences, i)
      if (text === '') continue
      best = { share, text, source }
    }
  }
  if (!best) return undefined
  const text = best.text.length > longestAnswer ? `${best.text.slice(0, longestAnswer).toWellFormed()} …` : best.text
  return { text, source: best.source }
}

/** A word that few sentences have says more than one that many have, and most of all one that none has. */
function weightsOf(asked: string[], sentences: string[][]): Map<string, number> {
  const counts = (word: string) => sentences.filter((words) => words.includes(word)).length
  return new Map(asked.map((word) => [word, Math.log(1 + (sentences.length + 1) / (counts(word) + 0.5))]))
}

const sumOf = (words: string[], weights: Map<string, number>): number =>
  words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0)

/** Those of the question's words that the sentence has. Short beginnings count beside another word: "market" is not "mark". */
function wordsIn(sentence: string, asked: string[]): string[] {
  const words = [...contentWords(sentence)]
  const found = (shortest: Shortest) =>
    asked.filter(
      (word) =>
        words.some((each) => isSameWord(word, each, shortest.beginning)) || isPart(word, sentence, shortest.part),
    )
  return found(sure).length > 0 ? found(likely) : []
}

/** What a stemmer would cut off. */
const longestEnding = 2
/** In letters: the beginning that makes two words one, and a word without spaces around it within a sentence. */
interface Shortest {
  beginning: number
  part: number
}
/** Alone, shorter ones are chance. */
const sure: Shortest = { beginning: 5, part: 2 }
const likely: Shortest = { beginning: 4, part: 1 }
const leastBeginning = 0.6

/** Endings differ: `kosten` and `kostet`, `reembolso` and `reembolsado`. */
function isSameWord(one: string, other: string, shortest: number): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  return same >= Math.max(shortest, short.length - longestEnding, long.length * leastBeginning) && isSpelled.test(short)
}

/** Scripts whose words end in letters that change; others keep theirs or have their own rules in `contentWords`. */
const isSpelled = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u

/** In scripts without spaces, words are cut differently beside others: 北京 and 北京市. */
const isPart = (word: string, sentence: string, shortest: number): boolean =>
  word.length >= shortest &&
  /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]+$/u.test(word) &&
  sentence.includes(word)

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
