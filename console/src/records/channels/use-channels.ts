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

/** Such as `Front desk · +14155550100`. */
export const channelName = ({ display_name, phone_number }: types.Channel): string =>
  [display_name, phone_number].filter(Boolean).join(' · ')

/** Choices of a select. */
export const channelChoices = (channels: types.Channel[]) =>
  channels.map((channel) => ({ value: channel.id, label: channelName(channel) }))
