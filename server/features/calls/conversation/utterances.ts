import type { ToolUse, Turn } from '../../agents/answering/turn.ts'
import type { ConversationReport } from './conversation-report.ts'
import type { RequestedAction } from './read-answer.ts'
import type { SpeechOutput } from './speech-output.ts'
import type { AnswerTiming } from './turn-timing.ts'

/** What the agent is saying: an answer to the caller, or a fixed text. */
export interface Utterance {
  /** The caller's words that it answers; empty for a fixed text. */
  heard: string
  tools: ToolUse[]
  requestedAction: RequestedAction | undefined
  abort: AbortController
  /** In seconds since the start of the call; 0 before its first audio. */
  startedAt: number
  timing: AnswerTiming | undefined
  /** It contains the fallback phrase, or the announcement that the agent gives up. */
  hasApologized: boolean
  /** Its sentences that have started to play, in full. Empty until it is over. */
  startedText: string
  isInterruptible: boolean
  isReminder: boolean
  /** Runs once the utterance was played. */
  then: (() => void) | undefined
}

interface BeginOptions {
  then?: (() => void) | undefined
  /** Aborts the answer, if it has started already. */
  abort?: AbortController | undefined
}

/** The agent's utterances, one at a time. What was played of them becomes part of the transcript and the history. */
export interface Utterances {
  /** Undefined while the agent says nothing. */
  readonly current: Utterance | undefined
  /** What the caller and the agent said, as the agent gets it. */
  readonly history: readonly Turn[]
  /** Caller turns without an answer. They are joined with the next turn. */
  readonly unanswered: readonly string[]
  /** Keeps a turn of the caller until an answer to it was heard. */
  addUnanswered(text: string): void
  begin(heard: string, options?: BeginOptions): Utterance
  /** Cuts the current one off where it is. */
  stop(how: { interrupted: boolean }): void
  /** Records the current one as played to its end, and returns it. */
  finish(): Utterance | undefined
}

interface UtterancesOptions {
  output: SpeechOutput
  report: ConversationReport
  isInterruptible: boolean
}

export function createUtterances({ output, report, isInterruptible }: UtterancesOptions): Utterances {
  const history: Turn[] = []
  let unanswered: string[] = []
  let current: Utterance | undefined

  function recordPlayed(utterance: Utterance, { interrupted }: { interrupted: boolean }): void {
    const { heard, tools, startedAt } = utterance
    const text = output.playedText()
    utterance.startedText = output.startedText()
    if (text) {
      report.addSegment({ speaker: 'agent', text, timestamp: startedAt, ...(interrupted && { interrupted }) })
      if (heard) {
        history.push({ speaker: 'caller', text: heard })
        unanswered = []
      }
      history.push({ speaker: 'agent', text, ...(tools.length > 0 && { tools }) })
    } else if (tools.length > 0) {
      // The question is asked again: the model has to know that these tools ran.
      history.push({ speaker: 'agent', text: '', tools })
    }
    if (output.hasStarted()) report.emit({ type: 'agent.speech_stopped' })
  }

  return {
    get current() {
      return current
    },
    history,
    get unanswered() {
      return unanswered
    },
    addUnanswered: (text) => void unanswered.push(text),
    begin(heard, { then, abort = new AbortController() } = {}) {
      current = {
        heard,
        tools: [],
        requestedAction: undefined,
        abort,
        startedAt: 0,
        timing: undefined,
        hasApologized: false,
        startedText: '',
        isInterruptible,
        isReminder: false,
        then,
      }
      output.begin()
      return current
    },
    stop(how) {
      const utterance = current
      if (!utterance) return
      current = undefined
      utterance.abort.abort(new Error('The turn is over.'))
      output.cut()
      recordPlayed(utterance, how)
    },
    finish() {
      const utterance = current
      current = undefined
      if (utterance) recordPlayed(utterance, { interrupted: false })
      return utterance
    },
  }
}
