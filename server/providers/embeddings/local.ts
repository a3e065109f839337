import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { guardListeners } from '../../platform/guard-listeners.ts'
import { type Embedder, EmbeddingError } from './contract.ts'
import type { ModelFolder } from './model-folder.ts'
import type { FromModel, Runtime, ToModel } from './model-process.ts'

interface LocalEmbedderOptions {
  /** How long the model stays in memory after the last text. */
  idleMs?: number
  /** How long one text may take before the process counts as stuck. */
  stuckMs?: number
  /** Texts that are embedded at the same time. */
  threads?: number
  /** A model in place of the built-in one. */
  folder?: ModelFolder
  /** `wasm` leaves the native runtime out even where it is installed. */
  runtime?: Runtime
}

interface Job {
  text: string
  urgent: boolean
  resolve(vector: Float32Array): void
  reject(reason: unknown): void
}

interface ModelProcess {
  child: ChildProcess
  /** Sent and not answered yet. */
  running: Map<number, Job>
  complaints: string
  ready: boolean
}

/** Texts that wait in the process, so that a thread that is done has the next one there. */
const sentAhead = 2

/** Up to this many texts, or characters of all together, count as a question; more are a document, which can wait. */
const urgentUpTo = { texts: 2, characters: 1000 }

/** all-MiniLM-L6-v2: English, 256 tokens per text. */
const builtIn = {
  model: 'all-minilm-l6-v2',
  dimensions: 384,
  // Tuned on the sets of `bench/retrieval-texts`. Each of the 152 questions of one of them passes the floor; of 32 lines of
  // small talk and off-topic requests, "Hi", "lol", "ok great" and "I love you" do not.
  scale: { unrelated: 0.1, floor: 0.165, answer: 0.7 },
  isEnglish: true,
}

/** A model in a child process, which starts with the first text and ends after a while without one. */
export function createLocalEmbedder({
  idleMs = 10 * 60_000,
  stuckMs = 60_000,
  threads = Math.min(4, availableParallelism()),
  runtime = 'native',
  folder,
}: LocalEmbedderOptions = {}): Embedder {
  const waiting: Job[] = []
  let model: ModelProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let stuck: NodeJS.Timeout | undefined
  let lastId = 0
  let closed = false

  function startModel(): ModelProcess {
    const child = fork(join(import.meta.dirname, 'model-process.ts'), {
      serialization: 'advanced',
      // The server's environment holds secrets that the child does not need.
      env: process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {},
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const started: ModelProcess = { child, running: new Map(), complaints: '', ready: false }
    const stderr = child.stderr as Socket
    stderr.unref()
    stderr.setEncoding('utf8').on('data', (text: string) => {
      started.complaints = (started.complaints + text).slice(-1000)
    })
    // A process whose answer cannot be handled is replaced; `close` then rejects its jobs.
    guardListeners(child, () => child.kill('SIGKILL'))
    child.on('message', (message: FromModel) => receive(started, message))
    child.once('error', () => lose(started, null))
    child.once('close', (code) => lose(started, code))
    send(started, { start: { runtime, threads, ...(folder && { folder }) } })
    return started
  }

  function send({ child }: ModelProcess, order: ToModel): void {
    // A text that could not be sent is found unanswered when the process closes.
    child.send(order, () => {})
  }

  function receive(from: ModelProcess, message: FromModel): void {
    if ('ready' in message) {
      from.ready = true
      return
    }
    const job = from.running.get(message.id)
    from.running.delete(message.id)
    if ('vector' in message) job?.resolve(message.vector)
    else job?.reject(new EmbeddingError('fail', `The local embedding model failed: ${message.fault}`))
    pump()
  }

  function lose(lost: ModelProcess, exitCode: number | null): void {
    if (model === lost) model = undefined
    // A process that exited before it was ready would do so again; one that was killed would not.
    const cause = new Error(lost.complaints)
    const error =
      exitCode && !lost.ready
        ? new EmbeddingError('fail', 'The local embedding model cannot be started; its packages may be missing.', cause)
        : new EmbeddingError('retry', 'The local embedding model stopped.', cause)
    for (const job of lost.running.values()) job.reject(error)
    lost.running.clear()
    pump()
  }

  function pump(): void {
    clearTimeout(idle)
    clearTimeout(stuck)
    if (waiting.length > 0 && !closed) model ??= startModel()
    if (!model) return
    while (waiting.length > 0 && (model.running.size < threads + sentAhead || waiting[0]?.urgent)) {
      const job = waiting.shift() as Job
      const id = ++lastId
      model.running.set(id, job)
      send(model, { id, text: job.text, urgent: job.urgent })
    }
    const { child } = model
    if (model.running.size > 0) {
      child.ref()
      child.channel?.ref()
      stuck = setTimeout(() => child.kill('SIGKILL'), stuckMs)
    } else {
      // An idle model does not keep the server from exiting.
      child.unref()
      child.channel?.unref()
      idle = setTimeout(() => {
        // From here on it receives no more texts.
        model = undefined
        child.kill('SIGKILL')
      }, idleMs).unref()
    }
  }

  return {
    ...(folder ? { model: folder.name, dimensions: folder.dimensions } : builtIn),
    async embed(texts, signal, role = 'passage') {
      signal?.throwIfAborted()
      if (closed) throw new EmbeddingError('retry', 'The embedder was closed.')
      const characters = texts.reduce((sum, { length }) => sum + length, 0)
      const urgent = texts.length <= urgentUpTo.texts || characters <= urgentUpTo.characters
      const jobs: Job[] = []
      const vectors = texts.map(
        (text) =>
          new Promise<Float32Array>((resolve, reject) => {
            jobs.push({ text: `${folder?.prefixes[role] ?? ''}${text}`, urgent, resolve, reject })
          }),
      )
      const withdraw = () => {
        const ours = new Set(jobs)
        waiting.splice(0, waiting.length, ...waiting.filter((job) => !ours.has(job)))
        for (const job of jobs) job.reject(signal?.reason ?? new Error('Withdrawn'))
      }
      signal?.addEventListener('abort', withdraw, { once: true })
      if (urgent) waiting.unshift(...jobs)
      else for (const job of jobs) waiting.push(job)
      pump()
      try {
        return await Promise.all(vectors)
      } catch (error) {
        withdraw()
        throw error
      } finally {
        signal?.removeEventListener('abort', withdraw)
      }
    },
    async close() {
      closed = true
      for (const job of waiting.splice(0)) job.reject(new EmbeddingError('retry', 'The embedder was closed.'))
      const open = model
      if (!open) return
      const gone = new Promise((resolve) => open.child.once('close', resolve))
      open.child.ref()
      open.child.kill('SIGKILL')
      await gone
    },
  }
}
