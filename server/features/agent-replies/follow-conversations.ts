import type { SystemTx } from '../../platform/database.ts'
import type { StoredEvent, Subscription } from '../../platform/events.ts'
import { consentIn } from '../contacts/consent/consent-words.ts'
import { contactHandoff } from '../contacts/events.ts'
import type { Contact } from '../contacts/schema.ts'
import { messageReceived, messageUpdated } from '../inbox/events.ts'
import type { Message } from '../inbox/messages/schema.ts'
import { isRating } from '../inbox/ratings/rating.ts'
import { answerJob } from './job-kinds.ts'
import { type Arrived, dropRevoked, queueEdited, queueMessages, queueUnanswered, type Waiting } from './queries.ts'

/**
 * Queues the messages of contacts that an agent handles. Edited messages are answered again. A deleted message is not
 * answered; the newest message left in its ticket takes over the ones that were waiting with it.
 */
export const followConversations: Subscription = {
  name: 'agent-replies',
  types: [messageReceived.type, messageUpdated.type, contactHandoff.type],
  async react(events, tx) {
    const messages = events.filter((event) => event.type === messageReceived.type && isForAgents(event))
    const edited = events.filter((event) => hasChanged(event, 'body') && isForAgents(event))
    const revoked = events.filter((event) => hasChanged(event, 'revoked'))
    const contacts = events.filter((event) => event.type === contactHandoff.type && isInCare(event))
    for (const [queue, given] of [
      [queueMessages, messages],
      [queueEdited, edited],
      [dropRevoked, revoked],
      [queueUnanswered, contacts],
    ] as const)
      if (given.length > 0) await enqueue(tx, await queue(tx, given.map(arrived)))
  },
}

/** Opt-out and opt-in keywords such as STOP get no answer, and neither do ratings. */
function isForAgents({ data }: StoredEvent): boolean {
  const { body, media_url, inbox_id, payload } = data.object as Message
  if (isRating(payload)) return false
  return inbox_id !== null && (media_url !== null || consentIn(body) === undefined)
}

/** Whether the contact edited (`body`) or deleted (`revoked`) the message. */
const hasChanged = ({ type, data }: StoredEvent, member: 'body' | 'revoked'): boolean =>
  type === messageUpdated.type && Object.hasOwn((data.previous ?? {}) as object, member)

const isInCare = ({ data }: StoredEvent): boolean => (data.object as Contact).ai_handling

const arrived = ({ organization_id: organizationId, livemode, data }: StoredEvent): Arrived => ({
  organizationId,
  livemode,
  id: (data.object as { id: string }).id,
})

async function enqueue(tx: SystemTx, waiting: Waiting[]): Promise<void> {
  for (const { organization_id: organizationId, livemode, ticket_id: ticketId, message_id: messageId } of waiting)
    await tx.enqueue(answerJob, { organizationId, livemode, ticketId, messageId }, { group: { id: organizationId } })
}
