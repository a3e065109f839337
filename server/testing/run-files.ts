import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endProcess } from './after-process.ts'
import { cpuSeconds } from './cpu-seconds.ts'

/**
 * Runs test files one after another in this process: each is loaded when the one before it has ended, so that only one
 * service runs at a time. A file's own `before` and `after` hooks belong to its suite. Prints the CPU time of each file
 * for run.ts; loading the service counts for the first file.
 */
const files = process.argv.slice(2)
const exitTimeoutMs = 30_000
let before = 0
for (const [i, file] of files.entries()) {
  await suite(file, () => import(pathToFileURL(file).href).then(() => {}))
  if (i === files.length - 1) await endProcess()
  const now = cpuSeconds()
  console.log(`ℹ cpu ${file} ${(now - before).toFixed(2)}`)
  before = now
}
// Whatever keeps the process from ending was left open by a test or by the service.
setTimeout(() => {
  console.log(`✖ left open: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit(1)
}, exitTimeoutMs).unref()
