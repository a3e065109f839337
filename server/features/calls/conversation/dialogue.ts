import { frameMs } from '../../../providers/speech/contract.ts'
import { createAnswering } from './answering.ts'
import type { ConversationSetup, EndedReason } from './contract.ts'
import type { ConversationReport } from './conversation-report.ts'
import type { CallPhrases } from './phrases.ts'
import type { RequestedAction, RequestedTransfer } from './read-answer.ts'
import type { SpeechOutput } from './speech-output.ts'
import { endingOf, judgeOverlap, plainWords, sensitivities } from './turn-rules.ts'
import type { TurnTiming } from './turn-timing.ts'
import { createUtterances } from './utterances.ts'

/**
 * Turn-taking: decides who speaks. Passes the caller's turns to the agent, and handles barge-in. `answering.ts` has what
 * the agent says, `utterances.ts` what of it was played.
 *
 * Barge-in: 180 ms of caller speech lower the output, 500 ms pause it. `judgeOverlap` then decides by the transcript and
 * the length of the sound. If the caller wants the turn, the utterance is cut there and the caller is answered; after
 * noise, a back-channel ("mhm") or an echo, the output resumes.
 *
 * `voicedMs` is the voiced part of the caller's current turn, without what the voice detector may have added.
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
   * The caller is speaking; `text` was recognized so far. `detectedMs` is the voiced part with what the detector may have
   * added. Returns whether the turn before turned out not to have been over.
   */
  callerSpeech(text: string, voicedMs: number, detectedMs: number): boolean
  /** A partial transcript of the caller's current turn arrived. */
  callerPartial(text: string, voicedMs: number): void
  /** The caller fell silent for a moment: speaks at full level again, unless the output is paused. */
  callerSilent(): void
  /** The caller pauses and may go on, and the transcript of the turn until now arrived. */
  callerPaused(text: string, voicedMs: number): void
  /** A part of the caller's long turn was transcribed. `callerTurn` follows. */
  callerGoesOn(text: string): void
  /** The caller's turn is over. `text` is empty if it contained no words, or none that could be understood. */
  callerTurn(text: string, timing?: TurnTiming, wasUnclear?: boolean): void
  /** The caller's turn was only noise: resumes output that was paused for it. */
  callerMadeNoise(): void
  /** The caller's turn could not be transcribed. */
  transcriberFailed(): void

  /** The first audio of the agent's utterance was sent. */
  agentStarted(): void
  /** All of it was played. */
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

export function createDialogue({ setup, report, output, phrases, now, end, transfer }: DialogueOptions): Dialogue {
  const { agent } = setup
  const turnTaking = {
    minWords: agent.turnTaking?.min_words ?? 1,
    sensitivity: agent.turnTaking?.sensitivity ?? 'medium',
    stopWords: agent.turnTaking?.stop_words ?? [],
  }
  let ignoresCaller = false
  const onGivingUp = () => {
    ignoresCaller = true
  }
  const utterances = createUtterances({ output, report, isInterruptible: agent.interruptible })
  const answering = createAnswering({ setup, report, output, phrases, utterances, onGivingUp, end, transfer })
  /** What the agent says from the start of the caller's turn. */
  let agentSaid = () => ''
  /** The caller's current turn has stopped the agent. */
  let hasStoppedAgent = false
  /** The agent asks once: a radio in the background would make it ask again and again. */
  let hasAskedAgain = false
  /** What the caller said without interrupting the agent. Answered once the agent has finished. */
  let deferred: { text: string; at: number; timing: TurnTiming | undefined } | undefined

  const isSpeaking = (): boolean => utterances.current !== undefined && output.hasStarted()

  /** Stops the agent if what the caller has said until now interrupts it. Returns whether it did. */
  function stopIfInterrupted(text: string, voicedMs: number): boolean {
    const overlap = { text, voicedMs, agentSaid: agentSaid(), language: phrases.language(), ...turnTaking }
    if (judgeOverlap(overlap) !== 'interrupts') return false
    report.emit({ type: 'interruption', falseAlarm: false })
    utterances.stop({ interrupted: true })
    hasStoppedAgent = true
    return true
  }

  /** Whether a finished turn interrupts. Keys always do. An echo was removed before. */
  function isInterruption(text: string, timing: TurnTiming | undefined): boolean {
    if (!utterances.current?.isInterruptible) return false
    if (!timing) return true
    const { voicedMs } = timing
    const overlap = { text, voicedMs, agentSaid: '', language: phrases.language(), ...turnTaking }
    return judgeOverlap(overlap) === 'interrupts'
  }

  function defer(text: string, timing: TurnTiming | undefined): void {
    deferred = { text: deferred ? `${deferred.text} ${text}` : text, at: now(), timing }
  }

  /** Resumes output that was paused for the caller, as a false alarm. */
  function resume(): void {
    if (!output.isPaused()) return
    report.emit({ type: 'interruption', falseAlarm: true })
    output.resume()
  }

  function turnWithoutWords(timing: TurnTiming | undefined, wasUnclear: boolean): void {
    const agentIsSilent = utterances.current === undefined
    // The sound stopped the answer to the turn before, which is still to be answered.
    if (agentIsSilent && utterances.unanswered.length > 0) return void answering.answer('', timing)
    const mustAskAgain = hasStoppedAgent || (wasUnclear && !hasAskedAgain)
    hasStoppedAgent = false
    if (agentIsSilent && mustAskAgain) {
      hasAskedAgain = true
      answering.say(phrases.get('not_understood'))
      return
    }
    answering.discardEarly()
    resume()
  }

  return {
    say(text, then) {
      answering.say(text, then)
    },
    welcome(text) {
      const utterance = answering.say(text)
      if (agent.turnTaking?.welcome_interruptible === false) utterance.isInterruptible = false
    },
    remind() {
      if (!utterances.current && !ignoresCaller) answering.say(phrases.get('silence_reminder')).isReminder = true
    },
    isReminding: () => utterances.current?.isReminder === true,
    isSpeaking,

    callerStarted() {
      agentSaid = agentSaidFromNow()
      return agentSaid
    },
    callerSpeech(text, voicedMs, detectedMs) {
      answering.callerSpoke(detectedMs)
      const { current } = utterances
      if (ignoresCaller || !current) return false
      if (!output.hasStarted()) {
        // The caller continued before the answer started, so the answer is to an incomplete turn.
        const isIncomplete = detectedMs >= continuedTurnMs && current.heard !== ''
        if (isIncomplete) utterances.stop({ interrupted: false })
        return isIncomplete
      }
      if (!current.isInterruptible) return false
      const { lowerMs, pauseMs, burstMs } = sensitivities[turnTaking.sensitivity]
      if (detectedMs >= lowerMs) output.lower()
      if (detectedMs >= pauseMs) output.pause()
      // At the frame that makes the sound long enough, the words that arrived before decide.
      const isLongEnoughNow = voicedMs >= burstMs && voicedMs - frameMs < burstMs
      if (output.isPaused() && isLongEnoughNow) stopIfInterrupted(text, voicedMs)
      return false
    },
    callerPartial(text, voicedMs) {
      report.emit({ type: 'transcript.partial', speaker: 'caller', text })
      if (!ignoresCaller && utterances.current?.isInterruptible && output.hasStarted())
        stopIfInterrupted(text, voicedMs)
    },
    callerSilent() {
      if (!output.isPaused()) output.resume()
    },
    callerPaused(text, voicedMs) {
      if (ignoresCaller || text === '') return
      if (isSpeaking()) {
        if (!utterances.current?.isInterruptible) return
        // After a back-channel or a short sound, the agent goes on without waiting for the end of the turn.
        if (!stopIfInterrupted(text, voicedMs)) return resume()
      }
      if (endingOf(text, phrases.language()) !== 'open') answering.startEarly(text)
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
      if (text === '') return turnWithoutWords(timing, wasUnclear)
      hasStoppedAgent = false
      hasAskedAgain = false
      const speaking = isSpeaking()
      if (speaking && !isInterruption(text, timing)) {
        defer(text, timing)
        answering.discardEarly()
        resume()
        return
      }
      if (speaking) report.emit({ type: 'interruption', falseAlarm: false })
      void answering.answer(text, timing)
    },
    callerMadeNoise: resume,
    transcriberFailed() {
      answering.discardEarly()
      if (ignoresCaller) return
      answering.transcriberFailed()
      resume()
    },

    agentStarted: answering.utteranceStarted,
    agentFinished() {
      const utterance = utterances.finish()
      if (!utterance) return
      const said = deferred
      deferred = undefined
      if (answering.utteranceFinished(utterance)) return
      if (said && !ignoresCaller && (!utterance.isInterruptible || now() - said.at < overlapMs))
        void answering.answer(said.text, said.timing)
    },
    voiceFailed: answering.voiceFailed,
    voiceSucceeded: answering.voiceSucceeded,

    ignoreCaller() {
      ignoresCaller = true
      answering.discardEarly()
      resume()
    },
    hasGivenUp: answering.hasGivenUp,
    close() {
      ignoresCaller = true
      answering.discardEarly()
      utterances.stop({ interrupted: true })
    },
  }

  function agentSaidFromNow(): () => string {
    const utterance = utterances.current
    if (!utterance || !output.hasStarted()) return () => ''
    const from = Math.max(0, plainWords(output.playedText()).length - 1)
    return () =>
      plainWords(utterance === utterances.current ? output.startedText() : utterance.startedText)
        .slice(from)
        .join(' ')
  }
}
