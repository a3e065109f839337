import type { TenantSql } from '../../platform/database.ts'
import type { Converse, OpenAgent, Summarize } from '../agents/turn.ts'

/** What calls need of agents. */
export interface Agents {
  /** Nothing where there is no such agent. */
  open(sql: TenantSql, id: string): Promise<OpenAgent | undefined>
  converse: Converse
  summarize: Summarize
}
