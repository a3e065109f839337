import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import type { InboundEdit } from '../../inbox/receiving/inbound-edit.ts'
import { contentOf, type NamedPeople, senderOf } from './read-message.ts'
import { idOf, keepable, type Part, partOf, partsOf, textOf, timeOf } from './wire.ts'

/**
 * Whether a message is about an earlier one that its sender edited or deleted. The platform says so in two ways: by the
 * types `edit` and `revoke`, or, where it does not support these for the number, by `unsupported` with the error 131051
 * and the type in `unsupported.type`. See docs/guides/inbox.md.
 */
export function editKind(message: Part): InboundEdit['kind'] | undefined {
  const type = message.type === 'unsupported' ? partOf(message.unsupported).type : message.type
  return type === 'edit' || type === 'revoke' ? type : undefined
}

export function readEdit(
  message: Part,
  people: NamedPeople,
  { phones, now }: { phones: PhoneNumbers; now: Date },
): Omit<InboundEdit, 'channelId'> | undefined {
  const kind = editKind(message)
  const eventId = idOf(message.id)
  const sender = senderOf(message, people, phones)
  if (!kind || eventId === null || !sender) return undefined
  const part = { ...partOf(message.unsupported), ...partOf(message[kind]) }
  return {
    kind,
    eventId,
    sender,
    at: timeOf(message.timestamp, now),
    chatMessageId: idOf(part.original_message_id),
    content: kind === 'edit' ? newContent(partOf(part.message)) : null,
    raw: { type: textOf(message.type, 64), [kind]: keepable(part), errors: keepable(partsOf(message.errors)) },
  }
}

/** Undefined if the platform omits the new text. */
function newContent(message: Part): InboundEdit['content'] {
  if (textOf(message.type) === '') return null
  const { payload, ...content } = contentOf(message)
  return {
    ...content,
    payload: Object.keys(payload).length > 0 ? payload : null,
    contextMessageId: idOf(partOf(message.context).id),
  }
}
