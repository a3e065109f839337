import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import type { Subscription } from '../../platform/events.ts'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import { Id, Nullable } from '../../platform/schemas.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { channelDeleted } from '../channels/events.ts'
import { templateDeleted } from '../templates/events.ts'
import { takeDueCampaigns } from './link-clicks/queries.ts'
import { readLinkClicks } from './link-clicks/read-link-clicks.ts'
import { pauseChannel, pauseWithoutTemplate } from './pause-campaign.ts'

/** Pauses campaigns whose channel or template was deleted. */
export const stopCampaignsJob = defineJob(
  'campaigns.stop',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), channel_id: Nullable(Id) }),
)

/** Reads clicks on the links of one campaign. The next sweep that finds it due tries again. */
export const readLinkClicksJob = defineJob(
  'campaigns.link_clicks',
  Type.Object({ organization_id: Id, livemode: Type.Boolean(), campaign_id: Id }),
  { retryLimit: 1 },
)

/** Every minute: campaigns whose clicks are due. */
export const sweepLinkClicksJob = defineJob('campaigns.sweep_link_clicks', Type.Object({}))

/** As many as one transaction should enqueue. */
const batch = 200

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

export const campaignJobs = ({
  database,
  chatConnections,
}: {
  database: Database
  chatConnections: ChatConnections
}) => [
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
  defineHandler({
    kind: readLinkClicksJob,
    concurrency: 4,
    perGroup: 2,
    handle: ({ organization_id: organizationId, livemode, campaign_id }) =>
      readLinkClicks({ database, chatConnections }, { organizationId, livemode }, campaign_id),
  }),
  defineHandler({
    kind: sweepLinkClicksJob,
    schedule: '* * * * *',
    handle: () =>
      database.inSystem(async (tx) => {
        for (const { organization_id, livemode, id } of await takeDueCampaigns(tx, batch))
          await tx.enqueue(
            readLinkClicksJob,
            { organization_id, livemode, campaign_id: id },
            { group: { id: organization_id } },
          )
      }),
  }),
]
