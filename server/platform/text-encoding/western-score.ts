interface InContext {
  before: string
  character: string
  after: string
}

const vowel = /[aeiouyà-æè-ïò-öø-ýœ]/i
const letter = /\p{L}/u
const control = /\p{Cc}/u

/** Vowels whose bytes are mostly consonants in windows-1250 and windows-1257. */
const vowels = /[àåæèêòø]/
const otherLetters = /[áâäçéëíîïñóôöúüß]/
const rareLetters = /[ãìùûý]/

/**
 * From -2 to 1: how much a character, read as windows-1252, looks like a part of a Western word. The letter alone does
 * not tell, because a list of names has letters of many languages. Its neighbours do: ñ and ń are the same byte, but only
 * ñ comes before a vowel; ø and ř are the same byte, but ø is between consonants and ř beside a vowel.
 */
export function westernScoreOf({ before, character, after }: InContext): number {
  const small = character.toLowerCase()
  if (control.test(character)) return -2
  if (small !== character && before.toUpperCase() !== before) return -1
  const isAfterLetter = letter.test(before)
  if (!letter.test(character) || /[ªº]/.test(character)) {
    if (/[¿¡]/.test(character) && !isAfterLetter) return 1
    // Quotation marks, which are Ť and ť in ISO-8859-2.
    if (character === '«' && !isAfterLetter) return 1
    if (character === '»' && !letter.test(after)) return 0.6
    return letter.test(after) && !/\d/.test(before) ? -1 : 0.2
  }
  if (isUnusual({ before, character: small, after })) return -0.5
  if (isTypical({ before, character: small, after })) return 1
  // As in Røe, but also in Kateřina.
  if (small === 'ø' && /e/i.test(after)) return 0.3
  if (vowels.test(small)) return vowel.test(after) ? -0.2 : 0
  if (otherLetters.test(small)) return 0.3
  if (rareLetters.test(small)) return 0.2
  if (small === 'ð') return vowel.test(before) || /[fgr]/i.test(before) ? 0.3 : -1
  // As in íþrótt and Alþingi.
  if (small === 'þ') return isAfterLetter && !/[íl]/.test(before) ? -1 : -0.3
  return /[õœ]/.test(small) ? -0.3 : -1
}

/** Whether the letter is where Western languages hardly have it, but others the letter of the same byte, such as č, ě and ē. */
function isUnusual({ before, character, after }: InContext): boolean {
  // The Czech currency, Kč, fills price lists.
  if (!letter.test(after)) return character === 'è' && before === 'K'
  if (character === 'è') return vowel.test(after) || (!letter.test(before) && !/[rs]/i.test(after))
  if (character === 'ø') return /[ptv]/i.test(before) && /e/i.test(after)
  if (character === 'ç') return !vowel.test(after)
  return character === 'ì'
}

/** Whether the letter is where Western languages have it. */
function isTypical({ before, character, after }: InContext): boolean {
  if (/[ñç]/.test(character)) return vowel.test(after)
  if (/[ëîï]/.test(character)) return vowel.test(before)
  if (/[ìù]/.test(character)) return letter.test(before) && !letter.test(after)
  if (character === 'ã') return /[oe]/i.test(after)
  if (character === 'õ') return /e/i.test(after)
  if (character === 'œ') return /[ut]/i.test(after)
  if (character === 'þ') return !letter.test(before) && /[oóuúrv]/i.test(after)
  if (character === 'ð') return /r/i.test(before)
  if (!vowels.test(character)) return false
  // As in Geneviève and Øystein.
  if (character === 'è' && /i/i.test(before)) return letter.test(after) && !vowel.test(after)
  if (character === 'ø' && /y/i.test(after)) return true
  return !vowel.test(before) && !vowel.test(after)
}
