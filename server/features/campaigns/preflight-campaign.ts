import type { TenantSql } from '../../platform/database.ts'
import type { ChatConnections } from '../channels/chat-connections.ts'
import { findSendRate } from '../channels/find-send-rate.ts'
import { fillingsOf } from '../templates/content/slots.ts'
import { previewAudience } from './audience-queries.ts'
import { audienceOf, checkCampaign } from './check-campaign.ts'
import { draftOf } from './create-campaign.ts'
import { estimateLastSend } from './estimate-last-send.ts'
import type { NewCampaign, Preflight } from './schema.ts'

/** Reports what would happen if this campaign were created. Read only. */
export async function preflightCampaign(
  sql: TenantSql,
  input: NewCampaign,
  deps: { chatConnections: ChatConnections },
): Promise<Preflight> {
  const draft = draftOf(input)
  const template = await checkCampaign(sql, draft, deps)
  const wording = {
    fillings: fillingsOf(template?.components ?? [], draft.templateVariables),
    isMarketing: template?.category === 'MARKETING',
  }
  const [preview, rate = 1] = await Promise.all([
    previewAudience(sql, audienceOf(draft), wording, draft.sendingTimes !== null),
    findSendRate(sql, draft.channelId),
  ])
  const { total, opted_out, no_address, missing_variable, unresolved, zones } = preview
  const recipients = total - opted_out - no_address - missing_variable
  return {
    total_contacts_count: total,
    recipients,
    skipped: { opted_out, no_address },
    missing_variable,
    unresolved_variables: unresolved,
    messages_per_second: rate,
    minutes: Math.ceil((recipients / rate / 60) * 100) / 100,
    last_message_at: estimateLastSend({
      start: Math.max(Date.now(), Date.parse(draft.scheduledAt ?? '') || 0),
      zones,
      rate,
      times: draft.sendingTimes,
    }),
    warnings: template ? [] : ['It has no template: when it comes to sending it fails'],
  }
}
