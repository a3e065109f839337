import type pg from 'pg'
import type { Static, TSchema } from 'typebox'
import type { EnqueueOptions, JobKind } from './jobs.ts'
import type { Sql } from './sql.ts'

declare const tenant: unique symbol
declare const system: unique symbol
declare const transaction: unique symbol

/** Sees the rows of one organization in one mode. Each statement runs on its own: for reading. */
export interface TenantSql extends Sql {
  readonly [tenant]: true
  /** The organization and the mode, without `limitedTo`: jobs and events concern the whole organization. */
  readonly scope: TenantScope
  /** Whether it sees only the conversations of a member with limited access. Counters have those of all. */
  readonly isLimited: boolean
}

export interface Transaction {
  readonly [transaction]: true
  /** Adds a job that exists if, and only if, this transaction commits. */
  enqueue<S extends TSchema>(kind: JobKind<S>, payload: Static<S>, options?: EnqueueOptions): Promise<void>
  /** Notifies the other nodes after the commit. The notification may be lost, so nothing may depend on it. */
  signal(channel: string, payload?: string): void
}

/** A transaction that has not been given to a tenant or to the system yet. */
export type OpenTransaction = Sql & Omit<Transaction, typeof transaction> & { last: Sql }

/** The same in one transaction: for writing. Its jobs and events commit with its rows. */
export interface TenantTx extends TenantSql, Transaction {
  /**
   * For the last statement of the work: it commits in its own round trip. If the verb continues because the statement
   * found nothing to do, it continues in a new transaction.
   */
  readonly last: TenantSql
  /**
   * From here on the transaction sees all rows of the organization. For verbs that have found the ticket, and so checked
   * the access, of a member with limited access, who may pass the ticket out of sight.
   */
  liftLimit(): Promise<void>
}

/** Sees every organization: for signing in, migrations, operators and worker leases. */
export interface SystemSql extends Sql {
  readonly [system]: true
}
export interface SystemTx extends SystemSql, Transaction {}

export interface TenantScope {
  organizationId: string
  livemode: boolean
  /** A member with limited access: row-level security shows only the conversations that the member may see. */
  limitedTo?: string
}

/** The same without the limits of a member. */
export const wholeOrganization = ({ organizationId, livemode }: TenantScope): TenantScope => ({
  organizationId,
  livemode,
})

export interface Database {
  /** One transaction for one organization and mode. */
  inTenant<T>(scope: TenantScope, work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** Reads for one organization and mode; each statement takes one round trip. */
  forTenant(scope: TenantScope): TenantSql
  /**
   * The same for reports and exports, which may be seconds old: from the replica if there is one that is up to date, else
   * from the primary.
   */
  forReports(scope: TenantScope): TenantSql
  inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  forSystem(): SystemSql
  /**
   * The same for what every request reads before its handler, its credential and its rate limit: on connections of their
   * own, so that these short statements do not wait for the batches of workers.
   */
  forAccess(): SystemSql
  readonly pools: { tenant: pg.Pool; system: pg.Pool; access: pg.Pool; replica?: pg.Pool }
  /** Requests and work of organizations that wait for a connection. */
  readonly waitingTenants: number
  close(): Promise<void>
}

/**
 * Thrown by a verb that lost a race: its transaction is rolled back and run again, and then sees what the winner wrote.
 */
export class TryAgain extends Error {
  constructor(cause: unknown) {
    super('the transaction lost a race', { cause })
  }
}
