import type { api as types } from '@frontdesk/sdk'
import { Status } from '../../ui/status.tsx'

const tones = { waiting: 'waiting', crawling: 'busy', idle: 'good', stopped: 'warning', failed: 'bad' } as const
const words = { waiting: 'Waiting', crawling: 'Crawling', idle: 'Up to date', stopped: 'Stopped', failed: 'Failed' }

export const kindWords = { page: 'One page', site: 'Site', sitemap: 'Sitemap' }
export const scheduleWords = { off: 'Never', daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' }

export const isCrawling = ({ status }: types.Website): boolean => status === 'waiting' || status === 'crawling'

export function WebsiteState({ website: { status, pages } }: { website: types.Website }) {
  const done = pages.found - pages.queued
  return (
    <Status tone={tones[status]}>
      {status === 'crawling' ? `Crawling, ${done} of ${pages.found} pages` : words[status]}
    </Status>
  )
}
