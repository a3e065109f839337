import type { Heading, ParsedDocument } from '../parsing/document.ts'

/** Deeper headings add little to what the text says itself. */
const maxLevels = 3
const maxCharacters = 200

/** Returns the headings above each chunk, outermost first. Call it with the chunks' texts in order. */
export function headingsOf({ text, headings }: Pick<ParsedDocument, 'text' | 'headings'>): (chunk: string) => string {
  let at = 0
  let next = 0
  let above: Heading[] = []
  return (chunk) => {
    at = Math.max(at, text.indexOf(chunk, at))
    // A heading at the start of the chunk counts as above it too.
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
