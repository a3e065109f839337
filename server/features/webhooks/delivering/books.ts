import type { Database } from '../../../platform/database.ts'
import type { EventKind } from '../../../platform/events.ts'
import type { Log } from '../../../platform/log.ts'
import { lookUpOnly } from '../../../platform/look-up-only.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { mayReceive } from '../receivable-types.ts'
import { createSigner, openSecrets } from '../signing.ts'
import { createEventBodies } from './event-bodies.ts'
import { isIdle, type Lane, newLane, stop } from './lanes.ts'
import {
  type ClaimedLane,
  claimLanes,
  leaveWorker,
  lockHeldLanes,
  readWaiting,
  releaseLanes,
  stayAlive,
  stillHeld,
} from './queries.ts'

/** A killed worker's lanes are free after this long; a living one says so three times meanwhile. */
const aliveSeconds = 10
const renewEveryMs = 3_000
/** Without a hint. */
const claimEveryMs = 450
const mostLanes = 1_000
/** Endpoints that are down must not be all that a worker has in hand. */
const mostFailing = mostLanes / 2
const claimedAtOnce = 100
/** Of each lane, some times as many as may be out; of all together, no more than fit in memory well. */
const readAhead = 8
const leastReadAhead = 4
const mostInHand = 8_192

const start = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

export interface Books {
  lanes(): Iterable<Lane>
  /** Whether this worker has lately said that it lives. */
  areFresh(): boolean
  /** There may be new deliveries, also for lanes that are held. */
  expectMore(): void
  /** Something about a webhook has changed. */
  expectChange(): void
  /** Says that it lives, lets go of what is done, takes what is due and reads on; answers the lanes with something to send. */
  lookThrough(): Promise<Lane[]>
  close(): Promise<void>
}

/** Which lanes this worker holds, and what waits in them. One thing at a time, so that no two of its own steps can cross. */
export function createBooks(
  { database, secrets, log, eventKinds }: { database: Database; secrets: SecretBox; log: Log; eventKinds: EventKind[] },
  { workerId }: { workerId: string },
): Books {
  const system = database.forSystem()
  const held = new Map<string, Lane>()
  const bodies = createEventBodies(database)
  let aliveUntil = 0
  let renewAt = 0
  let claimAt = 0

  /** Undefined where nothing can be sent: it is disabled, deleted, or its secrets cannot be read. */
  function detailsOf(row: ClaimedLane): Pick<Lane, 'url' | 'sign' | 'mayReceive'> | undefined {
    if (row.status === 'disabled' || row.sealed_secrets === null) return undefined
    try {
      const scope = { organizationId: row.organization_id, livemode: row.livemode }
      const sign = createSigner(openSecrets(secrets, scope, row.webhook_id, row.sealed_secrets))
      return { url: row.url, sign, mayReceive: mayReceive(row.scopes, eventKinds) }
    } catch (error) {
      log.error({ err: error, webhook: row.webhook_id }, 'the secrets of a webhook cannot be opened')
      return undefined
    }
  }

  function hold(row: ClaimedLane): void {
    const details = detailsOf(row)
    const lane = newLane({
      organizationId: row.organization_id,
      livemode: row.livemode,
      webhookId: row.webhook_id,
      failingSince: row.failing_since === null ? null : Date.parse(row.failing_since),
      ...(details ?? { url: row.url, sign: () => '', mayReceive: () => false }),
    })
    if (!details) stop(lane)
    held.set(row.webhook_id, lane)
  }

  async function renew(): Promise<void> {
    const asked = performance.now()
    await stayAlive(system, workerId, aliveSeconds)
    aliveUntil = asked + aliveSeconds * 1000
    renewAt = asked + renewEveryMs
    const rows = new Map((await stillHeld(system, workerId)).map((row) => [row.webhook_id, row]))
    for (const lane of held.values()) {
      const row = rows.get(lane.webhookId)
      const details = row && detailsOf(row)
      if (!row) lane.isLost = true
      if (details) Object.assign(lane, details)
      else stop(lane)
    }
    // A statement of its own came to an end that it did not hear of.
    for (const row of rows.values()) if (!held.has(row.webhook_id)) hold(row)
  }

  async function claim(): Promise<void> {
    const room = Math.min(claimedAtOnce, mostLanes - held.size)
    if (room <= 0 || performance.now() < claimAt) return
    claimAt = performance.now() + claimEveryMs
    let failing = 0
    for (const { failingSince } of held.values()) if (failingSince !== null) failing++
    const rows = await claimLanes(system, workerId, { most: room, mayFail: failing < mostFailing })
    // There may be more of them.
    if (rows.length === room) claimAt = 0
    // One that it holds already came back because it had been silent for too long.
    for (const row of rows) if (!held.has(row.webhook_id)) hold(row)
  }

  /** Those of these lanes that could be given back. */
  const giveBack = (lanes: Lane[]) =>
    database.inSystem(async (tx) => {
      const ids = lanes.map(({ webhookId }) => webhookId)
      const locked = new Set((await lockHeldLanes(tx, workerId, ids)).map((row) => row.webhook_id))
      const free = lanes.filter(({ webhookId }) => locked.has(webhookId))
      if (free.length > 0) await releaseLanes(tx, workerId, free.map(pauseOf))
      return free
    })

  async function letGo(): Promise<void> {
    const done = [...held.values()].filter((lane) => isIdle(lane) && (lane.isStopped || isReadThrough(lane)))
    const ours = done.filter(({ isLost }) => !isLost)
    const gone = [...done.filter(({ isLost }) => isLost), ...(ours.length > 0 ? await giveBack(ours) : [])]
    for (const { webhookId } of gone) held.delete(webhookId)
    if (gone.length > 0) claimAt = 0
  }

  async function readOn(): Promise<void> {
    const lanes = [...held.values()].filter(needsReading)
    if (lanes.length === 0) return
    let inHand = 0
    for (const lane of held.values()) inHand += lane.inHand.size
    const share = Math.floor((mostInHand - inHand) / lanes.length)
    const readings = lanes.map((lane) => {
      // All of it is done: what came since may stand before the place where reading stopped.
      if (isIdle(lane)) lane.after = undefined
      const most = Math.max(leastReadAhead, Math.min(lane.limit * readAhead, share))
      return { webhookId: lane.webhookId, after: lane.after ?? start, most }
    })
    const [, rows] = await database.inSystem((tx) => Promise.all([lookUpOnly(tx), readWaiting(tx, readings)]))
    const found = rows.map((row) => ({ ...row, lane: lanes[row.place - 1] as Lane }))
    const texts = await bodies.of(
      found.map(({ id, lane: { organizationId, livemode } }) => ({ id, organizationId, livemode })),
    )
    const counts = new Map<Lane, number>()
    for (const { lane, id, event_type: type, attempts, step, next_attempt_at } of found) {
      counts.set(lane, (counts.get(lane) ?? 0) + 1)
      lane.after = { at: next_attempt_at, id }
      if (lane.isStopped || lane.inHand.has(id)) continue
      lane.inHand.add(id)
      lane.waiting.push({ id, type, attempts, step, body: texts.get(id) ?? null })
    }
    for (const [i, lane] of lanes.entries()) lane.mayHaveMore = (counts.get(lane) ?? 0) >= (readings[i]?.most ?? 0)
  }

  return {
    lanes: () => held.values(),
    areFresh: () => performance.now() < aliveUntil,
    expectMore() {
      claimAt = 0
      for (const lane of held.values()) lane.mayHaveMore = true
    },
    expectChange() {
      renewAt = 0
    },
    async lookThrough() {
      if (performance.now() >= renewAt) await renew()
      await letGo()
      await claim()
      await readOn()
      return [...held.values()].filter(({ waiting }) => waiting.length > 0)
    },
    async close() {
      await letGo()
      await leaveWorker(system, workerId)
    },
  }
}

/** Read from the start, and there was nothing. */
const isReadThrough = (lane: Lane) => lane.after === undefined && !lane.mayHaveMore

const needsReading = (lane: Lane) =>
  !lane.isStopped && (isIdle(lane) || (lane.mayHaveMore && lane.waiting.length <= lane.limit))

const pauseOf = ({ webhookId, pausedUntil }: Lane) => ({
  webhookId,
  pausedMs: pausedUntil === null ? null : Math.max(0, pausedUntil - Date.now()),
})
