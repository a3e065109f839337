import { ChatError, type ChatPlatform } from './contract.ts'
import { asId, asObject, asObjects, asText, badAnswer, type GraphClient, type Json } from './graph-api-client.ts'
import { pages } from './graph-api-pages.ts'

/** Codes for an object that does not exist, or that this token may not see. */
const noSuchObject = new Set(['33', '100'])

/** An account has few numbers: more pages mean a broken cursor. */
const pagesOfNumbers = 50

const ofNumber = 'id,quality_rating,throughput,name_status'
/** Older versions refuse fields that they do not know: the limit belonged to the number before it was the business's. */
const healthFields = [
  `${ofNumber},whatsapp_business_manager_messaging_limit,status,health_status`,
  `${ofNumber},whatsapp_business_manager_messaging_limit`,
  `${ofNumber},messaging_limit_tier`,
]

/** What the platform says about the number, its account, business and app. */
function problemsIn(health: Record<string, unknown>): string[] {
  const texts = asObjects(health.entities).flatMap(({ errors, additional_info }) => [
    ...asObjects(errors).map(({ error_description }) => asText(error_description)),
    ...(Array.isArray(additional_info) ? additional_info : []).map(asText),
  ])
  return texts.flatMap((text) => text.slice(0, 500) || []).slice(0, 10)
}

export function numberCalls(
  client: GraphClient,
  { phoneNumberId, businessAccountId }: { phoneNumberId: string; businessAccountId: string },
): Pick<ChatPlatform, 'readNumber' | 'readHealth' | 'setBlocked' | 'requestAppData'> {
  async function accountHasNumber(): Promise<boolean> {
    const path = [businessAccountId, 'phone_numbers']
    const idsIn = (items: Json[]) => items.map(({ id }) => asId(id))
    for await (const ids of pages(client, path, { fields: 'id', limit: '100' }, idsIn, pagesOfNumbers))
      if (ids.includes(phoneNumberId)) return true
    return false
  }

  async function read(fields: string) {
    const number = await client.call({ method: 'GET', path: [phoneNumberId], query: { fields }, repeatable: true })
    if (asId(number.id) !== phoneNumberId) throw badAnswer(true, 'a phone number with another id')
    return number
  }

  /** With the first of these lists that the platform's version knows. */
  async function readFirst([fields, ...others]: string[]): ReturnType<typeof read> {
    return read(fields as string).catch((error) => {
      if (others.length > 0 && error instanceof ChatError && error.code === '100') return readFirst(others)
      throw error
    })
  }

  /** Nothing if the token may not see the account: the number's own facts are worth more. */
  const readAccount = () =>
    client
      .call({
        method: 'GET',
        path: [businessAccountId],
        query: { fields: 'id,account_review_status' },
        repeatable: true,
      })
      .catch((error): Record<string, unknown> => {
        if (error instanceof ChatError) return {}
        throw error
      })

  return {
    async readHealth() {
      const [number, account] = await Promise.all([readFirst(healthFields), readAccount()])
      const health = asObject(number.health_status)
      const facts = {
        quality_rating: asText(number.quality_rating),
        messaging_limit_tier: asText(number.whatsapp_business_manager_messaging_limit ?? number.messaging_limit_tier),
        throughput_level: asText(asObject(number.throughput)?.level),
        name_status: asText(number.name_status),
        number_status: asText(number.status),
        messaging_status: asText(health?.can_send_message),
        messaging_problems: health && problemsIn(health),
        account_review_status: asText(account.account_review_status),
      }
      return Object.fromEntries(Object.entries(facts).filter(([, value]) => value))
    },
    async setBlocked(person, isBlocked) {
      const user = 'phoneNumber' in person ? { user: person.phoneNumber } : { user_id: person.userId }
      await client.call({
        method: isBlocked ? 'POST' : 'DELETE',
        path: [phoneNumberId, 'block_users'],
        json: { messaging_product: 'whatsapp', block_users: [user] },
        repeatable: true,
      })
    },
    async requestAppData(what) {
      const { request_id } = await client.call({
        method: 'POST',
        path: [phoneNumberId, 'smb_app_data'],
        json: { messaging_product: 'whatsapp', sync_type: what === 'contacts' ? 'smb_app_state_sync' : what },
        repeatable: false,
      })
      return { requestId: asId(request_id) ?? null }
    },
    async readNumber() {
      await read('id,display_phone_number,verified_name')
      try {
        return { isOfBusinessAccount: await accountHasNumber() }
      } catch (error) {
        if (error instanceof ChatError && noSuchObject.has(error.code)) return { isOfBusinessAccount: false }
        throw error
      }
    },
  }
}
