import type { TenantTx } from '../../../platform/database.ts'
import type { Contact } from '../schema.ts'
import { changeSenders } from './change-senders.ts'
import { findKnownSenders } from './find-senders.ts'

export interface NumberMove {
  from: string
  to: string
}

/** The platform reports new numbers of people. A number that another contact has stays with that contact. */
export async function moveNumbers(tx: TenantTx, moves: NumberMove[]): Promise<void> {
  const byNumber = (phoneNumber: string) => ({ phoneNumber, userId: null, name: '' })
  const found = await findKnownSenders(
    tx,
    moves.flatMap(({ from, to }) => [byNumber(from), byNumber(to)]),
  )
  const changes = new Map<string, { before: Contact; after: Contact }>()
  const given = new Set<string>()
  for (const [i, { to }] of moves.entries()) {
    const [before, owner] = [found[2 * i], found[2 * i + 1]]
    if (!before || owner || given.has(to)) continue
    given.add(to)
    changes.set(before.id, { before, after: { ...before, phone_number: to } })
  }
  await changeSenders(tx, [...changes.values()])
}
