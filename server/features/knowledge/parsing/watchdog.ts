import { workerData } from 'node:worker_threads'

/** What this thread watches in its own process, in case the server that started it is gone. */
export interface WatchedLimits {
  server: number
  timeMs: number
  memoryBytes: number
}

const { server, timeMs, memoryBytes } = workerData as WatchedLimits
const endsAt = performance.now() + timeMs

// A thread, because a parser may block the main one for as long as it likes.
setInterval(() => {
  const orphaned = process.ppid !== server
  if (orphaned || performance.now() > endsAt || process.memoryUsage.rss() > memoryBytes)
    process.kill(process.pid, 'SIGKILL')
}, 200)
