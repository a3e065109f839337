import { newId } from '../../../platform/ids.ts'
import { splitText } from '../chunking/split-text.ts'
import type { ParsedDocument } from '../parsing/document.ts'
import { headingsOf } from './headings.ts'
import type { NewChunk } from './queries.ts'

/** The chunks of a document, ready to be written down. */
export function toChunks(parsed: ParsedDocument): NewChunk[] {
  const headingAt = headingsOf(parsed)
  return splitText(parsed).map(({ start, end, page, text, children }, ordinal) => ({
    id: newId(),
    ordinal,
    page,
    start_offset: start,
    end_offset: end,
    heading: headingAt(text),
    text,
    child_lengths: children.map((child) => child.text.length),
  }))
}
