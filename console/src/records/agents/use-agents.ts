import type { api as types } from '@frontdesk/sdk'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'

/** The agents of the organization, for names and choices. */
export function useAgents(): types.Agent[] {
  const { data } = useRecord(['agents', 'all'], (signal) => api.agents.list({ limit: 100 }, { signal }))
  return data?.data ?? []
}
