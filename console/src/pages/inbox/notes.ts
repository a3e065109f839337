import type { api as types } from '@frontdesk/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'

/** A thread shows at most this many notes: more than any conversation has. */
const mostNotes = 100

export function useNotes(ticketId: string): types.Note[] {
  const { data, isPlaceholderData } = useRecord(['notes', ticketId], (signal) =>
    api.inbox.listNotes(ticketId, { limit: mostNotes }, { signal }),
  )
  return (isPlaceholderData ? undefined : data?.notes) ?? none
}
const none: types.Note[] = []

/** Refetches the notes and the timeline that quotes them. */
export function useNotesChanged() {
  const queries = useQueryClient()
  const { mode } = useSession()
  return useCallback(
    () => Promise.all(['notes', 'activities'].map((noun) => queries.invalidateQueries({ queryKey: [mode, noun] }))),
    [queries, mode],
  )
}
