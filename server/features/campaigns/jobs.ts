import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import type { Subscription } from '../../platform/events.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import { Id, Nullable } from '../../platform/schemas.ts'
import { channelDeleted } from '../channels/events.ts'
import { templateDeleted } from '../templates/events.ts'
import { pauseChannel, pauseWithoutTemplate } from './pause-campaign.ts'

/** Pauses campaigns whose channel or template was deleted. */
export const stopCampaignsJob = defineJob(
  'campaigns.stop',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), channel_id: Nullable(Id) }),
)

export const followDeletions: Subscription = {
  name: 'campaigns.deletions',
  types: [channelDeleted.type, templateDeleted.type],
  async react(events, tx) {
    for (const { organization_id, livemode, type, data } of events) {
      const channel_id = type === channelDeleted.type ? (data.object as { id: string }).id : null
      await tx.enqueue(stopCampaignsJob, { organization_id, livemode, channel_id })
    }
  },
}

export const campaignJobs = (database: Database) => [
  defineHandler({
    kind: stopCampaignsJob,
    handle: async ({ organization_id: organizationId, livemode, channel_id }) => {
      await database.inTenant({ organizationId, livemode }, (tx) =>
        channel_id === null
          ? pauseWithoutTemplate(tx)
          : pauseChannel(tx, channel_id, ['scheduled', 'sending'], {
              reason: 'channel_deleted',
              detail: 'The channel was deleted',
            }),
      )
    },
  }),
]
