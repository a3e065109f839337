import type { SimulatedNumber } from './numbers.ts'

/** Which number and user id belong to one person, from messages that carried both. A user id is valid for one account. */
export interface People {
  meet(business: SimulatedNumber, number: string, userId: string): void
  /** The user id of a number, or the number of a user id. */
  otherId(business: SimulatedNumber, person: string): string | null
  /** The person has another number or user id. */
  forget(business: SimulatedNumber, person: string): void
}

const most = 20_000

export function createPeople(): People {
  const others = new Map<string, string>()
  return {
    meet({ account }, number, userId) {
      if (others.size > most) others.clear()
      others.set(`${account} ${number}`, userId).set(`${account} ${userId}`, number)
    },
    otherId: ({ account }, person) => others.get(`${account} ${person}`) ?? null,
    forget({ account }, person) {
      others.delete(`${account} ${others.get(`${account} ${person}`)}`)
      others.delete(`${account} ${person}`)
    },
  }
}
