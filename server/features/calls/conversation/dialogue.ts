import { frameMs } from '../../../providers/speech/contract.ts'
import { type RequestedAction, type RequestedTransfer, takeAnswer } from './answer.ts'
import type { ConversationLimits, ConversationSetup, EndedReason } from './contract.ts'
import type { ConversationReport } from './conversation-report.ts'
import { createEarlyAnswers } from './early-answer.ts'
import type { CallPhrases } from './phrases.ts'
import { createSentenceCutter } from './sentences.ts'
import type { SpeechOutput } from './speech-output.ts'
import { readSigns } from './spoken/read-signs.ts'
import { endingOf, judgeOverlap, plainWords, sensitivities } from './turn-rules.ts'
import { latencyOf, type TurnTiming } from './turn-timing.ts'
import { createUtterances, type Utterance } from './utterances.ts'

/**
 * Turn-taking: passes the caller's turns to the agent and the agent's sentences to the speech output, and handles
 * barge-in, failures and the agent's requested actions.
 *
 * Barge-in: 180 ms of caller speech lower the output, 500 ms pause it. `judgeOverlap` then decides by the transcript and
 * the length of the sound. If the caller wants the turn, the utterance is cut there and the caller is answered; after noise, a
 * back-channel ("mhm") or an echo, the output resumes.
 */
export interface Dialogue {
  /** Says a fixed text instead of an answer. `then` runs once it was played. */
  say(text: string, then?: () => void): void
  /** Says the welcome message, which some agents do not let the caller interrupt. */
  welcome(text: string): void
  /** Asks whether the caller is still there. */
  remind(): void
  isReminding(): boolean
  /** Whether audio of the agent is playing or paused. */
  isSpeaking(): boolean
  /** The caller started a turn. Returns a function for what the agent says from now on, which may come back as echo. */
  callerStarted(): () => string
  /**
   * The caller is speaking; `voicedMs` of the turn were voiced so far. Returns whether the turn before turned out not to
   * have been over. `sound` leaves out what the detector may have added to the length.
   */
  callerSpeech(voicedMs: number, sound: () => CallerSound): boolean
  /** A partial transcript of the caller's current turn arrived. */
  callerPartial(sound: CallerSound): void
  /** The caller fell silent for a moment: speaks at full level again, unless the output is paused. */
  callerSilent(): void
  /** The caller pauses and may go on, and the transcript of the turn until now arrived. */
  callerPaused(sound: CallerSound): void
  /** A part of the caller's long turn was transcribed. `callerTurn` follows. */
  callerGoesOn(text: string): void
  /** The caller's turn is over. `text` is empty if it contained no words, or none that could be understood. */
  callerTurn(text: string, timing?: TurnTiming, wasUnclear?: boolean): void
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

/** The caller's current turn: its transcript, how much of it was voiced, and what the agent said from its start. */
interface CallerSound {
  text: string
  voicedMs: number
  spoken: string
}

interface DialogueOptions {
  setup: ConversationSetup
  report: ConversationReport
  output: SpeechOutput
  phrases: CallPhrases
  /** Milliseconds on the call's clock. */
  now(): number
  end(reason: EndedReason, requestedAction?: RequestedAction): void
  /** Transfers the call; ends it if that fails. */
  transfer(requested: RequestedTransfer): void
}

/** Voiced speech of the caller that cancels an answer which has not started to play. */
const continuedTurnMs = 200
/** What did not interrupt the agent counts as an answer if it came at most this long before the agent finished. */
const overlapMs = 1_500
/** A tool's `say_while_running` is not said before this much silence after the caller's turn. */
const fillerAfterMs = 700
/** The hold phrase comes after this much silence during a tool. */
const holdAfterMs = 2_000
/** Consecutive failures after which the agent gives up and the call is transferred or ended. */
const maxFailures = 2
/** Slower than any voice, also in languages that are written with one sign per syllable. */
const slowestMsPerCharacter = 300

/** How long the closing words of a call may take, in case that the far end never reports the end of their audio. */
export const closingLimitMs = (text: string, { closingTimeoutMs = 15_000 }: ConversationLimits): number =>
  closingTimeoutMs + slowestMsPerCharacter * text.length

export function createDialogue({ setup, report, output, phrases, now, end, transfer }: DialogueOptions): Dialogue {
  const { agent, limits, converse } = setup
  const turnTaking = {
    minWords: agent.turnTaking?.min_words ?? 1,
    sensitivity: agent.turnTaking?.sensitivity ?? 'medium',
    stopWords: agent.turnTaking?.stop_words ?? [],
  }
  const early = createEarlyAnswers(converse, report)
  const utterances = createUtterances({ output, report, isInterruptible: agent.interruptible })
  /** What the caller said without interrupting the agent. Answered once the agent has finished. */
  let deferred: { text: string; at: number; timing: TurnTiming | undefined } | undefined
  let consecutiveFailures = 0
  let consecutiveVoiceFailures = 0
  /** The agent asks once: a radio in the background would make it ask again and again. */
  let hasAskedAgain = false
  /** The caller's turn has stopped the agent. */
  let hasCut = false
  let ignoresCaller = false
  let gaveUp = false

  const isSpeaking = (): boolean => utterances.current !== undefined && output.hasStarted()

  /** Asks the agent for an answer to this turn, and to earlier ones without an answer, and says it as it arrives. */
  async function answer(text: string, timing: TurnTiming | undefined): Promise<void> {
    utterances.stop({ interrupted: output.hasStarted() })
    if (text) utterances.addUnanswered(text)
    const heard = toAgent(utterances.unanswered)
    const started = early.take(heard)
    const utterance = utterances.begin(heard, started)
    utterance.timing = timing && { ...timing, textAt: 0, sentenceAt: 0 }
    report.usage.model.turns++
    const { signal } = utterance.abort
    try {
      const {
        requestedAction,
        hasSaid,
        unanswered: reason,
      } = await takeAnswer(started?.events ?? converse({ history: [...utterances.history], heard, signal }), {
        report,
        signal,
        timeoutMs: limits.modelTimeoutMs ?? 10_000,
        toolTimeoutMs: 130_000,
        hold: { phrase: () => phrases.get('hold'), afterMs: limits.holdAfterMs ?? holdAfterMs },
        fillerAt: timing && timing.spokeUntil + fillerAfterMs,
        onTool: (tool) => void utterance.tools.push(tool),
        onRetrieved(retrievalMs) {
          if (utterance.timing) utterance.timing.retrievalMs = retrievalMs
        },
        onFirstText(toolsMs) {
          if (utterance.timing) Object.assign(utterance.timing, { textAt: performance.now(), toolsMs })
        },
        say(words) {
          if (signal.aborted) return
          if (utterance.timing) utterance.timing.sentenceAt ||= performance.now()
          output.say(words)
        },
      })
      utterance.requestedAction = requestedAction
      if (reason) report.unanswered.push({ question: heard, reason })
      consecutiveFailures = 0
      if (requestedAction && !hasSaid)
        for (const sentence of sentencesOf(announcing(requestedAction))) output.say(sentence)
    } catch (error) {
      if (signal.aborted) return
      report.addFailure('model', error)
      consecutiveFailures++
      utterance.hasApologized = true
      if (consecutiveFailures >= maxFailures) giveUp(utterance)
      else output.say(phrases.get('say_again'))
    }
    if (utterances.current === utterance) output.end()
  }

  /** Turns of the caller as the agent gets them. */
  const toAgent = (turns: readonly string[]): string => readSigns(turns.join(' '), phrases.language())

  /** Announces what happens next, after any sentences that are already queued, then ends or transfers the call. */
  function giveUp(utterance: Utterance): void {
    gaveUp = true
    ignoresCaller = true
    if (output.isPaused()) output.resume()
    utterance.hasApologized = true
    utterance.then = endOrTransfer
    const announcement = phrases.givingUp()
    for (const sentence of sentencesOf(announcement)) output.say(sentence)
    const onTimeout = () => {
      if (utterances.current === utterance) endOrTransfer()
    }
    // In case that the announcement is never played to its end.
    setTimeout(onTimeout, closingLimitMs(announcement, limits)).unref()
  }

  function endOrTransfer(): void {
    gaveUp = true
    const to = agent.givingUp?.transferTo
    if (to === undefined) end('failed')
    else transfer({ type: 'transfer', to, reason: 'The agent had repeated technical problems' })
  }

  /** Keys always interrupt an agent that can be interrupted. An echo was removed before. */
  function mayInterrupt(text: string, timing: TurnTiming | undefined): boolean {
    if (!utterances.current?.isInterruptible) return false
    if (!timing) return true
    const { voicedMs } = timing
    const overlap = { text, voicedMs, spoken: '', language: phrases.language(), ...turnTaking }
    return judgeOverlap(overlap) === 'interrupts'
  }

  function defer(text: string, timing: TurnTiming | undefined): void {
    deferred = { text: deferred ? `${deferred.text} ${text}` : text, at: now(), timing }
  }

  /** Stops the agent if what the caller has said until now interrupts it, and returns whether it does. */
  function interruptsNow(sound: CallerSound): boolean {
    const verdict = judgeOverlap({ ...sound, ...turnTaking, language: phrases.language() })
    if (verdict !== 'interrupts') return false
    report.emit({ type: 'interruption', falseAlarm: false })
    utterances.stop({ interrupted: true })
    hasCut = true
    return true
  }

  /** What is said before the action if the agent's answer had no words. */
  const announcing = ({ type }: RequestedAction): string => phrases.get(type === 'end_call' ? 'closing' : type)

  function carryOut(requestedAction: RequestedAction): void {
    const { type, reason } = requestedAction
    if (type === 'handoff') report.emit({ type, reason })
    if (type === 'transfer') transfer(requestedAction)
    else end(type === 'handoff' ? 'handed_off' : 'agent_ended', requestedAction)
  }

  function sayFixed(text: string, then?: () => void): Utterance {
    utterances.stop({ interrupted: true })
    const utterance = utterances.begin('', { then })
    for (const sentence of sentencesOf(text)) output.say(sentence)
    output.end()
    return utterance
  }

  return {
    say(text, then) {
      sayFixed(text, then)
    },
    welcome(text) {
      const utterance = sayFixed(text)
      if (agent.turnTaking?.welcome_interruptible === false) utterance.isInterruptible = false
    },
    remind() {
      if (!utterances.current && !ignoresCaller) sayFixed(phrases.get('silence_reminder')).isReminder = true
    },
    isReminding: () => utterances.current?.isReminder === true,
    isSpeaking,
    callerStarted() {
      const utterance = utterances.current
      if (!utterance || !output.hasStarted()) return () => ''
      const from = Math.max(0, plainWords(output.playedText()).length - 1)
      return () =>
        plainWords(utterance === utterances.current ? output.spokenText() : utterance.spoken)
          .slice(from)
          .join(' ')
    },
    callerSpeech(voicedMs, sound) {
      early.callerSpoke(voicedMs)
      const { current } = utterances
      if (ignoresCaller || !current) return false
      if (!output.hasStarted()) {
        // The caller continued before the answer started, so the answer is to an incomplete turn.
        const isIncomplete = voicedMs >= continuedTurnMs && current.heard !== ''
        if (isIncomplete) utterances.stop({ interrupted: false })
        return isIncomplete
      }
      if (!current.isInterruptible) return false
      const { lowerMs, pauseMs, burstMs } = sensitivities[turnTaking.sensitivity]
      if (voicedMs >= lowerMs) output.lower()
      if (voicedMs >= pauseMs && !output.isPaused()) output.pause()
      if (!output.isPaused()) return false
      // As soon as the sound is long enough, the words that arrived before decide.
      const heard = sound()
      if (heard.voicedMs >= burstMs && heard.voicedMs - frameMs < burstMs) interruptsNow(heard)
      return false
    },
    callerSilent() {
      if (!output.isPaused()) output.resume()
    },
    callerPartial(sound) {
      report.emit({ type: 'transcript.partial', speaker: 'caller', text: sound.text })
      if (!ignoresCaller && utterances.current?.isInterruptible && output.hasStarted()) interruptsNow(sound)
    },
    callerPaused(sound) {
      const { text } = sound
      if (ignoresCaller || text === '') return
      if (isSpeaking()) {
        if (!utterances.current?.isInterruptible) return
        // After a back-channel or a short sound, the agent goes on without waiting for the end of the turn.
        if (!interruptsNow(sound)) return this.resume()
      }
      if (endingOf(text, phrases.language()) === 'open') return
      early.start({ heard: toAgent([...utterances.unanswered, text]), history: [...utterances.history] })
    },
    callerGoesOn(text) {
      if (ignoresCaller) return
      const speaking = isSpeaking()
      if (speaking && !utterances.current?.isInterruptible) return defer(text, undefined)
      if (speaking) report.emit({ type: 'interruption', falseAlarm: false })
      utterances.stop({ interrupted: speaking })
      utterances.addUnanswered(text)
    },
    callerTurn(text, timing, wasUnclear = false) {
      if (ignoresCaller) return
      const { current } = utterances
      const speaking = isSpeaking()
      // A sound without words stopped the answer to the turn before, which is still to be answered.
      if (text === '' && !current && utterances.unanswered.length > 0) return void answer('', timing)
      const mustAskAgain = hasCut || (wasUnclear && !hasAskedAgain)
      hasCut = false
      if (text === '' && !current && mustAskAgain) {
        hasAskedAgain = true
        return this.say(phrases.get('not_understood'))
      }
      if (text) hasAskedAgain = false
      if (text === '' || (speaking && !mayInterrupt(text, timing))) {
        if (text) defer(text, timing)
        early.discard()
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
      early.discard()
      if (ignoresCaller) return
      consecutiveFailures++
      if (utterances.current) this.resume()
      else if (consecutiveFailures >= maxFailures) {
        giveUp(utterances.begin(''))
        output.end()
      } else this.say(phrases.get('say_again'))
    },
    agentStarted() {
      const { current } = utterances
      if (!current) return
      current.startedAt = report.seconds()
      report.emit({ type: 'agent.speech_started' })
      const { timing } = current
      if (timing) report.latency.push(latencyOf(timing, performance.now()))
    },
    agentFinished() {
      const utterance = utterances.finish()
      if (!utterance) return
      const said = deferred
      deferred = undefined
      if (utterance.then) utterance.then()
      else if (utterance.requestedAction) carryOut(utterance.requestedAction)
      else if (said && !ignoresCaller && (!utterance.isInterruptible || now() - said.at < overlapMs))
        void answer(said.text, said.timing)
    },
    voiceFailed(error) {
      report.addFailure('voice', error)
      const { current } = utterances
      const apologyFailed = current?.hasApologized && !output.hasStarted()
      if (++consecutiveVoiceFailures >= maxFailures || apologyFailed) endOrTransfer()
      else if (current && !current.hasApologized) {
        current.hasApologized = true
        output.say(phrases.get('say_again'))
      }
    },
    voiceSucceeded() {
      consecutiveVoiceFailures = 0
    },
    ignoreCaller() {
      ignoresCaller = true
      early.discard()
      this.resume()
    },
    hasGivenUp: () => gaveUp,
    close() {
      ignoresCaller = true
      early.discard()
      utterances.stop({ interrupted: true })
    },
  }
}

function sentencesOf(text: string): string[] {
  const cutter = createSentenceCutter()
  return [...cutter.push(text), ...cutter.flush()]
}
