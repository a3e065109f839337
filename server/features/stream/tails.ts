import type { Database, TenantScope } from '../../platform/database.ts'
import { eventsChannel, type Position } from '../../platform/events.ts'
import { lowestId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { Signals } from '../../platform/signals.ts'
import { readHorizon, readTail, type StreamedEvent } from './queries.ts'

const readAtOnce = 500
/** Events that a tenant's tail keeps in memory: a client further behind reads from the database. */
const mostKept = 500
const mostCharacters = 1_000_000
const lookEveryMs = 1_000

export const isBefore = (a: Position, b: Position): boolean => {
  const [first, second] = [BigInt(a.transaction_id), BigInt(b.transaction_id)]
  return first === second ? a.event_id < b.event_id : first < second
}

export const positionOf = ({ transaction_id, id }: StreamedEvent): Position => ({ transaction_id, event_id: id })

/** The latest events of one organization and mode. */
export interface Tail {
  /** Everything up to here is known, and nothing will be added before it. */
  readonly position: Position
  /** All events after this position up to `position`; undefined where some are no longer in memory. */
  after(since: Position): StreamedEvent[] | undefined
  /** Resolves when there is an event after this position, or when the signal aborts. */
  moved(since: Position, signal: AbortSignal): Promise<void>
  close(): void
}

interface KeptTail {
  scope: TenantScope
  /** Everything after this position is in `events`. */
  from: Position
  events: StreamedEvent[]
  characters: number
  readers: number
  waiting: Set<() => void>
}

export interface Tails {
  open(scope: TenantScope): Promise<Tail>
  close(): Promise<void>
}

/**
 * One reader for all streams of this node, which follows the organizations that have an open stream. It reads in the
 * order of transactions and only up to the oldest that still runs, so the settled position never moves back and nothing
 * is added before it: a stream that reads the database up to that position and continues with this tail misses nothing
 * and repeats nothing.
 */
export function createTails(database: Database, signals: Signals, log: Log): Tails {
  const system = database.forSystem()
  const tails = new Map<string, KeptTail>()
  const newcomers: { scope: TenantScope; admit(tail: KeptTail): void; refuse(error: unknown): void }[] = []
  let position: Position = { transaction_id: '0', event_id: lowestId }
  let running: Promise<void> | undefined
  let isClosing = false
  let wake = () => {}
  const stopListening = signals.on(eventsChannel, () => wake())
  const keyOf = ({ organizationId, livemode }: TenantScope) => `${organizationId} ${livemode}`

  /** Added between two reads: a read under way would miss what the new tenant did in its range. */
  function admitNewcomers(): void {
    for (const { scope, admit } of newcomers.splice(0)) {
      const tail = tails.get(keyOf(scope)) ?? newTail(scope, position)
      tails.set(keyOf(scope), tail)
      tail.readers++
      admit(tail)
    }
  }

  function remember(tail: KeptTail, event: StreamedEvent): void {
    tail.events.push(event)
    tail.characters += event.data.length
    while (tail.events.length > mostKept || tail.characters > mostCharacters) {
      const forgotten = tail.events.shift() as StreamedEvent
      tail.characters -= forgotten.data.length
      tail.from = positionOf(forgotten)
    }
  }

  async function readOn(): Promise<boolean> {
    const scopes = [...tails.values()].map(({ scope }) => scope)
    const rows = await readTail(system, scopes, position, readAtOnce)
    const events = rows.filter((row): row is typeof row & StreamedEvent => row.id !== null)
    const moved = new Set<KeptTail>()
    for (const event of events) {
      const tail = tails.get(keyOf({ organizationId: event.organization_id, livemode: event.livemode }))
      if (tail) remember(tail, event)
      if (tail) moved.add(tail)
    }
    const last = events.at(-1)
    const isFull = events.length === readAtOnce
    if (last && isFull) position = positionOf(last)
    else if (rows[0]) position = { transaction_id: rows[0].horizon, event_id: lowestId }
    for (const { waiting } of moved) for (const resume of [...waiting]) resume()
    return isFull
  }

  async function run(): Promise<void> {
    try {
      position = { transaction_id: (await readHorizon(system)).horizon, event_id: lowestId }
    } catch (error) {
      for (const { refuse } of newcomers.splice(0)) refuse(error)
      return
    }
    for (admitNewcomers(); tails.size > 0 && !isClosing; admitNewcomers()) {
      const woken = Promise.withResolvers<void>()
      wake = woken.resolve
      const hasMore = await readOn().catch((error) => {
        log.warn({ err: error }, 'event stream: read failed, trying again')
        return false
      })
      if (hasMore || newcomers.length > 0 || isClosing) continue
      const timer = setTimeout(woken.resolve, lookEveryMs)
      await woken.promise
      clearTimeout(timer)
    }
  }

  /** Runs while a stream is open. */
  function start(): void {
    running ??= run().finally(() => {
      running = undefined
      if (newcomers.length > 0 && !isClosing) start()
    })
  }

  return {
    async open(scope) {
      const tail = await new Promise<KeptTail>((admit, refuse) => {
        newcomers.push({ scope, admit, refuse })
        start()
        wake()
      })
      const after = (since: Position) => {
        if (isBefore(since, tail.from)) return undefined
        const first = tail.events.findIndex((event) => isBefore(since, positionOf(event)))
        return first < 0 ? [] : tail.events.slice(first)
      }
      return {
        get position() {
          return position
        },
        after,
        async moved(since, signal) {
          if (signal.aborted || after(since)?.length !== 0) return
          const { promise, resolve } = Promise.withResolvers<void>()
          tail.waiting.add(resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
          await promise
          tail.waiting.delete(resolve)
        },
        close() {
          if (--tail.readers === 0) tails.delete(keyOf(scope))
        },
      }
    },
    async close() {
      isClosing = true
      stopListening()
      wake()
      await running
    },
  }
}

const newTail = (scope: TenantScope, from: Position): KeptTail => ({
  ...{ scope, from, events: [], characters: 0, readers: 0 },
  waiting: new Set(),
})
