import { Button } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import type { TicketFilters } from './tickets.ts'

/** Says how many closed conversations match the search, which the list of open ones leaves out. */
export function ClosedMatches({ filters: { kept, set } }: { filters: TicketFilters }) {
  const { queue: _, sort: __, ...others } = kept
  const query = { ...others, status: 'closed', limit: 1 } as const
  const { data, isPlaceholderData } = useRecord(['tickets', 'closed-matches', query], (signal) =>
    api.inbox.listTickets(query, { signal }),
  )
  const count = isPlaceholderData ? 0 : (data?.total ?? 0)
  if (count === 0) return null
  return (
    <Button variant="subtle" size="xs" fullWidth my="xs" onClick={() => set({ status: 'all' })}>
      {count === 1
        ? 'Show 1 closed conversation that matches'
        : `Show ${count.toLocaleString()} closed conversations that match`}
    </Button>
  )
}
