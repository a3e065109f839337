import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Refusal, unknownObject } from './refusals.ts'
import type { SimulatorRecord, SimulatorStore } from './store.ts'

/** A business number and the address of its webhooks. */
export const NumberFacts = Type.Object({
  business_account_id: Type.String({ pattern: '^\\S{1,255}$' }),
  display_phone_number: Type.String({ pattern: '\\d', maxLength: 40 }),
  verified_name: Type.Optional(Type.String({ maxLength: 255 })),
  access_token: Type.String({ minLength: 1, maxLength: 4096 }),
  app_secret: Type.String({ minLength: 1, maxLength: 4096 }),
  /** A whole URL, or a path where the simulator knows the listeners. */
  callback_url: Type.String({ pattern: '^(https?://|/)', maxLength: 2048 }),
  messages_per_second: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** Its owner. Two owners may use the same ids without seeing each other. */
  owner: Type.Optional(Type.String({ maxLength: 255 })),
})
export type NumberFacts = Static<typeof NumberFacts>

export interface SimulatedNumber extends NumberFacts {
  /** Unique among all owners. */
  key: string
  account: string
  phone_number_id: string
  messages_per_second: number
  /** Whether the WhatsApp Business app uses it too. */
  is_on_biz_app?: boolean
}

export interface Numbers {
  register(phoneNumberId: string, facts: NumberFacts): Promise<SimulatedNumber>
  remove(phoneNumberId: string): Promise<void>
  /** The WhatsApp Business app uses it too, from now on. */
  markOnApp(number: SimulatedNumber): Promise<void>
  /** From memory, if it was used before. */
  known(key: string): SimulatedNumber | undefined
  find(key: string): Promise<SimulatedNumber | undefined>
  /** For people and tests, who name it without its owner. */
  named(phoneNumberId: string): Promise<SimulatedNumber | undefined>
  ofAccount(account: string): Promise<SimulatedNumber[]>
  all(): Promise<SimulatedNumber[]>
  /** The number that this token may send from. */
  authorize(token: string | undefined, phoneNumberId: string): SimulatedNumber | Promise<SimulatedNumber>
  /** The account that this token may manage. */
  authorizeAccount(token: string | undefined, businessAccountId: string): Promise<string>
  /** Whether the token may touch objects of this account. */
  mayUse(token: string | undefined, account: string): Promise<boolean>
  /** Throws unless the token is registered. */
  requireToken(token: string | undefined): Promise<void>
}

/** Registered once per process anyway; a number without a registration is dropped. */
const keptForMs = 90 * 24 * 3600 * 1000

const within = (owner: string | undefined, id: string) => (owner ? `${owner}/${id}` : id)
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

export function createNumbers(store: SimulatorStore): Numbers {
  const byKey = new Map<string, SimulatedNumber>()
  /** The owner of a token. */
  const owners = new Map<string, string>()

  const toNumber = ({ id, data, secret }: SimulatorRecord): SimulatedNumber => {
    const number = { ...(data as SimulatedNumber), ...JSON.parse(secret ?? '{}') }
    byKey.set(id, number)
    return number
  }
  const find = async (key: string) => {
    const known = byKey.get(key)
    if (known) return known
    const record = await store.find('number', key)
    return record && toNumber(record)
  }
  const ofAccount = async (account: string) =>
    (await store.list('number', account)).map((record) => byKey.get(record.id) ?? toNumber(record))
  const all = async () => (await store.list('number')).map((record) => byKey.get(record.id) ?? toNumber(record))

  async function ownerOf(token: string | undefined): Promise<string> {
    const known = token === undefined ? undefined : owners.get(token)
    if (known !== undefined) return known
    const record = token === undefined ? undefined : await store.find('token', hashOf(token))
    if (!record) throw new Refusal(190, '')
    const { owner } = record.data as { owner: string }
    owners.set(token as string, owner)
    return owner
  }
  async function authorizeLater(token: string | undefined, phoneNumberId: string): Promise<SimulatedNumber> {
    const number = await find(within(await ownerOf(token), phoneNumberId))
    if (!number) throw unknownObject(phoneNumberId, 'post')
    if (number.access_token !== token) throw new Refusal(190, '')
    return number
  }

  return {
    async register(phoneNumberId, { access_token, app_secret, owner = '', ...facts }) {
      const key = within(owner, phoneNumberId)
      const { is_on_biz_app } = (await find(key)) ?? {}
      const shown = {
        ...facts,
        ...(is_on_biz_app && { is_on_biz_app }),
        messages_per_second: facts.messages_per_second ?? 80,
        owner,
        key,
        account: within(owner, facts.business_account_id),
        phone_number_id: phoneNumberId,
      }
      const expiresAt = Date.now() + keptForMs
      const { account } = shown
      const token = { kind: 'token', id: hashOf(access_token), account, data: { owner }, expiresAt }
      const secret = JSON.stringify({ access_token, app_secret })
      await store.save(token)
      await store.save({ kind: 'number', id: key, account, data: shown, secret, expiresAt })
      const number = { ...shown, access_token, app_secret }
      byKey.set(key, number)
      owners.set(access_token, owner)
      return number
    },
    async remove(phoneNumberId) {
      for (const { key } of (await all()).filter((number) => number.phone_number_id === phoneNumberId)) {
        byKey.delete(key)
        await store.remove('number', key)
      }
    },
    async markOnApp(number) {
      if (number.is_on_biz_app) return
      number.is_on_biz_app = true
      const { access_token, app_secret, ...data } = number
      const secret = JSON.stringify({ access_token, app_secret })
      const { key: id, account } = number
      await store.save({ kind: 'number', id, account, data, secret, expiresAt: Date.now() + keptForMs })
      byKey.set(id, number)
    },
    known: (key) => byKey.get(key),
    find,
    named: async (phoneNumberId) =>
      (await find(phoneNumberId)) ?? (await all()).find((number) => number.phone_number_id === phoneNumberId),
    ofAccount,
    all,
    authorize(token, phoneNumberId) {
      const owner = token === undefined ? undefined : owners.get(token)
      const number = owner === undefined ? undefined : byKey.get(within(owner, phoneNumberId))
      return number && number.access_token === token ? number : authorizeLater(token, phoneNumberId)
    },
    async authorizeAccount(token, businessAccountId) {
      const account = within(await ownerOf(token), businessAccountId)
      const numbers = await ofAccount(account)
      if (numbers.length === 0) throw unknownObject(businessAccountId)
      if (!numbers.some((number) => number.access_token === token)) throw new Refusal(190, '')
      return account
    },
    mayUse: async (token, account) => (await ofAccount(account)).some((number) => number.access_token === token),
    async requireToken(token) {
      await ownerOf(token)
    },
  }
}
