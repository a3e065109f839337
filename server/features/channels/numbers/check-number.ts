import { invalid } from '../../../platform/errors.ts'
import { ChatError } from '../../../providers/chat/contract.ts'
import type { ChatConnector } from '../connections/create-chat-connections.ts'
import { upstreamFailed } from '../connections/upstream.ts'
import type { ChatCredentials } from '../schema.ts'

/** The result of checking a number with the platform. A refusal is thrown instead. */
export type NumberCheck = { outcome: 'confirmed' } | { outcome: 'unreachable'; reason: string }

/** The part of the credentials that the check covers: a new token, number or account needs a new check. */
export const checkedPart = ({ phone_number_id, business_account_id, access_token }: ChatCredentials) => ({
  phone_number_id,
  business_account_id,
  access_token,
})

/**
 * Reads the number from the platform with the given token. Throws 502 if the platform refuses, and 422 if the number
 * belongs to another business account. A response that does not come from the platform itself proves nothing and counts
 * as unreachable.
 */
export async function checkNumber(
  live: ChatConnector,
  { phone_number_id, business_account_id, access_token }: ChatCredentials,
): Promise<NumberCheck> {
  const platform = live.connect({
    phoneNumberId: phone_number_id,
    businessAccountId: business_account_id,
    accessToken: access_token,
  })
  try {
    const { isOfBusinessAccount } = await platform.readNumber()
    if (isOfBusinessAccount) return { outcome: 'confirmed' }
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    if (!isRefusal(error)) return { outcome: 'unreachable', reason: error.message }
    throw upstreamFailed(`The platform refused to show the number ${phone_number_id} with this access token`, error)
  }
  throw invalid(
    ['body', 'chat', 'business_account_id'],
    `The business account ${business_account_id} has no number ${phone_number_id} that this access token can see`,
  )
}

/** The platform's own codes are numeric. `bad_token` and `bad_id` are ours, for values that it could never accept. */
const isRefusal = ({ verdict, code }: ChatError): boolean =>
  verdict !== 'retry' && verdict !== 'unknown' && /^(\d+|bad_token|bad_id)$/.test(code)
