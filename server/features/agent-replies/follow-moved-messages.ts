import type { TenantTx } from '../../platform/database.ts'
import type { MergedPair } from '../../platform/personal-data.ts'
import { answerJob } from './job-kinds.ts'
import { followTickets } from './queries.ts'

/** Messages that wait for an answer in a ticket that was merged into another one are answered there. */
export async function followMovedMessages(tx: TenantTx, { into }: MergedPair): Promise<void> {
  for (const { ticket_id: ticketId, message_id: messageId } of await followTickets(tx, into))
    await tx.enqueue(answerJob, { ...tx.scope, ticketId, messageId }, { group: { id: tx.scope.organizationId } })
}
