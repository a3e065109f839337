import type { Heading, ParsedDocument } from '../parsing/document.ts'

/** Deeper ones say little that the text does not say itself. */
const maxLevels = 3
const maxCharacters = 200

/** Tells the headings above each chunk, outermost first. The chunks' texts are to be given in their order. */
export function headingsOf({ text, headings }: Pick<ParsedDocument, 'text' | 'headings'>): (chunk: string) => string {
  let at = 0
  let next = 0
  let above: Heading[] = []
  return (chunk) => {
    at = Math.max(at, text.indexOf(chunk, at))
    // A heading that the chunk itself begins with is above it too.
    for (let heading = headings[next]; heading && heading.offset <= at; heading = headings[++next]) {
      const { level } = heading
      above = [...above.filter((each) => each.level < level), heading]
    }
    at += chunk.length
    return above
      .slice(-maxLevels)
      .map((heading) => heading.text)
      .join(' › ')
      .slice(0, maxCharacters)
      .toWellFormed()
  }
}
