import { Anchor, Card, Group, Progress, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { percentOf } from '../../ui/shares.ts'
import { type Campaign, leftOf, progressOf } from './campaign-status.ts'
import classes from './campaigns.module.css'

const share = (count: number, of: number) => (of === 0 ? '' : percentOf(count, of))

/** Progress and results. The layout stays the same while the numbers change. */
export function CampaignFunnel({ campaign }: { campaign: Campaign }) {
  const { total_contacts_count: total, status } = campaign
  const left = leftOf(campaign)
  const isOver = status === 'cancelled' || status === 'failed'
  const steps = [
    { label: 'Recipients', count: total },
    { label: 'Sent', count: campaign.sent_count },
    { label: 'Delivered', count: campaign.delivered_count },
    { label: 'Read', count: campaign.read_count },
    // People who switched read receipts off reply too, so replies are a share of what was sent.
    { label: 'Replied', count: campaign.replied_count, of: 1 },
  ]
  const others = [
    { label: 'failed', count: campaign.failed_count, filter: 'failed', color: 'var(--mantine-color-error)' },
    { label: 'skipped', count: campaign.skipped_count, filter: 'skipped' },
    { label: 'unknown', count: campaign.unknown_count, filter: 'unknown' },
    { label: isOver ? 'not sent' : 'to send', count: left, filter: 'pending' },
  ]
  const done = progressOf(campaign)
  return (
    <Card withBorder>
      <Group justify="space-between" mb={6}>
        <Title order={2}>Progress</Title>
        <Text size="sm" c="dimmed">
          {status === 'sending' && !campaign.frozen_at
            ? 'Counting recipients'
            : total === 0
              ? 'No recipients yet'
              : `${(total - left).toLocaleString()} of ${total.toLocaleString()} processed`}
        </Text>
      </Group>
      <Progress
        value={done * 100}
        size="lg"
        mb="lg"
        animated={status === 'sending'}
        {...((status === 'cancelled' || status === 'paused') && { color: 'gray' })}
        aria-label={`${Math.floor(done * 100)}% done`}
      />
      <ul className={classes.funnel} aria-label="Funnel">
        {steps.map(({ label, count, of = 0 }, i) => {
          const before = steps[of || i - 1]
          return (
            <FunnelRow
              key={label}
              label={label}
              count={count}
              part={total === 0 ? 0 : count / total}
              note={before ? share(count, of > 0 ? before.count : total) : ''}
              more={
                i > 1 && before && before.count > 0
                  ? `${share(count, before.count)} of ${before.label.toLowerCase()}`
                  : ''
              }
            />
          )
        })}
      </ul>
      <Group gap="lg" mt="md">
        {others.map(({ label, count, filter, color }) =>
          count > 0 ? (
            <Anchor
              key={filter}
              component={Link}
              to={`?deliveries=${filter}`}
              preventScrollReset
              size="sm"
              {...(color && { c: color })}
              data-count={filter}
            >
              {count.toLocaleString()} {label}
            </Anchor>
          ) : (
            <Text key={filter} size="sm" c="dimmed" data-count={filter}>
              0 {label}
            </Text>
          ),
        )}
      </Group>
    </Card>
  )
}

function FunnelRow(props: { label: string; count: number; part: number; note: string; more: string }) {
  const { label, count, part, note, more } = props
  return (
    <li className={classes.funnelRow}>
      <Text size="sm">{label}</Text>
      <div className={classes.bar} aria-hidden>
        <div className={classes.fill} style={{ width: `${part * 100}%` }} />
      </div>
      <Text size="sm" title={more}>
        <Text span fw={600} data-figure={label.toLowerCase()}>
          {count.toLocaleString()}
        </Text>{' '}
        <Text span c="dimmed">
          {note}
        </Text>
      </Text>
    </li>
  )
}
