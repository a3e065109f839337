import type { TenantSql } from '../../../platform/database.ts'
import type { OpenAgent } from '../answering/turn.ts'
import { findRemembered, type Remembered } from './queries.ts'

/** Characters of all memory, about 1,500 tokens, and of one text in it. */
const longestMemory = 6_000
const longestText = 1_000
const mostTasks = 10
const mostMessages = 8

/**
 * What the agent knows of the contact's earlier conversations and open tasks, as a text for its instructions. Undefined
 * if it is switched off or there is nothing. `ticketId` is the conversation itself, which the model reads anyway.
 */
export async function readMemory(
  sql: TenantSql,
  { type, config, timezone }: OpenAgent,
  { contactId, ticketId }: { contactId: string | undefined; ticketId: string | null },
): Promise<string | undefined> {
  const { enabled, conversations } = config.memory
  if (type === 'static' || !enabled || contactId === undefined) return undefined
  const wanted = { contactId, conversations, tasks: mostTasks, messages: mostMessages, ticketId }
  const lines = linesOf(await findRemembered(sql, wanted), timezone ?? 'UTC')
  return withinLimit(lines).join('\n') || undefined
}

function linesOf({ conversations, tasks, messages }: Remembered, timeZone: string): string[] {
  const day = (at: string) => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(new Date(at))
  return [
    ...tasks.map(({ title, due_at }) => `Open task${due_at ? `, due ${day(due_at)}` : ''}: ${short(title)}`),
    ...messages.map(
      ({ direction, body }) =>
        `${direction === 'inbound' ? 'The contact' : 'We'} wrote in the open chat: ${short(body)}`,
    ),
    ...conversations.map(
      ({ medium, at, summary, disposition }) =>
        `${medium === 'call' ? 'Call' : 'Chat'} on ${day(at)}${disposition ? ` (${disposition})` : ''}: ${short(summary)}`,
    ),
  ]
}

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > longestText ? `${line.slice(0, longestText).toWellFormed()} …` : line
}

/** Lines that fit, in order: the oldest conversations come last. */
function withinLimit(lines: string[]): string[] {
  let length = 0
  return lines.filter((line) => {
    length += line.length + 1
    return length <= longestMemory
  })
}
