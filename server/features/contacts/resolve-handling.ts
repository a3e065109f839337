import type { TenantSql } from '../../platform/database.ts'
import { type ContactConditions, findAgentState } from './queries.ts'
import type { ExportFilter } from './schema.ts'

type Given = Pick<ExportFilter, 'ai_handling' | 'handled_by'>

/**
 * Adds the conditions that `handled_by` means now: an agent that is turned off changes who answers contacts by the
 * thousand, without a write.
 */
export const resolveHandling = async <F extends Given>(sql: TenantSql, filter: F) => ({
  ...filter,
  ...(await conditionsOf(sql, filter)),
})

async function conditionsOf(
  sql: TenantSql,
  { ai_handling: given, handled_by }: Given,
): Promise<Pick<ContactConditions, 'ai_handling' | 'attended' | 'none'>> {
  if (handled_by === undefined) return {}
  const ai_handling = handled_by !== 'person'
  if (given === !ai_handling) return { none: true }
  if (!ai_handling) return { ai_handling }
  const { is_answering } = await findAgentState(sql)
  if (handled_by === 'ai') return is_answering ? { ai_handling, attended: true } : { none: true }
  return is_answering ? { ai_handling, attended: false } : { ai_handling }
}
