type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'word'; word: string; value: number | undefined }
  /** A destination that a reader who does not know it leaves out. */
  | { kind: 'ignorable'; word: string }
  | { kind: 'byte'; value: number }
  | { kind: 'text'; text: string }

const controlWord = /([a-zA-Z]{1,32})(-?\d{1,10})? ?/y

/**
 * The parts of an RTF file, given as one character for each byte. Text comes a character at a time, because a Unicode
 * character is followed by as many as older programs would show.
 */
export function* tokenize(text: string): Generator<RtfToken> {
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string
    if (character === '{' || character === '}') {
      at++
      yield { kind: character === '{' ? 'open' : 'close' }
    } else if (character === '\\') {
      at++
      const next = text[at] ?? ''
      if (next === "'") {
        yield { kind: 'byte', value: Number.parseInt(text.slice(at + 1, at + 3), 16) || 32 }
        at += 3
        continue
      }
      if (next === '*') {
        const word = /^\s*\\([a-zA-Z]{1,32})/.exec(text.slice(at + 1, at + 40))?.[1] ?? ''
        at++
        yield { kind: 'ignorable', word }
        continue
      }
      controlWord.lastIndex = at
      const match = controlWord.exec(text)
      if (!match) {
        at++
        if (next === '\\' || next === '{' || next === '}') yield { kind: 'text', text: next }
        else if (next === '\n' || next === '\r') yield { kind: 'word', word: 'par', value: undefined }
        else yield { kind: 'word', word: next, value: undefined }
        continue
      }
      at = controlWord.lastIndex
      const [, word = '', number] = match
      const value = number === undefined ? undefined : Number(number)
      // Binary data follows: nothing in it is markup.
      if (word === 'bin') at += Math.max(0, value ?? 0)
      yield { kind: 'word', word, value }
    } else if (character === '\r' || character === '\n') at++
    else {
      const code = character.charCodeAt(0)
      yield code > 127 ? { kind: 'byte', value: code } : { kind: 'text', text: character }
      at++
    }
  }
}

const codePages: Record<number, string> = {
  437: 'windows-1252',
  850: 'windows-1252',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
}

export function decoderFor(codePage: number) {
  try {
    return new TextDecoder(codePages[codePage] ?? `windows-${codePage}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
