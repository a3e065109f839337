import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../data/api.ts'
import { may, useMe, useSession } from '../../data/session.tsx'
import { patchTicket, type Ticket } from './tickets.ts'

/** Marks the conversation as read while its newest message is visible. */
export function useSeen(ticket: Ticket, isInSight: boolean): void {
  const queries = useQueryClient()
  const { mode } = useSession()
  const { id, unread_count } = ticket
  const mayMark = may(useMe(), 'inbox:write')
  const [isLooking, setLooking] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setLooking(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  useEffect(() => {
    if (!isLooking || !isInSight || unread_count === 0 || !mayMark) return
    patchTicket(queries, mode, id, { unread_count: 0 })
    // If this fails, the conversation stays unread until the list is refetched.
    api.inbox.readTicket(id).catch(() => queries.invalidateQueries({ queryKey: [mode, 'tickets'] }))
  }, [queries, mode, id, unread_count, isInSight, isLooking, mayMark])
}
