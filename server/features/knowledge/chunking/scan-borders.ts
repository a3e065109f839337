import { characterKind, continuesCharacter, isLowercase, isSecondHalf, kinds, wordTokens } from './characters.ts'

/** How good a place is to cut a text, from worst to best. */
export const strengths = { inWord: 0, word: 1, clause: 2, line: 3, sentence: 4, paragraph: 5, heading: 6 } as const

/** The current position of a scan. */
export interface Border {
  position: number
  /** Estimated tokens between the start of the scan and here. */
  tokens: number
  strength: number
}

/** A word or a gap longer than this may be cut when there is no better place. */
const maxRun = 48

/** Lines up to this length that end without a full stop, before an empty line, count as titles of what follows. */
const maxTitle = 80

/** Scans `text` once, from border to border; each call moves to the next one, up to the end. */
export function scanBorders(
  text: string,
  { start, end, isEnglish }: { start: number; end: number; isEnglish: boolean },
): () => Border | undefined {
  const border: Border = { position: start, tokens: 0, strength: strengths.word }
  let position = start
  let tokens = 0
  let word = 0
  let english = isEnglish
  let lastMark = kinds.letter as number
  let lineStart = start

  const endWord = () => {
    if (word > 0) tokens += wordTokens(word, english)
    word = 0
    english = isEnglish
  }
  const stopAt = (strength: number): Border => {
    border.position = position
    border.tokens = tokens
    border.strength = strength
    return border
  }

  /** Accents and joined emoji stay whole unless the sequence never ends; surrogate pairs always do. */
  function mustGoOn(position: number, length: number): boolean {
    const code = text.charCodeAt(position)
    return isSecondHalf(code) || (length < 2 * maxRun && continuesCharacter(code))
  }

  /** Skips white space from `position` on and rates the border at its end. */
  function skipGap(): number {
    const first = position
    let newlines = 0
    for (; position < end && position - first < maxRun; position++) {
      const kind = characterKind(text.charCodeAt(position))
      if (kind === kinds.newline) newlines++
      else if (kind !== kinds.space) break
    }
    // White space is no token, but a page of it must end somewhere.
    tokens += Math.floor((position - first) / maxRun)
    const endsSentence = lastMark === kinds.ender
    const isTitle = newlines > 1 && !endsSentence && first - lineStart <= maxTitle && first > lineStart
    if (newlines > 0) lineStart = position
    if (newlines > 1) return isTitle ? strengths.clause : strengths.paragraph
    if (endsSentence && !isLowercase(text.charCodeAt(position))) return strengths.sentence
    if (newlines === 1) return strengths.line
    return lastMark === kinds.clause ? strengths.clause : strengths.word
  }

  return () => {
    if (position >= end) return undefined
    while (position < end) {
      const code = text.charCodeAt(position)
      const kind = characterKind(code)
      if (kind === kinds.space || kind === kinds.newline) {
        endWord()
        return stopAt(skipGap())
      }
      position++
      if (kind === kinds.letter) {
        lastMark = kinds.letter
        if (code > 127) english = false
        if (++word < maxRun || mustGoOn(position, word)) continue
        endWord()
        return stopAt(strengths.inWord)
      }
      endWord()
      tokens++
      if (kind === kinds.wide) {
        lastMark = kinds.wide
        return stopAt(strengths.word)
      }
      if (kind === kinds.wideEnder) return stopAt(strengths.sentence)
      // Closing quotes and brackets after a full stop belong to its sentence.
      if (kind !== kinds.closer) lastMark = kind
      if (tokens - border.tokens > maxRun) return stopAt(strengths.inWord)
    }
    endWord()
    return stopAt(strengths.paragraph)
  }
}
