import { sql } from './sql.ts'

/**
 * Ids of the organizations that an operator has suspended, for statements that claim work of all organizations. They
 * are few and have an index of their own; the subquery runs once per statement.
 */
export const suspendedIds = sql`array(select id from organizations where suspended_at is not null)`
