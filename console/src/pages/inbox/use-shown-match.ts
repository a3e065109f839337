import { type RefObject, useEffect, useRef } from 'react'
import type { ThreadHandle } from './thread-view.tsx'
import type { useThread } from './threads.ts'

/** The message of a conversation that a search found. */
export interface Match {
  search: string
  messageId: string
}

/** Messages that are loaded to reach the match. */
const mostLoaded = 2_000

/** Scrolls to the match, and loads earlier messages until it is there. Once for each search: later ones must not move the reader. */
export function useShownMatch(
  match: Match | undefined,
  { messages, isLoading, hasOlder, isLoadingOlder, olderError, loadOlder }: ReturnType<typeof useThread>,
  view: RefObject<ThreadHandle | null>,
): void {
  const shown = useRef<string>(undefined)
  const { search, messageId } = match ?? {}
  useEffect(() => {
    if (!messageId || isLoading || shown.current === search) return
    if (messages.some(({ id }) => id === messageId)) {
      shown.current = search
      view.current?.show(messageId)
    } else if (hasOlder && !isLoadingOlder && !olderError && messages.length < mostLoaded) void loadOlder()
  }, [search, messageId, messages, isLoading, hasOlder, isLoadingOlder, olderError, loadOlder, view])
}
