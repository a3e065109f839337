import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { guardListeners } from '../../platform/guard-listeners.ts'
import type { FromDetection, ToDetection } from './detection-process.ts'

/** Scores chunks of all calls in one child process: it starts with the first stream and ends some time after the last. */
export interface DetectionScorer {
  open(sampleRate: number, onScore: (score: number) => void): ScoredStream
  close(): Promise<void>
}

interface ScoredStream {
  /** `starts`: the chunk does not follow the one before. Scores come in order, or not at all if the process is lost. */
  send(samples: Int16Array, starts: boolean): void
  close(): void
}

/** How long the process keeps its model in memory without a stream. */
const idleMs = 5 * 60_000
/** Chunks of all calls are sent together: one message costs more than the chunks in it. */
const flushMs = 4

export function createDetectionScorer(): DetectionScorer {
  const listeners = new Map<number, (score: number) => void>()
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let isFlushDue = false
  let waiting: ToDetection = { chunks: [], closed: [] }
  let lastStream = 0
  let isClosed = false

  function start(): ChildProcess {
    const started = fork(join(import.meta.dirname, 'detection-process.ts'), {
      serialization: 'advanced',
      // The server's environment holds secrets that the child does not need.
      env: process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {},
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    guardListeners(started, () => started.kill('SIGKILL'))
    started.on('message', ({ scores }: FromDetection) => {
      for (const { stream, score } of scores) listeners.get(stream)?.(score)
    })
    const lose = () => {
      if (child === started) child = undefined
    }
    started.once('error', lose)
    started.once('close', lose)
    // Calls in progress keep the server running, not this process.
    started.unref()
    started.channel?.unref()
    return started
  }

  function sendSoon(): void {
    if (isFlushDue) return
    isFlushDue = true
    setTimeout(() => {
      isFlushDue = false
      const message = waiting
      waiting = { chunks: [], closed: [] }
      child?.send(message, () => {})
    }, flushMs).unref()
  }

  return {
    open(sampleRate, onScore) {
      const stream = ++lastStream
      listeners.set(stream, onScore)
      clearTimeout(idle)
      if (!isClosed) child ??= start()
      return {
        send(samples, starts) {
          waiting.chunks.push({ stream, sampleRate, samples, starts })
          sendSoon()
        },
        close() {
          if (!listeners.delete(stream)) return
          waiting.closed.push(stream)
          sendSoon()
          if (listeners.size > 0) return
          idle = setTimeout(() => {
            child?.kill('SIGKILL')
            child = undefined
          }, idleMs).unref()
        },
      }
    },
    async close() {
      isClosed = true
      clearTimeout(idle)
      const closing = child
      if (!closing) return
      const gone = new Promise((resolve) => closing.once('exit', resolve))
      closing.ref()
      closing.kill('SIGKILL')
      await gone
    },
  }
}
