import { once } from 'node:events'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endProcess } from './after-process.ts'
import { cpuSeconds } from './cpu-seconds.ts'

/**
 * Runs the test files that run.ts names one after another: each is loaded when the one before it has ended, so that only
 * one service runs at a time. A file's own `before` and `after` hooks belong to its suite. Prints the CPU time of each
 * file for run.ts; loading the service counts for the first file.
 */
const exitTimeoutMs = 30_000
let before = 0
for (let file = await nextFile(); file; file = await nextFile()) {
  const url = pathToFileURL(file).href
  await suite(file, () => import(url).then(() => {}))
  const now = cpuSeconds()
  console.log(`ℹ cpu ${file} ${(now - before).toFixed(2)}`)
  before = now
  process.send?.(process.memoryUsage.rss())
}
await endProcess()
// Whatever keeps the process from ending was left open by a test or by the service.
setTimeout(() => {
  console.log(`✖ left open: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit(1)
}, exitTimeoutMs).unref()

/** Undefined if no file is left. */
async function nextFile(): Promise<string | undefined> {
  const next = new AbortController()
  const [file] = await Promise.race([
    once(process, 'message', { signal: next.signal }),
    once(process, 'disconnect', { signal: next.signal }).then(() => []),
  ])
  next.abort()
  return file
}
