import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Distance that counts as being at the end. */
const nearPx = 48
/** Distance from the top at which earlier messages are loaded. */
const fetchAtPx = 900

const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: Element) =>
  scrollHeight - scrollTop - clientHeight < nearPx

interface Options {
  firstId: string | undefined
  lastId: string | undefined
  ids: { id: string }[]
  /** Increases when the member sends a message, which scrolls to the end. */
  ownCount: number
  onTop(): void
  onAtEnd(isAtEnd: boolean): void
}

/** Keeps the scroll position: at the end if the reader is there, otherwise at the messages being read. */
export function useSteadyScroll({ firstId, lastId, ids, ownCount, onTop, onAtEnd }: Options) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const memory = useRef({ firstId, lastId, ownCount, height: 0, isAtEnd: true })
  const [isAtEnd, setAtEnd] = useState(true)
  const [newCount, setNewCount] = useState(0)

  const toEnd = useCallback(() => {
    const element = box.current
    if (!element) return
    memory.current.isAtEnd = true
    element.scrollTop = element.scrollHeight
    setAtEnd(true)
    setNewCount(0)
  }, [])

  // Before paint.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const before = memory.current
    const isPrepended =
      before.firstId !== undefined && firstId !== before.firstId && ids.some(({ id }) => id === before.firstId)
    if (ownCount > before.ownCount || before.isAtEnd) element.scrollTop = element.scrollHeight
    else if (isPrepended) element.scrollTop += element.scrollHeight - before.height
    if (ownCount > before.ownCount) before.isAtEnd = true
    if (lastId !== before.lastId && !before.isAtEnd) {
      const added = ids.length - 1 - ids.findLastIndex(({ id }) => id === before.lastId)
      if (added < ids.length) setNewCount((count) => count + added)
    }
    memory.current = { ...before, firstId, lastId, ownCount, height: element.scrollHeight }
  })

  const top = useRef(onTop)
  const atEnd = useRef(onAtEnd)
  useEffect(() => {
    top.current = onTop
    atEnd.current = onAtEnd
  })

  const isThere = firstId !== undefined
  useEffect(() => {
    const element = box.current
    const inside = content.current
    if (!element || !inside) return
    const look = () => {
      const isNear = isNearEnd(element)
      memory.current.isAtEnd = isNear
      setAtEnd(isNear)
      if (isNear) setNewCount(0)
      atEnd.current(isNear)
      if (isThere && element.scrollTop < fetchAtPx) top.current()
    }
    // The box shrinks when the on-screen keyboard or the composer grows; the content grows when images load.
    const sizes = new ResizeObserver(() => {
      if (memory.current.isAtEnd) element.scrollTop = element.scrollHeight
      memory.current.height = element.scrollHeight
      look()
    })
    element.addEventListener('scroll', look, { passive: true })
    sizes.observe(element)
    sizes.observe(inside)
    return () => {
      element.removeEventListener('scroll', look)
      sizes.disconnect()
    }
  }, [isThere])

  /** Scrolls to a message that may not be rendered yet, and highlights it. */
  const show = useCallback((chunk: string, message: string) => {
    const element = box.current
    if (!element) return
    const scrollTo = (target: Element) => {
      target.scrollIntoView({ block: 'center' })
      // At once: a rendering before the scroll event would go back to the end, or count the newest message as seen.
      memory.current.isAtEnd = isNearEnd(element)
      atEnd.current(memory.current.isAtEnd)
    }
    const place = element.querySelector(chunk)
    if (place) scrollTo(place)
    let framesLeft = 20
    const point = () => {
      const found = element.querySelector(message)
      if (!found) {
        if (framesLeft-- > 0) requestAnimationFrame(point)
        return
      }
      scrollTo(found)
      found.animate([{ opacity: 0.35 }, { opacity: 1 }], { duration: 900, easing: 'ease-out' })
    }
    point()
  }, [])

  return { box, content, isAtEnd, newCount, toEnd, show }
}
