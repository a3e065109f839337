import type { TenantTx } from './database.ts'

/**
 * Deletes or blanks what is older than an organization wants to keep. Each feature has such rules for its own tables;
 * the organization chooses the days of each kind.
 */
export interface RetentionRule {
  kind: string
  table: string
  /** Handles at most `batchSize` rows whose id is lower, and returns how many; ids are ordered by time. */
  expire(tx: TenantTx, oldestKept: string, batchSize: number): Promise<number>
}
