import type { TenantTx } from '../../platform/database.ts'
import { conflict, found } from '../../platform/errors.ts'
import { parseInstant } from '../../platform/instants.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { uniqueTags } from '../contacts/tags.ts'
import { findTemplate } from '../templates/find-template.ts'
import { announce } from './announce.ts'
import { checkContacts, checkFields, checkValues, findSendable, retryIfTemplateDeleted } from './check-campaign.ts'
import { sendingTimesOf } from './create-campaign.ts'
import { campaignStarted, campaignUpdated } from './events.ts'
import { type CampaignRowInput, type CampaignState, findCampaign, lockCampaign, updateScheduled } from './queries.ts'
import type { Campaign, CampaignChanges } from './schema.ts'
import { beginSending } from './start-campaign.ts'

/** Changes a scheduled campaign. Removing its time, or setting it to the past, starts it. */
export async function updateCampaign(
  tx: TenantTx,
  id: string,
  changes: CampaignChanges,
  deps: { chatConnections: ChatConnections },
): Promise<Campaign> {
  const campaign = found(await lockCampaign(tx, id), 'Campaign')
  if (campaign.status !== 'scheduled')
    throw conflict(`A campaign can be changed while it is scheduled; this one is ${campaign.status}`)
  const row = changed(campaign, changes)
  await checkChanges(tx, row, changes, deps)
  const updated = await updateScheduled(tx, row).catch(retryIfTemplateDeleted)
  if (updated.is_due) {
    await beginSending(tx, id, await findSendable(tx, row, deps))
    await announce(tx, campaignStarted, [id])
  } else await announce(tx, campaignUpdated, [id])
  return (await findCampaign(tx, id)) as Campaign
}

/**
 * Only the given fields are checked. A contact that was deleted since is left out when sending starts, and a template
 * that is paused today may be the reason to send later.
 */
async function checkChanges(
  tx: TenantTx,
  row: CampaignRowInput,
  changes: CampaignChanges,
  deps: { chatConnections: ChatConnections },
): Promise<void> {
  checkFields(row)
  const { chat_phone_number_id, message_template_id, template_variables, audience_type, audience_contact_ids } = changes
  if (chat_phone_number_id !== undefined || message_template_id !== undefined) await findSendable(tx, row, deps)
  else if (template_variables && row.templateId)
    await checkValues(tx, await findTemplate(tx, row.templateId), template_variables)
  if (audience_type !== undefined || audience_contact_ids !== undefined) await checkContacts(tx, row)
}

function changed(campaign: CampaignState, changes: CampaignChanges): CampaignRowInput {
  const given = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value)
  const { scheduled_at } = changes
  return {
    id: campaign.id,
    name: given(changes.name?.trim(), campaign.name),
    channelId: given(changes.chat_phone_number_id, campaign.channel_id),
    templateId: given(changes.message_template_id, campaign.template_id),
    templateVariables: given(changes.template_variables, campaign.template_variables),
    audienceType: given(changes.audience_type, campaign.audience_type),
    audienceTags: given(changes.audience_tags && uniqueTags(changes.audience_tags), campaign.audience_tags),
    audienceContactIds: given(changes.audience_contact_ids, campaign.audience_contact_ids),
    scheduledAt:
      scheduled_at === undefined ? campaign.scheduled_at : scheduled_at && (parseInstant(scheduled_at) as string),
    sendingTimes: given(changes.sending_times && sendingTimesOf(changes.sending_times), campaign.sending_times),
  }
}
