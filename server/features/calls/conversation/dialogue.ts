import type { ToolUse, Turn } from '../../agents/turn.ts'
import { takeAnswer, type Wish } from './answer.ts'
import type { ConversationSetup, EndedReason, TurnLatency } from './contract.ts'
import type { Mouth } from './mouth.ts'
import type { Notes } from './notes.ts'
import { fallbackPhrase, givingUpPhrase, isBackChannel } from './phrases.ts'
import { createSentenceCutter } from './sentences.ts'

/** Who speaks when: the caller's turns go to the agent, its answers to the mouth, and either may be cut short. */
export interface Dialogue {
  /** Says something that is no answer; `then` follows once it was heard. */
  say(text: string, then?: () => void): void
  /** The caller has been speaking for so long. */
  callerSpeaks(voicedMs: number): void
  /** What the caller's turn sounds like so far. */
  callerSounds(text: string): void
  /** The caller said this, or nothing after all. */
  callerSaid(text: string, timing?: TurnTiming): void
  /** A stage before the agent failed. */
  apologise(): void
  /** Goes on if the caller's noise has led to nothing. */
  resume(): void
  agentBegan(): void
  agentDone(): void
  voiceFailed(error: unknown): void
  voiceWorked(): void
  /** From now on nothing the caller does changes anything. */
  deafen(): void
  /** Whether a stage failed so often that the agent could not go on. */
  hasGivenUp(): boolean
  /** Stops for good, and writes down what was heard until here. */
  close(): void
}

/** Real milliseconds, on the clock of `performance.now()`. */
export interface TurnTiming {
  at: number
  spokeUntil: number
  endpointedAt: number
  transcribedAt: number
}

interface Utterance {
  heard: string
  tools: ToolUse[]
  wish: Wish | undefined
  abort: AbortController
  beganAt: number
  timing: (TurnTiming & { textAt: number; sentenceAt: number }) | undefined
  apologised: boolean
  then: (() => void) | undefined
}

export interface DialogueOptions {
  setup: ConversationSetup
  notes: Notes
  mouth: Mouth
  /** The call's own time. */
  now(): number
  end(reason: EndedReason, wish?: Wish): void
}

/** So much speech counts as an interruption, and so much makes an agent that has not begun to speak wait. */
const interruptionMs = 500
const goesOnMs = 200
/** What was said just before the agent had finished is meant as an answer. */
const overlapMs = 1_500
/** Failures in a row after which the agent gives up the call: to a colleague by phone, or to one who calls back. */
const mostFaults = 2
/** How long the last words of a call may take before it ends without them. */
export const lastWordsMs = 15_000

export function createDialogue({ setup, notes, mouth, now, end }: DialogueOptions): Dialogue {
  const { agent, limits, converse } = setup
  const history: Turn[] = []
  /** What the caller said that has no answer yet. */
  let unanswered: string[] = []
  let aside: { text: string; at: number; timing: TurnTiming | undefined } | undefined
  let current: Utterance | undefined
  let faults = 0
  let voiceFaults = 0
  let deaf = false
  let gaveUp = false

  function begin(heard: string, then?: () => void): Utterance {
    const utterance: Utterance = {
      heard,
      tools: [],
      wish: undefined,
      abort: new AbortController(),
      beganAt: 0,
      timing: undefined,
      apologised: false,
      then,
    }
    current = utterance
    mouth.begin()
    return utterance
  }

  /** Ends the current utterance, wherever it is, and keeps what was heard of it. */
  function stop(interrupted: boolean): void {
    const utterance = current
    if (!utterance) return
    current = undefined
    utterance.abort.abort(new Error('The turn is over.'))
    mouth.cut()
    const text = mouth.text()
    if (text) {
      notes.segment({ speaker: 'agent', text, timestamp: utterance.beganAt, ...(interrupted && { interrupted }) })
      remember(utterance, text)
    }
    if (mouth.hasBegun()) notes.tell({ type: 'agent.speech_stopped' })
  }

  function remember({ heard, tools }: Utterance, text: string): void {
    if (heard) {
      history.push({ speaker: 'caller', text: heard })
      unanswered = []
    }
    history.push({ speaker: 'agent', text, ...(tools.length > 0 && { tools }) })
  }

  async function answer(text: string, timing: TurnTiming | undefined): Promise<void> {
    stop(mouth.hasBegun())
    unanswered.push(text)
    const heard = unanswered.join(' ')
    const utterance = begin(heard)
    utterance.timing = timing && { ...timing, textAt: 0, sentenceAt: 0 }
    notes.usage.model.turns++
    const { signal } = utterance.abort
    try {
      const { tools, wish } = await takeAnswer(converse({ history: [...history], heard, signal }), {
        notes,
        signal,
        timeoutMs: limits.modelTimeoutMs ?? 10_000,
        toolTimeoutMs: 130_000,
        onFirstText() {
          if (utterance.timing) utterance.timing.textAt = performance.now()
        },
        say(sentence) {
          if (signal.aborted) return
          if (utterance.timing) utterance.timing.sentenceAt ||= performance.now()
          mouth.say(sentence)
        },
      })
      utterance.tools = tools
      utterance.wish = wish
      faults = 0
    } catch (error) {
      if (signal.aborted) return
      notes.fault('model', error)
      faults++
      utterance.apologised = true
      if (faults >= mostFaults) giveUp(utterance)
      else mouth.say(fallbackPhrase(agent))
    }
    if (current === utterance) mouth.end()
  }

  /** The caller is told what happens next, behind what was said already; what they say meanwhile changes nothing. */
  function giveUp(utterance: Utterance): void {
    gaveUp = true
    deaf = true
    if (mouth.isHeld()) mouth.resume()
    utterance.apologised = true
    utterance.then = leave
    for (const sentence of sentencesOf(givingUpPhrase(agent))) mouth.say(sentence)
    setTimeout(leave, lastWordsMs).unref()
  }

  function leave(): void {
    gaveUp = true
    const to = agent.givingUp?.transferTo
    if (to === undefined) end('failed')
    else end('transferred', { type: 'transfer', to, reason: 'The agent could not go on' })
  }

  function carryOut(wish: Wish): void {
    if (wish.type === 'handoff') notes.tell({ type: 'handoff', reason: wish.reason })
    end(({ end_call: 'agent_ended', handoff: 'handed_off', transfer: 'transferred' } as const)[wish.type], wish)
  }

  return {
    say(text, then) {
      stop(true)
      begin('', then)
      for (const sentence of sentencesOf(text)) mouth.say(sentence)
      mouth.end()
    },
    callerSpeaks(voicedMs) {
      if (deaf || !current) return
      if (!mouth.hasBegun()) {
        // The caller goes on: what is being thought about was not the whole of it.
        if (voicedMs >= goesOnMs && current.heard) stop(false)
      } else if (agent.interruptible && voicedMs >= interruptionMs && !mouth.isHeld()) mouth.hold()
    },
    callerSounds(text) {
      notes.tell({ type: 'transcript.partial', speaker: 'caller', text })
      if (deaf || !mouth.isHeld() || isBackChannel(text)) return
      notes.tell({ type: 'interruption', falseAlarm: false })
      stop(true)
    },
    callerSaid(text, timing) {
      if (deaf) return
      const speaking = current !== undefined && mouth.hasBegun()
      if (text === '' || (speaking && (!agent.interruptible || isBackChannel(text)))) {
        if (text) aside = { text: aside ? `${aside.text} ${text}` : text, at: now(), timing }
        this.resume()
        return
      }
      if (speaking) notes.tell({ type: 'interruption', falseAlarm: false })
      void answer(text, timing)
    },
    resume() {
      if (!mouth.isHeld()) return
      notes.tell({ type: 'interruption', falseAlarm: true })
      mouth.resume()
    },
    apologise() {
      if (deaf) return
      faults++
      if (current) this.resume()
      else if (faults >= mostFaults) {
        giveUp(begin(''))
        mouth.end()
      } else this.say(fallbackPhrase(agent))
    },
    agentBegan() {
      if (!current) return
      current.beganAt = notes.seconds()
      notes.tell({ type: 'agent.speech_started' })
      const { timing } = current
      if (timing) notes.latency.push(latencyOf(timing, performance.now()))
    },
    agentDone() {
      const utterance = current
      if (!utterance) return
      const text = mouth.text()
      current = undefined
      if (text) {
        notes.segment({ speaker: 'agent', text, timestamp: utterance.beganAt })
        remember(utterance, text)
      }
      if (mouth.hasBegun()) notes.tell({ type: 'agent.speech_stopped' })
      const said = aside
      aside = undefined
      if (utterance.then) utterance.then()
      else if (utterance.wish) carryOut(utterance.wish)
      else if (said && !deaf && (!agent.interruptible || now() - said.at < overlapMs))
        void answer(said.text, said.timing)
    },
    voiceFailed(error) {
      notes.fault('voice', error)
      const isMute = current?.apologised && !mouth.hasBegun()
      if (++voiceFaults >= mostFaults || isMute) leave()
      else if (current && !current.apologised) {
        current.apologised = true
        mouth.say(fallbackPhrase(agent))
      }
    },
    voiceWorked() {
      voiceFaults = 0
    },
    deafen() {
      deaf = true
      this.resume()
    },
    hasGivenUp: () => gaveUp,
    close() {
      deaf = true
      stop(true)
    },
  }
}

function sentencesOf(text: string): string[] {
  const cutter = createSentenceCutter()
  return [...cutter.push(text), ...cutter.flush()]
}

function latencyOf(timing: TurnTiming & { textAt: number; sentenceAt: number }, audioAt: number): TurnLatency {
  const ms = (from: number, to: number) => Math.max(0, Math.round(to - from))
  return {
    at: timing.at,
    endpointingMs: ms(timing.spokeUntil, timing.endpointedAt),
    transcriberMs: ms(timing.endpointedAt, timing.transcribedAt),
    modelMs: ms(timing.transcribedAt, timing.textAt),
    voiceMs: ms(timing.sentenceAt, audioAt),
    totalMs: ms(timing.spokeUntil, audioAt),
  }
}
