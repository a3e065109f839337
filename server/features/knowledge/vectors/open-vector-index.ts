import type { ClientConfig } from 'pg'
import type { VectorIndex } from './contract.ts'
import { createExactIndex } from './exact-index.ts'
import { createPgvectorIndex } from './pgvector-index.ts'
import { connectAndSetUpPgvector } from './pgvector-tables.ts'

/** Comparing this many chunks takes PostgreSQL about as long as a search may take. */
const approximateFrom = 50_000

export async function openVectorIndex(
  connection: ClientConfig,
  { kind, memoryBytes }: { kind: 'exact' | 'pgvector'; memoryBytes: number },
): Promise<VectorIndex> {
  if (kind === 'exact') return createExactIndex({ maxBytes: memoryBytes })
  await connectAndSetUpPgvector(connection, { approximateFrom })
  return createPgvectorIndex({ approximateFrom })
}
