const before =
  /(?:^|[\s|(])(?:page|pages|pg|pag|pág|página|pagina|pagine|seite|blatt|halaman|hal|sayfa|sida|side|strona|стр|страница|صفحة|صفحه|पृष्ठ|पेज|p|s|第)[.:]?\s*$/iu
const after = /^\s*(?:页|頁|ページ|쪽|페이지|\. ?(?:oldal|sayfa|lpp))/u
/** "3 of 12", "3/12". */
const ofTotal = /^\s*(?:\/|of|von|de|di|sur|из|dari|من)\s*\p{N}+\W*$/iu
const separatedBefore = /[|·•–—/-]\s*$/u
const separatedAfter = /^\s*[|·•–—/-]/u
const wordsOf = (text: string): number => text.match(/\p{L}{2,}/gu)?.length ?? 0

/**
 * The line with each number that may be the number of its page replaced by its distance from that: the same on each
 * page. "Day 3" on the third page of an itinerary is none, and neither is large print.
 */
export function pageNumberIn(line: string, { page, isLarge }: { page: number; isLarge: boolean }): string[] {
  return [...line.matchAll(/(?<![\p{L}\p{N}.,:])\p{Nd}{1,5}(?![\p{L}\p{N}]|[.,:]\p{N})/gu)].flatMap((match) => {
    const [head, tail] = [line.slice(0, match.index), line.slice(match.index + match[0].length)]
    const isAlone = !/[\p{L}\p{N}]/u.test(head + tail)
    const isMarked = before.test(head) || after.test(tail) || separatedBefore.test(head) || separatedAfter.test(tail)
    const isOfTotal = ofTotal.test(tail) && !/\p{L}/u.test(head)
    const isAtEnd = head.trim() === '' || tail.trim() === ''
    const isPlain = !isLarge && isAtEnd && wordsOf(head + tail) >= 3
    return isAlone || isMarked || isOfTotal || isPlain
      ? [`${head}#${Number(match[0].normalize('NFKC')) - page}${tail}`]
      : []
  })
}
