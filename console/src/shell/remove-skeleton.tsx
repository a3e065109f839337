import { useLayoutEffect } from 'react'

/** Takes away the skeleton of index.html. Rendered by whatever is shown first, so that nothing flashes in between. */
export function RemoveSkeleton() {
  useLayoutEffect(() => document.getElementById('skeleton')?.remove(), [])
  return null
}
