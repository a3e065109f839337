/** One provider of a chain failed and the next one took over. */
export interface Fallback {
  stage: 'transcriber' | 'model' | 'voice'
  from: string
  to: string
  /** Why the first one failed. Contains no secrets. */
  message: string
}
export type OnFallback = (fallback: Fallback) => void

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
