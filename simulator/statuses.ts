import { quoted } from './json-escapes.ts'
import { titleOf } from './refusals.ts'

/** An accepted message, as far as its statuses need it. */
export interface SentMessage {
  id: string
  /** The number that sent it. */
  key: string
  person: string
  isUserId: boolean
  /** The user id of the number, or the number of the user id, if it is known. */
  otherId?: string | null
  callbackData: string | null
  /** `service` for a free-form message, otherwise the template's category in lower case. */
  category: string
  /** The API version of the request: newer ones report less. */
  version: number
  failsWith: number | null
}

export interface StatusStep {
  status: string
  /** When it happens. */
  at: number
  /** When the webhook is sent. */
  toldAt: number
}

const seconds = (ms: number): string => `"${Math.floor(ms / 1000)}"`

/** Concatenated by hand: a busy simulator creates tens of thousands of these per second. */
export function statusJson(message: SentMessage, { status, at }: StatusStep): string {
  const { id, person, isUserId, otherId, callbackData, category, version, failsWith } = message
  const [number, userId] = isUserId ? [otherId, person] : [person, otherId]
  let json = `{"id":"${id}","status":"${status}","timestamp":${seconds(at)}`
  if (number) json += `,"recipient_id":"${number}"`
  if (userId) json += `,"recipient_user_id":${quoted(userId)}`
  if (callbackData !== null) json += `,"biz_opaque_callback_data":${quoted(callbackData)}`
  if (status === 'failed') return `${json},"errors":[${errorJson(failsWith ?? 131000)}]}`
  if (version < 24) {
    const expiry = status === 'sent' ? `"expiration_timestamp":${seconds(at + 24 * 3600 * 1000)},` : ''
    json += `,"conversation":{"id":"${conversationOf(message)}",${expiry}"origin":{"type":"${category}"}}`
  }
  // Only in `sent`.
  if (status === 'sent') {
    const free = category === 'service'
    json +=
      `,"pricing":{"billable":${!free},"pricing_model":"PMP","category":"${category}",` +
      `"type":"${free ? 'free_customer_service' : 'regular'}"}`
  }
  return `${json}}`
}

const conversationOf = ({ id }: SentMessage): string => Buffer.from(id.slice(-24)).toString('hex').slice(0, 32)

const details: Record<number, string> = {
  131026: 'Message Undeliverable.',
  131049: 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  131050: 'The user has stopped marketing messages from this business.',
}

const errorJson = (code: number): string => {
  const title = quoted(titleOf(code))
  return (
    `{"code":${code},"title":${title},"message":${title},"error_data":{"details":${quoted(details[code] ?? titleOf(code))}},` +
    `"href":"https:\\/\\/developers.facebook.com\\/docs\\/whatsapp\\/cloud-api\\/support\\/error-codes\\/"}`
  )
}
