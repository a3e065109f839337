import type { api as types } from '@frontdesk/sdk'
import { useDebouncedValue } from '@mantine/hooks'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { bodyOf, type Draft, isAudienceChosen } from './campaign-draft.ts'
import { withStandIns } from './campaign-values.ts'

const isComplete = (draft: Draft) => draft.channelId !== '' && isAudienceChosen(draft)

/** The forecast for the current draft. */
export function usePreflight(draft: Draft, template: types.Template | undefined) {
  const [settled] = useDebouncedValue(draft, 250)
  const isKnown = template && template.id === settled.templateId
  const body = bodyOf(isKnown ? { ...settled, sources: withStandIns(template.components, settled.sources) } : settled)
  const isReady = isComplete(draft) && isComplete(settled)
  const query = useRecord(['contacts', 'preflight', body], (signal) => api.campaigns.preflight(body, { signal }), {
    enabled: isReady,
  })
  return {
    ...query,
    data: isReady ? query.data : undefined,
    isReady,
    /** The data are those of the draft as it is now. */
    isCurrent: isReady && settled === draft && query.data !== undefined && !query.isPlaceholderData,
  }
}

const sampleSize = 50

/** Sample contacts of the audience, for the preview. */
export function useSample(draft: Pick<Draft, 'audienceType' | 'tags' | 'contactIds'>): types.Contact[] {
  const { audienceType } = draft
  const tags = audienceType === 'tags' ? draft.tags.slice(0, 5) : []
  const ids = audienceType === 'manual' ? draft.contactIds.slice(0, 20) : []
  const { data } = useRecord(['contacts', 'sample', audienceType, tags, ids], async (signal) => {
    if (audienceType === 'manual') return Promise.all(ids.map((id) => api.contacts.get(id, { signal })))
    if (audienceType === 'all') return (await api.contacts.list({ limit: sampleSize }, { signal })).data
    const found = await Promise.all(tags.map((tag) => api.contacts.list({ tag, limit: sampleSize }, { signal })))
    return [...new Map(found.flatMap((page) => page.data).map((contact) => [contact.id, contact])).values()]
  })
  return data ?? []
}
