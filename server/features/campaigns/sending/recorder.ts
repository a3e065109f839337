import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, TenantScope } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { recordResults, type SendResult } from '../record-results.ts'
import type { Lane } from './lanes.ts'
import { holdChannel, trustChannel } from './queries.ts'

/** Results are gathered for a moment: sets are cheaper than single rows. */
const gatherForMs = 50
const mostAtOnce = 500
/** Each takes a connection of those that requests use too; one organization has two of them at most. */
const mostTransactions = 4
const mostOfTenant = 2

export interface RecorderDependencies {
  database: Database
  log: Log
  /** These are in the books: nobody has to remember them any more. */
  recorded(lane: Lane, ids: string[]): void
  /** The channel has to keep quiet: what waits for it must not go. */
  held(lane: Lane): Promise<void>
}

export interface Recorder {
  /** Writes it down soon, together with others of the same organization, and tries until it has succeeded. */
  record(lane: Lane, workerId: string, result: SendResult): void
  readonly isBusy: boolean
  /** From now on a set that cannot be recorded is given up: the next worker finds out what became of it. */
  giveUp(): void
}

interface Answer {
  lane: Lane
  workerId: string
  result: SendResult
}

/** What has come back for one organization in one mode, on whatever channel. */
interface Tray {
  scope: TenantScope
  answers: Answer[]
  writers: number
}

const isIdle = ({ answers, writers }: Tray) => writers === 0 && answers.length === 0

export function createRecorder({ database, log, recorded, held }: RecorderDependencies): Recorder {
  const trays = new Map<string, Tray>()
  const waiting: (() => void)[] = []
  let transactions = 0
  let hasGivenUp = false

  async function inTurn(work: () => Promise<void>): Promise<void> {
    if (transactions >= mostTransactions) await new Promise<void>((resolve) => waiting.push(resolve))
    transactions++
    try {
      await work()
    } finally {
      transactions--
      waiting.shift()?.()
    }
  }

  async function empty(tray: Tray): Promise<void> {
    tray.writers++
    for (let failures = 0; tray.answers.length > 0 && !hasGivenUp; ) {
      await sleep(failures === 0 ? gatherForMs : Math.min(5_000, 100 * 2 ** failures))
      await inTurn(async () => {
        // Taken when its turn has come: what waits longer is written in larger sets. After a failure in smaller ones, so
        // that one which cannot be written does not keep the others from it.
        const set = tray.answers.splice(0, Math.max(1, Math.floor(mostAtOnce / 10 ** failures)))
        try {
          await write(tray.scope, set)
          failures = 0
        } catch (error) {
          failures++
          tray.answers.push(...set)
          log.error({ err: error, ...tray.scope }, 'what became of some messages could not be recorded yet')
          return
        }
        for (const [lane, answers] of Map.groupBy(set, (answer) => answer.lane)) {
          const results = answers.map(({ result }) => result)
          recorded(
            lane,
            results.map(({ deliveryId }) => deliveryId),
          )
          await heed(lane, results).catch((error) => log.error({ err: error }, 'a channel could not be held back'))
        }
      })
    }
    // In the same breath as the last look: whoever puts something in from now on finds that nobody is at it.
    tray.writers--
  }

  async function write(scope: TenantScope, set: Answer[]): Promise<void> {
    for (const [workerId, answers] of Map.groupBy(set, (answer) => answer.workerId)) {
      const results = answers.map(({ result }) => result)
      await database.inTenant(scope, (tx) => recordResults(tx, results, workerId))
    }
  }

  /** What the set says about the channel as a whole. */
  async function heed(lane: Lane, results: SendResult[]): Promise<void> {
    const channel = { ...lane.scope, channelId: lane.channelId }
    const system = database.forSystem()
    const holds = results.flatMap(({ outcome }) =>
      outcome.kind === 'again' && outcome.hold
        ? [{ ...outcome.hold, reason: `${outcome.reason} (${outcome.code})` }]
        : [],
    )
    const [longest] = holds.sort((one, other) => other.ms - one.ms)
    if (longest) {
      lane.refusals++
      await holdChannel(system, channel, { ...longest, slow: holds.some(({ slow }) => slow) })
      await held(lane)
    } else if (lane.refusals > 0 && results.some(({ outcome }) => outcome.kind === 'accepted')) {
      lane.refusals = 0
      await trustChannel(system, channel)
    }
  }

  return {
    record(lane, workerId, result) {
      const key = `${lane.scope.organizationId} ${lane.scope.livemode}`
      const tray = trays.get(key) ?? { scope: lane.scope, answers: [], writers: 0 }
      trays.set(key, tray)
      tray.answers.push({ lane, workerId, result })
      const isEnough = tray.writers === mostOfTenant || (tray.writers > 0 && tray.answers.length < mostAtOnce)
      if (!isEnough) void empty(tray).then(() => isIdle(tray) && trays.delete(key))
    },
    get isBusy() {
      return !trays.values().every(isIdle)
    },
    giveUp() {
      hasGivenUp = true
    },
  }
}
