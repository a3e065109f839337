import { useEffect, useRef, useState } from 'react'

const atTopPx = 160

/**
 * Holds back new rows at the top of a live list while the reader has scrolled down or opened a row, so that nothing
 * moves. Visible rows keep updating.
 */
export function useSteady<T extends { id: string }>(rows: T[], isReading: boolean, reset: unknown) {
  const [isDown, setDown] = useState(false)
  const [newestRead, setNewestRead] = useState<string>()
  const newest = rows[0]?.id
  const hold = isReading || isDown
  const last = useRef(reset)

  useEffect(() => {
    const look = () => setDown(window.scrollY > atTopPx)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  useEffect(() => {
    if (!hold || newestRead === undefined || last.current !== reset) setNewestRead(newest)
    last.current = reset
  }, [hold, newest, newestRead, reset])

  const at = hold && last.current === reset ? rows.findIndex(({ id }) => id === newestRead) : 0
  return {
    rows: at > 0 ? rows.slice(at) : rows,
    waiting: Math.max(0, at),
    show() {
      setNewestRead(newest)
      window.scrollTo({ top: 0 })
    },
  }
}
