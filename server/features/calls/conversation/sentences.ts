/** Cuts a model's stream of text into pieces that can be spoken as they come: sentences, or clauses where those are long. */
export interface SentenceCutter {
  push(text: string): string[]
  /** What is left when the stream is over. */
  flush(): string[]
}

const abbreviations = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|approx|dept|inc|ltd|jr|sr|[a-z])\.$/i
/** The first words matter most: a clause will do once it is this long. Later pieces only get cut when they are long. */
const firstClause = 40
const longSentence = 220

export function createSentenceCutter(): SentenceCutter {
  let held = ''
  let first = true

  function take(end: number): string[] {
    const piece = speakable(held.slice(0, end))
    held = held.slice(end)
    if (!piece) return []
    first = false
    return [piece]
  }

  return {
    push(text) {
      held += text
      const pieces: string[] = []
      for (;;) {
        const end = sentenceEnd(held) ?? clauseEnd(held, first ? firstClause : longSentence)
        if (end === undefined) return pieces
        pieces.push(...take(end))
      }
    },
    flush: () => take(held.length),
  }
}

/** Behind the first mark that ends a sentence; what follows it must be there, or `3.` might become `3.5`. */
function sentenceEnd(text: string): number | undefined {
  for (const match of text.matchAll(/[.!?…]+["')\]]*(?=\s)|[。！？]|\n+/g)) {
    const end = match.index + match[0].length
    if (!abbreviations.test(text.slice(0, end))) return end
  }
  return undefined
}

function clauseEnd(text: string, from: number): number | undefined {
  const match = /[,;:–—](?=\s)/.exec(text.slice(from))
  return match ? from + match.index + 1 : undefined
}

/** Without the marks that a model writes for the eye. */
export const speakable = (text: string): string =>
  text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`#>|~]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
