import type { TenantScope, TenantTx } from './database.ts'
import type { Fragment, Sql } from './sql.ts'

/** A person outside of the organization, as every feature can find what it holds about them. */
export interface Person {
  id: string
  /** Ids of contacts that were merged into this one. */
  mergedIds: string[]
  /** What records know the person by besides the id: phone numbers in every notation, ids of platforms. */
  addresses: string[]
}

/**
 * What one table holds about people. A test reads the catalog and fails for a table that refers to a person and that no
 * feature declares.
 */
export type PersonalTable = (HeldTable | { table: string; exempt: string }) & MergeRule

/** Two contacts that are one person: what belongs to `from` goes to `into`. Both are locked. */
export interface MergedPair {
  from: string
  into: string
}

interface MergeRule {
  /** `move` changes the rows' `contact_id`. Without a rule, rows stay as they are or are deleted with the contact. */
  merge?: 'move' | ((tx: TenantTx, pair: MergedPair) => Promise<unknown>)
  /** Why the two cannot be merged now, for people; undefined if nothing is in the way. */
  mergeObstacle?(tx: TenantTx, pair: MergedPair): Promise<string | undefined>
}

export interface HeldTable {
  table: string
  /** Condition for the person's rows. */
  rows(person: Person): Fragment
  /** What an export shows of the rows, among it `id`, or why it shows nothing. */
  export: { columns: Fragment } | { exempt: string }
  /** Whether erasing deletes the rows, or what it sets their columns to. */
  erase: 'delete' | Fragment
  /** Whether the rows have files, named by their column `file_key`. */
  hasFiles?: boolean
  /** Why its rows do not expire, for tables without a retention rule. */
  kept?: string
  /** Why the person cannot be erased now, for people; undefined if nothing is in the way. */
  obstacle?(tx: TenantTx, person: Person): Promise<string | undefined>
}

/** Rows that may mention a person somewhere in their text. They are searched page by page, in short transactions. */
export interface PersonalMentions {
  table: string
  /** For tables that tenants cannot see; tenants' tables are read as the tenant. */
  runsAs?: 'system'
  /** Deletes what matches among the next rows. `last` is where the next page begins, null at the end. */
  erase(sql: Sql, page: MentionsPage): Promise<{ rows: number; last: string | null }>
}

export interface MentionsPage {
  scope: TenantScope
  /** Regular expressions. A text that matches any of them mentions the person. */
  patterns: string[]
  after: string
  limit: number
}

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
