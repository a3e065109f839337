import { newId } from '../../../platform/ids.ts'
import type { ChunkedDocument } from '../chunking/split-text.ts'
import { headingsOf } from './headings.ts'
import type { NewChunk } from './queries.ts'

/** The chunks of a document as its parser cut them, ready to be stored. */
export function toChunks(parsed: Pick<ChunkedDocument, 'text' | 'headings' | 'chunks'>): NewChunk[] {
  const headingAt = headingsOf(parsed)
  return parsed.chunks.map(({ start, end, page, text, children }, ordinal) => ({
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
