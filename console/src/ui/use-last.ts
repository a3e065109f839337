import { useRef } from 'react'

/** The last defined value, for dialogs that are still closing. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value)
  if (value !== undefined) last.current = value
  return last.current
}
