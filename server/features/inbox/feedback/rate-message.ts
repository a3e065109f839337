import { isDeepStrictEqual } from 'node:util'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import { emit } from '../../../platform/events.ts'
import { messageUpdated } from '../events.ts'
import { findMessages } from '../messages/message-queries.ts'
import type { Message } from '../messages/schema.ts'
import { listRatedIds, lockMessage, putFeedback } from './queries.ts'
import type { FeedbackFilter, NewFeedback } from './schema.ts'

interface Rating {
  memberId: string | null
  /** Null removes the rating. */
  given: NewFeedback | null
  mediaAddress: string
}

/** Rates an answer of an agent. The last member who rates wins; the same rating again changes nothing. */
export async function rateMessage(
  tx: TenantTx,
  { inbox_id: ticketId, message_id: messageId }: { inbox_id: string; message_id: string },
  { memberId, given, mediaAddress }: Rating,
): Promise<Message> {
  const { actor_type, feedback: before } = found(await lockMessage(tx, ticketId, messageId), 'Message')
  if (actor_type !== 'ai') throw conflict('Only answers of agents can be rated')
  const reason = given?.reason?.trim() || null
  const after = given && { rating: given.rating, reason, member_id: memberId }
  const { rated_at: _, ...same } = before ?? { rated_at: '' }
  const isChange = !isDeepStrictEqual(after ?? {}, same)
  if (isChange) await putFeedback(tx, messageId, after && { ...after, rated_at: new Date().toISOString() })
  const message = found((await findMessages(tx, [messageId], mediaAddress))[0], 'Message')
  if (isChange) await emit(tx, messageUpdated, message, { feedback: before })
  return message
}

/** Newest message first. */
export async function pageOfRatedMessages(sql: TenantSql, filter: FeedbackFilter, mediaAddress: string) {
  const { data, ...page } = await listRatedIds(sql, filter)
  const ids = data.map(({ id }) => id)
  const messages = new Map((await findMessages(sql, ids, mediaAddress)).map((message) => [message.id, message]))
  return { ...page, data: ids.flatMap((id) => messages.get(id) ?? []) }
}
