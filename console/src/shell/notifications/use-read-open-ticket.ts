import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'

/** Marks notifications about the conversation that the member has open as read. */
export function useReadOpenTicket(unread: number): void {
  const { pathname } = useLocation()
  const { mode } = useSession()
  const queries = useQueryClient()
  const [, ticket_id] = /^\/inbox\/([0-9a-f-]{36})$/.exec(pathname) ?? []
  useEffect(() => {
    if (!ticket_id || unread === 0 || document.visibilityState !== 'visible') return
    api.notifications.read({ ticket_id }).then(
      ({ unread_count }) => {
        if (unread_count !== unread) void queries.invalidateQueries({ queryKey: [mode, 'notifications'] })
      },
      // They stay unread until the next one arrives or the member reads them in the list.
      () => {},
    )
  }, [ticket_id, unread, mode, queries])
}
