import { after, beforeEach, type TestContext } from 'node:test'

const endings = new Map<string, (() => Promise<void>)[]>()
let current: string | undefined

beforeEach((context) => {
  const { filePath } = context as TestContext
  if (filePath === current) return
  // A rejection is reported by `after`, which awaits the same promise.
  for (const end of endings.get(current ?? '') ?? []) end().catch(() => {})
  current = filePath
})

/**
 * Closes what a test file has started. Files of one process run one after another, and an idle service still costs CPU
 * time: so it is closed when the first test of the next file begins, at the latest when the process exits.
 */
export function afterFile(end: () => Promise<void>): void {
  let ended: Promise<void> | undefined
  const endOnce = () => (ended ??= end())
  after(endOnce)
  const file = new Error().stack?.match(/\/\/(\/\S+\.test\.ts)/)?.[1]
  if (file) endings.set(file, [...(endings.get(file) ?? []), endOnce])
}
