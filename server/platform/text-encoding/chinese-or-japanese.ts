/** Where two read the same words, the first one counts: Chinese encodings have kana, too. */
const narrow = ['euc-jp', 'gb18030', 'big5', 'shift_jis']
const wide = ['utf-16le', 'utf-16be']

/** Its dictionary has the words of both languages. */
let segmenter: Intl.Segmenter | undefined
const word = /^(?:(?![\uff61-\uff9f])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]){2,}$/u
const asciiOrSign = /[\0-\x7f\p{P}\p{S}\p{Z}]/gu
const unassigned = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu

/** Bytes of other languages make words by chance, but fewer. */
const least = { characters: 3, share: 0.4 }

/**
 * The encoding in which a text has words of Chinese or Japanese. Misread characters are hardly ever words, so two of
 * them tell more than the letters of a whole line.
 */
export function detectChineseOrJapanese(bytes: Buffer, isCutOff: boolean): string | undefined {
  const [best] = (bytes.includes(0) ? wide : narrow)
    .map((encoding) => ({ encoding, ...findWords(new TextDecoder(encoding).decode(bytes, { stream: isCutOff })) }))
    .sort((a, b) => b.share - a.share)
  return best && best.characters >= least.characters && best.share > least.share ? best.encoding : undefined
}

/** How many characters words of two or more have, and their share of all. */
function findWords(text: string): { characters: number; share: number } {
  const beyond = text.replace(asciiOrSign, '')
  const misread = beyond.match(unassigned)?.length ?? 0
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  let characters = 0
  for (const { segment } of segmenter.segment(text)) if (word.test(segment)) characters += segment.length
  return { characters, share: (characters - misread) / Math.max(1, beyond.length) }
}
