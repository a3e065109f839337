import { api } from '../../data/api.ts'
import { may, useMe } from '../../data/session.tsx'
import { useCursorList, useRecord } from '../../data/use-records.ts'

/** Hints arrive with the event stream; this is for those that are lost. */
const pollEveryMs = 60_000

export const useMayBeNotified = () => {
  const me = useMe()
  return me.user !== null && may(me, 'inbox:read')
}

export function useUnreadNotifications(): number {
  const enabled = useMayBeNotified()
  const ask = (signal: AbortSignal) => api.notifications.list({ limit: 1, unread: true }, { signal })
  return useRecord(['notifications', 'unread'], ask, { enabled, refetchInterval: pollEveryMs }).data?.unread_count ?? 0
}

export const useNotificationList = (enabled: boolean) =>
  useCursorList(
    ['notifications'],
    (starting_after, signal) =>
      api.notifications.list({ limit: 20, ...(starting_after && { starting_after }) }, { signal }),
    { enabled },
  )
