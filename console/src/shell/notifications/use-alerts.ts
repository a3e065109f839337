import type { api as types } from '@frontdesk/sdk'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { onEvent } from '../../data/live.ts'
import { useSession } from '../../data/session.tsx'
import { hasSound, isDesktopOn, showOnDesktop } from '../../records/notifications/this-device.ts'
import { showWithButton } from '../../ui/toast-with-button.tsx'
import { titleOf } from './notification-text.ts'

/** A tab that was not touched for this long is not in use, even if it is visible: the member is notified by push. */
const idleAfterMs = 5 * 60_000

let touchedAt = performance.now()
for (const type of ['pointerdown', 'pointermove', 'keydown', 'visibilitychange', 'focus'])
  window.addEventListener(type, () => (touchedAt = performance.now()), { capture: true, passive: true })

const isInUse = () => document.visibilityState === 'visible' && performance.now() - touchedAt < idleAfterMs

/** Tabs in use have this long to claim a notification before tabs in the background do. */
const backgroundDelayMs = 2_000

/**
 * Alerts the member of new notifications. The service lets one device alert: a tab in use, else the browsers that
 * receive pushes. A member who has neither is alerted by the desktop notification of a tab in the background.
 */
export function useAlerts(): void {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mode, me } = useSession()
  const { id: organizationId, name: organizationName } = me?.organization ?? {}
  useEffect(() => {
    /** The last alert about each ticket. */
    const shown = new Map<string, string>()
    /** The member sees the conversation itself. */
    const readHere = async (ticket_id: string) => {
      await api.notifications.read({ ticket_id })
      await queries.invalidateQueries({ queryKey: [mode, 'notifications'] })
    }
    const alertOnDesktop = async (id: string) => {
      const found = await claim(id, false)
      if (!found) return
      playSound()
      await showOnDesktop({
        title: titleOf(found),
        body: [found.preview, organizationName].filter(Boolean).join('\n'),
        ticketId: found.ticket_id,
        url: `/inbox/${found.ticket_id}?organization=${organizationId}&mode=${mode}`,
      })
    }
    const alert = async (id: string) => {
      const found = await claim(id, true)
      if (!found) return
      const address = `/inbox/${found.ticket_id}`
      if (location.pathname === address) return readHere(found.ticket_id)
      playSound()
      // The list of the inbox shows messages, but neither mentions nor whom a conversation is assigned to.
      const isListed = found.kind !== 'mention' && found.kind !== 'assigned'
      if (isListed && location.pathname.startsWith('/inbox')) return
      // One per ticket. The next one needs an id of its own: Mantine ignores an id that is shown, and keeps its timer.
      notifications.hide(shown.get(found.ticket_id) ?? '')
      shown.set(found.ticket_id, id)
      const run = () => {
        void navigate({ pathname: address, search: inboxFilters() })
        void readHere(found.ticket_id)
      }
      showWithButton({ id, message: titleOf(found) + (found.preview && `: ${found.preview}`) }, { label: 'View', run })
    }
    const waiting = new Set<ReturnType<typeof setTimeout>>()
    // If a request fails, the notification is pushed or stays in the list.
    const alertHere = (id: string) => (isInUse() ? alert(id) : alertOnDesktop(id)).catch(() => {})
    const stop = onEvent(({ type, data }) => {
      if (type !== 'notification.created') return
      const { id } = data.object as { id: string }
      if (isInUse()) return void alertHere(id)
      if (!isDesktopOn()) return
      const timer = setTimeout(() => {
        waiting.delete(timer)
        void alertHere(id)
      }, backgroundDelayMs)
      waiting.add(timer)
    })
    return () => {
      stop()
      for (const timer of waiting) clearTimeout(timer)
    }
  }, [navigate, queries, mode, organizationId, organizationName])
}

function playSound(): void {
  if (hasSound()) void new Audio('/notification.wav').play().catch(() => {})
}

/** The filters of the inbox, if it is open: the list stays as it is. */
function inboxFilters(): string {
  const kept = new URLSearchParams(location.pathname.startsWith('/inbox') ? location.search : '')
  kept.delete('panel')
  return String(kept)
}

/** The notification, if this device is the one to alert the member. */
async function claim(id: string, in_use: boolean): Promise<types.Notification | undefined> {
  const { alert } = await api.notifications.show(id, { in_use })
  if (!alert) return undefined
  const { data } = await api.notifications.list({ limit: 20, unread: true })
  return data.find((each) => each.id === id)
}
