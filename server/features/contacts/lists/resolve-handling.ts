import type { TenantSql } from '../../../platform/database.ts'
import { type ContactConditions, findAnsweringChannels } from './conditions.ts'
import type { ExportFilter } from './schema.ts'

type Given = Pick<ExportFilter, 'ai_handling' | 'handled_by'>

/** Whether the contacts that match depend on which channels an agent answers. */
export const dependsOnAgents = ({ handled_by }: Given): boolean => handled_by === 'ai' || handled_by === 'no_one'

/**
 * Adds the conditions that `handled_by` means now: an agent that is turned off changes who answers contacts by the
 * thousand, without a write. With `answering`, what it meant when an agent answered these channels.
 */
export const resolveHandling = async <F extends Given>(sql: TenantSql, filter: F, answering?: string[] | null) => ({
  ...filter,
  ...(await conditionsOf(sql, filter, answering ?? undefined)),
})

async function conditionsOf(
  sql: TenantSql,
  { ai_handling: given, handled_by }: Given,
  answering: string[] | undefined,
): Promise<Pick<ContactConditions, 'ai_handling' | 'attended' | 'answering' | 'none'>> {
  if (handled_by === undefined) return {}
  const ai_handling = handled_by !== 'person'
  if (given === !ai_handling) return { none: true }
  if (!ai_handling) return { ai_handling }
  const isAnswering = (answering ?? (await findAnsweringChannels(sql))).length > 0
  if (handled_by === 'ai') return isAnswering ? { ai_handling, attended: true, answering } : { none: true }
  return isAnswering ? { ai_handling, attended: false, answering } : { ai_handling }
}
