import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../data/api.ts'
import { onEvent } from '../../data/live.ts'
import { useMe } from '../../data/session.tsx'

type State = 'viewing' | 'typing' | 'left'

interface Announced {
  ticket_id: string
  member_id: string
  state: State
}

const repeatEveryMs = 10_000
/** Two repetitions may be lost. */
const forgetAfterMs = 25_000
const typingLastsMs = 6_000

export interface Other {
  memberId: string
  isTyping: boolean
}

/**
 * Who else is in a conversation. Members announce themselves every ten seconds; nothing is stored, and what is not
 * repeated is forgotten: a tab that closes has no time to say so. A member who hears of a newcomer answers at once, so that the newcomer knows.
 */
export function usePresence(ticketId: string): { others: Other[]; onTyping(): void } {
  const own = useMe().user?.id
  const [heard, setHeard] = useState(new Map<string, { state: State; at: number }>())
  const state = useRef<State>('viewing')
  const typedAt = useRef(0)
  const announce = useCallback(
    (next: State) => {
      state.current = next
      // A lost announcement is repeated.
      if (own) api.inbox.announcePresence(ticketId, { state: next }).catch(() => {})
    },
    [ticketId, own],
  )

  useEffect(() => {
    const known = new Map<string, { state: State; at: number }>()
    const show = () => setHeard(new Map(known))
    const repeat = () => {
      if (state.current === 'typing' && Date.now() - typedAt.current > typingLastsMs) state.current = 'viewing'
      if (document.visibilityState === 'visible') announce(state.current)
    }
    const look = () => announce(document.visibilityState === 'visible' ? 'viewing' : 'left')
    const stop = onEvent(({ type, data }) => {
      const { ticket_id, member_id, state: theirs } = data.object as unknown as Announced
      if (type !== 'presence.changed' || ticket_id !== ticketId || member_id === own) return
      const isNew = !known.has(member_id)
      if (theirs === 'left') known.delete(member_id)
      else known.set(member_id, { state: theirs, at: Date.now() })
      if (isNew && theirs !== 'left') repeat()
      show()
    })
    const timer = setInterval(repeat, repeatEveryMs)
    const sweep = setInterval(() => {
      const before = known.size
      for (const [id, { at }] of known) if (Date.now() - at > forgetAfterMs) known.delete(id)
      if (known.size !== before) show()
    }, 1_000)
    document.addEventListener('visibilitychange', look)
    look()
    return () => {
      stop()
      clearInterval(timer)
      clearInterval(sweep)
      document.removeEventListener('visibilitychange', look)
      setHeard(new Map())
    }
  }, [ticketId, own, announce])

  const onTyping = useCallback(() => {
    const isKnown = state.current === 'typing' && Date.now() - typedAt.current < typingLastsMs / 2
    typedAt.current = isKnown ? typedAt.current : Date.now()
    if (!isKnown) announce('typing')
  }, [announce])
  const others = useMemo(
    () => [...heard].map(([memberId, { state }]) => ({ memberId, isTyping: state === 'typing' })),
    [heard],
  )
  return { others, onTyping }
}
