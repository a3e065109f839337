import type { api as types } from '@frontdesk/sdk'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import classes from './inbox.module.css'
import type { TicketFilters } from './tickets.ts'

type Queue = keyof types.QueueCounts

const labels: Record<Queue, string> = {
  mine: 'Mine',
  unassigned: 'Unassigned',
  needs_person: 'Needs a person',
  ai: 'AI',
  all: 'All',
  snoozed: 'Snoozed',
}

/** Keyed under tickets, so that every event that changes a ticket refreshes the counts. */
const useQueueCounts = () => useRecord(['tickets', 'queues'], (signal) => api.inbox.countQueues({ signal })).data

/** The queues with their counts, and closed conversations. */
export function Queues({ filters }: { filters: TicketFilters }) {
  const counts = useQueueCounts()
  // Without an agent that answers a channel, no conversation is answered by AI.
  const shown = (Object.keys(labels) as Queue[]).filter((queue) => queue !== 'ai' || counts?.ai !== null)
  const choose = (queue: string | undefined, status?: string) => filters.choose({ queue, status })
  return (
    <nav className={classes.queues} aria-label="Queues">
      {shown.map((queue) => (
        <button
          key={queue}
          type="button"
          className={classes.queue}
          aria-current={filters.queue === queue && !filters.view ? 'true' : undefined}
          onClick={() => choose(queue === 'all' ? undefined : queue)}
        >
          {labels[queue]}
          <Count n={counts?.[queue]} isUrgent={queue === 'needs_person'} />
        </button>
      ))}
      <button
        type="button"
        className={classes.queue}
        aria-current={filters.status === 'closed' && !filters.view ? 'true' : undefined}
        onClick={() => choose(undefined, 'closed')}
      >
        Closed
      </button>
    </nav>
  )
}

function Count({ n, isUrgent }: { n: number | null | undefined; isUrgent: boolean }) {
  if (n === undefined || n === null) return null
  return (
    <span className={classes.queueCount} data-urgent={(isUrgent && n > 0) || undefined}>
      {n.toLocaleString()}
    </span>
  )
}
