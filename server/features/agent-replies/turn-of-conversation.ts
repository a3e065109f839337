import type { Turn } from '../agents/answering/turn.ts'
import type { ContactBrief } from '../contacts/schema.ts'
import type { Conversation } from '../inbox/messages/read-conversation.ts'

/** A ticket as the input of an agent: the history, and all waiting messages joined to one. */
export function turnOf({ contact, messages }: Conversation, waiting: string[]) {
  const isWaiting = (id: string) => waiting.includes(id)
  const history = messages
    .filter(({ id, body, message_type }) => !isWaiting(id) && (body !== '' || message_type !== 'text'))
    .map((message): Turn => ({ speaker: message.direction === 'inbound' ? 'caller' : 'agent', text: textOf(message) }))
  const heard = messages.filter(({ id }) => isWaiting(id)).map(textOf)
  return { contact: contact satisfies ContactBrief, history, heard: heard.join('\n') }
}

/** The agent cannot read files; the text says that there is one. */
const textOf = ({ message_type, body }: Conversation['messages'][number]): string =>
  message_type === 'text' ? body : [`[${message_type}]`, body].filter(Boolean).join(' ')
