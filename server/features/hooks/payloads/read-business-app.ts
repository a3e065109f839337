import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import type { Sender } from '../../contacts/senders/sender.ts'
import type { AppContact } from '../../inbox/business-app/add-app-contacts.ts'
import type { AppMessage } from '../../inbox/business-app/app-message.ts'
import { editKind } from './read-edit.ts'
import { contentOf, namedPeople, senderOf } from './read-message.ts'
import { idOf, momentOf, type Part, partOf, partsOf, textOf, timeOf } from './wire.ts'

/** Webhooks about the WhatsApp Business app on the same number. See docs/whatsapp-facts.md. */
export const businessAppFields = ['smb_message_echoes', 'history', 'smb_app_state_sync'] as const

interface Reading {
  phones: PhoneNumbers
  now: Date
  ignored: string[]
}

type Read<T> = Omit<T, 'channelId'>

/** Messages that a person just sent in the app. */
export function readEchoes(value: Part, { phones, now, ignored }: Reading): Read<AppMessage>[] {
  const people = namedPeople(value.contacts)
  return partsOf(value.message_echoes).flatMap((message) => {
    const contact = senderOf({ from: message.to, from_user_id: message.to_user_id }, people, phones)
    const read = contact && readAppMessage(message, contact, { at: momentOf(message.timestamp, now) })
    if (!read) ignored.push(`echo of type ${textOf(message.type, 64)}`)
    return read ?? []
  })
}

/** Messages of threads, and files of messages that an earlier chunk has named. */
export function readHistory(value: Part, { phones, now, ignored }: Reading): Read<AppMessage>[] {
  const ownNumber = digitsOf(partOf(value.metadata).display_phone_number)
  const isOwn = (message: Part) =>
    partOf(message.history_context).from_me === true || (ownNumber !== '' && digitsOf(message.from) === ownNumber)
  const unnamed = namedPeople([])
  const read = (message: Part, contact: Sender | undefined, at: string) => {
    const direction = isOwn(message) ? 'outbound' : 'inbound'
    const status = direction === 'outbound' ? statusOf(partOf(message.history_context).status) : 'read'
    const found = contact && readAppMessage(message, contact, { at, direction, status })
    if (!found) ignored.push(`history of type ${textOf(message.type, 64)}`)
    return found ?? []
  }
  const chunks = partsOf(value.history)
  for (const { code } of chunks.flatMap(({ errors }) => partsOf(errors)))
    ignored.push(`history error ${textOf(String(code), 32)}`)
  const threads = chunks.flatMap(({ threads }) => partsOf(threads))
  return [
    ...threads.flatMap((thread) => {
      const contact = senderOf({ from: thread.id, from_user_id: thread.user_id }, unnamed, phones)
      return inOrder(partsOf(thread.messages), now).flatMap(([message, at]) => read(message, contact, at))
    }),
    ...partsOf(value.messages).flatMap((message) => {
      const contact = senderOf({ from: isOwn(message) ? message.to : message.from }, unnamed, phones)
      return read(message, contact ?? (isOwn(message) ? unknownContact : undefined), timeOf(message.timestamp, now))
    }),
  ]
}

/** The file of a message of the business may name no recipient: its placeholder does. */
const unknownContact: Sender = { phoneNumber: null, userId: null, name: '' }

/** The address book of the app. Removing a person from it does not remove the contact. */
export function readAppContacts(value: Part, { phones, now, ignored }: Reading): AppContact[] {
  const unnamed = namedPeople([])
  return partsOf(value.state_sync).flatMap((part) => {
    if (part.type === 'contact' && part.action === 'remove') return []
    const { phone_number, user_id, full_name, first_name } = partOf(part.contact)
    // The address book may hold numbers as people write them.
    const from = digitsOf(phone_number) || undefined
    const contact = senderOf({ from, from_user_id: user_id }, unnamed, phones)
    if (part.type !== 'contact' || !contact) {
      ignored.push(`app state of type ${textOf(part.type, 64)}`)
      return []
    }
    const firstName = textOf(first_name, 255).trim()
    const name = textOf(full_name, 255).trim() || firstName
    return [{ contact: { ...contact, name }, firstName, at: timeOf(partOf(part.metadata).timestamp, now) }]
  })
}

const digitsOf = (value: unknown) => textOf(value, 40).replace(/\D/g, '')

function readAppMessage(
  message: Part,
  contact: Sender,
  {
    at,
    direction = 'outbound',
    status = 'sent',
  }: { at: string; direction?: AppMessage['direction']; status?: AppMessage['status'] },
): Read<AppMessage> | undefined {
  const chatMessageId = idOf(message.id)
  // The app's own edits, deletions and reactions change nothing here; a group is not a conversation with one contact.
  const isAboutAnother = editKind(message) !== undefined || message.type === 'reaction'
  if (chatMessageId === null || isAboutAnother || message.group_id !== undefined) return undefined
  const { payload, ...content } = contentOf(message)
  return {
    ...content,
    ...(message.type === 'media_placeholder' && { body: '[File in the WhatsApp Business app]' }),
    chatMessageId,
    contact,
    at,
    direction,
    status,
    contextMessageId: idOf(partOf(message.context).id),
    payload: Object.keys(payload).length > 0 ? payload : null,
  }
}

const statusWords: Record<string, AppMessage['status']> = {
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  error: 'failed',
}

const statusOf = (word: unknown): AppMessage['status'] => {
  const known = textOf(word, 32).toLowerCase()
  return Object.hasOwn(statusWords, known) ? (statusWords[known] as AppMessage['status']) : 'sent'
}

/**
 * The messages of a thread, oldest first, with their times. The platform counts whole seconds and lists threads in
 * either direction: messages of the same second get a millisecond each, so that they keep their order.
 */
function inOrder(messages: Part[], now: Date): [Part, string][] {
  const seconds = messages.map(({ timestamp }) => Date.parse(timeOf(timestamp, now)))
  const isNewestFirst = (seconds[0] ?? 0) > (seconds.at(-1) ?? 0)
  const listed = messages.map((message, i) => ({ message, ms: seconds[i] as number }))
  let last = 0
  return (isNewestFirst ? listed.reverse() : listed)
    .toSorted((a, b) => a.ms - b.ms)
    .map(({ message, ms }) => {
      last = Math.max(ms, Math.min(last + 1, ms + 999))
      return [message, new Date(last).toISOString()]
    })
}
