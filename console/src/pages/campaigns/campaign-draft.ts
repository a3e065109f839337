import type { api as types } from '@frontdesk/sdk'
import { choice } from '../../data/api.ts'
import { toValue, type ValueSource } from './campaign-values.ts'
import { instantOf, viewerZone } from './zones.ts'

/** A campaign that nobody has sent yet. It lives with the tab, so that a reload loses nothing. */
export interface Draft {
  /** What it was begun from: a link with other wishes begins anew. */
  origin: string
  name: string
  channelId: string
  audienceType: NonNullable<types.NewCampaign['audience_type']>
  tags: string[]
  contactIds: string[]
  templateId: string | null
  /** By the key of each place in the template. */
  sources: Record<string, ValueSource>
  /** What earlier variables said, until a template with these places is there. */
  given: Record<string, string> | null
  when: 'now' | 'later'
  /** By the clocks of `zone`, as `2027-03-01T09:00`. */
  localTime: string
  zone: string
  audienceZone: string | null
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
})

export const draftFrom = (campaign: types.Campaign, origin: string): Draft => ({
  ...emptyDraft(origin, campaign.chat_phone_number_id),
  name: campaign.name,
  audienceType: campaign.audience_type,
  tags: campaign.audience_tags ?? [],
  contactIds: campaign.audience_contact_ids ?? [],
  templateId: campaign.message_template_id,
  given: campaign.template_variables,
})

export const isAudienceChosen = ({ audienceType, tags, contactIds }: Draft): boolean =>
  audienceType === 'all' || (audienceType === 'tags' ? tags.length > 0 : contactIds.length > 0)

export function scheduledAt({ when, localTime, zone }: Draft): string | undefined {
  if (when === 'now' || !localTime) return undefined
  return instantOf(localTime, zone).toISOString()
}

export function bodyOf(draft: Draft): types.NewCampaign {
  const { name, channelId, audienceType, tags, contactIds, templateId, sources } = draft
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
  }
}

const keyFor = (which: string) => `campaign-draft ${choice.organizationId ?? ''} ${choice.mode} ${which}`

export function readDraft(which: string): Draft | undefined {
  try {
    const kept = sessionStorage.getItem(keyFor(which))
    return kept ? (JSON.parse(kept) as Draft) : undefined
  } catch {
    return undefined
  }
}

export function keepDraft(which: string, draft: Draft): void {
  try {
    sessionStorage.setItem(keyFor(which), JSON.stringify(draft))
  } catch {
    // A hundred thousand chosen contacts may be more than the tab keeps: then a reload begins anew.
  }
}

export const dropDraft = (which: string) => sessionStorage.removeItem(keyFor(which))
