import type { Knobs } from './knobs.ts'
import type { SimulatedNumber } from './numbers.ts'
import { Refusal } from './refusals.ts'

/** One message per six seconds to one person; a burst of 45, paid back by waiting. */
const pairIntervalMs = 6_000
const pairBurst = 45
/** Messages per second of a number that the WhatsApp Business app uses too. */
const rateWithApp = 20
const dayMs = 24 * 3600 * 1000

export interface Limits {
  /** Throws when the number sends too fast. */
  takeThroughput(number: SimulatedNumber, knobs: Knobs, now: number): void
  /** An inbound message counts too, but cannot be refused. */
  countInbound(number: SimulatedNumber, knobs: Knobs, now: number): void
  /** Throws when this person was sent too much. */
  takePair(number: SimulatedNumber, person: string, now: number): void
  /** Throws when the account has reached as many people outside of an open window within 24 hours. */
  takePerson(number: SimulatedNumber, person: string, most: number, now: number): void
}

/**
 * Both limits keep one instant per number or pair: when everything accepted so far would have been sent at the allowed
 * pace. Its distance from now is the used part of the burst.
 */
export function createLimits(): Limits {
  const numbers = new Map<string, number>()
  const pairs = new Map<string, number>()
  /** When each account reached a person, oldest first. Every node counts for itself. */
  const reached = new Map<string, Map<string, number>>()
  let sweptAt = 0

  const rateOf = (number: SimulatedNumber, knobs: Knobs) =>
    knobs.throughput ??
    (number.is_on_biz_app ? Math.min(rateWithApp, number.messages_per_second) : number.messages_per_second)

  function sweep(now: number): void {
    if (now - sweptAt < 60_000) return
    sweptAt = now
    for (const [key, at] of pairs) if (at <= now) pairs.delete(key)
  }

  return {
    takeThroughput(number, knobs, now) {
      const rate = rateOf(number, knobs)
      const next = Math.max(now, numbers.get(number.key) ?? 0) + 1000 / rate
      // A second's worth may come at once, and always two: timers are not exact to the millisecond.
      if (rate === 0 || next - now > Math.max(1000, 2000 / rate))
        throw new Refusal(
          130429,
          'Message failed to send because there were too many messages sent from this phone number in a short period of time',
        )
      numbers.set(number.key, next)
    },
    countInbound(number, knobs, now) {
      numbers.set(number.key, Math.max(now, numbers.get(number.key) ?? 0) + 1000 / rateOf(number, knobs))
    },
    takePair(number, person, now) {
      sweep(now)
      const key = `${number.key} ${person}`
      const next = Math.max(now, pairs.get(key) ?? 0) + pairIntervalMs
      if (next - now > pairIntervalMs * pairBurst)
        throw new Refusal(
          131056,
          'Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time',
        )
      pairs.set(key, next)
    },
    takePerson({ account }, person, most, now) {
      const people = reached.get(account) ?? new Map<string, number>()
      for (const [each, at] of people) {
        if (at > now - dayMs) break
        people.delete(each)
      }
      if (people.has(person)) return
      // No code of its own is documented; this is the one for limits on how many messages a number may send.
      if (people.size >= most)
        throw new Refusal(
          131048,
          'Message failed to send because there are restrictions on how many messages can be sent from this phone number.',
        )
      people.set(person, now)
      reached.set(account, people)
    },
  }
}
