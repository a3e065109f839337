import { Worker } from 'node:worker_threads'
import type { Report } from '../report.ts'

/** Far more than the longest report takes; a longer one hangs. */
const timeoutMs = 30_000
/** Open fonts take tens of megabytes: they are not kept for a report that may never come. */
const idleMs = 60_000
const mostMemoryMb = 512

interface Waiting {
  report: Report
  signal: AbortSignal
  resolve(bytes: Uint8Array): void
  reject(error: unknown): void
}

/**
 * Renders reports in a worker thread, one at a time: a report takes tenths of a second, too long for the event loop. A
 * thread that fails loses only its own report.
 */
export function createReportRenderer() {
  const waiting: Waiting[] = []
  let thread: Worker | undefined
  let current: Waiting | undefined
  let timer: NodeJS.Timeout | undefined

  function startThread(): Worker {
    const started = new Worker(new URL('./render-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
    })
    started.on('message', (bytes: Uint8Array) => finish((job) => job.resolve(bytes)))
    started.on('error', (error) => lose(started, error))
    started.on('exit', () => lose(started, new Error('the thread that renders reports has ended')))
    return started
  }

  function lose(lost: Worker, error: unknown): void {
    if (thread !== lost) return
    thread = undefined
    finish((job) => job.reject(error))
  }

  function finish(settle: (job: Waiting) => void): void {
    clearTimeout(timer)
    const job = current
    current = undefined
    if (job) settle(job)
    next()
  }

  function stop(error: Error): void {
    const stopped = thread
    if (!stopped) return
    lose(stopped, error)
    stopped.terminate().catch(() => {})
  }

  function next(): void {
    if (current) return
    current = waiting.shift()
    // A client that has hung up needs no report.
    for (; current?.signal.aborted; current = waiting.shift()) current.reject(current.signal.reason)
    if (!current) {
      timer = setTimeout(() => stop(new Error('the report renderer is idle')), idleMs).unref()
      thread?.unref()
      return
    }
    thread ??= startThread()
    thread.ref()
    timer = setTimeout(() => stop(new Error('a report took too long to render')), timeoutMs)
    thread.postMessage(current.report)
  }

  return (report: Report, signal: AbortSignal): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      clearIdle()
      waiting.push({ report, signal, resolve, reject })
      next()
    })

  function clearIdle(): void {
    if (!current) clearTimeout(timer)
  }
}
