import type { api as types } from '@frontdesk/sdk'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'

/** All channels of the organization, which has a handful at most. */
export function useChannels() {
  const query = useRecord(['channels', 'all'], (signal) => api.channels.list({ limit: 100 }, { signal }), {
    staleTime: 60_000,
  })
  const { mode } = useSession()
  const channels = query.data?.data
  // In test mode every number works through the simulator.
  return { ...query, channels, chatChannels: channels?.filter(({ chat }) => chat !== null || mode === 'test') }
}

/** Choices of a select, such as `Front desk · +14155550100`. */
export const channelChoices = (channels: types.Channel[]) =>
  channels.map(({ id, display_name, phone_number }) => ({
    value: id,
    label: [display_name, phone_number].filter(Boolean).join(' · '),
  }))
