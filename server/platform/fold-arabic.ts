/**
 * Vowel signs and the stretching line go. Letters that keyboards of Arabic, Persian and Urdu have with different codes
 * become those of Arabic, which stemmers know.
 */
export const unifyArabic = (word: string): string =>
  word
    .replace(/[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/g, '')
    .replace(/ٱ/g, 'ا')
    .replace(/[یېےۓ]/g, 'ي')
    .replace(/[ۀہۂھە]/g, 'ه')
    .replace(/ۃ/g, 'ة')
    .replace(/[کڪ]/g, 'ك')

/** The same, and letters that are written in several ways become one of them. */
export const foldArabic = (word: string): string =>
  unifyArabic(word).replace(/[أإآ]/g, 'ا').replace(/[ىئ]/g, 'ي').replace(/ؤ/g, 'و').replace(/ة/g, 'ه')
