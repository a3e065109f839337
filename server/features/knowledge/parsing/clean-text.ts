const ligatures: Record<string, string> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' }

/** What a layout leaves in its text and a reader never sees: ligatures, soft hyphens, control and invisible characters. */
export function cleanText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // A hyphen that only marks where a word may break, with the line break it made.
      .replace(/\u00ad[ \t]*\n?/g, '')
      .replace(/[ﬀ-ﬆ]/g, (ligature) => ligatures[ligature] as string)
      // Zero width space, word joiner, byte order mark and the two that are no characters.
      .replace(/\u200b|\u2060|\ufeff|[\ufffe\uffff]/g, '')
      .replace(/[^\P{Cc}\t\n]/gu, '')
      .replace(/[^\P{Zs} ]/gu, ' ')
      .toWellFormed()
      .normalize('NFC')
  )
}

/** In these languages a hyphen before such a word is meant: "pre- and post-war", "Vor- und Nachteile". */
const afterMeantHyphen = /^(?:and|or|to|und|oder|bis|et|ou|y|o|e|en|of|og|och|i)\b/

/** Puts words together again that were broken at the end of a line. */
export function joinBrokenWords(text: string): string {
  return text.replace(/(\p{L})-[ \t]*\n[ \t]*(?=(\p{Ll}[\p{L}]*))/gu, (_, letter: string, next: string) =>
    afterMeantHyphen.test(next) ? `${letter}- ` : letter,
  )
}
