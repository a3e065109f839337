import { after, beforeEach, type TestContext } from 'node:test'

const endings = new Map<string, (() => Promise<void>)[]>()
let current: string | undefined

beforeEach((context) => {
  const { filePath } = context as TestContext
  if (filePath === current) return
  // Whether it went well is asked when the process ends.
  for (const end of endings.get(current ?? '') ?? []) end().catch(() => {})
  current = filePath
})

/**
 * Ends what a file of tests has started. Files of one process run one after another, and a service that nobody asks anything
 * costs a little all the time: so that is when the first test of the next file begins, at the latest when the process ends.
 */
export function afterFile(end: () => Promise<void>): void {
  let ended: Promise<void> | undefined
  const endOnce = () => (ended ??= end())
  after(endOnce)
  const file = new Error().stack?.match(/\/\/(\/\S+\.test\.ts)/)?.[1]
  if (file) endings.set(file, [...(endings.get(file) ?? []), endOnce])
}
