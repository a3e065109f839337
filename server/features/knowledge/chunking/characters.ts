/** Classes of characters, for choosing where to cut. */
export const kinds = {
  other: 0,
  space: 1,
  newline: 2,
  letter: 3,
  /** A character that is a word or a syllable by itself, in scripts without spaces. */
  wide: 4,
  ender: 5,
  clause: 6,
  closer: 7,
  wideEnder: 8,
} as const

const ascii = new Uint8Array(128)
for (let code = 0; code <= 32; code++) ascii[code] = kinds.space
for (const [characters, kind] of [
  ['\n', kinds.newline],
  ['0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', kinds.letter],
  ['.!?', kinds.ender],
  [',;:', kinds.clause],
  ['"\')]}*_', kinds.closer],
] as const)
  for (const character of characters) ascii[character.charCodeAt(0)] = kind

const beyondAscii = new Map<number, number>()
for (const [characters, kind] of [
  ['\u0085\u00a0\u1680\u202f\u205f\u3000', kinds.space],
  ['\u2028\u2029', kinds.newline],
  ['…؟۔।', kinds.ender],
  ['”’“»›', kinds.closer],
  ['。！？．', kinds.wideEnder],
  ['、，；：', kinds.clause],
] as const)
  for (const character of characters) beyondAscii.set(character.charCodeAt(0), kind)

export function characterKind(code: number): number {
  if (code < 128) return ascii[code] as number
  const known = beyondAscii.get(code)
  if (known !== undefined) return known
  if (code < 0xc0) return kinds.other
  if (code < 0x2000) return kinds.letter
  if (code <= 0x200a) return kinds.space
  if (code <= 0x206f) return kinds.other
  const isWide =
    (code >= 0x2e80 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af) || (code >= 0xf900 && code <= 0xfaff)
  return isWide ? kinds.wide : kinds.letter
}

/** Half of a surrogate pair. */
export const isSecondHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** Whether this belongs to the character before it: an accent, a variation selector, an emoji joiner. */
export const continuesCharacter = (code: number): boolean =>
  (code >= 0x300 && code <= 0x36f) || (code >= 0xfe00 && code <= 0xfe0f) || code === 0x200d

export const isLowercase = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 0xdf && code <= 0xff) || (code >= 0x430 && code <= 0x45f)

/**
 * Tokens of one word, measured against WordPiece: its vocabulary is English, and other languages break into more
 * pieces. Scripts that it hardly knows are counted as their own vocabularies would; otherwise their chunks would be
 * single lines.
 */
export function wordTokens(length: number, isEnglish: boolean): number {
  if (!isEnglish) return Math.max(1, length * 0.36)
  return length <= 7 ? 1.08 : 1.08 + (length - 7) * 0.16
}
