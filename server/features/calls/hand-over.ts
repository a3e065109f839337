import type { TenantTx } from '../../platform/database.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { setHandling } from '../contacts/set-handling.ts'
import { createTicket } from '../inbox/create-ticket.ts'
import { createTask } from '../tasks/create-task.ts'
import type { Call } from './schema.ts'

/** The agent gave up the call to a person: somebody has a task, the contact a ticket, and the AI stays out of it. */
export async function handOver(tx: TenantTx, call: Call, reason: string | undefined): Promise<void> {
  if (!call.contact_id) return
  const actor: Actor = { type: 'ai', id: call.agent_id }
  const number = call.direction === 'inbound' ? call.from_number : call.to_number
  await createTicket(tx, call.contact_id)
  await createTask(
    tx,
    {
      contact_id: call.contact_id,
      title: `Call back ${number}`.trim(),
      description: [reason || 'The caller asked for a person.', `Call ${call.id}`].join('\n'),
    },
    actor,
  )
  await setHandling(tx, call.contact_id, {
    aiHandling: false,
    actor,
    reason: reason || 'Asked for a person on the phone',
  })
}
