import type { TenantTx } from '../../platform/database.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import type { OpenAgent } from '../agents/answering/turn.ts'
import { changeContact } from '../contacts/update-contact.ts'
import { createTask } from '../tasks/create-task.ts'
import type { TicketState } from './queries.ts'

/**
 * Hands the conversation off to a person: turns the AI off for the contact, records the reason in the timeline and
 * creates a task.
 */
export async function handOff(
  tx: TenantTx,
  { phones }: { phones: PhoneNumbers },
  { state, agent, reason }: { state: TicketState; agent: OpenAgent; reason: string },
): Promise<void> {
  const actor = { type: 'ai' as const, id: agent.id }
  const why = reason.slice(0, 2000).toWellFormed()
  await changeContact(tx, state.contact_id, { ai_handling: false }, { actor, phones, reason: why })
  const title = `Reply to ${state.contact_name}`.slice(0, 255).toWellFormed()
  const task = { contact_id: state.contact_id, title, description: why }
  await createTask(tx, state.assignee_id === null ? task : { ...task, assignee_id: state.assignee_id }, actor)
}
