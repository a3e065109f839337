import type { TenantTx } from '../../platform/database.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import { parseInstant } from '../../platform/instants.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { uniqueTags } from '../contacts/tags.ts'
import { announce } from './announce.ts'
import { countAudience } from './audience-queries.ts'
import { checkCampaign, type Draft, retryIfTemplateDeleted } from './check-campaign.ts'
import { campaignScheduled, campaignStarted } from './events.ts'
import { freezeRecipients } from './freeze-recipients.ts'
import { findCampaign, insertCampaign } from './queries.ts'
import type { Campaign, NewCampaign } from './schema.ts'
import { beginSending } from './start-campaign.ts'

/** Largest audience that is frozen within the request. Workers freeze larger ones in the background. */
const maxFrozenInRequest = 10_000

export const draftOf = (input: NewCampaign): Draft => ({
  name: input.name.trim(),
  channelId: input.chat_phone_number_id,
  templateId: input.message_template_id ?? null,
  templateVariables: input.template_variables ?? null,
  audienceType: input.audience_type,
  audienceTags: input.audience_tags ? uniqueTags(input.audience_tags) : null,
  audienceContactIds: input.audience_contact_ids ?? null,
  scheduledAt: (input.scheduled_at && parseInstant(input.scheduled_at)) ?? null,
  sendingTimes: sendingTimesOf(input.sending_times ?? null),
})

export const sendingTimesOf = (given: NewCampaign['sending_times'] | null): Draft['sendingTimes'] =>
  given
    ? {
        local_time: given.local_time ?? null,
        quiet_hours: given.quiet_hours ?? null,
        ...(given.schedule_id && { schedule_id: given.schedule_id }),
      }
    : null

/** Creates a campaign that is scheduled, or that starts sending at once. */
export async function createCampaign(
  tx: TenantTx,
  input: NewCampaign,
  { chatConnections, actor }: { chatConnections: ChatConnections; actor: Actor },
): Promise<Campaign> {
  const draft = draftOf(input)
  const template = await checkCampaign(tx, draft, { chatConnections })
  const id = newId()
  const inserted = await insertCampaign(tx, { id, ...draft }, actor).catch(retryIfTemplateDeleted)
  if (inserted.status === 'sending') {
    const started = await beginSending(tx, id, template)
    const { n } = await countAudience(tx, started, maxFrozenInRequest + 1)
    // A limit above the audience's size: reading fewer rows than the limit shows that the audience is complete.
    if (n <= maxFrozenInRequest) await freezeRecipients(tx, started, maxFrozenInRequest + 1)
  }
  await announce(tx, inserted.status === 'sending' ? campaignStarted : campaignScheduled, [id])
  return (await findCampaign(tx, id)) as Campaign
}
