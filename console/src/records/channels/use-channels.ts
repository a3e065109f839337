import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'

/** An organization has a handful of numbers: all of them, for choosing one. */
export function useChannels() {
  const query = useRecord(['channels', 'all'], (signal) => api.channels.list({ limit: 100 }, { signal }), {
    staleTime: 60_000,
  })
  const { mode } = useSession()
  const channels = query.data?.data
  // In test mode the simulator carries every number.
  return { ...query, channels, chatChannels: channels?.filter(({ chat }) => chat !== null || mode === 'test') }
}
