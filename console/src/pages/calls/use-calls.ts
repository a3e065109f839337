import type { api as types } from '@frontdesk/sdk'
import { useEffect } from 'react'
import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import { useAgents } from '../../records/agents/use-agents.ts'
import { type CallFilters, rangeOf } from './call-filters.tsx'

const pageSize = 50
const pollMs = 3_000

/** Matching calls. Searches have numbered pages ordered by relevance; other lists use cursors. */
export function useCalls(filters: CallFilters) {
  const { search, agent, contact } = filters
  const wanted = {
    status: (filters.status || undefined) as types.Call['status'] | undefined,
    direction: (filters.direction || undefined) as types.Call['direction'] | undefined,
    agent_id: agent || undefined,
    ...rangeOf(filters),
  }
  const list = useCursorList(['calls', 'list', filters], async (after, signal) => {
    if (!search)
      return api.calls.list(
        { ...wanted, contact_id: contact || undefined, limit: pageSize, starting_after: after },
        { signal },
      )
    const page = Number(after ?? 1)
    const { items, total } = await api.calls.listLogs({ ...wanted, search, page, page_size: pageSize }, { signal })
    return {
      data: items,
      has_more: page * pageSize < total,
      next_cursor: String(page + 1),
      total_count: total,
    }
  })
  const { refetch } = list
  const hasLive = list.rows.some(({ status }) => status === 'in-progress')
  useEffect(() => {
    if (!hasLive) return
    // Dialing and ringing make no events, so the list is polled while a call runs.
    const timer = setInterval(() => void refetch(), pollMs)
    return () => clearInterval(timer)
  }, [hasLive, refetch])
  const agents = useAgents()
  return {
    list,
    // Numbered pages shift when a call is added, so duplicates are removed.
    calls: [...new Map(list.rows.map((call) => [call.id, call])).values()],
    agentNames: new Map(agents.map(({ id, name }) => [id, name])),
  }
}
