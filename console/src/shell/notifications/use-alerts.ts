import type { api as types } from '@frontdesk/sdk'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { onEvent } from '../../data/live.ts'
import { useSession } from '../../data/session.tsx'
import { hasSound } from '../../records/notifications/this-device.ts'
import { titleOf } from './notification-text.ts'

/** A tab that was not touched for this long is not in use, even if it is visible: the member is notified by push. */
const idleAfterMs = 5 * 60_000

let touchedAt = performance.now()
for (const type of ['pointerdown', 'pointermove', 'keydown', 'visibilitychange', 'focus'])
  window.addEventListener(type, () => (touchedAt = performance.now()), { capture: true, passive: true })

const isInUse = () => document.visibilityState === 'visible' && performance.now() - touchedAt < idleAfterMs

/**
 * Alerts the member of new notifications in a tab that is in use. The service lets one device alert; if none claims the
 * notification within five seconds, it is pushed.
 */
export function useAlerts(): void {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mode } = useSession()
  useEffect(() => {
    /** The last alert about each ticket. */
    const shown = new Map<string, string>()
    /** The member sees the conversation itself. */
    const readHere = async (ticket_id: string) => {
      await api.notifications.read({ ticket_id })
      await queries.invalidateQueries({ queryKey: [mode, 'notifications'] })
    }
    const alert = async (id: string) => {
      const found = await claim(id)
      if (!found) return
      const address = `/inbox/${found.ticket_id}`
      if (location.pathname === address) return readHere(found.ticket_id)
      if (hasSound()) void new Audio('/notification.wav').play().catch(() => {})
      // The list of the inbox shows messages, but neither mentions nor whom a conversation is assigned to.
      const isListed = found.kind !== 'mention' && found.kind !== 'assigned'
      if (isListed && location.pathname.startsWith('/inbox')) return
      // One per ticket. The next one needs an id of its own: Mantine ignores an id that is shown, and keeps its timer.
      notifications.hide(shown.get(found.ticket_id) ?? '')
      shown.set(found.ticket_id, id)
      notifications.show({
        id,
        message: titleOf(found) + (found.preview && `: ${found.preview}`),
        style: { cursor: 'pointer' },
        onClick() {
          notifications.hide(id)
          void navigate({ pathname: address, search: inboxFilters() })
          void readHere(found.ticket_id)
        },
      })
    }
    return onEvent(({ type, data }) => {
      if (type !== 'notification.created' || !isInUse()) return
      // If a request fails, the notification is pushed or stays in the list.
      alert((data.object as { id: string }).id).catch(() => {})
    })
  }, [navigate, queries, mode])
}

/** The filters of the inbox, if it is open: the list stays as it is. */
function inboxFilters(): string {
  const kept = new URLSearchParams(location.pathname.startsWith('/inbox') ? location.search : '')
  kept.delete('panel')
  return String(kept)
}

/** The notification, if this device is the one to alert the member. */
async function claim(id: string): Promise<types.Notification | undefined> {
  const { alert } = await api.notifications.show(id)
  if (!alert) return undefined
  const { data } = await api.notifications.list({ limit: 20, unread: true })
  return data.find((each) => each.id === id)
}
