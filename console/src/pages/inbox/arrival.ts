import type { api as types } from '@frontdesk/sdk'
import { onEvent } from '../../data/live.ts'

const patienceMs = 8_000

/**
 * Watches for a customer's message to come in: begin before it is sent, it may be faster than the answer. Then asked for
 * its id, it answers the ticket, or nothing when it takes too long.
 */
export function awaitArrival(): (chatMessageId: string) => Promise<string | undefined> {
  const arrived = new Map<string, string>()
  let look = () => {}
  const stop = onEvent(({ type, data }) => {
    if (type !== 'message.received') return
    const { chat_message_id, inbox_id } = data.object as unknown as types.Message
    if (inbox_id) arrived.set(chat_message_id, inbox_id)
    look()
  })
  setTimeout(stop, 2 * patienceMs)
  return (chatMessageId) =>
    new Promise((resolve) => {
      const finish = () => {
        stop()
        clearTimeout(timer)
        resolve(arrived.get(chatMessageId))
      }
      const timer = setTimeout(finish, patienceMs)
      look = () => {
        if (arrived.has(chatMessageId)) finish()
      }
      look()
    })
}
