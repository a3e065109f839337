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

/** Waits for what a campaign begins with: the channels, an earlier campaign, a draft that was kept. */
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
  // What is being made stays on screen, whatever a later look at these meets.
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
          A campaign is sent from one of your numbers, and none is connected to chat in this mode.
        </NoChatNumber>
      </Page>
    )
  const origin = from ? `campaign ${from}` : templateId ? `template ${templateId}` : ''
  // A link with wishes of its own begins anew; without any, one goes on where one was.
  const isKept = kept !== undefined && (origin === '' || kept.origin === origin)
  const begun = original.data
    ? { ...draftFrom(original.data, origin), name: `${original.data.name} (copy)`.slice(0, 255) }
    : { ...emptyDraft(origin, first.id), templateId }
  return <CampaignWizard key={origin} start={isKept ? kept : begun} isKept={isKept} channels={chatChannels} />
}
