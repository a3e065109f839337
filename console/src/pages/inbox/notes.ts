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

/** Where each note stands: before a message, or at the end. Notes older than the loaded messages come with these. */
export function placeNotes(notes: types.Note[], messages: types.Message[], hasOlder: boolean) {
  const before = new Map<string, types.Note[]>()
  const atEnd: types.Note[] = []
  for (const note of notes) {
    const next = messages.find(({ created_at }) => created_at > note.created_at)
    if (!next) atEnd.push(note)
    else if (next !== messages[0] || !hasOlder) before.set(next.id, [...(before.get(next.id) ?? []), note])
  }
  return { before, atEnd }
}
