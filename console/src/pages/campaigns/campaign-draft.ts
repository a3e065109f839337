import type { api as types } from '@frontdesk/sdk'
import { choice } from '../../data/api.ts'
import { capitalized } from '../../ui/capitalized.ts'
import { toValue, type ValueSource } from './campaign-values.ts'
import { instantOf, viewerZone } from './zones.ts'

/** An unsent campaign. It is kept in the tab's storage and survives a reload. */
export interface Draft {
  /** What the draft was started from. A link with another origin starts a new draft. */
  origin: string
  name: string
  channelId: string
  audienceType: NonNullable<types.NewCampaign['audience_type']>
  tags: string[]
  contactIds: string[]
  templateId: string | null
  /** Values by template variable. */
  sources: Record<string, ValueSource>
  /** Values of the copied campaign, until its template is loaded. */
  given: Record<string, string> | null
  when: 'now' | 'later'
  /** Local time in `zone`, as `2027-03-01T09:00`. */
  localTime: string
  zone: string
  audienceZone: string | null
  /** Times in the recipient's time zone. */
  sendingTimes: NonNullable<types.Campaign['sending_times']>
}

export const emptyDraft = (origin: string, channelId: string): Draft => ({
  origin,
  name: '',
  channelId,
  audienceType: 'all',
  tags: [],
  contactIds: [],
  templateId: null,
  sources: {},
  given: null,
  when: 'now',
  localTime: '',
  zone: viewerZone,
  audienceZone: null,
  sendingTimes: { local_time: null, quiet_hours: null },
})

export const draftFrom = (campaign: types.Campaign, origin: string): Draft => ({
  ...emptyDraft(origin, campaign.chat_phone_number_id),
  name: campaign.name,
  audienceType: campaign.audience_type,
  tags: campaign.audience_tags ?? [],
  contactIds: campaign.audience_contact_ids ?? [],
  templateId: campaign.message_template_id,
  given: campaign.template_variables,
  ...(campaign.sending_times && { sendingTimes: campaign.sending_times }),
})

export const isAudienceChosen = ({ audienceType, tags, contactIds }: Draft): boolean =>
  audienceType === 'all' || (audienceType === 'tags' ? tags.length > 0 : contactIds.length > 0)

export function scheduledAt({ when, localTime, zone }: Draft): string | undefined {
  if (when === 'now' || !localTime) return undefined
  return instantOf(localTime, zone).toISOString()
}

/** `At 10:00, not between 21:00 and 08:00, within business hours`; undefined without sending times. */
export function sendingTimesText(times: types.Campaign['sending_times']): string | undefined {
  const parts = [
    times?.local_time && `at ${times.local_time}`,
    times?.quiet_hours && `not between ${times.quiet_hours.from} and ${times.quiet_hours.until}`,
    times?.schedule_id && 'within business hours',
  ].filter(Boolean)
  const text = parts.join(', ')
  return text ? capitalized(text) : undefined
}

export function bodyOf(draft: Draft): types.NewCampaign {
  const { name, channelId, audienceType, tags, contactIds, templateId, sources, sendingTimes } = draft
  const values = Object.entries(sources).map(([key, source]) => [key, toValue(source)] as const)
  const time = scheduledAt(draft)
  return {
    name: name.trim() || 'Draft',
    chat_phone_number_id: channelId,
    audience_type: audienceType,
    ...(audienceType === 'tags' && { audience_tags: tags }),
    ...(audienceType === 'manual' && { audience_contact_ids: contactIds }),
    ...(templateId && { message_template_id: templateId }),
    ...(templateId &&
      values.length > 0 && { template_variables: Object.fromEntries(values.filter(([, value]) => value !== '')) }),
    ...(time && { scheduled_at: time }),
    ...((sendingTimes.local_time ?? sendingTimes.quiet_hours ?? sendingTimes.schedule_id) && {
      sending_times: sendingTimes,
    }),
  }
}

const keyFor = (which: string) => `campaign-draft ${choice.organizationId ?? ''} ${choice.mode} ${which}`

export function readDraft(which: string): Draft | undefined {
  try {
    const kept = sessionStorage.getItem(keyFor(which))
    return kept ? { ...emptyDraft('', ''), ...(JSON.parse(kept) as Draft) } : undefined
  } catch {
    return undefined
  }
}

export function keepDraft(which: string, draft: Draft): void {
  try {
    sessionStorage.setItem(keyFor(which), JSON.stringify(draft))
  } catch {
    // A hundred thousand selected contacts may exceed the storage limit; a reload then loses the draft.
  }
}

export const dropDraft = (which: string) => sessionStorage.removeItem(keyFor(which))
