import type { TenantSql } from '../../platform/database.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { findSendRate } from '../channels/find-send-rate.ts'
import type { Health } from '../channels/health/health-schema.ts'
import { readAccountHealth } from '../channels/health/read-account-health.ts'
import { reasonOf, whyBlocked } from '../channels/health/show-health.ts'
import { countReached } from '../inbox/messages/count-reached.ts'
import { findOpenSpans } from '../schedules/find-open-spans.ts'
import { hasOtp } from '../templates/content/parts.ts'
import { fillingsOf } from '../templates/content/slots.ts'
import { findCommonZone, previewAudience } from './audience-queries.ts'
import { audienceOf, checkCampaign } from './check-campaign.ts'
import { draftOf } from './create-campaign.ts'
import { estimateLastSend } from './estimate-last-send.ts'
import type { Preflight } from './preflight-schema.ts'
import type { NewCampaign } from './schema.ts'

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
    needsNumber: template !== undefined && hasOtp(template.components),
  }
  const start = Math.max(Date.now(), Date.parse(draft.scheduledAt ?? '') || 0)
  const { schedule_id } = draft.sendingTimes ?? {}
  const [preview, common, rate = 1, { health, channelIds }, openSpans] = await Promise.all([
    previewAudience(sql, audienceOf(draft), wording, draft.sendingTimes !== null),
    findCommonZone(sql, audienceOf(draft)),
    findSendRate(sql, draft.channelId),
    readAccountHealth(sql, draft.channelId),
    schedule_id ? findOpenSpans(sql, schedule_id, start) : undefined,
  ])
  const { total, opted_out, no_address, blocked, missing_variable, without_zone, unresolved, zones } = preview
  const recipients = total - opted_out - no_address - blocked - missing_variable
  const daily_limit = await findDailyLimit(sql, health, channelIds)
  const block = whyBlocked(health, new Date(draft.scheduledAt ?? Date.now()))
  return {
    total_contacts_count: total,
    recipients,
    skipped: { opted_out, no_address, blocked },
    missing_variable,
    unresolved_variables: unresolved,
    messages_per_second: rate,
    minutes: Math.ceil((recipients / rate / 60) * 100) / 100,
    last_message_at: estimateLastSend({
      start,
      zones,
      rate,
      times: draft.sendingTimes,
      ...(openSpans && { openSpans }),
    }),
    time_zone: common.zone,
    daily_limit,
    warnings: [
      ...(template ? [] : ['It has no template: when it comes to sending it fails']),
      ...(block ? [block] : []),
      ...(without_zone > 0
        ? [
            `${without_zone === 1 ? '1 recipient has' : `${without_zone.toLocaleString('en')} recipients have`} no known time zone: that of the organization is used`,
          ]
        : []),
      ...warningsAbout(health, daily_limit, recipients),
    ],
  }
}

/** Null if the number is unlimited or its limit is not known. */
async function findDailyLimit(sql: TenantSql, health: Health | null, channelIds: string[]) {
  const limit = health?.messaging_limit ?? null
  if (limit === null) return null
  const used = await countReached(sql, channelIds)
  return { limit, used, remaining: Math.max(0, limit - used) }
}

function warningsAbout(health: Health | null, limit: Preflight['daily_limit'], recipients: number): string[] {
  const number = (n: number) => n.toLocaleString('en')
  return [
    ...(limit && recipients > limit.remaining
      ? [
          `WhatsApp lets this business write to ${number(limit.limit)} people first within 24 hours, and it has written to ${number(limit.used)}. ${number(recipients - limit.remaining)} of ${number(recipients)} messages may be refused: split the audience over several days`,
        ]
      : []),
    ...(health?.quality_rating === 'RED'
      ? ['Recipients block or report messages of this number: its quality is low, and WhatsApp may restrict it']
      : []),
    ...(health?.messaging_status === 'LIMITED'
      ? [`WhatsApp limits the messages of this channel${reasonOf(health)}`]
      : []),
    ...(health?.account_status === 'disable_scheduled'
      ? ['WhatsApp is going to disable the business account of this channel']
      : []),
  ]
}
