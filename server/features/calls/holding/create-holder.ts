import type { Database } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { type Loop, startLoop } from '../../../platform/loop.ts'
import { hashToken } from '../../../platform/secrets.ts'
import type { Signals } from '../../../platform/signals.ts'
import type { ConversationEvent, Line } from '../conversation/contract.ts'
import {
  enterNode,
  isTicketOf,
  type Joined,
  joinCall,
  leaveNode,
  stayAlive,
  type TicketOf,
} from '../progress-queries.ts'
import { type HolderNews, listenAsHolder } from '../signals.ts'
import { type HoldDependencies, holdCall } from './hold-call.ts'

/** The calls whose sockets this process has. */
export interface Holder {
  /** Whether this ticket would let a socket join this call. It is not spent. */
  isExpected(ticket: string, callId: string): Promise<boolean>
  /** Spends the ticket, if it is one of that call; else nothing changes. From here on this process ends the call. */
  join(ticket: string, of: TicketOf): Promise<Joined | undefined>
  /** Resolves when the call is over and written down. */
  hold(joined: Joined, line: Line, onEvent?: (event: ConversationEvent) => void): Promise<void>
  /** Ends what runs and waits until it is written down. */
  close(): Promise<void>
}

/** Several heartbeats may be late before the process counts as dead. */
const heartbeatMs = 3_000
/** From the joining to the first word: opening the agent takes far less. */
const joiningSeconds = 60
/** After the carrier said that a call is over its socket closes; if it does not, we close it. */
const afterOverMs = 5_000

interface Held {
  ending: AbortController
  hearMachine: (news: { beep: boolean }) => void
  done: Promise<void>
}

export function createHolder(deps: HoldDependencies & { signals: Signals; database: Database; log: Log }): Holder {
  const { database, log, signals } = deps
  const system = database.forSystem()
  const held = new Map<string, Held>()
  let nodeId: string | undefined
  let heartbeat: Loop | undefined
  let entering: Promise<string> | undefined

  /** A process that never holds a call leaves no trace in the books. */
  const enter = () => {
    entering ??= enterBooks()
    entering.catch(() => {
      entering = undefined
    })
    return entering
  }
  const enterBooks = async () => {
    const id = newId()
    await enterNode(system, id)
    nodeId = id
    heartbeat ??= startLoop(
      log,
      { fault: 'saying that this process holds calls met a fault and goes on', afterFailureMs: 1_000 },
      async () => {
        if (nodeId && !(await stayAlive(system, nodeId))) {
          log.warn({ node: nodeId }, 'this process was given up for dead: the calls it held were ended')
          nodeId = undefined
          entering = undefined
          for (const { ending } of held.values()) ending.abort()
          await enter()
        }
        return heartbeatMs
      },
    )
    return id
  }

  const hear = (news: HolderNews) => {
    const call = held.get(news.callId)
    if (!call) return
    if (news.news === 'end') call.ending.abort()
    else if (news.news === 'machine') call.hearMachine({ beep: news.beep })
    else setTimeout(() => call.ending.abort('line_lost'), afterOverMs).unref()
  }
  const stopListening = listenAsHolder(signals, hear)

  return {
    isExpected: (ticket, callId) => isTicketOf(system, callId, hashToken(ticket)),
    async join(ticket, of) {
      const holderId = await enter()
      return joinCall(system, { hash: hashToken(ticket), of, holderId, deadlineSeconds: joiningSeconds })
    },
    hold(joined, line, onEvent) {
      const ending = new AbortController()
      const machine = machineNews(joined.answered_by)
      const withMachine: Line = { ...line, onMachine: machine.listen }
      const done = holdCall(
        { joined, line: withMachine, signal: ending.signal, ...(onEvent && { onEvent }) },
        deps,
      ).finally(() => held.delete(joined.id))
      held.set(joined.id, { ending, hearMachine: machine.hear, done })
      return done
    },
    async close() {
      for (const { ending } of held.values()) ending.abort()
      await Promise.all([...held.values()].map(({ done }) => done))
      stopListening()
      await heartbeat?.close()
      if (nodeId) await leaveNode(system, nodeId)
    },
  }
}

/** The carrier may have found out before the socket came, and may find out twice. */
function machineNews(answeredBy: string | null) {
  let listener: ((news: { beep: boolean }) => void) | undefined
  let early =
    answeredBy && /^(machine|fax)/.test(answeredBy) ? { beep: answeredBy.startsWith('machine_end') } : undefined
  return {
    hear(news: { beep: boolean }) {
      if (listener) listener(news)
      else early = news
    },
    listen(given: (news: { beep: boolean }) => void) {
      listener = given
      if (early) given(early)
      early = undefined
    },
  }
}
