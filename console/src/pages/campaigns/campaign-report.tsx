import type { api as types } from '@frontdesk/sdk'
import { Anchor, Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { Status } from '../../ui/status.tsx'
import { deliveryStates } from './campaign-standing.ts'

// Drawing takes a library of its own, which only campaigns that were sent need.
const CampaignChart = lazy(() => import('./campaign-chart.tsx'))

const steps: [seconds: number, words: string][] = [
  [1, 'a second'],
  [60, 'a minute'],
  [3_600, 'an hour'],
  [86_400, 'a day'],
  [604_800, 'a week'],
]
function stepInWords(seconds: number): string {
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
        Each bar is {stepInWords(report.step_seconds ?? 1)}, and shows what became of its messages by now.
      </Text>
      <Suspense fallback={<Skeleton height={200} />}>
        <CampaignChart report={report} />
      </Suspense>
    </Card>
  )
}

/** What did not arrive, the most frequent reason first. */
export function WhatDidNotArrive({ failures }: { failures: types.CampaignReport['failures'] }) {
  return (
    <Card withBorder>
      <Title order={2} mb="sm">
        What did not arrive
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
                Who
              </Anchor>
            </Text>
          </div>
        ))}
      </Stack>
    </Card>
  )
}
