import type { ToolUse, Turn } from '../../agents/turn.ts'
import { type RequestedAction, type RequestedTransfer, takeAnswer } from './answer.ts'
import type { ConversationSetup, EndedReason, TurnLatency } from './contract.ts'
import type { ConversationReport } from './conversation-report.ts'
import { fallbackPhrase, givingUpPhrase, isBackChannel } from './phrases.ts'
import { createSentenceCutter } from './sentences.ts'
import type { SpeechOutput } from './speech-output.ts'

/**
 * Turn-taking: passes the caller's turns to the agent and the agent's sentences to the speech output, and handles
 * barge-in, failures and the agent's requested actions.
 *
 * Barge-in: 500 ms of caller speech pause the output. If the transcript shows real words, the utterance is cut there
 * and the caller is answered; if it was noise or a back-channel ("mhm"), the output resumes.
 */
export interface Dialogue {
  /** Says a fixed text instead of an answer. `then` runs once it was played. */
  say(text: string, then?: () => void): void
  /** The caller is speaking; `voicedMs` of the turn were voiced so far. */
  callerSpeech(voicedMs: number): void
  /** Partial transcript of the caller's current turn. */
  callerPartial(text: string): void
  /** The caller's turn is over. `text` is empty if it contained no words. */
  callerTurn(text: string, timing?: TurnTiming): void
  /** The transcriber failed: says the fallback phrase, or gives up after the second failure in a row. */
  apologize(): void
  /** Resumes output that was paused for a barge-in, as a false alarm. */
  resume(): void
  agentStarted(): void
  agentFinished(): void
  voiceFailed(error: unknown): void
  voiceSucceeded(): void
  /** Ignores the caller from now on: no barge-in, no further turns. */
  ignoreCaller(): void
  /** Whether a stage failed so often that the agent gave up. */
  hasGivenUp(): boolean
  /** Stops speaking, adds what was played to the transcript and ignores the caller from now on. */
  close(): void
}

/** Milliseconds of `performance.now()`, except `at`. */
interface TurnTiming {
  /** When the caller stopped speaking, in seconds since the start of the call. */
  at: number
  spokeUntil: number
  endpointedAt: number
  transcribedAt: number
}

/** What the agent is saying: an answer to the caller, or a fixed text. */
interface Utterance {
  /** The caller's words that it answers; empty for a fixed text. */
  heard: string
  tools: ToolUse[]
  requestedAction: RequestedAction | undefined
  abort: AbortController
  startedAt: number
  timing: (TurnTiming & { textAt: number; sentenceAt: number }) | undefined
  /** It contains the fallback phrase, or the announcement that the agent gives up. */
  hasApologized: boolean
  /** Runs once the utterance was played. */
  then: (() => void) | undefined
}

interface DialogueOptions {
  setup: ConversationSetup
  report: ConversationReport
  output: SpeechOutput
  /** Milliseconds on the call's clock. */
  now(): number
  end(reason: EndedReason, requestedAction?: RequestedAction): void
  /** Transfers the call; ends it if that fails. */
  transfer(requested: RequestedTransfer): void
}

/** Barge-in: voiced speech of the caller that pauses a speaking agent. */
const bargeInMs = 500
/** Voiced speech of the caller that cancels an answer which has not started to play. */
const continuedTurnMs = 200
/** With barge-in enabled, a back-channel counts as an answer if it came at most this long before the agent finished. */
const overlapMs = 1_500
/** Consecutive failures after which the agent gives up and the call is transferred or ended. */
const maxFailures = 2
/** The call ends after this time even if its closing phrase was not played completely. */
export const closingTimeoutMs = 15_000

export function createDialogue({ setup, report, output, now, end, transfer }: DialogueOptions): Dialogue {
  const { agent, limits, converse } = setup
  const history: Turn[] = []
  /** Caller turns without an answer. They are joined with the next turn. */
  let unanswered: string[] = []
  /** What the caller said without interrupting the agent. Answered once the agent has finished. */
  let deferred: { text: string; at: number; timing: TurnTiming | undefined } | undefined
  let current: Utterance | undefined
  let consecutiveFailures = 0
  let consecutiveVoiceFailures = 0
  let ignoresCaller = false
  let gaveUp = false

  function begin(heard: string, then?: () => void): Utterance {
    const utterance: Utterance = {
      heard,
      tools: [],
      requestedAction: undefined,
      abort: new AbortController(),
      startedAt: 0,
      timing: undefined,
      hasApologized: false,
      then,
    }
    current = utterance
    output.begin()
    return utterance
  }

  /** Cuts the current utterance off where it is. */
  function stop(how: { interrupted: boolean }): void {
    const utterance = current
    if (!utterance) return
    current = undefined
    utterance.abort.abort(new Error('The turn is over.'))
    output.cut()
    recordPlayed(utterance, how)
  }

  /** Adds what was played of the utterance to the transcript and the history. */
  function recordPlayed({ heard, tools, startedAt }: Utterance, { interrupted }: { interrupted: boolean }): void {
    const text = output.playedText()
    if (text) {
      report.addSegment({ speaker: 'agent', text, timestamp: startedAt, ...(interrupted && { interrupted }) })
      if (heard) {
        history.push({ speaker: 'caller', text: heard })
        unanswered = []
      }
      history.push({ speaker: 'agent', text, ...(tools.length > 0 && { tools }) })
    }
    if (output.hasStarted()) report.emit({ type: 'agent.speech_stopped' })
  }

  /** Asks the agent for an answer to this turn, and to earlier ones without an answer, and says it as it arrives. */
  async function answer(text: string, timing: TurnTiming | undefined): Promise<void> {
    stop({ interrupted: output.hasStarted() })
    unanswered.push(text)
    const heard = unanswered.join(' ')
    const utterance = begin(heard)
    utterance.timing = timing && { ...timing, textAt: 0, sentenceAt: 0 }
    report.usage.model.turns++
    const { signal } = utterance.abort
    try {
      const { tools, requestedAction } = await takeAnswer(converse({ history: [...history], heard, signal }), {
        report,
        signal,
        timeoutMs: limits.modelTimeoutMs ?? 10_000,
        toolTimeoutMs: 130_000,
        onFirstText() {
          if (utterance.timing) utterance.timing.textAt = performance.now()
        },
        say(sentence) {
          if (signal.aborted) return
          if (utterance.timing) utterance.timing.sentenceAt ||= performance.now()
          output.say(sentence)
        },
      })
      utterance.tools = tools
      utterance.requestedAction = requestedAction
      consecutiveFailures = 0
    } catch (error) {
      if (signal.aborted) return
      report.addFailure('model', error)
      consecutiveFailures++
      utterance.hasApologized = true
      if (consecutiveFailures >= maxFailures) giveUp(utterance)
      else output.say(fallbackPhrase(agent))
    }
    if (current === utterance) output.end()
  }

  /** Announces what happens next, after any sentences that are already queued, then ends or transfers the call. */
  function giveUp(utterance: Utterance): void {
    gaveUp = true
    ignoresCaller = true
    if (output.isPaused()) output.resume()
    utterance.hasApologized = true
    utterance.then = endOrTransfer
    for (const sentence of sentencesOf(givingUpPhrase(agent))) output.say(sentence)
    const onTimeout = () => {
      if (current === utterance) endOrTransfer()
    }
    // In case that the announcement is never played to its end.
    setTimeout(onTimeout, closingTimeoutMs).unref()
  }

  function endOrTransfer(): void {
    gaveUp = true
    const to = agent.givingUp?.transferTo
    if (to === undefined) end('failed')
    else transfer({ type: 'transfer', to, reason: 'The agent had repeated technical problems' })
  }

  function carryOut(requestedAction: RequestedAction): void {
    const { type, reason } = requestedAction
    if (type === 'handoff') report.emit({ type, reason })
    if (type === 'transfer') transfer(requestedAction)
    else end(type === 'handoff' ? 'handed_off' : 'agent_ended', requestedAction)
  }

  return {
    say(text, then) {
      stop({ interrupted: true })
      begin('', then)
      for (const sentence of sentencesOf(text)) output.say(sentence)
      output.end()
    },
    callerSpeech(voicedMs) {
      if (ignoresCaller || !current) return
      if (!output.hasStarted()) {
        // The caller continued before the answer started, so the answer is to an incomplete turn.
        if (voicedMs >= continuedTurnMs && current.heard) stop({ interrupted: false })
      } else if (agent.interruptible && voicedMs >= bargeInMs && !output.isPaused()) output.pause()
    },
    callerPartial(text) {
      report.emit({ type: 'transcript.partial', speaker: 'caller', text })
      if (ignoresCaller || !output.isPaused() || isBackChannel(text)) return
      report.emit({ type: 'interruption', falseAlarm: false })
      stop({ interrupted: true })
    },
    callerTurn(text, timing) {
      if (ignoresCaller) return
      const speaking = current !== undefined && output.hasStarted()
      if (text === '' || (speaking && (!agent.interruptible || isBackChannel(text)))) {
        if (text) deferred = { text: deferred ? `${deferred.text} ${text}` : text, at: now(), timing }
        this.resume()
        return
      }
      if (speaking) report.emit({ type: 'interruption', falseAlarm: false })
      void answer(text, timing)
    },
    resume() {
      if (!output.isPaused()) return
      report.emit({ type: 'interruption', falseAlarm: true })
      output.resume()
    },
    apologize() {
      if (ignoresCaller) return
      consecutiveFailures++
      if (current) this.resume()
      else if (consecutiveFailures >= maxFailures) {
        giveUp(begin(''))
        output.end()
      } else this.say(fallbackPhrase(agent))
    },
    agentStarted() {
      if (!current) return
      current.startedAt = report.seconds()
      report.emit({ type: 'agent.speech_started' })
      const { timing } = current
      if (timing) report.latency.push(latencyOf(timing, performance.now()))
    },
    agentFinished() {
      const utterance = current
      if (!utterance) return
      current = undefined
      recordPlayed(utterance, { interrupted: false })
      const said = deferred
      deferred = undefined
      if (utterance.then) utterance.then()
      else if (utterance.requestedAction) carryOut(utterance.requestedAction)
      else if (said && !ignoresCaller && (!agent.interruptible || now() - said.at < overlapMs))
        void answer(said.text, said.timing)
    },
    voiceFailed(error) {
      report.addFailure('voice', error)
      const apologyFailed = current?.hasApologized && !output.hasStarted()
      if (++consecutiveVoiceFailures >= maxFailures || apologyFailed) endOrTransfer()
      else if (current && !current.hasApologized) {
        current.hasApologized = true
        output.say(fallbackPhrase(agent))
      }
    },
    voiceSucceeded() {
      consecutiveVoiceFailures = 0
    },
    ignoreCaller() {
      ignoresCaller = true
      this.resume()
    },
    hasGivenUp: () => gaveUp,
    close() {
      ignoresCaller = true
      stop({ interrupted: true })
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
