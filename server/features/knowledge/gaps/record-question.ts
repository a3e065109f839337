import type { TenantTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import { groupGapsJob } from '../job-kinds.ts'
import { insertQuestion, type NewQuestion } from './queries.ts'

const longestQuestion = 1_000

/**
 * Records a question that an agent could not answer, once for each `askedIn`. A job puts it into its group.
 */
export async function recordQuestion(tx: TenantTx, question: Omit<NewQuestion, 'id'>): Promise<void> {
  const text = question.text.trim().slice(0, longestQuestion).toWellFormed()
  if (text === '') return
  if ((await insertQuestion(tx, { ...question, id: newId(), text })) === 0) return
  const { organizationId: organization_id, livemode } = tx.scope
  await tx.enqueue(groupGapsJob, { organization_id, livemode }, { group: { id: organization_id } })
}
