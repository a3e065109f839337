/** In the order of preference: Chinese encodings have kana, too. */
const multiByte = ['euc-jp', 'gb18030', 'big5', 'shift_jis']
const utf16 = ['utf-16le', 'utf-16be']

/** Knows the words of both languages from a dictionary, and takes any kana in a row for one. */
let segmenter: Intl.Segmenter | undefined
const word = /^(?:(?![\uff61-\uff9f])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]){2,}$/u
const katakana = /^[\p{Script=Katakana}ー]+$/u
const asciiOrSign = /[\0-\x7f\p{P}\p{S}\p{Z}]/gu
/** 〖 is ー of Japanese, and no other text has it. */
const misread = /[\p{Cc}\p{Co}\p{Cn}\ufffd〖]/gu

/** Bytes of other languages make words by chance, but fewer. */
const least = { characters: 3, share: 0.4 }
/** Katakana are in no dictionary. */
const leastKatakana = 6
/** How much better another encoding must read than a preferred one. */
const margin = 0.1

/**
 * The encoding in which a text has words of Chinese or Japanese. Misread characters are hardly ever words, so two of
 * them tell more than the letters of a whole line.
 */
export function detectChineseOrJapanese(bytes: Buffer): string | undefined {
  const found = (bytes.includes(0) ? utf16 : multiByte)
    .map((encoding) => ({ encoding, ...countWords(new TextDecoder(encoding).decode(bytes, { stream: true })) }))
    .filter(({ characters, share }) => characters >= least.characters && share > least.share)
  const best = Math.max(...found.map(({ share }) => share))
  return found.find(({ share }) => share > best - margin)?.encoding
}

/** How many characters words of two or more have, and their share of all beyond ASCII. */
function countWords(text: string): { characters: number; share: number } {
  const beyondAscii = text.replace(asciiOrSign, '').length
  const wrong = text.match(misread)?.filter((character) => character > '\x7f').length ?? 0
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  let [characters, ofKatakana] = [0, 0]
  for (const { segment } of segmenter.segment(text)) {
    if (!word.test(segment)) continue
    characters += segment.length
    if (katakana.test(segment)) ofKatakana += segment.length
  }
  if (characters === ofKatakana && characters < leastKatakana) characters = 0
  return { characters, share: (characters - wrong) / Math.max(1, beyondAscii) }
}
