import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconCopyPlus,
  IconFileSpreadsheet,
  IconFileTypePdf,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { api, fileAddress } from '../../data/api.ts'
import { IfMay, useSession } from '../../data/session.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { errorText } from '../../ui/error-text.ts'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { type Campaign, leftOf, people } from './campaign-status.ts'
import { viewerZone } from './zones.ts'

export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const { id, status } = campaign
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { mode } = useSession()
  const left = leftOf(campaign)

  /** The response is the updated campaign, which is shown at once. */
  const show = (next: Campaign) => {
    queries.setQueryData([mode, 'campaigns', id], next)
    void queries.invalidateQueries({ queryKey: [mode, 'campaigns'] })
    void queries.invalidateQueries({ queryKey: [mode, 'campaign-deliveries', id] })
  }
  const move = useMutation({
    mutationFn: async (act: 'pause' | 'resume') => show(await api.campaigns[act](id)),
    onError: (error) => notifications.show({ color: 'red', message: errorText(error) }),
  })

  const cancel = () =>
    askFirst({
      title: 'Cancel this campaign?',
      consequence:
        status === 'scheduled'
          ? 'It will not be sent. You cannot undo this, but you can send a copy later.'
          : `The remaining ${people(left)} will not receive it. Sent messages stay sent. You cannot undo this.`,
      action: status === 'scheduled' ? 'Cancel campaign' : `Cancel the remaining ${left.toLocaleString('en')}`,
      run: async () => show(await api.campaigns.cancel(id)),
      done: 'Campaign cancelled',
    })
  const retry = (scope: 'failed' | 'unknown') => {
    const count = scope === 'failed' ? campaign.failed_count : campaign.unknown_count
    askFirst({
      title: scope === 'failed' ? 'Retry failed messages?' : 'Resend messages with unknown status?',
      consequence:
        scope === 'failed'
          ? `The message is sent again to up to ${people(count)}. Missing values are filled from their current contact data.`
          : `It is unknown whether ${people(count)} received the message. Some may receive it twice.`,
      action: `Resend to ${people(count)}`,
      isHarmless: true,
      async run() {
        const { retried_count, ...next } = await api.campaigns.retry(id, { scope })
        show(next)
        notifications.show({
          message:
            retried_count === 0
              ? 'None of them can be retried. See the reasons below.'
              : `Resending to ${people(retried_count)}`,
        })
      },
    })
  }
  const remove = () =>
    askFirst({
      title: `Delete “${campaign.name}”?`,
      consequence:
        status === 'sending'
          ? `Sending stops and ${people(left)} will not receive it. The report and deliveries are permanently deleted. Sent messages stay in their conversations.`
          : status === 'scheduled'
            ? 'It will not be sent. You cannot undo this.'
            : 'The report and deliveries are permanently deleted. Sent messages stay in their conversations.',
      action: 'Delete campaign',
      async run() {
        await api.campaigns.delete(id)
        await navigate('/campaigns')
        void queries.invalidateQueries({ queryKey: [mode, 'campaigns'] })
      },
      done: `Deleted “${campaign.name}”`,
    })

  const canRetry = status === 'sending' || status === 'paused' || status === 'completed'
  const file = (kind: string) => fileAddress(`/api/v1/campaigns/${id}/export/${kind}`)
  return (
    <>
      <IfMay scope="campaigns:manage">
        {status === 'scheduled' && (
          <Button
            component={Link}
            to={`/campaigns/${id}/edit`}
            variant="default"
            leftSection={<IconPencil size={16} />}
          >
            Edit
          </Button>
        )}
        {(status === 'sending' || status === 'scheduled') && (
          <Button
            variant="default"
            leftSection={<IconPlayerPause size={16} />}
            loading={move.isPending}
            onClick={() => move.mutate('pause')}
          >
            Pause
          </Button>
        )}
        {status === 'paused' && (
          <Button
            leftSection={<IconPlayerPlay size={16} />}
            loading={move.isPending}
            onClick={() => move.mutate('resume')}
          >
            {campaign.started_at ? `Resume sending to ${people(left)}` : 'Resume'}
          </Button>
        )}
      </IfMay>
      <MoreMenu>
        <Menu.Item
          component="a"
          href={`${file('pdf')}&timezone=${encodeURIComponent(viewerZone)}`}
          download
          leftSection={<IconFileTypePdf size={16} />}
        >
          Report as PDF
        </Menu.Item>
        <Menu.Item component="a" href={file('csv')} download leftSection={<IconFileSpreadsheet size={16} />}>
          Deliveries as CSV
        </Menu.Item>
        <IfMay scope="campaigns:manage">
          <Menu.Item component={Link} to={`/campaigns/new?from=${id}`} leftSection={<IconCopyPlus size={16} />}>
            Duplicate
          </Menu.Item>
          {canRetry && (campaign.failed_count > 0 || campaign.unknown_count > 0) && <Menu.Divider />}
          {canRetry && campaign.failed_count > 0 && (
            <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => retry('failed')}>
              Retry {campaign.failed_count.toLocaleString()} failed
            </Menu.Item>
          )}
          {canRetry && campaign.unknown_count > 0 && (
            <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => retry('unknown')}>
              Resend {campaign.unknown_count.toLocaleString()} unknown
            </Menu.Item>
          )}
          <Menu.Divider />
          {(status === 'scheduled' || status === 'sending' || status === 'paused') && (
            <Menu.Item color="red" leftSection={<IconPlayerStop size={16} />} onClick={cancel}>
              Cancel campaign
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
            Delete
          </Menu.Item>
        </IfMay>
      </MoreMenu>
    </>
  )
}
