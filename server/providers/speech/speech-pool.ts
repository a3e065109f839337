import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { guardListeners } from '../../platform/guard-listeners.ts'
import { SpeechError } from './contract.ts'
import type { FromSpeech, SpeechOrder, ToSpeech } from './speech-process.ts'

/** A few child processes that speak and recognize: they start with the work and end when there is none. */
export interface SpeechPool {
  /**
   * Throws `SpeechError`, or the signal's reason. An order that is not `urgent` runs only while no other order waits.
   */
  run(order: SpeechOrder, options: { urgent: boolean; signal: AbortSignal }): Promise<SpeechResult>
  close(): Promise<void>
}

type SpeechResult = { audio: Uint8Array } | { text: string }

export interface SpeechPoolOptions {
  processes?: number
  /** How long an idle process keeps its models in memory. */
  idleMs?: number
  /**
   * How long one order may take before its process counts as stuck. Long enough to load the models on a starved
   * machine: killing a process that is still loading only starts another that has to load them too.
   */
  stuckMs?: number
  /** How many orders may wait. Later ones are refused at once, which is better than an answer after the call. */
  longestQueue?: number
}

interface Job {
  order: SpeechOrder
  resolve(result: SpeechResult): void
  reject(reason: unknown): void
}

interface Speaker {
  child: ChildProcess
  job: Job | undefined
  /** Whether it has loaded the recognizer's models, or is loading them. */
  recognises: boolean
  complaints: string
  timer: NodeJS.Timeout | undefined
}

export function createSpeechPool({
  processes = Math.max(1, Math.min(4, availableParallelism())),
  idleMs = 5 * 60_000,
  stuckMs = 120_000,
  longestQueue = 500,
}: SpeechPoolOptions = {}): SpeechPool {
  const waiting: Job[] = []
  const speakers = new Set<Speaker>()
  let lastId = 0
  let closed = false

  function start(): Speaker {
    const child = fork(join(import.meta.dirname, 'speech-process.ts'), {
      serialization: 'advanced',
      // The server's environment holds secrets that the child does not need.
      env: process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {},
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const speaker: Speaker = { child, job: undefined, recognises: false, complaints: '', timer: undefined }
    const stderr = child.stderr as Socket
    stderr.unref()
    stderr.setEncoding('utf8').on('data', (text: string) => {
      speaker.complaints = (speaker.complaints + text).slice(-1000)
    })
    // A process whose answer cannot be handled is replaced; `close` then rejects its job.
    guardListeners(child, () => child.kill('SIGKILL'))
    child.on('message', (message: FromSpeech) => receive(speaker, message))
    child.once('error', () => lose(speaker))
    child.once('close', () => lose(speaker))
    speakers.add(speaker)
    return speaker
  }

  function receive(speaker: Speaker, message: FromSpeech): void {
    const { job } = speaker
    speaker.job = undefined
    if ('fault' in message)
      job?.reject(
        message.missing
          ? new SpeechError('fail', 'Speech on this machine needs packages that are not installed.', message.fault)
          : new SpeechError('retry', `Speech on this machine failed: ${message.fault}`),
      )
    else job?.resolve(message)
    rest(speaker)
    pump()
  }

  function lose(speaker: Speaker): void {
    if (!speakers.delete(speaker)) return
    clearTimeout(speaker.timer)
    speaker.job?.reject(
      new SpeechError('retry', 'A speech process stopped before it had answered.', new Error(speaker.complaints)),
    )
    pump()
  }

  /** An idle process does not keep the server from exiting, and ends after a while. */
  function rest(speaker: Speaker): void {
    clearTimeout(speaker.timer)
    speaker.child.unref()
    speaker.child.channel?.unref()
    speaker.timer = setTimeout(() => {
      speakers.delete(speaker)
      speaker.child.kill('SIGKILL')
    }, idleMs).unref()
  }

  function pump(): void {
    while (waiting.length > 0 && !closed) {
      const { order } = waiting[0] as Job
      const idle = [...speakers].filter(({ job }) => !job)
      let free = (needsRecogniser(order) && idle.find(({ recognises }) => recognises)) || idle[0]
      if (!free && speakers.size < processes) free = start()
      if (!free) return
      give(free, waiting.shift() as Job)
    }
  }

  function give(speaker: Speaker, job: Job): void {
    speaker.job = job
    speaker.recognises ||= needsRecogniser(job.order)
    clearTimeout(speaker.timer)
    speaker.child.ref()
    speaker.child.channel?.ref()
    speaker.timer = setTimeout(() => speaker.child.kill('SIGKILL'), stuckMs)
    // An order that could not be sent is found unanswered when the process closes.
    speaker.child.send({ id: ++lastId, ...job.order } satisfies ToSpeech, () => {})
  }

  return {
    async run(order, { urgent, signal }) {
      signal.throwIfAborted()
      if (closed) throw new SpeechError('retry', 'Speech on this machine was closed.')
      if ('prepare' in order && [...speakers].some(({ recognises }) => recognises)) return { text: '' }
      const isIdle = speakers.size < processes || [...speakers].some(({ job }) => !job)
      if (!urgent && (waiting.length > 0 || !isIdle)) throw new SpeechError('retry', 'There is more urgent work.')
      if (waiting.length >= longestQueue)
        throw new SpeechError('retry', 'Too much is waiting to be spoken or recognised.')
      const { promise, resolve, reject } = Promise.withResolvers<SpeechResult>()
      const job: Job = { order, resolve, reject }
      // An order that has begun runs to its end although its result is not wanted: it is short, and starting a process
      // is not.
      const withdraw = () => {
        const at = waiting.indexOf(job)
        if (at >= 0) waiting.splice(at, 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', withdraw, { once: true })
      waiting.push(job)
      pump()
      try {
        return await promise
      } finally {
        signal.removeEventListener('abort', withdraw)
      }
    },
    async close() {
      closed = true
      for (const job of waiting.splice(0)) job.reject(new SpeechError('retry', 'Speech on this machine was closed.'))
      await Promise.all(
        [...speakers].map(async ({ child }) => {
          const gone = new Promise((resolve) => child.once('close', resolve))
          child.ref()
          child.kill('SIGKILL')
          await gone
        }),
      )
    },
  }
}

const needsRecogniser = (order: SpeechOrder): boolean => !('speak' in order)
