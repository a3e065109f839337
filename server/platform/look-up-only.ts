import type { Sql } from './sql.ts'

/**
 * Sent before statements that find rows by their keys. PostgreSQL caches a statement's plan for the lifetime of the
 * connection; a plan made while the tables were small would scan them when they have grown. For the same reason such
 * statements look rows up one by one (`cross join lateral … limit 1`) and update them by `ctid`, which leaves the
 * planner no alternative.
 */
export const lookUpOnly = (tx: Sql): Promise<number> => tx.run`select set_config('enable_seqscan', 'off', true)`
