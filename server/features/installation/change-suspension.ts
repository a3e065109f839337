import type { SystemTx } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { releaseHeldHooks } from '../hooks/release-held-hooks.ts'
import { announceWork } from './announce-work.ts'
import { lift, setLimits, suspend } from './queries.ts'
import type { OperatedOrganization, OrganizationLimits } from './schema.ts'

/** Its credentials are refused and its work stops at once; what arrives from outside stays stored. */
export async function suspendOrganization(tx: SystemTx, id: string, reason: string): Promise<OperatedOrganization> {
  const organization = found(await suspend(tx, id, reason.trim()), 'Organization')
  announceWork(tx)
  return organization
}

/** Stored webhooks are processed, and campaigns, webhooks and agents continue where they stopped. */
export async function liftSuspension(tx: SystemTx, id: string): Promise<OperatedOrganization> {
  const organization = found(await lift(tx, id), 'Organization')
  await releaseHeldHooks(tx)
  announceWork(tx)
  return organization
}

export async function limitOrganization(
  tx: SystemTx,
  id: string,
  limits: OrganizationLimits,
): Promise<OperatedOrganization> {
  const organization = found(await setLimits(tx, id, limits), 'Organization')
  announceWork(tx)
  return organization
}
