import { lowestIdAt } from './ids.ts'

const batchSize = 5_000

export interface Retention {
  retentionDays: number
  signal: AbortSignal
}

/**
 * Deletes rows past their retention in batches, so that no transaction lasts long. `deleteBelow` deletes at most
 * `batchSize` rows with a lower id and returns how many; ids are ordered by time.
 */
export async function expireRows<Tx>(
  inTransaction: (work: (tx: Tx) => Promise<number>) => Promise<number>,
  { retentionDays, signal }: Retention,
  deleteBelow: (tx: Tx, id: string, batchSize: number) => Promise<number>,
): Promise<void> {
  const oldestKept = lowestIdAt(new Date(Date.now() - retentionDays * 24 * 3600 * 1000))
  while (!signal.aborted && (await inTransaction((tx) => deleteBelow(tx, oldestKept, batchSize))) > 0);
}
