import { Alert, Anchor, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useRecord } from '../../data/use-records.ts'
import { useChannels } from '../../records/channels/use-channels.ts'
import { PhonePreview } from '../../records/templates/phone-preview.tsx'
import { keyOf } from '../../records/templates/template-parts.ts'
import facts from '../../records/templates/templates.module.css'
import { Copy } from '../../ui/copy.tsx'
import listClasses from '../../ui/list.module.css'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { CampaignActions } from './campaign-actions.tsx'
import { CampaignDeliveries } from './campaign-deliveries.tsx'
import { CampaignFunnel } from './campaign-funnel.tsx'
import { SendsOverTime, WhatDidNotArrive } from './campaign-report.tsx'
import { audienceInWords, campaignStates, isMoving, obstacleOf } from './campaign-standing.ts'
import classes from './campaigns.module.css'
import { clockOf, viewerZone } from './zones.ts'

export function CampaignPage() {
  const { campaignId = '' } = useParams()
  const { channels } = useChannels()
  const {
    data: campaign,
    error,
    refetch,
  } = useRecord(
    ['campaigns', campaignId],
    (signal) => api.campaigns.get(campaignId, { signal }),
    // Its events tell of its states, not of each message.
    { refetchInterval: (campaign) => (campaign && isMoving(campaign) ? 1_000 : false) },
  )
  const { data: report } = useRecord(
    ['campaigns', campaignId, 'report'],
    (signal) => api.campaigns.getReport(campaignId, { timezone: viewerZone }, { signal }),
    { refetchInterval: () => (campaign && isMoving(campaign) ? 5_000 : false) },
  )
  if (isMissing(error)) return <MissingRecord what="campaign" />
  if (error && !campaign) return <ErrorState error={error} retry={() => void refetch()} />
  if (!campaign || campaign.id !== campaignId)
    return (
      <Page title="Campaign">
        <Skeleton height={320} />
      </Page>
    )
  const { tone, word } = campaignStates[campaign.status]
  const obstacle = obstacleOf(campaign)
  const channel = channels?.find(({ id }) => id === campaign.chat_phone_number_id)
  const values = report?.example ?? {}
  return (
    <Page
      title={campaign.name}
      head={
        <div>
          <Anchor component={Link} to="/campaigns" size="sm">
            Campaigns
          </Anchor>
          <Group gap="sm">
            <Title order={1} dir="auto" className={listClasses.name}>
              {campaign.name}
            </Title>
            <Status tone={tone}>{word}</Status>
          </Group>
        </div>
      }
      actions={
        <>
          <ApiRequest method="GET" path={`/campaigns/${campaign.id}`} />
          <CampaignActions campaign={campaign} />
        </>
      }
    >
      <div className={classes.wizard}>
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
              By your clocks ({viewerZone}). Until then it can be changed, paused or cancelled.
            </Alert>
          )}
          <CampaignFunnel campaign={campaign} />
          {report && report.stretches.length > 0 && <SendsOverTime report={report} />}
          {report && report.failures.length > 0 && <WhatDidNotArrive failures={report.failures} />}
          <CampaignDeliveries campaign={campaign} />
        </Stack>
        <aside className={classes.side} aria-label="About this campaign">
          {report?.template_components && (
            <PhonePreview
              components={report.template_components}
              valueAt={(slot) => values[keyOf(slot)] ?? values[slot.name || slot.where]}
              sender={channel?.display_name || channel?.phone_number}
            />
          )}
          <Card withBorder mt="md" maw={340} padding="sm">
            <dl className={facts.facts} style={{ gridTemplateColumns: '84px minmax(0, 1fr)' }}>
              <dt>Audience</dt>
              <dd>{audienceInWords(campaign)}</dd>
              <dt>Template</dt>
              <dd>
                {campaign.message_template_id ? (
                  <Anchor component={Link} to={`/templates/${campaign.message_template_id}`}>
                    {report?.template_name ?? 'Show it'}
                  </Anchor>
                ) : report?.template_name ? (
                  `${report.template_name} (deleted)`
                ) : (
                  'None'
                )}
              </dd>
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
              <dt>Id</dt>
              <dd>
                <Group gap={4} wrap="nowrap">
                  <Text span ff="monospace" size="xs" truncate>
                    {campaign.id}
                  </Text>
                  <Copy value={campaign.id} what="the id" />
                </Group>
              </dd>
            </dl>
          </Card>
        </aside>
      </div>
    </Page>
  )
}
