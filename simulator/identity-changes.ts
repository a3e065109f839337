import type { SimulatedNumber } from './numbers.ts'

/** A customer gets another number or another business-scoped user id. The third is the form that earlier versions sent. */
const identityChanges = ['user_changed_number', 'user_changed_user_id', 'user_id_update'] as const
type IdentityChange = (typeof identityChanges)[number]

export const isIdentityChange = (type: string): type is IdentityChange =>
  (identityChanges as readonly string[]).includes(type)

/** Who changed, and to what. */
interface ChangedPerson {
  from?: string
  user_id?: string
  name?: string
  message: Record<string, unknown>
}

const digitsOf = (value: unknown) => (typeof value === 'string' ? value.replace(/\D/g, '') : '')

/** A new id of the same country: ids look like `US.13491208655302741918`. */
const newUserId = (previous: string | undefined) =>
  `${previous?.slice(0, 2) ?? 'US'}.${Array.from({ length: 20 }, () => Math.floor(Math.random() * 10)).join('')}`

/** The webhook about it. The message names the new values, `wa_id` and `user_id`; a missing id is made up. */
export function identityWebhook(
  number: SimulatedNumber,
  type: IdentityChange,
  { from, user_id: previous, name = 'Test customer', message }: ChangedPerson,
  { id, timestamp }: { id: string; timestamp: string },
): { part: string; json: string } {
  const [waId, userId] = [digitsOf(message.wa_id), message.user_id]
  const current = typeof userId === 'string' ? userId : previous && newUserId(previous)
  if (type === 'user_id_update') {
    const value = {
      messaging_product: 'whatsapp',
      metadata: {
        display_phone_number: digitsOf(number.display_phone_number),
        phone_number_id: number.phone_number_id,
      },
      contacts: [{ profile: { name }, ...(waId && { wa_id: waId }), user_id: current }],
      user_id_update: [
        {
          ...(waId && { wa_id: waId }),
          detail: `User id for ${name} has been updated.`,
          user_id: { previous, current },
          timestamp,
        },
      ],
    }
    return { part: type, json: JSON.stringify(value) }
  }
  const system = {
    body: `User ${name} changed from ${digitsOf(from) || previous} to ${waId || current}`,
    ...(type === 'user_changed_number' && { wa_id: waId }),
    ...(current && { user_id: current }),
    ...(previous && { previous_user_id: previous }),
    type,
  }
  return {
    part: 'messages',
    json: JSON.stringify({ ...(from && { from: digitsOf(from) }), id, timestamp, type: 'system', system }),
  }
}
