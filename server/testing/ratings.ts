import { ok } from './app.ts'
import { type ChatOrganization, newCustomer } from './conversations.ts'
import { until } from './process.ts'

/** A ticket that was closed and opened again; the contact can still rate it. */
export async function reopenedWithRequest({ call, channelId, receives }: ChatOrganization) {
  ok(await call('PATCH', `channels/${channelId}`, { asks_for_rating: true }))
  const from = newCustomer()
  const { ticketId, contactId } = await receives({ from })
  ok(await call('POST', `inbox/messages/${ticketId}`, { body: 'Done' }), 201)
  ok(await call('PATCH', `inbox/tickets/${ticketId}`, { status: 'closed' }))
  const request = async (): Promise<string> => {
    const { messages } = ok(await call('GET', `inbox/messages/${ticketId}`))
    return messages.find((each: { actor_type: string; direction: string }) => {
      return each.actor_type === 'system' && each.direction === 'outbound'
    })?.chat_message_id
  }
  await until(async () => Boolean(await request()))
  const contextMessageId = await request()
  ok(await call('PATCH', `inbox/tickets/${ticketId}`, { status: 'open' }))
  const tap = (rating: string) => {
    const button_reply = { id: `rating-${rating}`, title: rating }
    const payload = { type: 'interactive', interactive: { type: 'button_reply', button_reply } }
    return receives({ from, body: rating, contextMessageId, payload })
  }
  return { ticketId, contactId, from, tap }
}
