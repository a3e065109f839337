/** One provider of a chain failed and the next one took over. */
export interface Fallback {
  stage: 'transcriber' | 'model' | 'voice'
  from: string
  to: string
  /** Why the first one failed. Contains no secrets. */
  message: string
}
export type OnFallback = (fallback: Fallback) => void

/** The chain from this one on, and then from its beginning. */
export function chainFrom<T>(chain: T[], first: T): T[] {
  const start = chain.indexOf(first)
  return [...chain.slice(start), ...chain.slice(0, start)]
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
