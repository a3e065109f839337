import type { TenantTx } from '../../platform/database.ts'
import { conflict, found } from '../../platform/errors.ts'
import { announce } from './announce.ts'
import { campaignCancelled } from './events.ts'
import { lockCampaign, markCancelled } from './queries.ts'

/** Cannot be undone. Deliveries that are not in flight stay `pending` and are never sent. */
export async function cancelCampaign(tx: TenantTx, id: string): Promise<void> {
  const campaign = found(await lockCampaign(tx, id), 'Campaign')
  const { status } = campaign
  if (status === 'cancelled') return
  if (status === 'completed' || status === 'failed') throw conflict(`A campaign that is ${status} cannot be cancelled`)
  await markCancelled(tx, id)
  await announce(tx, campaignCancelled, [id])
}
