import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, TenantScope } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import { type Outcome, withCode } from '../judge-failure.ts'
import { recordResults, type SendResult } from '../record-results.ts'
import { holdChannel, trustChannel } from './queries.ts'
import { type SendQueue, suggestsOutage } from './send-queues.ts'

/** Results are gathered for a moment: sets are cheaper than single rows. */
const gatherForMs = 50
const mostAtOnce = 500
/** Each takes a connection of those that requests use too; one organization has two of them at most. */
const mostTransactions = 4
const mostOfTenant = 2

export interface RecorderDependencies {
  database: Database
  log: Log
  /** These are recorded: they are no longer in flight. */
  recorded(queue: SendQueue, ids: string[]): void
  /** The channel is held: what was claimed for it must not go. */
  held(queue: SendQueue): Promise<void>
}

export interface Recorder {
  /** Writes it down soon, together with others of the same organization, and tries until it has succeeded. */
  record(queue: SendQueue, workerId: string, result: SendResult): void
  readonly isBusy: boolean
  /** From now on a set that cannot be recorded is given up: the next worker finds out what became of it. */
  giveUp(): void
}

interface Answer {
  queue: SendQueue
  workerId: string
  result: SendResult
}

/** Answers of one organization in one mode, of any channel, that are not recorded yet. */
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
          log.error({ err: error, ...tray.scope }, 'campaign sender: results not recorded, trying again')
          return
        }
        for (const [queue, answers] of Map.groupBy(set, (answer) => answer.queue)) {
          const results = answers.map(({ result }) => result)
          recorded(
            queue,
            results.map(({ deliveryId }) => deliveryId),
          )
          await heed(queue, results).catch((error) =>
            log.error({ err: error, channel: queue.channelId }, 'campaign sender: channel could not be held'),
          )
        }
      })
    }
    // In the same tick as the last look: an answer that is added from now on starts a writer of its own.
    tray.writers--
  }

  async function write(scope: TenantScope, set: Answer[]): Promise<void> {
    for (const [workerId, answers] of Map.groupBy(set, (answer) => answer.workerId)) {
      const results = answers.map(({ result }) => result)
      await database.inTenant(scope, (tx) => recordResults(tx, results, workerId))
    }
  }

  /** What the set says about the channel as a whole. */
  async function heed(queue: SendQueue, results: SendResult[]): Promise<void> {
    const channel = { ...queue.scope, channelId: queue.channelId }
    const system = database.forSystem()
    const holds = results.flatMap(({ outcome }) => holdFor(queue, outcome))
    const [longest] = holds.sort((one, other) => other.ms - one.ms)
    if (longest) {
      queue.refusals++
      await holdChannel(system, channel, { ...longest, slow: holds.some(({ slow }) => slow) })
      await held(queue)
    } else if (queue.refusals > 0 && results.some(({ outcome }) => provesService(outcome))) {
      queue.refusals = 0
      await trustChannel(system, channel)
    }
  }

  return {
    record(queue, workerId, result) {
      const key = `${queue.scope.organizationId} ${queue.scope.livemode}`
      const tray = trays.get(key) ?? { scope: queue.scope, answers: [], writers: 0 }
      trays.set(key, tray)
      tray.answers.push({ queue, workerId, result })
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

/** A platform that is out of order is asked again after this, then after twice as long each time. */
const outageHoldMs = 1_000

function holdFor(queue: SendQueue, outcome: Outcome): { ms: number; slow: boolean; reason: string }[] {
  if (outcome.kind === 'again' && outcome.hold) return [{ ...outcome.hold, reason: withCode(outcome) }]
  // What was sent may have been taken and is not sent again; what is left waits for the platform.
  if (outcome.kind === 'unknown' && suggestsOutage(queue))
    return [{ ms: outageHoldMs, slow: false, reason: withCode(outcome) }]
  return []
}

/** The platform has taken or refused a message for reasons of its own: it is in service. */
const provesService = ({ kind }: Outcome) => kind === 'accepted' || kind === 'failed'
