import { workerData } from 'node:worker_threads'

/** What this thread watches in its own process, should the server that gave the order no longer be there to do it. */
export interface WatchedLimits {
  server: number
  timeMs: number
  memoryBytes: number
}

const { server, timeMs, memoryBytes } = workerData as WatchedLimits
const endsAt = performance.now() + timeMs

// A thread of its own, because a parser may keep the main one busy for as long as it likes.
setInterval(() => {
  const orphaned = process.ppid !== server
  if (orphaned || performance.now() > endsAt || process.memoryUsage.rss() > memoryBytes)
    process.kill(process.pid, 'SIGKILL')
}, 200)
