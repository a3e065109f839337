import { parseExactJson } from '../../../platform/exact-json.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import { explanationOf } from '../../../providers/chat/explain-error.ts'
import type { AccountHealthUpdate } from '../../channels/health/record-health.ts'
import type { IdentityChange } from '../../contacts/senders/change-identities.ts'
import type { Sender } from '../../contacts/senders/sender.ts'
import type { AppContact } from '../../inbox/business-app/add-app-contacts.ts'
import type { AppMessage } from '../../inbox/business-app/app-message.ts'
import type { InboundReaction } from '../../inbox/messages/record-reactions.ts'
import type { InboundEdit } from '../../inbox/receiving/inbound-edit.ts'
import type { InboundMessage } from '../../inbox/receiving/inbound-message.ts'
import type { MessageStatus } from '../../inbox/receiving/record-statuses.ts'
import type { TemplateUpdate } from '../../templates/syncing/record-template-updates.ts'
import { businessAppFields, readAppContacts, readEchoes, readHistory } from './read-business-app.ts'
import { editKind, readEdit } from './read-edit.ts'
import { readHealthUpdate } from './read-health-update.ts'
import { readSystemMessage, readUserIdUpdate } from './read-identity-change.ts'
import { type NamedPeople, namedPeople, readMessage, senderOf } from './read-message.ts'
import { readTemplateUpdate } from './read-template-update.ts'
import { idOf, type Part, partOf, partsOf, textOf, timeOf } from './wire.ts'

type WithoutChannel<T> = Omit<T, 'channelId'>

/** Whether a person accepts marketing, from the platform's own settings. */
export interface Preference {
  sender: Sender
  wants: boolean
  at: string
}

/** The updates of a webhook about one number or one account. */
export interface Change {
  phoneNumberId: string | null
  businessAccountId: string | null
  messages: WithoutChannel<InboundMessage>[]
  reactions: WithoutChannel<InboundReaction>[]
  edits: WithoutChannel<InboundEdit>[]
  statuses: WithoutChannel<MessageStatus>[]
  identities: IdentityChange[]
  preferences: Preference[]
  templates: TemplateUpdate[]
  health: AccountHealthUpdate[]
  /** About the WhatsApp Business app on the same number. */
  echoes: WithoutChannel<AppMessage>[]
  history: WithoutChannel<AppMessage>[]
  appContacts: AppContact[]
}

interface Payload {
  changes: Change[]
  /** Short descriptions of the ignored parts. */
  ignored: string[]
}

interface Reading extends Payload {
  phones: PhoneNumbers
  now: Date
}

/** Converts a webhook to our format. It never throws: parts that cannot be read are listed in `ignored`. */
export function readPayload(body: Buffer, { phones, now }: { phones: PhoneNumbers; now: Date }): Payload {
  const reading: Reading = { changes: [], ignored: [], phones, now }
  try {
    const payload = partOf(parseExactJson(body.toString('utf8')))
    const entries = partsOf(payload.entry)
    if (payload.object !== 'whatsapp_business_account') reading.ignored.push('another object')
    else if (!Array.isArray(payload.entry)) reading.ignored.push('no entries')
    else for (const entry of entries) for (const change of partsOf(entry.changes)) readChange(reading, entry, change)
  } catch {
    reading.ignored.push('not JSON')
  }
  return { changes: reading.changes, ignored: [...new Set(reading.ignored)].slice(0, 20) }
}

/** What a webhook can hold, and does not yet. */
export const noUpdates = () => ({
  messages: [],
  reactions: [],
  edits: [],
  statuses: [],
  identities: [],
  preferences: [],
  templates: [],
  health: [],
  echoes: [],
  history: [],
  appContacts: [],
})

function readChange(reading: Reading, entry: Part, change: Part): void {
  const field = textOf(change.field, 64)
  const value = partOf(change.value)
  const isOfApp = (businessAppFields as readonly string[]).includes(field)
  const isOfNumber = field === 'messages' || field === 'user_preferences' || field === 'user_id_update' || isOfApp
  const phoneNumberId = isOfNumber ? idOf(partOf(value.metadata).phone_number_id, 255) : null
  if (isOfNumber && phoneNumberId === null) reading.ignored.push(`${field} without phone_number_id`)
  else if (isOfNumber) {
    const told: Change = { phoneNumberId, businessAccountId: null, ...noUpdates() }
    if (field === 'messages') readMessages(reading, told, value)
    else if (field === 'user_preferences') readPreferences(reading, told, value)
    else if (field === 'user_id_update') readUserIdUpdates(reading, told, value)
    else if (field === 'smb_message_echoes') told.echoes = readEchoes(value, reading)
    else if (field === 'history') told.history = readHistory(value, reading)
    else told.appContacts = readAppContacts(value, reading)
    reading.changes.push(...piecesOf(told))
  } else {
    const template = readTemplateUpdate(field, value, entry, reading.now)
    const health = readHealthUpdate(field, value, entry, reading.now)
    const businessAccountId = (template ?? health)?.businessAccountId
    if (businessAccountId === undefined) reading.ignored.push(`field ${field}`)
    else
      reading.changes.push({
        phoneNumberId: null,
        businessAccountId,
        ...noUpdates(),
        templates: template ? [template] : [],
        health: health ? [health] : [],
      })
  }
}

/** The platform sends fewer at once; the limit keeps any webhook from filling a transaction. */
const mostInPiece = 1_000

function piecesOf(change: Change): Change[] {
  const { messages, reactions, edits, statuses, identities, preferences, echoes, history, appContacts } = change
  const lists = [messages, reactions, edits, statuses, identities, preferences, echoes, history, appContacts]
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: Math.ceil(longest / mostInPiece) }, (_, i) => {
    const nth = <T>(list: T[]): T[] => list.slice(i * mostInPiece, (i + 1) * mostInPiece)
    return {
      ...change,
      messages: nth(messages),
      reactions: nth(reactions),
      edits: nth(edits),
      statuses: nth(statuses),
      identities: nth(identities),
      preferences: nth(preferences),
      echoes: nth(echoes),
      history: nth(history),
      appContacts: nth(appContacts),
    }
  })
}

function readMessages({ ignored, phones, now }: Reading, change: Change, value: Part): void {
  const people = namedPeople(value.contacts)
  for (const message of partsOf(value.messages))
    if (!readOne(change, message, people, phones, now)) ignored.push(`message of type ${textOf(message.type, 64)}`)
  for (const each of partsOf(value.statuses)) {
    const status = readStatus(each, people, phones, now)
    if (status) change.statuses.push(status)
    else ignored.push(`status ${textOf(each.status, 64)}`)
  }
  for (const { code } of partsOf(value.errors)) ignored.push(`error ${textOf(String(code), 32)}`)
}

/** Whether the field is one that we process. */
function readOne(change: Change, message: Part, people: NamedPeople, phones: PhoneNumbers, now: Date): boolean {
  // A message in a group is not a conversation with one contact.
  if (message.group_id !== undefined) return false
  if (message.type === 'reaction') {
    const { message_id, emoji } = partOf(message.reaction)
    const chatMessageId = idOf(message_id)
    const sender = senderOf(message, people, phones)
    if (chatMessageId === null || !sender) return false
    change.reactions.push({ chatMessageId, sender, emoji: textOf(emoji, 64), at: timeOf(message.timestamp, now) })
    return true
  }
  if (message.type === 'system') {
    const identity = readSystemMessage(message, { phones, now })
    if (identity) change.identities.push(identity)
    return identity !== undefined
  }
  if (editKind(message)) {
    const edit = readEdit(message, people, { phones, now })
    if (edit) change.edits.push(edit)
    return edit !== undefined
  }
  const read = readMessage(message, people, { phones, now })
  if (read) change.messages.push(read)
  return read !== undefined
}

/** A voice message that was played counts as read. */
const statusWords = { sent: 'sent', delivered: 'delivered', read: 'read', played: 'read', failed: 'failed' } as const

function readStatus(
  part: Part,
  people: NamedPeople,
  phones: PhoneNumbers,
  now: Date,
): WithoutChannel<MessageStatus> | undefined {
  const status = Object.hasOwn(statusWords, textOf(part.status)) && statusWords[part.status as keyof typeof statusWords]
  const chatMessageId = idOf(part.id)
  if (!status || chatMessageId === null) return undefined
  const callbackId = isUuid(part.biz_opaque_callback_data) ? part.biz_opaque_callback_data.toLowerCase() : null
  const error = status === 'failed' ? readError(partsOf(part.errors)[0]) : null
  const at = timeOf(part.timestamp, now)
  const recipient = recipientOf(part, people, phones)
  return { chatMessageId, callbackId, status, at, error, ...(recipient && { recipient: { ...recipient, at } }) }
}

/** The recipient, if the webhook names both the number and the user id. A group is not a person. */
function recipientOf(part: Part, people: NamedPeople, phones: PhoneNumbers): Sender | undefined {
  const { recipient_id: from, recipient_user_id: from_user_id } = part
  const isAlone = from_user_id === undefined && people.byUserId.size === 0
  if (isAlone || part.recipient_type === 'group') return undefined
  const person = senderOf({ from, from_user_id }, people, phones)
  return person?.phoneNumber && person.userId ? person : undefined
}

function readError(error: Part = {}) {
  const words = textOf(explanationOf(error), 2000)
  return { code: idOf(error.code, 64) ?? 'failed', message: words || 'The platform gave no reason' }
}

function readUserIdUpdates({ ignored, phones, now }: Reading, change: Change, value: Part): void {
  for (const part of partsOf(value.user_id_update)) {
    const identity = readUserIdUpdate(part, { phones, now })
    if (identity) change.identities.push(identity)
    else ignored.push('user_id_update without ids')
  }
}

function readPreferences({ ignored, phones, now }: Reading, change: Change, value: Part): void {
  const people = namedPeople(value.contacts)
  for (const part of partsOf(value.user_preferences)) {
    const sender = senderOf({ from: part.wa_id, from_user_id: part.user_id }, people, phones)
    const isKnown = part.category === 'marketing_messages' && (part.value === 'stop' || part.value === 'resume')
    if (sender && isKnown)
      change.preferences.push({ sender, wants: part.value === 'resume', at: timeOf(part.timestamp, now) })
    else ignored.push(`preference ${textOf(part.category, 64)} ${textOf(part.value, 64)}`)
  }
}
