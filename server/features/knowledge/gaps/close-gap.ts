import type { TenantTx } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import { closeGap, findGap, lockGap } from './queries.ts'
import type { Gap } from './schema.ts'

export interface Closer {
  id: string
  memberId: string | null
}

/** A dismissed gap still takes in its questions, so that they do not come back as a new one. Idempotent. */
export const dismissGap = (tx: TenantTx, closer: Closer): Promise<Gap> => setStatus(tx, closer, 'dismissed')

/** Back to the open ones. Its FAQ entry, if it has one, stays. Idempotent. */
export const reopenClosedGap = (tx: TenantTx, closer: Closer): Promise<Gap> => setStatus(tx, closer, 'open')

async function setStatus(tx: TenantTx, { id, memberId }: Closer, status: Gap['status']): Promise<Gap> {
  const gap = await lockedGap(tx, id)
  if (gap.status === status) return gap
  await closeGap(tx, id, { status, documentId: null, memberId: status === 'open' ? null : memberId })
  return found(await findGap(tx, id), 'Knowledge gap')
}

/** Two members who close it at once do so one after the other. */
export async function lockedGap(tx: TenantTx, id: string): Promise<Gap> {
  found(await lockGap(tx, id), 'Knowledge gap')
  return found(await findGap(tx, id), 'Knowledge gap')
}
