import { notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { onEvent } from '../data/live.ts'

interface Finished {
  id: string
  name: string
  status: string
  sent_count: number
  pause_reason: string | null
}

function wordsOf({ name, status, sent_count, pause_reason }: Finished): string | undefined {
  if (status === 'completed') return `“${name}” is done: ${sent_count.toLocaleString()} sent`
  if (status === 'failed') return `“${name}” could not be sent`
  if (status === 'paused' && pause_reason !== 'user') return `“${name}” has paused itself`
  return undefined
}

/** A campaign can be left while it sends: how it ends is told wherever one is by then. */
export function useCampaignNews(): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      onEvent(({ type, data }) => {
        if (!/^campaign\.(completed|failed|paused)$/.test(type)) return
        const campaign = data.object as unknown as Finished
        const address = `/campaigns/${campaign.id}`
        const message = wordsOf(campaign)
        // Whoever looks at it sees it.
        if (!message || location.pathname === address) return
        notifications.show({
          message,
          color: campaign.status === 'completed' ? undefined : 'yellow',
          style: { cursor: 'pointer' },
          onClick: () => void navigate(address),
        })
      }),
    [navigate],
  )
}
