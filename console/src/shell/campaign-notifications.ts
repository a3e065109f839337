import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { onEvent } from '../data/live.ts'
import { showWithButton } from '../ui/toast-with-button.tsx'

interface Finished {
  id: string
  name: string
  status: string
  sent_count: number
  pause_reason: string | null
}

function wordsOf({ name, status, sent_count, pause_reason }: Finished): string | undefined {
  if (status === 'completed') return `“${name}” completed: ${sent_count.toLocaleString()} sent`
  if (status === 'failed') return `“${name}” failed`
  if (status === 'paused' && pause_reason !== 'user') return `“${name}” was paused automatically`
  return undefined
}

/** Announces the end of a campaign on whatever page is open. */
export function useCampaignNews(): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      onEvent(({ type, data }) => {
        if (!/^campaign\.(completed|failed|paused)$/.test(type)) return
        const campaign = data.object as unknown as Finished
        const address = `/campaigns/${campaign.id}`
        const message = wordsOf(campaign)
        // The campaign's own page shows it already.
        if (!message || location.pathname === address) return
        const look = campaign.status === 'completed' ? {} : { color: 'yellow' }
        showWithButton({ message, ...look }, { label: 'View', run: () => void navigate(address) })
      }),
    [navigate],
  )
}
