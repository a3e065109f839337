import type { Message } from './schema.ts'

const longest = 120

/** The text that the timeline shows for a message. */
export function previewOf({ message_type, body }: Pick<Message, 'message_type' | 'body'>): string {
  const text = body.replace(/\s+/g, ' ').trim()
  const shown = message_type === 'text' ? text : [`[${message_type}]`, text].filter(Boolean).join(' ')
  return shown.length <= longest ? shown : `${shown.slice(0, longest - 1).toWellFormed()}…`
}
