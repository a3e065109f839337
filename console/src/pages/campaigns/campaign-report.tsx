import type { api as types } from '@frontdesk/sdk'
import { Anchor, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { Moment } from '../../ui/moment.tsx'
import { Status } from '../../ui/status.tsx'
import { deliveryStates } from './campaign-status.ts'

// The chart library is large and needed only for campaigns that were sent.
const CampaignChart = lazy(() => import('./campaign-chart.tsx'))

const steps: [seconds: number, words: string][] = [
  [1, 'a second'],
  [60, 'a minute'],
  [3_600, 'an hour'],
  [86_400, 'a day'],
  [604_800, 'a week'],
]
function stepText(seconds: number): string {
  const exact = steps.find(([size]) => size === seconds)
  if (exact) return exact[1]
  const [size, words] = steps.findLast(([size]) => size < seconds) ?? [1, 'a second']
  return `${Math.round(seconds / size)} ${words.replace(/^an? /, '')}s`
}

export function SendsOverTime({ report }: { report: types.CampaignReport }) {
  return (
    <Card withBorder>
      <Title order={2}>Sends over time</Title>
      <Text size="sm" c="dimmed" mb="sm">
        Each bar covers {stepText(report.step_seconds ?? 1)} and shows the current status of its messages.
      </Text>
      <Suspense fallback={<Skeleton height={200} />}>
        <CampaignChart report={report} />
      </Suspense>
    </Card>
  )
}

/** Reply buttons that recipients tapped, the most frequent first. */
export function TappedButtons({ buttons }: { buttons: types.CampaignReport['buttons'] }) {
  return (
    <Card withBorder>
      <Title order={2} mb="sm">
        Button taps
      </Title>
      <Counts rows={buttons} />
    </Card>
  )
}

/** Clicks on links, which WhatsApp counts only for accounts with template analytics. */
export function LinkClicks({ report: { links, links_at, links_error } }: { report: types.CampaignReport }) {
  if (links_at === null) return null
  return (
    <Card withBorder>
      <Title order={2} mb="sm">
        Link clicks
      </Title>
      {links_error === null || links.some(({ clicks }) => clicks > 0) ? (
        <>
          <Counts rows={links.map(({ label, clicks }) => ({ label, count: clicks }))} />
          <Text size="sm" c="dimmed" mt="sm">
            Reported by WhatsApp <Moment at={links_at} />. Clicks on other messages with this template are included.
          </Text>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          WhatsApp did not report clicks: {links_error}. It counts them once template analytics are on in WhatsApp
          Manager.
        </Text>
      )}
    </Card>
  )
}

function Counts({ rows }: { rows: { label: string; count: number }[] }) {
  return (
    <Stack gap={6}>
      {rows.map(({ label, count }) => (
        <Group key={label} justify="space-between" wrap="nowrap">
          <Text size="sm" dir="auto" truncate>
            {label}
          </Text>
          <Text size="sm" fw={600}>
            {count.toLocaleString()}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}

/** Failures, the most frequent reason first. */
export function WhatDidNotArrive({ failures }: { failures: types.CampaignReport['failures'] }) {
  return (
    <Card withBorder>
      <Title order={2} mb="sm">
        Failures
      </Title>
      <Stack gap="md">
        {failures.map(({ status, code, count, explanation, what_to_do }) => (
          <div key={`${status} ${code}`}>
            <Status tone={deliveryStates[status].tone}>
              {`${count.toLocaleString('en')} ${deliveryStates[status].word.toLowerCase()}`}
            </Status>
            <Text size="sm" mt={2}>
              {explanation}
              {/^\d+$/.test(code) && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  (code {code})
                </Text>
              )}
            </Text>
            <Text size="sm" c="dimmed">
              {what_to_do}{' '}
              <Anchor component={Link} to={`?deliveries=${status}`} preventScrollReset size="sm" underline="always">
                Show
              </Anchor>
            </Text>
          </div>
        ))}
      </Stack>
    </Card>
  )
}
