import type { SystemTx } from '../../../platform/database.ts'
import type { StoredEvent, Subscription } from '../../../platform/events.ts'
import { channelCreated, channelUpdated } from '../../channels/events.ts'
import type { Channel } from '../../channels/schema.ts'
import { enqueueRegistration, enqueueSync } from '../job-kinds.ts'
import { takeWaiting } from '../registering/registration-queries.ts'
import { wakeAccount } from './account-queries.ts'

/** A channel was connected or got new credentials: pending registrations continue, and its templates are synced. */
export const followChannels: Subscription = {
  name: 'templates.channels',
  types: [channelCreated.type, channelUpdated.type],
  async react(events, tx) {
    for (const event of events) await follow(event, tx)
  },
}

async function follow({ organization_id, livemode, data }: StoredEvent, tx: SystemTx): Promise<void> {
  const scope = { organizationId: organization_id, livemode }
  const { id, chat } = data.object as Channel
  const businessAccountId = chat?.business_account_id ?? null
  const waiting = await takeWaiting(tx, { ...scope, id, businessAccountId })
  for (const template of waiting) await enqueueRegistration(tx, scope, template.id)
  if (businessAccountId === null) return
  await wakeAccount(tx, { ...scope, businessAccountId })
  await enqueueSync(tx, scope, businessAccountId)
}
