import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'

/** The business hours of the organization, which has a handful at most. */
export function useSchedules() {
  const query = useRecord(['schedules', 'all'], (signal) => api.schedules.list({ limit: 100 }, { signal }))
  const schedules = query.data?.data
  return {
    ...query,
    schedules,
    nameOf: (id: string | null) => schedules?.find((each) => each.id === id)?.name,
  }
}
