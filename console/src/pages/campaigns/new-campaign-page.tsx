import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { NoChatNumber } from '../../records/channels/no-chat-number.tsx'
import { useChannels } from '../../records/channels/use-channels.ts'
import { Page } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { draftFrom, emptyDraft, readDraft } from './campaign-draft.ts'
import { CampaignWizard } from './campaign-wizard.tsx'

/** Loads what a campaign starts from: the channels, and the campaign to copy or a kept draft. */
export function NewCampaignPage() {
  const [parameters] = useSearchParams()
  const from = parameters.get('from')
  const templateId = parameters.get('template')
  const [kept] = useState(() => readDraft('new'))
  const { chatChannels, error, refetch } = useChannels()
  const original = useRecord(['campaigns', from], (signal) => api.campaigns.get(from as string, { signal }), {
    enabled: from !== null,
  })
  const failure = error ?? original.error
  // Once the form is open, a failed refetch does not replace it.
  if (!chatChannels || (from && !original.data))
    return failure ? (
      <ErrorState error={failure} retry={() => void (error ? refetch() : original.refetch())} />
    ) : (
      <Page title="New campaign">
        <Skeleton height={420} />
      </Page>
    )
  const [first] = chatChannels
  if (!first)
    return (
      <Page title="New campaign">
        <NoChatNumber>
          Campaigns are sent from one of your numbers. None is connected to chat in this mode.
        </NoChatNumber>
      </Page>
    )
  const origin = from ? `campaign ${from}` : templateId ? `template ${templateId}` : ''
  // A link to a campaign or template starts a new draft; without one, the kept draft is continued.
  const isKept = kept !== undefined && (origin === '' || kept.origin === origin)
  const begun = original.data
    ? { ...draftFrom(original.data, origin), name: `${original.data.name} (copy)`.slice(0, 255) }
    : { ...emptyDraft(origin, first.id), templateId }
  return <CampaignWizard key={origin} start={isKept ? kept : begun} isKept={isKept} channels={chatChannels} />
}
