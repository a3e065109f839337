import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ThreadHandle } from './thread-view.tsx'
import type { useThread } from './threads.ts'

/** The message that a search found, of the conversation that was opened from its results. */
export interface Match {
  messageId: string
  /** The key of the navigation that opened the conversation. */
  opening: string
}

/** Messages that are loaded to reach the match. */
const mostLoaded = 2_000

/**
 * Scrolls to the match, and loads earlier messages until it is there. Once per opening: a newer match must not move the
 * reader. Scrolling, typing or clicking in the element with the handlers drops the match.
 */
export function useShownMatch(
  match: Match | undefined,
  { messages, isLoading, error, hasOlder, isLoadingOlder, olderError, loadOlder }: ReturnType<typeof useThread>,
  view: RefObject<ThreadHandle | null>,
) {
  const { messageId, opening } = match ?? {}
  const [settled, settle] = useState<string>()
  const isSeeking = messageId !== undefined && settled !== opening
  const asked = useRef<string>(undefined)
  useEffect(() => {
    if (!isSeeking || isLoading || error || isLoadingOlder) return
    // A page without new messages leaves the count as it is: the next one would be the same.
    const request = `${opening} ${messages.length}`
    if (messages.some(({ id }) => id === messageId)) view.current?.show(messageId)
    else if (hasOlder && !olderError && messages.length < mostLoaded && asked.current !== request) {
      asked.current = request
      void loadOlder()
      return
    }
    settle(opening)
  }, [isSeeking, opening, messageId, messages, isLoading, error, hasOlder, isLoadingOlder, olderError, loadOlder, view])
  const drop = () => {
    if (isSeeking) settle(opening)
  }
  return { isSeeking, handlers: { onWheelCapture: drop, onPointerDownCapture: drop, onKeyDownCapture: drop } }
}
