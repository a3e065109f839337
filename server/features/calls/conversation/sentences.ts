/** Splits the model's text stream into pieces for the voice: sentences, or clauses if a sentence is long. */
interface SentenceCutter {
  push(text: string): string[]
  /** The remaining text at the end of the stream. */
  flush(): string[]
}

const abbreviations = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|approx|dept|inc|ltd|jr|sr|[a-z])\.$/i
/** Characters after which text is split at a clause. The first piece is shorter, to get the first audio sooner. */
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

/** Index after the first sentence end. The character after it must have arrived: `3.` might continue as `3.5`. */
function sentenceEnd(text: string): number | undefined {
  for (const match of text.matchAll(/[.!?…؟।]+["')\]]*(?=\s)|[。！？]|\n+/g)) {
    const end = match.index + match[0].length
    if (!abbreviations.test(text.slice(0, end))) return end
  }
  return undefined
}

function clauseEnd(text: string, from: number): number | undefined {
  const match = /[,;:–—](?=\s)/.exec(text.slice(from))
  return match ? from + match.index + 1 : undefined
}

/** Removes Markdown, which the voice would read aloud. Within a word, `_`, `~` and `#` are part of an address. */
export const speakable = (text: string): string =>
  text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`>|]+/g, ' ')
    .replaceAll(/(?<![\p{L}\p{M}\p{N}])[_~#]+|[_~#]+(?![\p{L}\p{M}\p{N}])/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
