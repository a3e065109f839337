/**
 * The words of a sentence that were heard for sure when only part of its audio was played. Where words lie is
 * estimated by their length, so one more word than the estimate allows is left out: the transcript rather lacks a word
 * than holds one that nobody heard.
 */
export function playedText(text: string, playedMs: number, totalMs: number): string {
  if (totalMs > 0 && playedMs >= totalMs) return text
  if (playedMs <= 0 || totalMs <= 0) return ''
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
