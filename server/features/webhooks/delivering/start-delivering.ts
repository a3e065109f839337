import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../platform/database.ts'
import type { EventKind } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { OutboundHttp } from '../../../platform/outbound-fetch.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { Signals } from '../../../platform/signals.ts'
import { deliveriesChannel } from '../deliveries-channel.ts'
import { attempt } from './attempt.ts'
import { createBooks } from './books.ts'
import { judge, type Schedule, type Verdict } from './judge-outcome.ts'
import { createTurns, type InHand, type Lane, restOf, stop } from './lanes.ts'
import { createRecorder } from './recorder.ts'

export interface DeliveringOptions extends Schedule {
  timeLimitMs: number
  /** Requests at once in this process. */
  concurrency: number
}

export interface Delivering {
  close(): Promise<void>
}

export interface DeliveringDependencies {
  database: Database
  /** For webhooks alone: it is closed with them. */
  http: OutboundHttp
  secrets: SecretBox
  log: Log
  eventKinds: EventKind[]
}

const lookEveryMs = 500
/** Nor more often than this: what is read together costs little more than one. */
const leastRestMs = 10
const afterFailureMs = 500
/** What is on its way when this process is asked to stop may come back within this time; the rest is sent again by others. */
const patienceMs = 2_000

/** Delivers for as long as this node runs; others may do the same, each to others' endpoints. */
export function startDelivering(
  deps: DeliveringDependencies,
  signals: Signals,
  options: DeliveringOptions,
): Delivering {
  const { http, log } = deps
  const turns = createTurns(options.concurrency)
  const books = createBooks(deps, { workerId: newId() })
  let isClosing = false
  let wake = () => {}

  const recorder = createRecorder(deps, (done) => {
    for (const { lane, result, disable } of done) {
      lane.inHand.delete(result.id)
      if (disable) stop(lane)
      if (lane.inHand.size === 0) wake()
    }
  })

  async function send(lane: Lane, item: InHand): Promise<void> {
    const { id, type } = item
    const { url, sign } = lane
    const body = lane.mayReceive(type) ? item.body : null
    const outcome = await (body === null
      ? unsendable(lane, item)
      : attempt({ id, url, body, sign }, { http, ...options }))
    // The connection was taken away by ourselves: nobody knows how it would have ended, and somebody will try again.
    if (isClosing && outcome.response_status === null) {
      lane.inHand.delete(id)
      turns.isBack(lane, true)
      return
    }
    const verdict =
      body === null ? lost(item) : judge(outcome, { step: item.step, failingSince: lane.failingSince }, options)
    const isFine = verdict.status === 'succeeded'
    turns.isBack(lane, isFine)
    const isTurning = body !== null && isFine === (lane.failingSince !== null)
    if (isTurning) lane.failingSince = isFine ? null : Date.parse(outcome.attempted_at)
    const restMs = restOf(lane, verdict.pauseMs)
    if (restMs !== null) {
      lane.pausedUntil = Math.max(lane.pausedUntil ?? 0, Date.now() + restMs)
      stop(lane)
    }
    const { body: responseBody, retryAfterMs: _, ...attempted } = outcome
    const { organizationId, livemode, webhookId } = lane
    const { status, step, delayMs, disable } = verdict
    const place = { organizationId, livemode, webhookId }
    const result = {
      ...place,
      id,
      url,
      attempts: item.attempts,
      attempt: attempted,
      responseBody,
      status,
      step,
      delayMs,
    }
    const health = { ...place, failingSince: isFine ? null : outcome.attempted_at }
    recorder.add({ lane, result, disable, ...(isTurning && { health }) })
    if (lane.mayHaveMore && lane.waiting.length <= lane.limit) wake()
    pump()
  }

  /** Sends what may go. A worker that was silent for too long may have lost its lanes: it looks first. */
  function pump(): void {
    while (!isClosing && books.areFresh()) {
      const next = turns.take()
      if (!next) return
      void send(next.lane, next.item)
    }
  }

  const stopListening = signals.on(
    deliveriesChannel,
    (webhookId) => {
      if (webhookId === undefined) books.expectMore()
      else books.expectChange()
      wake()
    },
    { atOnce: true },
  )

  async function run(): Promise<void> {
    while (!isClosing) {
      const woken = Promise.withResolvers<void>()
      wake = woken.resolve
      let longestMs = lookEveryMs
      try {
        for (const lane of await books.lookThrough()) turns.enqueue(lane)
        pump()
      } catch (error) {
        log.error({ err: error }, 'delivering webhooks met a fault and goes on')
        longestMs = afterFailureMs
      }
      if (isClosing) return
      const timer = setTimeout(woken.resolve, longestMs)
      await woken.promise
      clearTimeout(timer)
      if (!isClosing) await sleep(leastRestMs)
    }
  }
  const running = run()

  return {
    async close() {
      isClosing = true
      wake()
      stopListening()
      await running
      for (const lane of books.lanes()) stop(lane)
      for (const end = performance.now() + patienceMs; turns.out > 0 && performance.now() < end; ) await sleep(20)
      await http.close()
      while (turns.out > 0) await sleep(5)
      // A database that cannot be reached keeps nobody from leaving: others find the lanes free a little later.
      await Promise.race([recorder.settled(), sleep(patienceMs, undefined, { ref: false })])
      await books.close().catch((error) => log.warn({ err: error }, 'the lanes of webhooks could not be given back'))
    },
  }
}

/** No request is made: the webhook may not receive this type (any more), or the event has expired. */
const unsendable = (lane: Lane, { type }: InHand) => ({
  attempted_at: new Date().toISOString(),
  duration_ms: 0,
  response_status: null,
  error: lane.mayReceive(type)
    ? 'The event is not kept any more'
    : `Not sent: the credential that set up this webhook may not read ${type}`,
  body: null,
  retryAfterMs: null,
})

const lost = ({ step }: InHand): Verdict => ({ status: 'failed', step, delayMs: null, pauseMs: null, disable: null })
