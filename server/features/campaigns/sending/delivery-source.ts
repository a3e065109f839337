import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, TenantScope } from '../../../platform/database.ts'
import type { Attempted, ClaimingWorker, Source, Taken } from '../../../platform/dispatch/contract.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { Tracer } from '../../../platform/tracing/trace.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import type { ChatConnection, ChatConnections } from '../../channels/connections/chat-connections.ts'
import type { SendOutcome } from '../deliveries/judge-failure.ts'
import { recordResults } from '../deliveries/record-results.ts'
import { pauseChannel } from '../pause-campaign.ts'
import { createDeliverySender } from './delivery-sender.ts'
import {
  type ClaimRow,
  type ClaimSize,
  claimDeliveries,
  markInFlight,
  postponeQuiet,
  releaseDeliveries,
  releaseUnknown,
  reserveTimes,
  senderName,
  untilNextDue,
} from './queries.ts'
import {
  type ClaimedDelivery,
  countOutcome,
  hasMissedTimes,
  isLate,
  isUnused,
  missedDeliveries,
  newSendQueue,
  replaceTimes,
  type SendQueue,
  updateMaxSlots,
} from './send-queues.ts'
import { updateHold } from './update-hold.ts'

/**
 * One claim takes a channel's next second of messages, at most 500. The next claim is due 0.7 s before the last of them
 * is sent, so that the queue does not run empty.
 */
const claimSize: ClaimSize = { max: 500, min: 20, perRound: 5_000, seconds: 1, leadSeconds: 0.7 }
const pollEveryMs = 500
const minPollMs = 50
/** Poll interval while no campaign is sending. Starting a campaign wakes every worker, so this is only a fallback. */
const pollWhenIdleEveryMs = 1_000
const afterFailureMs = 500
/** Deliveries that one statement postpones to the end of the quiet hours. */
const maxPostponed = 10_000

export interface SendingDependencies {
  database: Database
  chatConnections: ChatConnections
  files: FileStore
  log: Log
  tracer: Tracer
}

type Worker = ClaimingWorker<SendQueue, ClaimedDelivery>
type Sent = Attempted<SendQueue, ClaimedDelivery, SendOutcome>

/**
 * Campaign deliveries as a source of the dispatcher, with one SendQueue per channel.
 *
 * 1. `claim` takes the next second of messages of the channel that has been due longest, and reserves a time on the
 * channel for each. All workers reserve in the channel's row in `sending_channels`, so together they keep its rate.
 * 2. `markInFlight` checks campaign and contact once more and commits that the requests may go out.
 * 3. `attempt` posts the message to the platform at its reserved time; `judgeFailure` turns an error into an outcome.
 * 4. `record` writes the outcomes of one organization and mode in one transaction.
 * 5. `afterRecord` holds the channel if an outcome shows that the platform refuses all of its messages or is down.
 *
 * A delivery is sent at most once: if the worker dies while it is in flight, it becomes `unknown` and only a person can
 * have it sent again.
 *
 * `onQueueEmpty` is called when a queue has no claimed deliveries left: its campaigns may be complete.
 */
export function createDeliverySource(
  { database, chatConnections, files, log, tracer }: SendingDependencies,
  { onQueueEmpty }: { onQueueEmpty(): void },
): Source<SendQueue, ClaimedDelivery, SendOutcome> {
  const system = database.forSystem()
  const sender = createDeliverySender({ database, files })

  /** The last claim found nothing. Claiming takes a hundred times as long as asking whether a channel is due. */
  let foundNothing = false

  async function claim(worker: Worker): Promise<number> {
    const now = performance.now()
    const queues = [...worker.queues.values()]
    for (const queue of queues) if (isUnused(queue, now)) worker.remove(queue)
    if (foundNothing) {
      const { ms } = await untilNextDue(system)
      if (ms === null || ms > 0) return delayUntil(ms)
    }
    const exceptChannels = queues.filter((queue) => isLate(queue, now)).map(({ channelId }) => channelId)
    // `starts_in_ms` is relative to the moment at which the database runs the statement. It is added to the time at
    // which the statement was sent, because the answer may take a while to arrive.
    const askedAt = performance.now()
    const rows = await claimDeliveries(system, worker.id, { ...claimSize, exceptChannels })
    const [channel] = rows
    foundNothing = !channel
    if (!channel) return delayUntil((await untilNextDue(system)).ms)
    const claimed = rows.filter(({ id }) => id !== null)
    if (claimed.length > 0) await enqueue(worker, channel, claimed, askedAt + channel.starts_in_ms)
    return 0
  }

  /** Adds the deliveries to their channel's queue, alternating between campaigns so that none waits for another. */
  async function enqueue(worker: Worker, channel: ClaimRow, claimed: ClaimRow[], startsAt: number): Promise<void> {
    const scope = { organizationId: channel.organization_id, livemode: channel.livemode }
    const items = interleave(claimed).map((row, i) => toDelivery(row, worker.id, startsAt + (i * 1000) / channel.rate))
    const connection = await openOrPause(scope, channel.channel_id)
    if (!connection) return release(items)
    await sender.cacheTemplates(
      scope,
      items.map(({ campaignId }) => campaignId),
    )
    const key = `${scope.organizationId} ${scope.livemode} ${channel.channel_id}`
    const queue = worker.queues.get(key) ?? newSendQueue(key, scope, connection)
    queue.connection = connection
    queue.isShared = channel.workers > 1
    queue.refusals = Math.max(queue.refusals, channel.refusals)
    updateMaxSlots(queue)
    worker.setRate(queue, channel.rate)
    worker.add(queue, items)
  }

  /** Pauses the channel's campaigns and returns undefined if the channel was deleted or cannot send. */
  async function openOrPause(scope: TenantScope, channelId: string): Promise<ChatConnection | undefined> {
    try {
      return await chatConnections.open(database.forTenant(scope), channelId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const reason = error.status === 404 ? 'channel_deleted' : 'channel_not_ready'
      const detail = error.status === 404 ? 'The channel was deleted' : error.message
      await database.inTenant(scope, (tx) => pauseChannel(tx, channelId, ['sending'], { reason, detail }))
      return undefined
    }
  }

  async function checkAndMark(taken: Taken<SendQueue, ClaimedDelivery>[]) {
    const inFlight = new Set<string>()
    let inDoubt = false
    for (const [workerId, own] of Map.groupBy(taken, ({ item }) => item.workerId)) {
      const rows = own.map(({ queue: { scope }, item: { id } }) => ({ scope, id }))
      const answered = await markInFlight(system, workerId, rows)
      inDoubt ||= answered.length < rows.length
      for (const { id, in_flight } of answered) if (in_flight) inFlight.add(id)
      const quiet = answered.filter(({ is_quiet }) => is_quiet).map(({ id }) => id)
      if (quiet.length > 0) await postponeQuiet(system, quiet, maxPostponed)
    }
    return { marked: taken.filter(({ item }) => inFlight.has(item.id)), inDoubt }
  }

  /** A worker that missed its reserved times sends nothing until it has new ones. */
  function maySend(queue: SendQueue): boolean {
    if (queue.isReserving) return false
    const isMissed = hasMissedTimes(queue, performance.now())
    if (isMissed) void reserveAgain(queue)
    return !isMissed
  }

  /**
   * Reserves new times for those that were missed. Sending late would add to what other workers send now and exceed the
   * channel's rate.
   */
  async function reserveAgain(queue: SendQueue): Promise<void> {
    const { scope, channelId, paced } = queue
    if (!paced) return
    queue.isReserving = true
    try {
      const askedAt = performance.now()
      const missed = missedDeliveries(queue, askedAt)
      const { rate, starts_in_ms } = await reserveTimes(system, { ...scope, channelId }, missed.length)
      paced.setRate(rate)
      replaceTimes(queue, missed, (position) => askedAt + starts_in_ms + (position * 1000) / rate)
    } catch (error) {
      log.warn({ err: error, channelId }, `${senderName}: sending times not reserved, trying again`)
      await sleep(afterFailureMs)
    } finally {
      queue.isReserving = false
      paced.run()
    }
  }

  async function attempt(queue: SendQueue, item: ClaimedDelivery, onWritten: () => void): Promise<SendOutcome> {
    // Its own trace: that of the campaign's request would have as many spans as there are recipients.
    const span = { attributes: { 'frontdesk.campaign_id': item.campaignId, 'frontdesk.delivery_id': item.id } }
    const outcome = await tracer.run('campaign message', span, () => sender.send(queue, item, onWritten))
    countOutcome(queue, outcome)
    return outcome
  }

  async function record(sent: Sent[]): Promise<void> {
    for (const [workerId, own] of Map.groupBy(sent, ({ item }) => item.workerId)) {
      const results = own.map(({ queue: { channelId }, item: { id: deliveryId, campaignId, contactId }, result }) => ({
        deliveryId,
        campaignId,
        contactId,
        channelId,
        outcome: result,
      }))
      await database.inTenant((own[0] as Sent).queue.scope, (tx) => recordResults(tx, results, workerId))
    }
  }

  async function release(items: ClaimedDelivery[]): Promise<void> {
    for (const [workerId, own] of Map.groupBy(items, (item) => item.workerId))
      await releaseDeliveries(
        system,
        workerId,
        own.map(({ id }) => id),
      )
  }

  return {
    claim,
    markInFlight: checkAndMark,
    maySend,
    attempt,
    isSuccess: ({ kind }) => kind === 'accepted',
    groupOf: ({ queue: { scope } }) => `${scope.organizationId} ${scope.livemode}`,
    record,
    async afterRecord(sent, { hold }) {
      for (const [queue, own] of Map.groupBy(sent, (each) => each.queue)) {
        await updateHold(
          system,
          queue,
          own.map(({ result }) => result),
          hold,
        ).catch((error) =>
          log.error({ err: error, channelId: queue.channelId }, `${senderName}: channel hold not updated`),
        )
        if (queue.claimed.size === 0) onQueueEmpty()
      }
    },
    recallResult: (why) =>
      why === 'held'
        ? { kind: 'again', delayMs: 0, code: 'held', reason: 'The channel was put on hold before this was sent' }
        : { kind: 'again', delayMs: 0, code: 'closing', reason: 'The worker shut down before this was sent' },
    release,
    async reconcile({ id: workerId, queues }) {
      const known = [...queues.values()].flatMap(({ claimed }) => [...claimed])
      await releaseUnknown(system, workerId, known)
    },
  }
}

const toDelivery = (row: ClaimRow, workerId: string, dueAt: number): ClaimedDelivery => ({
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

/** Delay before the next claim, if the next channel is due in this many milliseconds. */
const delayUntil = (ms: number | null): number =>
  ms === null ? pollWhenIdleEveryMs : Math.min(pollEveryMs, Math.max(minPollMs, ms))

/** Takes one delivery of each campaign in turn. */
function interleave(claimed: ClaimRow[]): ClaimRow[] {
  const campaigns = [...Map.groupBy(claimed, ({ campaign_id }) => campaign_id).values()]
  if (campaigns.length === 1) return claimed
  const rows: ClaimRow[] = []
  for (let i = 0; rows.length < claimed.length; i++)
    for (const campaign of campaigns) if (campaign[i]) rows.push(campaign[i] as ClaimRow)
  return rows
}
