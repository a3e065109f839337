import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { recordResults } from '../record-results.ts'
import type { Lane } from './lanes.ts'
import { holdChannel, trustChannel } from './queries.ts'

/** Results are gathered for a moment: sets are cheaper than single rows. */
const gatherForMs = 25
const mostAtOnce = 500
/** Each takes a connection of those that requests use too. */
const mostTransactions = 3

export interface RecorderDependencies {
  database: Database
  log: Log
  /** These are in the books: nobody has to remember them any more. */
  recorded(lane: Lane, ids: string[]): void
  /** The channel has to keep quiet: what waits for it must not go. */
  held(lane: Lane): Promise<void>
}

export interface Recorder {
  /** Writes down what has come in on this lane, soon, and goes on until nothing is left. */
  record(lane: Lane): void
  /** From now on a set that cannot be recorded is given up: the next worker finds out what became of it. */
  giveUp(): void
}

export function createRecorder({ database, log, recorded, held }: RecorderDependencies): Recorder {
  let transactions = 0
  const queue: (() => void)[] = []
  let hasGivenUp = false

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (transactions >= mostTransactions) await new Promise<void>((resolve) => queue.push(resolve))
    transactions++
    try {
      return await work()
    } finally {
      transactions--
      queue.shift()?.()
    }
  }

  async function drain(lane: Lane): Promise<void> {
    const { scope, channelId } = lane
    for (let failures = 0; lane.results.length > 0 && !hasGivenUp; ) {
      const batch = lane.results.slice(0, mostAtOnce)
      try {
        for (const [workerId, results] of Map.groupBy(batch, (result) => result.workerId))
          await inTurn(() => database.inTenant(scope, (tx) => recordResults(tx, results, { workerId, channelId })))
      } catch (error) {
        log.error({ err: error, channel: channelId }, 'what became of some messages could not be recorded yet')
        await sleep(Math.min(5_000, 100 * 2 ** failures++))
        continue
      }
      failures = 0
      lane.results.splice(0, batch.length)
      recorded(
        lane,
        batch.map(({ deliveryId }) => deliveryId),
      )
      await heed(lane, batch)
    }
  }

  /** What the set says about the channel as a whole. */
  async function heed(lane: Lane, batch: Lane['results']): Promise<void> {
    const channel = { ...lane.scope, channelId: lane.channelId }
    const system = database.forSystem()
    const holds = batch.flatMap(({ outcome }) =>
      outcome.kind === 'again' && outcome.hold
        ? [{ ...outcome.hold, reason: `${outcome.reason} (${outcome.code})` }]
        : [],
    )
    const [longest] = holds.sort((one, other) => other.ms - one.ms)
    if (longest) {
      lane.refusals++
      await holdChannel(system, channel, { ...longest, slow: holds.some(({ slow }) => slow) })
      await held(lane)
    } else if (lane.refusals > 0 && batch.some(({ outcome }) => outcome.kind === 'accepted')) {
      lane.refusals = 0
      await trustChannel(system, channel)
    }
  }

  return {
    record(lane) {
      if (lane.isRecording) return
      lane.isRecording = true
      void (async () => {
        while (lane.results.length > 0 && !hasGivenUp) {
          await sleep(gatherForMs)
          await drain(lane).catch((error) => log.error({ err: error }, 'a channel could not be held back'))
        }
        lane.isRecording = false
      })()
    },
    giveUp() {
      hasGivenUp = true
    },
  }
}
