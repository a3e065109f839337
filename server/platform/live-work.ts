import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<true>()

/** Runs work that a caller waits for: it does not wait for other work of the organization. */
export const asLiveWork = <T>(work: () => T): T => current.run(true, work)

export const isLiveWork = (): boolean => current.getStore() === true
