import type { api as types } from '@frontdesk/sdk'
import { onEvent } from '../../data/live.ts'

const timeoutMs = 8_000

/**
 * Waits for a simulated message to arrive. Call it before sending, because the event may be faster than the response.
 * The returned function resolves to the ticket of the message, or to undefined after a timeout.
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
  setTimeout(stop, 2 * timeoutMs)
  return (chatMessageId) =>
    new Promise((resolve) => {
      const finish = () => {
        stop()
        clearTimeout(timer)
        resolve(arrived.get(chatMessageId))
      }
      const timer = setTimeout(finish, timeoutMs)
      look = () => {
        if (arrived.has(chatMessageId)) finish()
      }
      look()
    })
}
