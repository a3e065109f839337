import { useSyncExternalStore } from 'react'
import { onSignOut } from '../../data/session.tsx'
import type { Outgoing } from './outbox.ts'

export interface Draft {
  text: string
  files: File[]
  /** The saved reply that it began with. */
  savedReplyId?: string | undefined
}

const none: Draft = { text: '', files: [] }
/** Unsent drafts by conversation, kept while another one is open. */
const drafts = new Map<string, Draft>()
const watchers = new Set<() => void>()
onSignOut({ after: () => drafts.clear() })

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** The draft as it is now: callbacks of requests may run after the member went on writing. */
export const draftOf = (ticketId: string): Draft => drafts.get(ticketId) ?? none

export const useDraft = (ticketId: string): Draft => useSyncExternalStore(subscribe, () => draftOf(ticketId))

export function setDraft(ticketId: string, draft: Draft): void {
  drafts.set(ticketId, draft)
  for (const watcher of watchers) watcher()
}

export const hasDraft = (ticketId: string): boolean => {
  const { text, files } = draftOf(ticketId)
  return text.trim() !== '' || files.length > 0
}

/** Puts messages that were taken back before what was written since. A template has no text to edit. */
export function putBack(
  ticketId: string,
  messages: (Pick<Outgoing, 'body' | 'file' | 'template'> & Pick<Draft, 'savedReplyId'>)[],
): void {
  const { text, files, savedReplyId } = draftOf(ticketId)
  const bodies = messages.filter(({ template }) => !template).map(({ body }) => body)
  setDraft(ticketId, {
    text: [...bodies, text].filter(Boolean).join('\n'),
    files: [...messages.flatMap(({ file }) => file ?? []), ...files],
    savedReplyId: messages[0]?.savedReplyId ?? savedReplyId,
  })
}
