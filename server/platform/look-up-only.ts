import type { Sql } from './sql.ts'

/**
 * To be sent before statements that find rows by their keys. PostgreSQL keeps a statement's plan for as long as the
 * connection lives, and one that it made while the tables were small would read them whole when they have grown. For the
 * same reason such statements look rows up one by one (`cross join lateral … limit 1`) and update them by where they lie
 * (`ctid`): that leaves no other way to do it.
 */
export const lookUpOnly = (tx: Sql): Promise<number> => tx.run`select set_config('enable_seqscan', 'off', true)`
