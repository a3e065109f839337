import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import type { IdentityChange } from '../../contacts/senders/change-identities.ts'
import { numberOf } from './read-message.ts'
import { idOf, type Part, partOf, textOf, timeOf } from './wire.ts'

const kinds = ['user_changed_number', 'customer_changed_number', 'user_changed_user_id']

/** Ids look like `US.13491208655302741918` or `US.ENT.11815799212886844830`. */
const changedInBody = /changed from ([A-Z]{2}\.[0-9A-Za-z.]{1,160}) to ([A-Z]{2}\.[0-9A-Za-z.]{1,160})/

/**
 * A system message about a new number or a new business-scoped user id. Earlier payloads lack `previous_user_id`: the
 * old id is then in the text only. See docs/whatsapp-facts.md.
 */
export function readSystemMessage(
  message: Part,
  { phones, now }: { phones: PhoneNumbers; now: Date },
): IdentityChange | undefined {
  const system = partOf(message.system)
  if (!kinds.includes(textOf(system.type))) return undefined
  const [, before, after] = changedInBody.exec(textOf(system.body, 1_000)) ?? []
  const to = {
    // Where a payload has both, `wa_id` may be the old one.
    phoneNumber: numberOf(system.new_wa_id ?? system.wa_id, phones),
    userId: idOf(system.user_id ?? after, 255),
  }
  const sender = idOf(message.from_user_id, 255)
  const from = {
    phoneNumber: numberOf(message.from ?? system.customer, phones),
    // No source says whether a system message is from the old id or the new one.
    userId: idOf(system.previous_user_id ?? before, 255) ?? (sender === to.userId ? null : sender),
  }
  return changeOf(from, to, timeOf(message.timestamp, now))
}

/** The older form: a webhook field of its own. */
export function readUserIdUpdate(
  part: Part,
  { phones, now }: { phones: PhoneNumbers; now: Date },
): IdentityChange | undefined {
  const { previous, current } = partOf(part.user_id)
  const from = { phoneNumber: null, userId: idOf(previous, 255) }
  return changeOf(
    from,
    { phoneNumber: numberOf(part.wa_id, phones), userId: idOf(current, 255) },
    timeOf(part.timestamp, now),
  )
}

/** Undefined if it does not say who changed, or to what. A value that stays the same is no change. */
function changeOf(from: IdentityChange['from'], to: IdentityChange['to'], at: string): IdentityChange | undefined {
  const isKnown = from.phoneNumber !== null || from.userId !== null
  const isChange =
    (to.phoneNumber !== null && to.phoneNumber !== from.phoneNumber) ||
    (to.userId !== null && to.userId !== from.userId)
  return isKnown && isChange ? { from, to, at } : undefined
}
