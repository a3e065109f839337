import { setTimeout as sleep } from 'node:timers/promises'
import { takeWorkerLease, type WorkerLease } from '../../../platform/dispatch/worker-lease.ts'
import { asLiveWork } from '../../../platform/live-work.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { hashToken } from '../../../platform/secrets.ts'
import type { Signals } from '../../../platform/signals.ts'
import type { Tracer } from '../../../platform/tracing/trace.ts'
import type { Encoding } from '../../../providers/speech/contract.ts'
import type { CallMedia, ConversationEvent } from '../conversation/contract.ts'
import { createTurnObserver } from '../latency.ts'
import { type CallListener, type TappedMedia, tapMedia } from '../listening/tap-media.ts'
import { holderLeaseSeconds, isTicketOf, type JoinedCall, joinCall, type TicketOf } from '../progress-queries.ts'
import { type HolderSignal, onHolderSignal } from '../signals.ts'
import { type HoldDependencies, holdCall } from './hold-call.ts'

/** The calls whose media sockets are connected to this process. */
export interface Holder {
  /** Whether the ticket is valid for this call. Does not use it up. */
  isExpected(ticket: string, callId: string): Promise<boolean>
  /**
   * Uses up the ticket if it is valid for that call; otherwise changes nothing. From now on this process must end the
   * call.
   */
  join(ticket: string, of: TicketOf): Promise<JoinedCall | undefined>
  /** Resolves when the call is over and saved. */
  hold(joined: JoinedCall, media: CallMedia, onEvent?: (event: ConversationEvent) => void): Promise<void>
  /** The call if this process holds it. `listen` returns how to stop, or undefined if enough people listen. */
  find(id: string): { encoding: Encoding; listen(listener: CallListener): (() => void) | undefined } | undefined
  /** Resolves when this process holds no call any more, or when the signal is aborted. */
  drain(enough: AbortSignal): Promise<void>
  /** Ends all held calls and waits until they are saved. */
  close(): Promise<void>
}

/** From joining to the start of the conversation; opening the agent takes far less. */
const joinTimeoutSeconds = 60
/** The carrier closes the media socket after reporting the end of a call. If it does not within this time, we do. */
const closeGraceMs = 5_000

const drainPollMs = 100

interface Held {
  ending: AbortController
  reportMachine: (result: { beep: boolean }) => void
  tapped: TappedMedia
  done: Promise<void>
}

export interface HolderDependencies extends Omit<HoldDependencies, 'observeTurns'> {
  signals: Signals
  metrics: Metrics
  tracer: Tracer
}

export function createHolder(deps: HolderDependencies): Holder {
  const { database, signals, log, tracer } = deps
  const observeTurns = createTurnObserver(deps.metrics)
  const system = database.forSystem()
  const held = new Map<string, Held>()
  /** Calls that were joined, or may be, and are not in `held` yet. */
  let joining = 0
  let lease: Promise<WorkerLease> | undefined

  const endAll = () => {
    for (const { ending } of held.values()) ending.abort()
  }
  /** Takes a lease for the first call, so that processes without calls write no row. */
  const ensureLease = () => {
    lease ??= takeWorkerLease(deps, { name: 'call holder', seconds: holderLeaseSeconds, onExpired: endAll })
    lease.catch(() => {
      lease = undefined
    })
    return lease
  }

  const handleSignal = (signal: HolderSignal) => {
    const call = held.get(signal.callId)
    if (!call) return
    if (signal.news === 'end') call.ending.abort()
    else if (signal.news === 'machine') call.reportMachine({ beep: signal.beep })
    else setTimeout(() => call.ending.abort('line_lost'), closeGraceMs).unref()
  }
  const stopListening = onHolderSignal(signals, handleSignal)

  return {
    isExpected: (ticket, callId) => isTicketOf(system, callId, hashToken(ticket)),
    async join(ticket, of) {
      joining++
      let joined: JoinedCall | undefined
      try {
        const { id: holderId } = await ensureLease()
        joined = await joinCall(system, { hash: hashToken(ticket), of, holderId, deadlineSeconds: joinTimeoutSeconds })
        return joined
      } finally {
        if (!joined) joining--
      }
    },
    hold(joined, media, onEvent) {
      const ending = new AbortController()
      const machine = machineDetection(joined.answered_by)
      const tapped = tapMedia(media)
      const mediaWithMachine: CallMedia = { ...tapped.media, onMachine: machine.listen }
      const call = { joined, media: mediaWithMachine, signal: ending.signal, ...(onEvent && { onEvent }) }
      const span = { parent: joined.traceparent, attributes: { 'frontdesk.call_id': joined.id } }
      const done = tracer
        .run('call', span, () => asLiveWork(() => holdCall(call, { ...deps, observeTurns })))
        .finally(() => {
          held.delete(joined.id)
          tapped.end()
        })
      held.set(joined.id, { ending, reportMachine: machine.report, tapped, done })
      joining--
      return done
    },
    find(id) {
      const tapped = held.get(id)?.tapped
      return tapped && { encoding: tapped.media.encoding, listen: tapped.add }
    },
    async drain(enough) {
      const count = () => joining + held.size
      if (count() > 0) log.info({ calls: count() }, 'call holder: draining, waiting for calls to end')
      while (count() > 0 && !enough.aborted) await sleep(drainPollMs)
      if (count() > 0) log.warn({ calls: count() }, 'call holder: draining ended early, hanging up')
    },
    async close() {
      endAll()
      await Promise.all([...held.values()].map(({ done }) => done))
      stopListening()
      await (await lease)?.close()
    },
  }
}

/** Buffers the carrier's machine detection, which may arrive before the media socket, and more than once. */
function machineDetection(answeredBy: string | null) {
  let listener: ((result: { beep: boolean }) => void) | undefined
  let early =
    answeredBy && /^(machine|fax)/.test(answeredBy) ? { beep: answeredBy.startsWith('machine_end') } : undefined
  return {
    report(result: { beep: boolean }) {
      if (listener) listener(result)
      else early = result
    },
    listen(given: (result: { beep: boolean }) => void) {
      listener = given
      if (early) given(early)
      early = undefined
    },
  }
}
