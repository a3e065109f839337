/** Computed at the first call and cached; a rejected promise is not cached. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    if (made) return made.value
    const value = make()
    made = { value }
    if (value instanceof Promise)
      value.catch(() => {
        made = undefined
      })
    return value
  }
}
