import type { TenantTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { CampaignReply } from '../../inbox/receiving/link-replies.ts'
import { addSentMessages } from '../../inbox/sending/add-sent-messages.ts'
import { carriesCode, shownValues } from '../../templates/content/hide-codes.ts'
import { payloadOf, textOf } from '../../templates/content/render-message.ts'
import {
  type DeliveryMove,
  findSendingCampaigns,
  hideCodes,
  lockDeliveries,
  lockRecipients,
  type Moved,
  moveForward,
} from './move-queries.ts'
import { recordReplies } from './record-replies.ts'

/**
 * Applies what the platform said about deliveries, in its answer to a request or in a status webhook. Whichever
 * transaction is first to learn that a message was accepted writes the message, the activity and the event.
 */
export async function moveDeliveries(tx: TenantTx, given: Omit<DeliveryMove, 'messageId'>[]): Promise<Moved[]> {
  if (given.length === 0) return []
  const moves = given.map((move) => ({ ...move, messageId: newId() }))
  const ids = moves.map(({ deliveryId }) => deliveryId)
  const [, , moved] = await Promise.all([lockRecipients(tx, ids), lockDeliveries(tx, ids), moveForward(tx, moves)])
  const replies = await addMessages(
    tx,
    moved.filter(({ is_first }) => is_first),
  )
  await recordReplies(tx, replies)
  return moved
}

async function addMessages(tx: TenantTx, accepted: Moved[]): Promise<CampaignReply[]> {
  if (accepted.length === 0) return []
  const campaigns = await findSendingCampaigns(tx, [...new Set(accepted.map(({ campaign_id }) => campaign_id))])
  const byId = new Map(campaigns.map((campaign) => [campaign.id, campaign]))
  const withCodes = accepted.filter(({ campaign_id }) => carriesCode(byId.get(campaign_id)?.template_category ?? null))
  if (withCodes.length > 0)
    await hideCodes(
      tx,
      withCodes.map(({ id }) => id),
    )
  return addSentMessages(
    tx,
    accepted.flatMap(({ id, campaign_id, contact_id, message_id, chat_message_id, variables }) => {
      const campaign = byId.get(campaign_id)
      if (!campaign || contact_id === null || message_id === null) return []
      const template = {
        name: campaign.template_name ?? '',
        language: campaign.template_language ?? '',
        components: campaign.template_components ?? [],
      }
      const shown = shownValues(campaign.template_category, variables)
      return [
        {
          id: message_id,
          contactId: contact_id,
          channelId: campaign.channel_id,
          chatMessageId: chat_message_id,
          body: textOf(template, shown),
          payload: { campaign_id, delivery_id: id, ...payloadOf(template, shown) },
          actor: { type: campaign.created_by_type, id: campaign.created_by_id },
          since: campaign.started_at,
        },
      ]
    }),
  )
}
