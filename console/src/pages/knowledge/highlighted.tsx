import { Fragment } from 'react'

/** Stop words. */
const common = new Set(
  'a an and are as at be by can could do does for from have how i in is it many much my of on or our the there to was we what when where which who why will with you your'.split(
    ' ',
  ),
)

const plain = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Words match by stem: "refund" also marks "refunds" and "refunded". */
function stemsOf(question: string): string[] {
  const words = (question.match(/[\p{L}\p{N}]+/gu) ?? []).map(plain)
  const telling = words.filter((word) => !common.has(word))
  return (telling.length > 0 ? telling : words).map((word) => (word.length > 5 ? word.slice(0, -2) : word))
}

/** A passage with the words of the question marked. */
export function Highlighted({ text, question }: { text: string; question: string }) {
  const stems = stemsOf(question)
  const parts = text.split(/([\p{L}\p{N}\p{M}]+)/u)
  return parts.map((part, i) => {
    const word = i % 2 === 1 ? plain(part) : ''
    const isMarked = word !== '' && stems.some((stem) => (stem.length > 3 ? word.startsWith(stem) : word === stem))
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no ID
    return <Fragment key={i}>{isMarked ? <mark>{part}</mark> : part}</Fragment>
  })
}
