import type { api as types } from '@frontdesk/sdk'
import { Alert, Anchor, Card, Group, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { LoadRecord } from '../../data/load-record.tsx'
import { useRecord } from '../../data/use-records.ts'
import { useChannels } from '../../records/channels/use-channels.ts'
import { PhonePreview } from '../../records/templates/phone-preview.tsx'
import { valueAt } from '../../records/templates/template-parts.ts'
import { Copy } from '../../ui/copy.tsx'
import layout from '../../ui/layout.module.css'
import { Moment } from '../../ui/moment.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { Status } from '../../ui/status.tsx'
import { CampaignActions } from './campaign-actions.tsx'
import { CampaignDeliveries } from './campaign-deliveries.tsx'
import { sendingTimesText } from './campaign-draft.ts'
import { CampaignFunnel } from './campaign-funnel.tsx'
import { LinkClicks, SendsOverTime, TappedButtons, WhatDidNotArrive } from './campaign-report.tsx'
import { audienceText, type Campaign, campaignStates, isMoving, obstacleOf } from './campaign-status.ts'
import { clockOf, viewerZone } from './zones.ts'

export function CampaignPage() {
  const { campaignId = '' } = useParams()
  const query = useRecord(
    ['campaigns', campaignId],
    (signal) => api.campaigns.get(campaignId, { signal }),
    // Messages make no campaign events, so the counts are polled.
    { refetchInterval: (campaign) => (campaign && isMoving(campaign) ? 1_000 : false) },
  )
  const { data } = query
  const { data: report } = useRecord(
    ['campaigns', campaignId, 'report'],
    (signal) => api.campaigns.getReport(campaignId, { timezone: viewerZone }, { signal }),
    { refetchInterval: () => (data && isMoving(data) ? 5_000 : false) },
  )
  return (
    <LoadRecord what="Campaign" id={campaignId} query={query}>
      {(campaign) => <KnownCampaign campaign={campaign} report={report} />}
    </LoadRecord>
  )
}

function KnownCampaign({ campaign, report }: { campaign: Campaign; report: types.CampaignReport | undefined }) {
  const { channels } = useChannels()
  const { tone, word } = campaignStates[campaign.status]
  const obstacle = obstacleOf(campaign)
  const channel = channels?.find(({ id }) => id === campaign.chat_phone_number_id)
  const values = report?.example ?? {}
  const localTimes = sendingTimesText(campaign.sending_times)
  return (
    <RecordPage
      list={{ to: '/campaigns', label: 'Campaigns' }}
      title={campaign.name}
      status={<Status tone={tone}>{word}</Status>}
      actions={
        <>
          <ApiRequest method="GET" path={`/campaigns/${campaign.id}`} />
          <CampaignActions campaign={campaign} />
        </>
      }
    >
      <div className={layout.columns}>
        <Stack gap="md">
          {obstacle && (
            <Alert
              color={obstacle.tone === 'bad' ? 'red' : 'yellow'}
              variant="light"
              title={obstacle.title}
              styles={{ message: { color: 'var(--mantine-color-text)' } }}
            >
              <Text size="sm">{obstacle.words}</Text>
              {obstacle.detail && (
                <Text size="sm" c="dimmed">
                  {obstacle.detail}
                </Text>
              )}
            </Alert>
          )}
          {campaign.status === 'scheduled' && campaign.scheduled_at && (
            <Alert color="gray" variant="light" title={`Sending starts ${clockOf(campaign.scheduled_at, viewerZone)}`}>
              Your time zone ({viewerZone}). You can edit, pause or cancel it until then.
            </Alert>
          )}
          <CampaignFunnel campaign={campaign} />
          {report && report.buttons.length > 0 && <TappedButtons buttons={report.buttons} />}
          {report && <LinkClicks report={report} />}
          {report && report.stretches.length > 0 && <SendsOverTime report={report} />}
          {report && report.failures.length > 0 && <WhatDidNotArrive failures={report.failures} />}
          <CampaignDeliveries campaign={campaign} />
        </Stack>
        <aside className={layout.side} aria-label="About this campaign">
          {report?.template_components && (
            <PhonePreview
              components={report.template_components}
              valueAt={(place) => valueAt(values, place)}
              sender={channel?.display_name || channel?.phone_number}
            />
          )}
          <Card withBorder mt="md" maw={340} padding="sm">
            <dl className={layout.facts} style={{ gridTemplateColumns: '84px minmax(0, 1fr)' }}>
              <dt>Audience</dt>
              <dd>{audienceText(campaign)}</dd>
              <dt>Template</dt>
              <dd>
                {campaign.message_template_id ? (
                  <Anchor component={Link} to={`/templates/${campaign.message_template_id}`}>
                    {report?.template_name ?? 'View'}
                  </Anchor>
                ) : report?.template_name ? (
                  `${report.template_name} (deleted)`
                ) : (
                  'None'
                )}
              </dd>
              {localTimes && (
                <>
                  <dt>Local time</dt>
                  <dd>{localTimes}</dd>
                </>
              )}
              <dt>From</dt>
              <dd>{channel ? channel.display_name || channel.phone_number : '–'}</dd>
              {campaign.started_at ? (
                <>
                  <dt>Started</dt>
                  <dd>
                    <Moment at={campaign.started_at} />
                  </dd>
                </>
              ) : (
                <>
                  <dt>Created</dt>
                  <dd>
                    <Moment at={campaign.created_at} />
                  </dd>
                </>
              )}
              {campaign.completed_at && (
                <>
                  <dt>Finished</dt>
                  <dd>
                    <Moment at={campaign.completed_at} />
                  </dd>
                </>
              )}
              <dt>ID</dt>
              <dd>
                <Group gap={4} wrap="nowrap">
                  <Text span ff="monospace" size="xs" truncate>
                    {campaign.id}
                  </Text>
                  <Copy value={campaign.id} what="ID" />
                </Group>
              </dd>
            </dl>
          </Card>
        </aside>
      </div>
    </RecordPage>
  )
}
