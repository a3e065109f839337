import type { TenantSql } from '../../../platform/database.ts'
import { type Quantized, unpackVectors } from './quantize.ts'
import { readVectors, type VectorRange } from './queries.ts'

export interface ChunkVectors {
  document_id: string
  ordinal: number
  children: Quantized[]
}

/** Enough chunks to be worth a round trip, few enough to keep memory small. */
const chunksAtOnce = 1000

/** The vectors of these documents in batches, each document's chunks in order. */
export async function* readAllVectors(
  sql: TenantSql,
  documents: { id: string; chunk_count: number }[],
  { model, dimensions }: { model: string; dimensions: number },
): AsyncGenerator<ChunkVectors[]> {
  for (const range of rangesOf(documents)) {
    const read = await readVectors(sql, model, range)
    yield read.map(({ vectors, ...chunk }) => ({ ...chunk, children: [...unpackVectors(vectors, dimensions)] }))
  }
}

/** Small documents together, a large one in parts. */
function* rangesOf(documents: { id: string; chunk_count: number }[]): Generator<VectorRange> {
  let documentIds: string[] = []
  let chunks = 0
  for (const { id, chunk_count } of documents) {
    if (chunk_count > chunksAtOnce) {
      for (let from = 0; from < chunk_count; from += chunksAtOnce)
        yield { documentIds: [id], from, to: from + chunksAtOnce }
      continue
    }
    documentIds.push(id)
    chunks += chunk_count
    if (chunks < chunksAtOnce) continue
    yield { documentIds, from: 0, to: chunksAtOnce }
    documentIds = []
    chunks = 0
  }
  if (documentIds.length > 0) yield { documentIds, from: 0, to: chunksAtOnce }
}
