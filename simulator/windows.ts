import type { SimulatedNumber } from './numbers.ts'
import type { SimulatorStore } from './store.ts'

const dayMs = 24 * 3600 * 1000

/** For a day after a person wrote, the business may send free-form messages. */
export interface Windows {
  open(number: SimulatedNumber, person: string, now: number): Promise<void>
  isOpen(number: SimulatedNumber, person: string, now: number): boolean | Promise<boolean>
  /** As if the person had been silent for a day. */
  shut(number: SimulatedNumber, person: string): Promise<void>
}

/** The id of a window in the store. */
export const windowKey = (numberKey: string, person: string) => `${numberKey} ${person}`

export function createWindows(store: SimulatorStore): Windows {
  const known = new Map<string, number>()
  const keyOf = (number: SimulatedNumber, person: string) => windowKey(number.key, person)

  async function look(key: string, now: number): Promise<boolean> {
    const record = await store.find('window', key)
    if (!record?.expiresAt || record.expiresAt <= now) return false
    known.set(key, record.expiresAt)
    return true
  }
  return {
    async open(number, person, now) {
      const key = keyOf(number, person)
      known.set(key, now + dayMs)
      if (known.size > 100_000) known.clear()
      await store.save({ kind: 'window', id: key, account: number.account, data: {}, expiresAt: now + dayMs })
    },
    // Another node may have received a message: only the store can say no.
    isOpen: (number, person, now) => {
      const key = keyOf(number, person)
      return (known.get(key) ?? 0) > now || look(key, now)
    },
    async shut(number, person) {
      known.delete(keyOf(number, person))
      await store.remove('window', keyOf(number, person))
    },
  }
}
