import { ChatError, type ChatPlatform } from './contract.ts'
import { asId, asObject, asObjects, asText, badAnswer, type GraphClient } from './graph-api-client.ts'

/** Far more pages than an account has numbers (20 by default): a cursor that never ends must not block a worker. */
const mostPages = 50

/** Codes for an object that does not exist, or that this token may not see. */
const noSuchObject = new Set(['33', '100'])

export function numberCalls(
  client: GraphClient,
  { phoneNumberId, businessAccountId }: { phoneNumberId: string; businessAccountId: string },
): Pick<ChatPlatform, 'readNumber' | 'readHealth' | 'setBlocked' | 'requestAppData'> {
  async function accountHasNumber(): Promise<boolean> {
    let after: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const answer = await client.call({
        method: 'GET',
        path: [businessAccountId, 'phone_numbers'],
        query: { fields: 'id', limit: '100', after },
        repeatable: true,
      })
      if (asObjects(answer.data).some(({ id }) => asId(id) === phoneNumberId)) return true
      const paging = asObject(answer.paging)
      const next = asText(asObject(paging?.cursors)?.after)
      if (!paging?.next || !next || next === after) return false
      after = next
    }
    return false
  }

  async function read(fields: string) {
    const number = await client.call({ method: 'GET', path: [phoneNumberId], query: { fields }, repeatable: true })
    if (asId(number.id) !== phoneNumberId) throw badAnswer(true, 'a phone number with another id')
    return number
  }

  return {
    async readHealth() {
      const fields = 'id,quality_rating,throughput,name_status'
      const number = await read(`${fields},whatsapp_business_manager_messaging_limit`).catch((error) => {
        // Versions before the limit belonged to the business do not know the field.
        if (error instanceof ChatError && error.code === '100') return read(`${fields},messaging_limit_tier`)
        throw error
      })
      const facts = {
        quality_rating: asText(number.quality_rating),
        messaging_limit_tier: asText(number.whatsapp_business_manager_messaging_limit ?? number.messaging_limit_tier),
        throughput_level: asText(asObject(number.throughput)?.level),
        name_status: asText(number.name_status),
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
