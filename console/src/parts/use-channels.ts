import { api } from '../app/api.ts'
import { useRecord } from './use-records.ts'

/** An organization has a handful of numbers: all of them, for choosing one. */
export function useChannels() {
  const query = useRecord(['channels', 'all'], (signal) => api.channels.list({ limit: 100 }, { signal }), {
    staleTime: 60_000,
  })
  const channels = query.data?.data
  return { ...query, channels, chatChannels: channels?.filter(({ chat }) => chat !== null) }
}
