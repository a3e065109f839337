import Type, { type Static } from 'typebox'
import type { Database, SystemTx } from './database.ts'
import { expireRows, type Retention } from './expire-rows.ts'
import { lowestIdAt } from './ids.ts'

const Range = Type.Object({ first: Type.Unsafe<string | null>({}), beyond: Type.String() })

/** The ids of a partition, from the first to below `beyond`. */
export type PartitionRange = Static<typeof Range>

interface PartitionedTable {
  name: string
  /** Subtracts the rows of a partition from their counters. Triggers do not see that it is dropped. */
  uncount?(tx: SystemTx, range: PartitionRange): Promise<unknown>
  /** Deletes rows that are in no partition of their own time, as `expireRows` describes. */
  deleteBelow(tx: SystemTx, id: string, batchSize: number): Promise<number>
}

/** A partition is a tenth of the retention wide, so at most a tenth longer than the retention passes before it is dropped. */
const partsOfRetention = 10

/** Adds partitions ahead of time and drops those past the retention. See ADR 42. */
export async function expirePartitions(
  database: Database,
  { name, uncount, deleteBelow }: PartitionedTable,
  { retentionDays, signal }: Retention,
): Promise<void> {
  const days = Math.ceil(retentionDays / partsOfRetention)
  await database.inSystem((tx) => tx.run`select add_partitions(${name}::regclass, ${days})`)
  const oldestKept = lowestIdAt(new Date(Date.now() - retentionDays * 24 * 3600 * 1000))
  const dropNext = (tx: SystemTx) => dropOldestPartition(tx, name, oldestKept, uncount)
  while (!signal.aborted && (await database.inSystem(dropNext)));
  // The table as it was before it had partitions, a restore and a shorter retention leave rows in wider ones.
  await expireRows(database.inSystem, { retentionDays: retentionDays + days, signal }, deleteBelow)
}

async function dropOldestPartition(
  tx: SystemTx,
  name: string,
  oldestKept: string,
  uncount: PartitionedTable['uncount'],
): Promise<boolean> {
  const range = await tx.maybe(Range)`
    select first, beyond from lock_expired_partition(${name}::regclass, ${oldestKept})`
  if (!range) return false
  await uncount?.(tx, range)
  await tx.run`select drop_expired_partition(${name}::regclass, ${oldestKept})`
  return true
}
