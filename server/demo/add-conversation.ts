import { idAt } from '../platform/ids.ts'
import { answeredConversations, conversations } from './conversations.ts'
import { activityOf, type DemoActivity, type DemoData } from './demo-rows.ts'

/** Conversations of the last days that are still open. */
const openConversations = 14

/**
 * The first conversation is from today, the others from the days before; messages are one or two minutes apart. Returns
 * whether people handle the contact: a member replied, or the agent never did.
 */
export function addConversation(
  data: DemoData,
  now: Date,
  contactId: string,
  contactCreated: Date,
  index: number,
  activities: DemoActivity[],
): boolean {
  const number = data.tickets.length
  const isRecent = number < openConversations
  const scripts = isRecent ? conversations : answeredConversations
  const script = scripts[number % scripts.length] as string[]
  const lastedMinutes = script.length * 2
  const begun = Math.max(
    contactCreated.getTime() + 60_000,
    now.getTime() - (number * 11 * 3600 + 900) * 1000 - lastedMinutes * 60_000,
  )
  const ticketId = idAt(new Date(begun))
  const when = (step: number) =>
    new Date(Math.min(begun + step * (60 + ((index * 37 + step * 53) % 60)) * 1000, now.getTime()))
  const lines = script.map((line, step) => ({ who: line[0], body: line.slice(2), at: when(step) }))
  const firstReply = lines.findIndex(({ who }) => who === '>')
  for (const [step, { who, body, at }] of lines.entries()) {
    const id = idAt(at)
    const isAgent = who === '!'
    if (isAgent || (step === firstReply && !lines.some((line) => line.who === '!')))
      activities.push(
        activityOf(contactId, at, 'handoff_to_human', isAgent ? 'ai' : 'user', {
          reason: isAgent ? body : 'A member replied',
        }),
      )
    if (isAgent) continue
    const isInbound = who === '<'
    const actor_type = isInbound ? 'system' : who === '*' ? 'ai' : 'user'
    data.messages.push({
      id,
      ticket_id: ticketId,
      contact_id: contactId,
      direction: isInbound ? 'inbound' : 'outbound',
      body,
      actor_type,
      created_at: at.toISOString(),
    })
    activities.push(
      activityOf(contactId, at, isInbound ? 'message_inbound' : 'message_outbound', actor_type, {
        message_id: id,
        preview: body,
      }),
    )
  }
  const messages = lines.filter(({ who }) => who !== '!')
  const answered = messages.findLastIndex(({ who }) => who !== '<')
  data.tickets.push({
    id: ticketId,
    contact_id: contactId,
    status: isRecent ? 'open' : 'closed',
    unread_count: isRecent && number % 3 === 0 ? messages.length - 1 - answered : 0,
    message_count: messages.length,
    last_message_at: lines.at(-1)?.at.toISOString() as string,
    is_handed_off: firstReply !== -1,
    // Two of three customers rate a closed conversation.
    rating: isRecent || number % 3 === 0 ? null : number % 11 === 0 ? 'bad' : number % 5 === 0 ? 'okay' : 'good',
    created_at: lines[0]?.at.toISOString() as string,
  })
  return firstReply !== -1 || !lines.some(({ who }) => who === '*')
}
