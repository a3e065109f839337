import type { SpokenWord } from '../../../providers/speech/contract.ts'

/**
 * The words of a sentence that were certainly heard when only part of its audio was played. If the voice tells when it
 * speaks each word, that decides. Otherwise positions are estimated from the number of characters, so the last word
 * within the estimate is dropped: the transcript may lack a word but never contains one that was not heard.
 */
export function playedText(text: string, playedMs: number, totalMs: number, spoken: SpokenWord[] = []): string {
  if (totalMs > 0 && playedMs >= totalMs) return text
  if (playedMs <= 0 || totalMs <= 0) return ''
  if (spoken.length > 0) return text.slice(0, spoken.findLast(({ endMs }) => endMs <= playedMs)?.end ?? 0).trimEnd()
  const limit = (playedMs / totalMs) * text.length
  const words: string[] = []
  let end = 0
  for (const word of text.split(' ')) {
    end += word.length + (words.length > 0 ? 1 : 0)
    if (end > limit) break
    words.push(word)
  }
  return words.slice(0, -1).join(' ')
}
