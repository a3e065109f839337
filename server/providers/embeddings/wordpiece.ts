/** The part of a tokenizer file that is read here, as the Hugging Face libraries write it. */
interface TokenizerFile {
  model: {
    vocab: Record<string, number>
    unk_token: string
    continuing_subword_prefix: string
    max_input_chars_per_word: number
  }
}

/** BERT's uncased tokenizer: token ids with the start and end tokens, never more than `maxTokens`. */
export function createTokenizer({ model }: TokenizerFile) {
  const words = new Map<string, number>()
  const rests = new Map<string, number>()
  let longest = 1
  for (const [piece, id] of Object.entries(model.vocab)) {
    const isRest = piece.startsWith(model.continuing_subword_prefix) && piece.length > 2
    const bare = isRest ? piece.slice(2) : piece
    ;(isRest ? rests : words).set(bare, id)
    longest = Math.max(longest, bare.length)
  }
  const unknown = model.vocab[model.unk_token] as number
  const begin = model.vocab['[CLS]'] as number
  const end = model.vocab['[SEP]'] as number

  function piecesOf(word: string): number[] {
    if (word.length > model.max_input_chars_per_word) return [unknown]
    const pieces: number[] = []
    for (let start = 0; start < word.length; ) {
      const known = start === 0 ? words : rests
      let length = Math.min(longest, word.length - start)
      let id: number | undefined
      while (length > 0) {
        id = known.get(word.substr(start, length))
        if (id !== undefined) break
        length--
      }
      if (id === undefined) return [unknown]
      pieces.push(id)
      start += length
    }
    return pieces
  }

  return (text: string, maxTokens: number): number[] => {
    const ids = [begin]
    // No token is longer than this many characters, so the rest cannot match.
    const reachable = text.length > maxTokens * 120 ? text.slice(0, maxTokens * 120) : text
    for (const [word] of normalize(reachable).matchAll(wordOrMark)) {
      ids.push(...piecesOf(word))
      if (ids.length >= maxTokens) break
    }
    ids.length = Math.min(ids.length, maxTokens - 1)
    ids.push(end)
    return ids
  }
}

/** A run of letters, or one punctuation mark, or one character of a script without spaces. */
const chinese = '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2fa1f}'
const mark = `\\p{P}$+<=>^\`|~${chinese}`
const wordOrMark = new RegExp(`[${mark}]|[^\\s${mark}]+`, 'gu')

function normalize(text: string): string {
  return text
    .replace(/[\0\ufffd]|[^\P{C}\t\n\r]/gu, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
}
