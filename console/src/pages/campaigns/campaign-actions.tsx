import { ActionIcon, Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconCopyPlus,
  IconDots,
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
import { useSession } from '../../data/session.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { errorText } from '../../ui/error-text.ts'
import { type Campaign, leftOf, people } from './campaign-standing.ts'
import { viewerZone } from './zones.ts'

export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const { id, status } = campaign
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { mode } = useSession()
  const left = leftOf(campaign)

  /** The answer is the campaign as it stands now: shown at once, whatever else is being asked. */
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
      title: 'Cancel the campaign?',
      consequence:
        status === 'scheduled'
          ? 'It will not be sent. This cannot be undone, but a copy of it can be sent later.'
          : `${people(left)} who have not got it yet never will. What was sent stays sent. This cannot be undone.`,
      action: status === 'scheduled' ? 'Cancel the campaign' : `Stop before the last ${left.toLocaleString('en')}`,
      run: async () => show(await api.campaigns.cancel(id)),
      done: 'The campaign was cancelled',
    })
  const retry = (scope: 'failed' | 'unknown') => {
    const count = scope === 'failed' ? campaign.failed_count : campaign.unknown_count
    askFirst({
      title: scope === 'failed' ? 'Try the failed ones again?' : 'Send the unknown ones again?',
      consequence:
        scope === 'failed'
          ? `Up to ${people(count)} are sent the message once more; what was missing is filled from what is known of them by now.`
          : `Nobody knows whether ${people(count)} got the message. Some of them may get it twice.`,
      action: `Send again to ${people(count)}`,
      isHarmless: true,
      async run() {
        const { retried_count, ...next } = await api.campaigns.retry(id, { scope })
        show(next)
        notifications.show({
          message:
            retried_count === 0
              ? 'None of them can be tried again as they are: look at the reasons.'
              : `${people(retried_count)} are being sent the message again`,
        })
      },
    })
  }
  const remove = () =>
    askFirst({
      title: `Delete “${campaign.name}”?`,
      consequence:
        status === 'sending'
          ? `It is stopped first: ${people(left)} never get it. Its figures and deliveries are deleted for good; messages that were sent stay with their contacts.`
          : status === 'scheduled'
            ? 'It will not be sent, and is gone for good.'
            : 'Its figures and deliveries are deleted for good; messages that were sent stay with their contacts.',
      action: 'Delete the campaign',
      async run() {
        await api.campaigns.delete(id)
        await navigate('/campaigns')
        void queries.invalidateQueries({ queryKey: [mode, 'campaigns'] })
      },
      done: `“${campaign.name}” was deleted`,
    })

  const canRetry = status === 'sending' || status === 'paused' || status === 'completed'
  const file = (kind: string) => fileAddress(`/api/v1/campaigns/${id}/export/${kind}`)
  return (
    <>
      {status === 'scheduled' && (
        <Button component={Link} to={`/campaigns/${id}/edit`} variant="default" leftSection={<IconPencil size={16} />}>
          Change
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
          {campaign.started_at ? `Resume: send to ${people(left)}` : 'Resume'}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
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
          <Menu.Item component={Link} to={`/campaigns/new?from=${id}`} leftSection={<IconCopyPlus size={16} />}>
            Make a copy
          </Menu.Item>
          {canRetry && (campaign.failed_count > 0 || campaign.unknown_count > 0) && <Menu.Divider />}
          {canRetry && campaign.failed_count > 0 && (
            <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => retry('failed')}>
              Try the {campaign.failed_count.toLocaleString()} failed again
            </Menu.Item>
          )}
          {canRetry && campaign.unknown_count > 0 && (
            <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => retry('unknown')}>
              Send the {campaign.unknown_count.toLocaleString()} unknown again
            </Menu.Item>
          )}
          <Menu.Divider />
          {(status === 'scheduled' || status === 'sending' || status === 'paused') && (
            <Menu.Item color="red" leftSection={<IconPlayerStop size={16} />} onClick={cancel}>
              Cancel the campaign
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
