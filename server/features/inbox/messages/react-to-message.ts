import type { TenantScope } from '../../../platform/database.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { ChatError } from '../../../providers/chat/contract.ts'
import { upstreamFailure, withRetries } from '../sending/deliver.ts'
import { planReaction } from '../sending/plan-reply.ts'
import type { Sending } from '../sending/send-message.ts'
import { findMessages } from './message-queries.ts'
import { addReactions } from './record-reactions.ts'
import type { Message } from './schema.ts'

/**
 * Hearts and some other emoji may be sent without the variation selector that requests their color form. In a function
 * because it takes 40 ms to parse, which would be part of every start.
 */
const isEmoji = (text: string): boolean => /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic})$/v.test(text)

/** Sets the organization's reaction to a message; an empty emoji removes it. Idempotent. */
export async function reactToMessage(
  deps: Sending,
  scope: TenantScope,
  { ticketId, messageId, emoji }: { ticketId: string; messageId: string; emoji: string },
): Promise<Message> {
  if (emoji !== '' && !isEmoji(emoji)) throw invalid(['body', 'emoji'], 'emoji must be one emoji, or empty')
  const sql = deps.database.forTenant(scope)
  const { channelId, chatMessageId, to } = await planReaction(sql, ticketId, messageId)
  const connection = await deps.chatConnections.open(sql, channelId)
  const at = new Date().toISOString()
  try {
    await withRetries(() => connection.platform.send({ type: 'reaction', to, messageId: chatMessageId, emoji }))
  } catch (error) {
    throw error instanceof ChatError ? upstreamFailure(error) : error
  }
  const reaction = { messageId, sender: connection.phoneNumber, emoji, at }
  const [message] = await deps.database.inTenant(scope, async (tx) => {
    await addReactions(tx, [reaction], deps)
    return findMessages(tx, [messageId], deps.mediaAddress)
  })
  if (!message) throw notFound('Message')
  return message
}
