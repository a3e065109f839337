import type { TenantSql } from '../../platform/database.ts'
import { findAgentRow } from './queries.ts'
import type { Agent } from './schema.ts'

/** The one place where other features check that an id names an agent of the caller. */
export const findAgent = (sql: TenantSql, id: string): Promise<Agent | undefined> => findAgentRow(sql, id)
