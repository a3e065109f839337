import type { SpokenWord } from './contract.ts'

/** A word that a provider spells otherwise than the text must not be taken for one much later in it. */
const farthest = 40

/**
 * Finds the words of a provider's timestamps in the text that it speaks. A word that is not in the text, such as a number
 * that the provider writes out, is skipped: the next one covers it.
 */
export function alignWords(text: string, onWord: (word: SpokenWord) => void) {
  let at = 0
  return (word: string, endSeconds: number): void => {
    const wanted = word.trim()
    const found = wanted === '' ? -1 : text.slice(at, at + farthest + wanted.length).indexOf(wanted)
    if (found < 0 || !Number.isFinite(endSeconds)) return
    at += found + wanted.length
    // Punctuation belongs to the word before it.
    at += /^[^\s\p{L}\p{N}]*/u.exec(text.slice(at))?.[0].length ?? 0
    onWord({ end: at, endMs: Math.round(endSeconds * 1000) })
  }
}

/**
 * The same for a provider that sends the time of each character, in pieces that may end within a word. Times count from the
 * beginning of the text, or of their piece: those would run backwards.
 */
export function alignCharacters(text: string, onWord: (word: SpokenWord) => void) {
  const align = alignWords(text, onWord)
  let word = { text: '', end: 0 }
  let lastEnd = 0
  const endWord = () => {
    align(word.text, word.end)
    word = { text: '', end: 0 }
  }
  return {
    add(characters: string[], starts: number[], ends: number[]): void {
      const offset = (starts[0] ?? 0) < lastEnd - 0.05 ? lastEnd : 0
      for (const [i, character] of characters.entries()) {
        lastEnd = offset + (ends[i] ?? 0)
        if (/\s/.test(character)) endWord()
        else word = { text: word.text + character, end: lastEnd }
      }
    },
    /** The text is complete. */
    end: endWord,
  }
}
