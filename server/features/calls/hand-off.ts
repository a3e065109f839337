import type { TenantTx } from '../../platform/database.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { setHandling } from '../contacts/set-handling.ts'
import { createTicket } from '../inbox/tickets/create-ticket.ts'
import { createTask } from '../tasks/create-task.ts'
import type { Call } from './schema.ts'

/** Hands the contact off to a person: creates a task to call back and a ticket, and turns AI handling off. */
export async function handOff(tx: TenantTx, call: Call, reason: string | undefined): Promise<void> {
  if (!call.contact_id) return
  await askForCallBack(tx, call, reason || 'The caller asked for a person.')
  await setHandling(tx, call.contact_id, {
    aiHandling: false,
    actor: actorOf(call),
    reason: reason || 'Asked for a person on the phone',
  })
}

/** Creates a task to call the contact back and a ticket for it. Does nothing without a contact. */
export async function askForCallBack(tx: TenantTx, call: Call, why: string): Promise<void> {
  if (!call.contact_id) return
  const number = call.direction === 'inbound' ? call.from_number : call.to_number
  await createTicket(tx, call.contact_id)
  const task = {
    contact_id: call.contact_id,
    title: `Call back ${number}`.trim(),
    description: [why, `Call ${call.id}`].join('\n'),
  }
  await createTask(tx, task, actorOf(call))
}

const actorOf = ({ agent_id }: Call): Actor => ({ type: 'ai', id: agent_id })
