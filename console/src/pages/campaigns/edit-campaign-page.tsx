import { Alert, Anchor, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useRecord } from '../../data/use-records.ts'
import { useChannels } from '../../records/channels/use-channels.ts'
import { Page } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { draftFrom, readDraft } from './campaign-draft.ts'
import { campaignStates } from './campaign-status.ts'
import { CampaignWizard } from './campaign-wizard.tsx'
import { localOf, viewerZone } from './zones.ts'

/** A scheduled campaign can be edited until it starts. */
export function EditCampaignPage() {
  const { campaignId = '' } = useParams()
  const [kept] = useState(() => readDraft(campaignId))
  const { chatChannels, error, refetch } = useChannels()
  const campaign = useRecord(['campaigns', campaignId], (signal) => api.campaigns.get(campaignId, { signal }))
  if (isMissing(campaign.error)) return <MissingRecord what="Campaign" />
  const failure = error ?? campaign.error
  // Once the form is open, a failed refetch does not replace it.
  if (!chatChannels || campaign.data?.id !== campaignId)
    return failure ? (
      <ErrorState error={failure} retry={() => void (error ? refetch() : campaign.refetch())} />
    ) : (
      <Page title="Edit campaign">
        <Skeleton height={420} />
      </Page>
    )
  const { status, scheduled_at } = campaign.data
  if (status !== 'scheduled')
    return (
      <Page title="Edit campaign">
        <Alert color="yellow" variant="light" title={`This campaign is ${campaignStates[status].word.toLowerCase()}`}>
          Only scheduled campaigns can be edited.{' '}
          <Anchor component={Link} to={`/campaigns/${campaignId}`}>
            Back to the campaign
          </Anchor>
        </Alert>
      </Page>
    )
  const start = {
    ...draftFrom(campaign.data, `edit ${campaignId}`),
    when: 'later' as const,
    zone: viewerZone,
    localTime: scheduled_at ? localOf(new Date(scheduled_at), viewerZone) : '',
  }
  return (
    <CampaignWizard start={kept ?? start} isKept={kept !== undefined} channels={chatChannels} campaignId={campaignId} />
  )
}
