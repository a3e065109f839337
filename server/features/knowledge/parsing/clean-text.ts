const ligatures: Record<string, string> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' }

/** What layout leaves in a text and a reader never sees: ligatures, soft hyphens, control and invisible characters. */
export function cleanText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // A hyphen that only marks where a word may break, with its line break.
      .replace(/\u00ad[ \t]*\n?/g, '')
      .replace(/[ﬀ-ﬆ]/g, (ligature) => ligatures[ligature] as string)
      // Fonts name some ideographs as the radicals that look like them.
      .replace(/[\u2e80-\u2fd5]/g, (radical) => radical.normalize('NFKC'))
      // Zero width space, word joiner, byte order mark and the two noncharacters.
      .replace(/\u200b|\u2060|\ufeff|[\ufffe\uffff]/g, '')
      .replace(/[^\P{Cc}\t\n]/gu, '')
      .replace(/[^\P{Zs} ]/gu, ' ')
      .toWellFormed()
      .normalize('NFC')
  )
}

/** In these languages a hyphen before such a word is meant: "pre- and post-war", "Vor- und Nachteile". */
const afterMeantHyphen = /^(?:and|or|to|und|oder|bis|et|ou|y|o|e|en|of|og|och|i)\b/

/** Joins words that were hyphenated at the end of a line. */
export function joinBrokenWords(text: string): string {
  return text.replace(/(\p{L})[-\u2010][ \t]*\n[ \t]*(?=(\p{Ll}[\p{L}]*))/gu, (_, letter: string, next: string) =>
    afterMeantHyphen.test(next) ? `${letter}- ` : letter,
  )
}
