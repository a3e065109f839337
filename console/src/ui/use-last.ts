import { useRef } from 'react'

/** What was there last: a dialog that fades out still shows what it was about. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value)
  if (value !== undefined) last.current = value
  return last.current
}
