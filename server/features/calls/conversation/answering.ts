import type { ConversationLimits, ConversationSetup, EndedReason } from './contract.ts'
import type { ConversationReport } from './conversation-report.ts'
import { createEarlyAnswers } from './early-answer.ts'
import type { CallPhrases } from './phrases.ts'
import { type RequestedAction, type RequestedTransfer, readAnswer } from './read-answer.ts'
import { createSentenceCutter } from './sentences.ts'
import type { SpeechOutput } from './speech-output.ts'
import { wordsToSigns } from './spoken/words-to-signs.ts'
import { latencyOf, type TurnTiming } from './turn-timing.ts'
import type { Utterance, Utterances } from './utterances.ts'

/**
 * What the agent says: its answers, fixed texts, and apologies when a stage fails. Carries out what an answer requested
 * once it was played. The dialogue decides when the agent speaks.
 */
interface Answering {
  /** Asks the agent for an answer to this turn, and to earlier ones without an answer, and says it as it arrives. */
  answer(text: string, timing: TurnTiming | undefined): Promise<void>
  /** Lets the agent start on an answer to these words and earlier ones without an answer, while the turn may go on. */
  startEarly(text: string): void
  /** Discards the early answer if the caller has gone on speaking since. `voicedMs` is of the turn so far. */
  callerSpoke(voicedMs: number): void
  discardEarly(): void
  /** Says a fixed text instead of an answer. `then` runs once it was played. */
  say(text: string, then?: () => void): Utterance
  /** The transcriber failed. If the agent says nothing, it says the fallback phrase, or gives up. */
  transcriberFailed(): void
  voiceFailed(error: unknown): void
  voiceSucceeded(): void
  /** The first audio of the current utterance was sent. */
  utteranceStarted(): void
  /** This utterance was played to its end: does what follows it. Returns whether anything does. */
  utteranceFinished(utterance: Utterance): boolean
  hasGivenUp(): boolean
}

interface AnsweringOptions {
  setup: ConversationSetup
  report: ConversationReport
  output: SpeechOutput
  phrases: CallPhrases
  utterances: Utterances
  /** The agent gives up: the caller is not to interrupt the announcement. */
  onGivingUp(): void
  end(reason: EndedReason, requestedAction?: RequestedAction): void
  /** Transfers the call; ends it if that fails. */
  transfer(requested: RequestedTransfer): void
}

const modelTimeoutMs = 10_000
const toolTimeoutMs = 130_000
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

export function createAnswering({
  setup,
  report,
  output,
  phrases,
  utterances,
  onGivingUp,
  end,
  transfer,
}: AnsweringOptions): Answering {
  const { agent, limits, converse } = setup
  const early = createEarlyAnswers(converse, report)
  /** Of the model and the transcriber. */
  let consecutiveFailures = 0
  let consecutiveVoiceFailures = 0
  let gaveUp = false

  async function answer(text: string, timing: TurnTiming | undefined): Promise<void> {
    utterances.stop({ interrupted: output.hasStarted() })
    if (text) utterances.addUnanswered(text)
    const heard = asHeardByAgent(utterances.unanswered)
    const started = early.take(heard)
    const utterance = utterances.begin(heard, { abort: started?.abort })
    utterance.timing = timing && { ...timing, textAt: 0, sentenceAt: 0 }
    report.usage.model.turns++
    const { signal } = utterance.abort
    try {
      const events = started?.events ?? converse({ history: [...utterances.history], heard, signal })
      const { requestedAction, hasSaid, unanswered } = await readAnswer(events, {
        report,
        signal,
        timeoutMs: limits.modelTimeoutMs ?? modelTimeoutMs,
        toolTimeoutMs,
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
      if (unanswered) report.unanswered.push({ question: heard, reason: unanswered })
      consecutiveFailures = 0
      if (requestedAction && !hasSaid) saySentences(announcementOf(requestedAction))
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
  const asHeardByAgent = (turns: readonly string[]): string => wordsToSigns(turns.join(' '), phrases.language())

  function say(text: string, then?: () => void): Utterance {
    utterances.stop({ interrupted: true })
    const utterance = utterances.begin('', { then })
    saySentences(text)
    output.end()
    return utterance
  }

  function saySentences(text: string): void {
    const cutter = createSentenceCutter()
    for (const sentence of [...cutter.push(text), ...cutter.flush()]) output.say(sentence)
  }

  /** What is said before the action if the agent's answer had no words. */
  const announcementOf = ({ type }: RequestedAction): string => phrases.get(type === 'end_call' ? 'closing' : type)

  function carryOut(requestedAction: RequestedAction): void {
    const { type, reason } = requestedAction
    if (type === 'handoff') report.emit({ type, reason })
    if (type === 'transfer') transfer(requestedAction)
    else end(type === 'handoff' ? 'handed_off' : 'agent_ended', requestedAction)
  }

  /** Announces what happens next, after any sentences that are already queued, then ends or transfers the call. */
  function giveUp(utterance: Utterance): void {
    gaveUp = true
    onGivingUp()
    if (output.isPaused()) output.resume()
    utterance.hasApologized = true
    utterance.then = endOrTransfer
    const announcement = phrases.givingUp()
    saySentences(announcement)
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

  return {
    answer,
    startEarly(text) {
      early.start({ heard: asHeardByAgent([...utterances.unanswered, text]), history: [...utterances.history] })
    },
    callerSpoke: early.callerSpoke,
    discardEarly: early.discard,
    say,
    transcriberFailed() {
      consecutiveFailures++
      if (utterances.current) return
      if (consecutiveFailures >= maxFailures) {
        giveUp(utterances.begin(''))
        output.end()
      } else say(phrases.get('say_again'))
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
    utteranceStarted() {
      const { current } = utterances
      if (!current) return
      current.startedAt = report.seconds()
      report.emit({ type: 'agent.speech_started' })
      const { timing } = current
      if (timing) report.latency.push(latencyOf(timing, performance.now()))
    },
    utteranceFinished({ then, requestedAction }) {
      if (then) then()
      else if (requestedAction) carryOut(requestedAction)
      return then !== undefined || requestedAction !== undefined
    },
    hasGivenUp: () => gaveUp,
  }
}
