import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, SystemSql, TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { lookUpOnly } from '../../../platform/look-up-only.ts'
import { startLoop } from '../../../platform/loop.ts'
import type { OutgoingMessage } from '../../../providers/chat/contract.ts'
import type { ChatLine, ChatLines } from '../../channels/chat-lines.ts'
import { type FrozenTemplate, parametersOf, recipientOf } from '../../templates/render-message.ts'
import { judgeFailure, type Outcome } from '../judge-failure.ts'
import { findSendingCampaigns } from '../move-queries.ts'
import { pauseChannel } from '../pause-campaign.ts'
import { systemClock } from './clock.ts'
import { onFault } from './on-fault.ts'
import {
  bookTurns,
  type Claimed,
  type ClaimSize,
  claimDeliveries,
  handOver,
  releaseDeliveries,
  releaseForgotten,
  untilNextDue,
} from './queries.ts'
import { createRecorder } from './recorder.ts'
import { type ClaimedDelivery, createSendQueues, type SendQueue } from './send-queues.ts'
import type { Worker } from './worker.ts'

/** A channel's next second, or as much of it as one statement should carry, claimed while the last one is still going out. */
const claim: ClaimSize = { most: 500, least: 20, round: 5_000, seconds: 1, leadSeconds: 0.7 }
/** What a worker claims at most: a slow one must not keep from the others what they could send. */
const mostClaimed = 2_000
/** In flight and not recorded: what is unknown when the process is killed. */
const mostInFlight = 2_048
const mostInBatch = 512
/** Marked as in flight in batches: a statement for each message would cost more than the message. */
const flushEveryMs = 50
const lookEveryMs = 500
/** While no campaign is sending: starting one wakes every worker. */
const lookWhenIdleEveryMs = 1_000
/** Supervisors send SIGKILL 10 s after SIGTERM; this leaves 4 s for the database and open sockets. */
const drainTimeoutMs = 6_000

export interface SenderDependencies {
  database: Database
  lines: ChatLines
  log: Log
}

export interface Sender {
  /** Look for something to send at once. */
  wake(): void
  close(): Promise<void>
}

/**
 * Claims deliveries of the channel that has waited longest, sends them at the channel's rate and records the outcome. All it
 * knows is in the database too, so it may be killed at any point.
 */
export function startSender(
  { database, lines, log }: SenderDependencies,
  worker: Worker,
  { onIdle }: { onIdle(): void },
): Sender {
  const system = database.forSystem()
  const queues = createSendQueues(systemClock, mostInFlight, {
    send: (queue, row) => void send(queue, row),
    rebook: (queue) => void rebook(queue),
  })
  /** Everything that was claimed and is not recorded yet. */
  const claimedIds = new Set<string>()
  const templates = new Map<string, FrozenTemplate>()
  /** A statement failed, and what it did before that is not known. */
  let isDoubtful = false
  let lastFlush = 0

  const recorder = createRecorder({
    database,
    log,
    recorded(queue, ids) {
      for (const id of ids) {
        claimedIds.delete(id)
        queues.isBack(queue)
      }
      flushes.wake()
      if (queue.waiting.length + queue.inFlight === 0) onIdle()
    },
    async held(queue) {
      recall(queue, { code: 'held', reason: 'The channel had to wait before this was sent' })
      await release(queue.waiting.splice(0))
    },
  })

  async function byLookUps<T>(work: (tx: SystemSql) => Promise<T>): Promise<T> {
    return database.inSystem(async (tx) => (await Promise.all([lookUpOnly(tx), work(tx)]))[1])
  }

  async function release(rows: ClaimedDelivery[]): Promise<void> {
    for (const [workerId, own] of Map.groupBy(rows, (row) => row.workerId)) {
      const ids = own.map(({ id }) => id)
      for (const id of ids) claimedIds.delete(id)
      await byLookUps((tx) => releaseDeliveries(tx, workerId, ids)).catch((error) => {
        isDoubtful = true
        throw error
      })
    }
  }

  async function claimSome(): Promise<number> {
    if (queues.waiting >= mostClaimed) return flushEveryMs
    const workerId = worker.id
    let rows: Claimed[]
    let askedAt = 0
    try {
      if (isDoubtful) {
        await byLookUps((tx) => releaseForgotten(tx, workerId, [...claimedIds]))
        isDoubtful = false
      }
      rows = await byLookUps((tx) => {
        // The turns begin by the clock of the database; the answer may take long to get here.
        askedAt = systemClock.now()
        return claimDeliveries(tx, workerId, { ...claim, except: queues.late(askedAt) })
      })
    } catch (error) {
      isDoubtful = true
      throw error
    }
    const [first] = rows
    if (!first) {
      const { ms } = await untilNextDue(system)
      return ms === null ? lookWhenIdleEveryMs : Math.min(lookEveryMs, Math.max(flushEveryMs, ms))
    }
    const claimed = rows.filter(({ id }) => id !== null)
    for (const { id } of claimed) claimedIds.add(id as string)
    if (claimed.length > 0) await takeUp(first, claimed, { workerId, askedAt })
    return 0
  }

  /** Puts what was claimed into its channel's queue, one after the other, each campaign in its turn. */
  async function takeUp(
    channel: Claimed,
    claimed: Claimed[],
    { workerId, askedAt }: { workerId: string; askedAt: number },
  ): Promise<void> {
    const startsAt = askedAt + channel.starts_in_ms
    const scope = { organizationId: channel.organization_id, livemode: channel.livemode }
    const rows = inTurns(claimed).map((row, i) => toDelivery(row, workerId, startsAt + (i * 1000) / channel.rate))
    try {
      const line = await openLine(scope, channel.channel_id)
      if (!line) return await release(rows)
      await learnTemplates(
        scope,
        rows.map(({ campaignId }) => campaignId),
      )
      const key = `${scope.organizationId} ${scope.livemode} ${channel.channel_id}`
      const queue = queues.open(key, scope, line)
      queue.leaving.setRate(channel.rate)
      queue.isShared = channel.workers > 1
      queue.refusals = Math.max(queue.refusals, channel.refusals)
      queue.waiting.push(...rows)
      flushes.wake()
    } catch (error) {
      await release(rows)
      throw error
    }
  }

  /** Nothing where the channel cannot send any more: its campaigns are paused then. */
  async function openLine(scope: TenantScope, channelId: string): Promise<ChatLine | undefined> {
    try {
      return await lines.open(database.forTenant(scope), channelId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const reason = error.status === 404 ? 'channel_deleted' : 'channel_not_ready'
      const detail = error.status === 404 ? 'The channel was deleted' : error.message
      await database.inTenant(scope, (tx) => pauseChannel(tx, channelId, ['sending'], { reason, detail }))
      return undefined
    }
  }

  async function learnTemplates(scope: TenantScope, campaignIds: string[]): Promise<void> {
    const unknown = [...new Set(campaignIds)].filter((id) => !templates.has(id))
    if (unknown.length === 0) return
    if (templates.size > 1_000) templates.clear()
    for (const campaign of await findSendingCampaigns(database.forTenant(scope), unknown))
      templates.set(campaign.id, {
        name: campaign.template_name ?? '',
        language: campaign.template_language ?? '',
        components: campaign.template_components ?? [],
      })
  }

  /** Marks what is about to be due as in flight; answers how long until the next is. */
  async function flush(): Promise<number> {
    const sinceLast = systemClock.now() - lastFlush
    if (sinceLast < flushEveryMs) await sleep(flushEveryMs - sinceLast)
    lastFlush = systemClock.now()
    const ready = queues.takeReady(lastFlush, mostInBatch)
    if (ready.length === 0) {
      queues.sweep()
      return Math.min(lookEveryMs, queues.nextDueAt() - systemClock.now())
    }
    const marked = new Set<string>()
    try {
      for (const [workerId, own] of Map.groupBy(ready, ({ row }) => row.workerId)) {
        const rows = own.map(({ queue: { scope }, row: { id } }) => ({ scope, id }))
        const answered = await byLookUps((tx) => handOver(tx, workerId, rows))
        isDoubtful ||= answered.length < rows.length
        for (const { id, handed_over } of answered) if (handed_over) marked.add(id)
      }
    } catch (error) {
      // Whether they are marked or not, no request was sent: they are safe to return to the queue.
      isDoubtful = true
      throw error
    } finally {
      for (const { queue, row } of ready) {
        if (marked.has(row.id)) queue.leaving.push(row)
        else {
          claimedIds.delete(row.id)
          queues.isBack(queue)
        }
      }
    }
    return 0
  }

  async function send(queue: SendQueue, row: ClaimedDelivery): Promise<void> {
    const began = systemClock.now()
    const outcome = await attempt(queue, row)
    queues.answered(queue, outcome.kind, systemClock.now() - began)
    record(queue, row, outcome)
  }

  function record(queue: SendQueue, row: ClaimedDelivery, outcome: Outcome): void {
    const { id: deliveryId, campaignId, contactId, workerId } = row
    recorder.record(queue, workerId, { deliveryId, campaignId, contactId, channelId: queue.channelId, outcome })
  }

  /** Returns what was marked as in flight and not sent yet. */
  function recall(queue: SendQueue, why: { code: string; reason: string }): void {
    for (const row of queue.leaving.takeAll()) record(queue, row, { kind: 'again', delayMs: 0, ...why })
  }

  /** The turns that this worker missed have gone to others meanwhile: asks for new ones. */
  async function rebook(queue: SendQueue): Promise<void> {
    queue.isRebooking = true
    try {
      const askedAt = systemClock.now()
      const { scope, channelId, leaving, waiting } = queue
      const count = leaving.length + waiting.length
      const { rate, starts_in_ms } = await bookTurns(system, { ...scope, channelId }, count)
      const turnAt = (place: number) => askedAt + starts_in_ms + (place * 1000) / rate
      leaving.setRate(rate)
      leaving.reschedule(turnAt)
      // What was claimed meanwhile has turns of its own.
      const late = waiting.slice(0, Math.max(0, count - leaving.length))
      for (const [place, row] of late.entries()) row.dueAt = turnAt(leaving.length + place)
    } catch (error) {
      log.warn({ err: error, channel: queue.channelId }, 'campaign sender: no new turns, trying again')
      await sleep(onFault.afterFailureMs)
    } finally {
      queue.isRebooking = false
      queue.leaving.run()
    }
  }

  async function attempt({ line }: SendQueue, row: ClaimedDelivery): Promise<Outcome> {
    let message: OutgoingMessage
    try {
      message = messageOf(row)
    } catch (error) {
      return { kind: 'failed', code: 'not_sendable', reason: (error as Error).message, optsOut: false }
    }
    try {
      const { id } = await line.platform.send(message)
      return { kind: 'accepted', chatMessageId: id }
    } catch (error) {
      return judgeFailure(error, row.attempts + 1)
    }
  }

  function messageOf(row: ClaimedDelivery): OutgoingMessage {
    const template = templates.get(row.campaignId)
    if (!template) throw new Error('its campaign is gone')
    const { name, language } = template
    const components = parametersOf(template, row.variables)
    // The id comes back with every receipt: that is how a receipt is matched to a send whose answer was lost.
    return { type: 'template', to: recipientOf(row), callbackData: row.id, name, language, components }
  }

  const claims = startLoop(log, onFault, claimSome)
  const flushes = startLoop(log, onFault, flush)

  return {
    wake: claims.wake,
    async close() {
      await claims.close()
      const waiting = queues.all().flatMap((queue) => queue.waiting.splice(0))
      await flushes.close()
      for (const queue of queues.all()) recall(queue, { code: 'closing', reason: 'Sending was interrupted' })
      await release(waiting).catch((error) => log.warn({ err: error }, 'campaign sender: claims not released'))
      const end = systemClock.now() + drainTimeoutMs
      while ((queues.inFlight > 0 || recorder.isBusy) && systemClock.now() < end) await sleep(20)
      recorder.giveUp()
    },
  }
}

const toDelivery = (row: Claimed, workerId: string, dueAt: number): ClaimedDelivery => ({
  id: row.id as string,
  workerId,
  campaignId: row.campaign_id as string,
  contactId: row.contact_id ?? '',
  phone_number: row.phone_number ?? '',
  whatsapp_user_id: row.whatsapp_user_id,
  variables: row.variables ?? {},
  attempts: row.attempts ?? 0,
  dueAt,
})

/** One of each campaign, then the next of each. */
function inTurns(claimed: Claimed[]): Claimed[] {
  const queues = [...Map.groupBy(claimed, ({ campaign_id }) => campaign_id).values()]
  if (queues.length === 1) return claimed
  const rows: Claimed[] = []
  for (let i = 0; rows.length < claimed.length; i++)
    for (const queue of queues) if (queue[i]) rows.push(queue[i] as Claimed)
  return rows
}
