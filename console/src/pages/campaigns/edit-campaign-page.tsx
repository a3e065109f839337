import type { api as types } from '@frontdesk/sdk'
import { Alert } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { LoadRecord } from '../../data/load-record.tsx'
import { useRecord } from '../../data/use-records.ts'
import { useChannels } from '../../records/channels/use-channels.ts'
import { RecordPage } from '../../ui/record-page.tsx'
import { draftFrom, readDraft } from './campaign-draft.ts'
import { type Campaign, campaignStates } from './campaign-status.ts'
import { CampaignWizard } from './campaign-wizard.tsx'
import { localOf, viewerZone } from './zones.ts'

/** A scheduled campaign can be edited until it starts. */
export function EditCampaignPage() {
  const { campaignId = '' } = useParams()
  const channels = useChannels()
  const campaign = useRecord(['campaigns', campaignId], (signal) => api.campaigns.get(campaignId, { signal }))
  const query = {
    data: channels.chatChannels && campaign.data,
    error: campaign.error ?? channels.error,
    refetch: () => Promise.all([campaign.refetch(), channels.refetch()]),
  }
  return (
    <LoadRecord what="Campaign" id={campaignId} query={query}>
      {(record) => <EditCampaign campaign={record} channels={channels.chatChannels ?? []} />}
    </LoadRecord>
  )
}

function EditCampaign({ campaign, channels }: { campaign: Campaign; channels: types.Channel[] }) {
  const { id, name, status, scheduled_at } = campaign
  const [kept] = useState(() => readDraft(id))
  if (status !== 'scheduled')
    return (
      <RecordPage list={{ to: `/campaigns/${id}`, label: name }} title="Edit campaign">
        <Alert color="yellow" variant="light" title={`This campaign is ${campaignStates[status].word.toLowerCase()}`}>
          Only scheduled campaigns can be edited.
        </Alert>
      </RecordPage>
    )
  const start = {
    ...draftFrom(campaign, `edit ${id}`),
    when: 'later' as const,
    zone: viewerZone,
    localTime: scheduled_at ? localOf(new Date(scheduled_at), viewerZone) : '',
  }
  return <CampaignWizard start={kept ?? start} isKept={kept !== undefined} channels={channels} campaignId={id} />
}
