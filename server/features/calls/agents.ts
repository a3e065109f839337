import type { TenantSql } from '../../platform/database.ts'
import type { Conversation, Converse, OpenAgent, Summarize } from '../agents/answering/turn.ts'
import type { Assessed } from '../agents/results/assessed.ts'

/** What the calls feature needs from the agents feature. */
export interface Agents {
  /** Undefined if the agent does not exist. */
  open(sql: TenantSql, id: string): Promise<OpenAgent | undefined>
  converse: Converse
  summarize: Summarize
  /** Undefined if the agent's settings ask for no results. */
  assess(conversation: Conversation): Promise<Assessed | undefined>
}
