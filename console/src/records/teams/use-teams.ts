import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'

/** The teams of the organization, which has a handful at most. */
export function useTeams() {
  const query = useRecord(['teams', 'all'], (signal) => api.teams.list({ limit: 100 }, { signal }))
  const teams = query.data?.data
  return { ...query, teams, nameOf: (id: string | null) => teams?.find((each) => each.id === id)?.name }
}
