import { recipientOf } from './message-rules.ts'
import type { Numbers, SimulatedNumber } from './numbers.ts'
import { Refusal, unknownObject } from './refusals.ts'
import type { SimulatorStore } from './store.ts'
import type { GraphCall } from './template-routes.ts'
import { type Windows, windowKey } from './windows.ts'

/** The people that a number has blocked. */
export interface BlockList {
  has(number: SimulatedNumber, person: string): Promise<boolean>
  /** `/{phone number}/block_users` */
  answer(id: string, call: GraphCall): Promise<unknown>
}

const keptForMs = 90 * 24 * 3600 * 1000

export function createBlockList({
  store,
  numbers,
  windows,
}: {
  store: SimulatorStore
  numbers: Numbers
  windows: Windows
}): BlockList {
  const kind = 'blocked'
  const keyOf = (number: SimulatedNumber, person: string) => windowKey(number.key, person)

  async function change(number: SimulatedNumber, call: GraphCall): Promise<unknown> {
    const { messaging_product, block_users } = await call.body()
    if (messaging_product !== 'whatsapp' || !Array.isArray(block_users) || block_users.length === 0)
      throw new Refusal(100, 'The parameters messaging_product and block_users are required.')
    const changed: object[] = []
    for (const { user, user_id } of block_users) {
      const { person } = recipientOf({ to: user ?? user_id })
      const id = keyOf(number, person)
      if (call.method === 'DELETE') await store.remove(kind, id)
      else if (await windows.isOpen(number, person, Date.now()))
        await store.save({ kind, id, account: number.account, data: { person }, expiresAt: Date.now() + keptForMs })
      else throw new Refusal(139100, 'Re-engagement required: the user has not written within the last 24 hours.')
      changed.push({ input: user ?? user_id, wa_id: person })
    }
    const result = call.method === 'DELETE' ? { removed_users: changed } : { added_users: changed }
    return { messaging_product: 'whatsapp', block_users: result }
  }

  return {
    has: async (number, person) => (await store.find(kind, keyOf(number, person))) !== undefined,
    async answer(id, call) {
      const number = await numbers.authorize(call.token, id)
      if (call.method === 'POST' || call.method === 'DELETE') return change(number, call)
      if (call.method !== 'GET') throw unknownObject(id, call.method.toLowerCase())
      const people = (await store.list(kind, number.account)).filter((each) => each.id.startsWith(keyOf(number, '')))
      return {
        data: people.map(({ data }) => ({
          messaging_product: 'whatsapp',
          wa_id: (data as { person: string }).person,
        })),
      }
    },
  }
}
