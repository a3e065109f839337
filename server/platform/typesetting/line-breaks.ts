const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** These end what came before, and never begin a line. */
const closing = /^[\p{Pe}\p{Pf}\p{Mn}\p{Mc}!%,.:;?·…、。々〻ゝゞヽヾー！，．：；？％’”～〜]/u
const opening = /[\p{Ps}\p{Pi}“‘¿¡$€£¥]$/u
const breakable = /[\s\-–—/]$/u

/** Where a line may begin within a paragraph, besides its start. */
export function lineBreaks(text: string): Set<number> {
  const breaks = new Set<number>()
  for (const { index } of words.segment(text)) {
    if (index === 0) continue
    const before = text.slice(Math.max(0, index - 2), index)
    const after = text.slice(index, index + 2)
    if (/^\s/.test(after) || closing.test(after) || opening.test(before)) continue
    if (breakable.test(before) || unspaced.test(before) || unspaced.test(after)) breaks.add(index)
  }
  return breaks
}
