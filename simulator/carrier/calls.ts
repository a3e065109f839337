import { randomBytes } from 'node:crypto'
import type { Log } from '../../server/platform/log.ts'
import { type Behaviour, behaviourOf, defaultScript, randomFrom } from './behaviours.ts'
import { type Callbacks, sign } from './callbacks.ts'
import { type PersonSpeech, talk } from './person.ts'
import { type Phone, pickUp } from './phone.ts'
import { type CallPlan, factsOf, isEnded, type SimulatedCall } from './simulated-call.ts'
import { readTwiml, type Verb } from './twiml.ts'

export interface SimulatedCalls {
  place(plan: CallPlan): SimulatedCall
  find(sid: string): SimulatedCall | undefined
  all(): SimulatedCall[]
  /** False when it was over already. */
  end(sid: string): boolean
  /** New instructions for a connected call. False when it was over already. */
  instruct(sid: string, twiml: string): boolean
  close(): Promise<void>
}

interface CallsOptions {
  callbacks: Callbacks
  speech(): PersonSpeech
  /** Divides the waits of the carrier and its people, never the audio. */
  wait(ms: number): number
  log: Log
}

const mostRemembered = 10_000

export function createCalls({ callbacks, speech, wait, log }: CallsOptions): SimulatedCalls {
  const calls = new Map<string, SimulatedCall>()
  const live = new Map<
    string,
    {
      ending: AbortController
      phone: Phone | undefined
      /** New instructions: followed once the stream has stopped. */
      instructions: Verb[] | undefined
      sequence: number
      done: Promise<void>
    }
  >()

  const pause = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait(ms))
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })

  function tell(call: SimulatedCall, status: string, more: Record<string, string> = {}): void {
    const running = live.get(call.sid)
    if (!call.statusUrl || !running) return
    const form = {
      ...factsOf(call),
      CallStatus: status,
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(running.sequence++),
      Timestamp: new Date().toUTCString().replace('GMT', '+0000'),
      ...more,
    }
    callbacks.tell(call.statusUrl, form, call.authToken)
  }
  function finish(call: SimulatedCall, status: string, isTold: boolean): void {
    if (isEnded(call)) return
    call.status = status
    call.endedAt = Date.now()
    const seconds = call.answeredAt === undefined ? 0 : Math.round((call.endedAt - call.answeredAt) / 1000)
    if (isTold) tell(call, status, { CallDuration: String(seconds), Duration: String(Math.ceil(seconds / 60)) })
  }

  /** From the first ring to the end, as the number's behaviour says. */
  async function liveThrough(call: SimulatedCall, signal: AbortSignal): Promise<void> {
    const behaviour: Behaviour = call.direction === 'inbound' ? { answers: 'person' } : behaviourOf(call.to)
    const random = randomFrom(call.seed)
    const ended = (status: string) => finish(call, status, true)
    if (call.direction === 'outbound-api') {
      tell(call, 'initiated')
      await pause(200, signal)
      if (signal.aborted) return ended('canceled')
      call.status = 'ringing'
      tell(call, 'ringing')
      if (behaviour.answers === 'nobody') await pause(call.ringSeconds * 1000, signal)
      else await pause(600 + random() * 1_200, signal)
      if (signal.aborted) return ended('canceled')
      if (behaviour.answers === 'nobody') return ended('no-answer')
      if (behaviour.answers === 'busy') return ended('busy')
    }
    call.answeredAt = Date.now()
    call.status = call.direction === 'inbound' ? 'ringing' : 'in-progress'
    if (call.direction === 'outbound-api') tell(call, 'in-progress')
    if (call.machineUrl) detect(call, behaviour, signal)
    const document = await callbacks.ask(call.answerUrl, factsOf(call), call.authToken)
    const verbs = document === undefined ? undefined : readTwiml(document)
    if (!verbs) return ended(call.direction === 'inbound' ? 'failed' : 'completed')
    const isTold = await follow(call, verbs, behaviour, random, signal)
    finish(call, call.status === 'ringing' ? 'busy' : 'completed', isTold)
  }

  /** Whether the end is reported; a vanishing carrier does not. */
  async function follow(
    call: SimulatedCall,
    verbs: Verb[],
    behaviour: Behaviour,
    random: () => number,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (const verb of verbs) {
      if (signal.aborted) return true
      if (verb.verb === 'reject' || verb.verb === 'hangup') return true
      call.status = 'in-progress'
      if (verb.verb === 'say') call.said.push(verb.text)
      else if (verb.verb === 'dial') {
        const next = await connect(call, verb)
        if (next) return follow(call, next, behaviour, random, signal)
      } else if (verb.verb === 'stream') {
        const why = await stream(call, verb, behaviour, random, signal)
        if (why === 'vanished') return false
        const running = live.get(call.sid)
        const instructions = running?.instructions
        if (running) running.instructions = undefined
        if (instructions && !signal.aborted) return follow(call, instructions, behaviour, random, signal)
        if (why === 'hung_up' || signal.aborted) return true
        const document = verb.action && (await callbacks.ask(verb.action, factsOf(call), call.authToken))
        return follow(call, (document && readTwiml(document)) || [], behaviour, random, signal)
      }
    }
    return true
  }

  /**
   * Connects the caller to another number, which answers as its own behaviour says; a person presses a key after a
   * briefing. Their talk takes no time. Returns the instructions for the caller afterwards.
   */
  async function connect(
    call: SimulatedCall,
    { number, action, briefingUrl }: Verb & { verb: 'dial' },
  ): Promise<Verb[] | undefined> {
    call.dialed.push(number)
    const answers = behaviourOf(number).answers
    const leg = {
      ...factsOf(call),
      CallSid: `CA${randomBytes(16).toString('hex')}`,
      ParentCallSid: call.sid,
      To: number,
    }
    let isConnected = answers === 'person' || answers === 'machine'
    if (isConnected && briefingUrl) {
      const document = await callbacks.ask(briefingUrl, leg, call.authToken)
      const [gather] = (document && readTwiml(document)) || []
      if (gather?.verb === 'gather') call.briefed.push(gather.text)
      isConnected = gather?.verb === 'gather' && answers === 'person'
      if (isConnected && gather?.verb === 'gather' && gather.action)
        await callbacks.ask(gather.action, { ...leg, Digits: '1' }, call.authToken)
    }
    if (!action) return undefined
    const status = answers === 'busy' ? 'busy' : answers === 'nobody' ? 'no-answer' : 'completed'
    const form = {
      ...factsOf(call),
      DialCallStatus: status,
      DialBridged: String(isConnected),
      DialCallSid: leg.CallSid,
    }
    const document = await callbacks.ask(action, form, call.authToken)
    return (document && readTwiml(document)) || []
  }

  async function stream(
    call: SimulatedCall,
    { url, parameters }: Verb & { verb: 'stream' },
    behaviour: Behaviour,
    random: () => number,
    signal: AbortSignal,
  ): Promise<'hung_up' | 'closed' | 'vanished'> {
    const { accountSid, authToken, sid } = call
    const streamSid = `MZ${randomBytes(16).toString('hex')}`
    const signature = sign(url, {}, authToken)
    const onKey = (key: string) => {
      call.pressed += key
    }
    const options = { url, accountSid, callSid: sid, streamSid, parameters, signature, onKey }
    const phone = await pickUp(options).catch((error) => {
      log.warn({ err: error, url }, 'simulated carrier: opening the media stream failed')
      return undefined
    })
    if (!phone) return 'closed'
    const running = live.get(sid)
    if (running) running.phone = phone
    const hangUp = () => phone.hangUp()
    signal.addEventListener('abort', hangUp)
    try {
      await talk({ phone, behaviour, script: call.script, speech: speech(), wait: (ms) => pause(ms), random })
      if (behaviour.vanishes && !signal.aborted) {
        phone.vanish()
        await phone.over
        return 'vanished'
      }
      phone.hangUp()
      return await phone.over
    } finally {
      signal.removeEventListener('abort', hangUp)
      phone.hangUp()
    }
  }

  /** Who answered, a moment after the answer: at the end of a machine's greeting if that was requested. */
  function detect(call: SimulatedCall, behaviour: Behaviour, signal: AbortSignal): void {
    const isMachine = behaviour.answers === 'machine'
    const afterMs = isMachine && call.waitsForGreeting ? 6_500 : 1_500
    const verdict = isMachine ? (call.waitsForGreeting ? 'machine_end_beep' : 'machine_start') : 'human'
    // The greeting is audio, which no setting shortens.
    const waited =
      isMachine && call.waitsForGreeting ? new Promise<void>((resolve) => setTimeout(resolve, afterMs)) : pause(afterMs)
    void waited.then(() => {
      if (isEnded(call) || signal.aborted || !call.machineUrl) return
      const form = { ...factsOf(call), AnsweredBy: verdict, MachineDetectionDuration: String(afterMs) }
      callbacks.tell(call.machineUrl, form, call.authToken)
    })
  }

  function forgetOldest(): void {
    for (const [sid, call] of calls) {
      if (calls.size < mostRemembered) return
      if (isEnded(call)) calls.delete(sid)
    }
  }

  return {
    place(plan) {
      forgetOldest()
      const sid = `CA${randomBytes(16).toString('hex')}`
      const call: SimulatedCall = {
        waitsForGreeting: false,
        ringSeconds: 60,
        script: defaultScript,
        seed: sid,
        ...plan,
        sid,
        status: 'queued',
        createdAt: Date.now(),
        answeredAt: undefined,
        endedAt: undefined,
        said: [],
        dialed: [],
        briefed: [],
        pressed: '',
      }
      calls.set(sid, call)
      const ending = new AbortController()
      const running = { ending, phone: undefined, instructions: undefined, sequence: 0, done: Promise.resolve() }
      live.set(sid, running)
      running.done = liveThrough(call, ending.signal)
        .catch((error) => {
          log.error({ err: error }, 'simulated carrier: call failed')
          finish(call, 'failed', true)
        })
        .finally(() => live.delete(sid))
      return call
    },
    find: (sid) => calls.get(sid),
    all: () => [...calls.values()],
    end(sid) {
      const call = calls.get(sid)
      if (!call || isEnded(call)) return false
      live.get(sid)?.ending.abort()
      return true
    },
    instruct(sid, twiml) {
      const call = calls.get(sid)
      if (!call || isEnded(call)) return false
      const running = live.get(sid)
      if (running) running.instructions = readTwiml(twiml) ?? []
      running?.phone?.hangUp()
      return true
    },
    async close() {
      const running = [...live.values()]
      for (const { ending } of running) ending.abort()
      await Promise.all(running.map(({ done }) => done))
    },
  }
}
