import type { SpokenWord } from '../../../providers/speech/contract.ts'
import type { SpokenText } from './spoken/signs-to-words.ts'

export const asWritten = (text: string): SpokenText => ({ text, writtenEnd: (end) => end })

/**
 * The words of a sentence that were certainly heard when only part of its audio was played. If the voice tells when it
 * speaks each word, that decides. Otherwise positions are estimated from the number of characters that it got, so the
 * last word within the estimate is dropped: the transcript may lack a word but never contains one that was not heard.
 */
export function playedText(
  text: string,
  playedMs: number,
  totalMs: number,
  times: SpokenWord[] = [],
  spoken: SpokenText = asWritten(text),
): string {
  if (totalMs > 0 && playedMs >= totalMs) return text
  if (playedMs <= 0 || totalMs <= 0) return ''
  if (times.length > 0) {
    // Not the last word with an earlier time: the clock of a voice may jump back in the middle of a sentence.
    const unheard = times.findIndex(({ endMs }) => endMs > playedMs)
    const heard = unheard < 0 ? times : times.slice(0, unheard)
    return text.slice(0, heard.at(-1)?.end ?? 0).trimEnd()
  }
  const limit = (playedMs / totalMs) * spoken.text.length
  const ends = [...spoken.text.matchAll(/ |$/g)].map(({ index }) => index).filter((end) => end <= limit)
  return text.slice(0, spoken.writtenEnd(ends.at(-2) ?? 0)).trimEnd()
}
