import { contentWords } from '../../../platform/content-words.ts'
import { languageOf } from '../../../platform/language-of.ts'
import type { CosineScale } from '../../../providers/embeddings/contract.ts'

export interface Comparable {
  text: string
  vector: Float32Array | undefined
  /** The model of the vector. */
  model: string | null
}

/** Of all content words of two questions, this share is in both. */
const leastSharedWords = 0.6

/**
 * Of the way from an unrelated passage to an answer. Measured with the local model (a cosine of 0.66) on 35 questions of
 * 12 meanings: half of the pairs of one meaning are found, a third at 0.72, and hardly more of the others.
 */
const leastNearness = 0.93

const leastCosine = ({ unrelated, answer }: CosineScale): number => unrelated + leastNearness * (answer - unrelated)

/** The model that compares: without a scale, words decide. */
export interface Comparing {
  scale: CosineScale | undefined
  isEnglish: boolean
}

/** How alike two questions are, from 0 to 1; 0 if they are not the same question. */
export function likeness(a: Comparable, b: Comparable, { scale, isEnglish }: Comparing): number {
  const words = sharedWords(contentWords(a.text), contentWords(b.text))
  const byWords = words >= leastSharedWords ? words : 0
  // To a model of English, texts in another script are all alike.
  const isComparable = a.model !== null && a.model === b.model && (!isEnglish || [a, b].every(isPlain))
  if (!isComparable || !scale || !a.vector || !b.vector) return byWords
  const cosine = dot(a.vector, b.vector)
  return Math.max(byWords, cosine >= leastCosine(scale) && !nameDifferent(a.text, b.text) ? cosine : 0)
}

/** "Do you deliver to Norway?" and the same about Sweden: to a model they are nearly one question. */
function nameDifferent(a: string, b: string): boolean {
  const [ofA, ofB] = [namesIn(a), namesIn(b)]
  if (ofA.every((name) => ofB.includes(name)) || ofB.every((name) => ofA.includes(name))) return false
  // German writes every noun with a capital letter: there, all else has to be the same.
  const isGerman = [a, b].some((text) => languageOf(text, '') === 'de')
  return !isGerman || a.replace(names, '') === b.replace(names, '')
}

/** Words with a capital letter that begin no sentence. */
const names = /(?<=[\p{L}\p{N},;] )\p{Lu}[\p{L}\p{N}]+/gu
const namesIn = (text: string): string[] => text.match(names)?.map((name) => name.toLowerCase()) ?? []

const isPlain = ({ text }: Comparable): boolean => !/[^\p{Script=Latin}\p{Script=Common}]/u.test(text)

function sharedWords(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length
  const all = a.size + b.size - shared
  return all === 0 ? 0 : shared / all
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)
