import type { TenantSql } from '../../../platform/database.ts'
import { readPostings } from './queries.ts'
import { createSegmentBuilder, type Segment, type SegmentDocument } from './segment.ts'

/** About 5 MB of postings: a fraction of a second to sort, and little to read again when half of it is gone. */
const chunksInSegment = 8192
/** A round trip reads at most about this many chunks, unless a single document has more. */
const chunksAtOnce = 256

/** The postings of these documents, read in batches; the event loop gets a turn between them. */
export async function* readSegments(sql: TenantSql, documents: SegmentDocument[]): AsyncGenerator<Segment> {
  let builder = createSegmentBuilder()
  for (const batch of batchesOf(documents)) {
    const rows = Map.groupBy(
      await readPostings(
        sql,
        batch.map(({ id }) => id),
      ),
      ({ document_id }) => document_id,
    )
    for (const document of batch) {
      builder.addDocument(document)
      for (const { part, lexemes, postings } of rows.get(document.id) ?? []) {
        const arrays = arraysIn(postings)
        for (const lexeme of lexemes.split('\n')) builder.addPostings(lexeme, part, arrays.next().value ?? [])
      }
    }
    if (builder.chunks() < chunksInSegment) continue
    yield builder.build()
    builder = createSegmentBuilder()
  }
  if (builder.chunks() > 0) yield builder.build()
}

function* batchesOf(documents: SegmentDocument[]): Generator<SegmentDocument[]> {
  let batch: SegmentDocument[] = []
  let chunks = 0
  for (const document of documents) {
    batch.push(document)
    chunks += document.chunk_count
    if (chunks < chunksAtOnce) continue
    yield batch
    batch = []
    chunks = 0
  }
  if (batch.length > 0) yield batch
}

/**
 * Arrays of integers as `array_send` writes them: dimensions, a flag for nulls and the element type; for each dimension
 * its length and lower bound; then each element behind its length. All are 32-bit and big-endian.
 */
function* arraysIn(bytes: Buffer): Generator<number[]> {
  for (let at = 0; at < bytes.length; ) {
    const isEmpty = bytes.readInt32BE(at) === 0
    const length = isEmpty ? 0 : bytes.readInt32BE(at + 12)
    at += isEmpty ? 12 : 20
    const values: number[] = new Array(length)
    for (let i = 0; i < length; i++, at += 8) values[i] = bytes.readInt32BE(at + 4)
    yield values
  }
}
