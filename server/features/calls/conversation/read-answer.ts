import { untilAborted } from '../../../platform/abortable.ts'
import type { SpokenAnswer } from '../../../providers/speech/contract.ts'
import type { ToolUse, TurnEvent, Unanswered } from '../../agents/answering/turn.ts'
import { pressKeysName } from './contract.ts'
import type { ConversationReport } from './conversation-report.ts'
import { createSentenceCutter, speakable } from './sentences.ts'
import { addTokens } from './token-usage.ts'

/** An action that the agent requested in its answer. It is carried out after the answer has been played to the end. */
export type RequestedAction =
  | { type: 'end_call'; reason: string }
  | { type: 'handoff'; reason: string }
  | RequestedTransfer

export interface RequestedTransfer {
  type: 'transfer'
  to: string
  reason: string
}

interface Answer {
  requestedAction: RequestedAction | undefined
  /** Whether it contained any words. */
  hasSaid: boolean
  unanswered: Unanswered | null
}

/** Tool results are truncated in the stored call; the model received the full text. */
const maxResultCharacters = 2_000

interface AnswerOptions {
  report: ConversationReport
  signal: AbortSignal
  /** Longest gap between two events of the model before the turn fails. */
  timeoutMs: number
  /** Longest gap while a tool runs. Tools have a shorter limit of their own, so this only catches one that hangs. */
  toolTimeoutMs: number
  /** Said once if the answer has no words yet and a tool runs longer than `afterMs`. */
  hold: { phrase(): string; afterMs: number }
  /** When `say_while_running` of a tool may be said at the earliest, in milliseconds of `performance.now()`. */
  fillerAt: number | undefined
  /** A tool has run. */
  onTool(tool: ToolUse): void
  onRetrieved(tookMs: number): void
  /** `toolsMs` is how long tools ran until now; undefined if none did. */
  onFirstText(toolsMs: number | undefined): void
  say(words: string | SpokenAnswer): void
}

/**
 * Reads one streamed answer of the model: passes complete sentences to `say`, reports tool calls and tokens, and returns
 * the action that it requested. Rejects with the model's error, or when the model exceeds its timeout.
 */
export async function readAnswer(events: AsyncIterable<TurnEvent>, options: AnswerOptions): Promise<Answer> {
  const { report, hold } = options
  const cutter = createSentenceCutter()
  const answer: Answer = { requestedAction: undefined, hasSaid: false, unanswered: null }
  /** Tool calls without a result yet, by id. */
  const running = new Map<string, { name: string; given: Record<string, unknown>; at: number }>()
  const timeout = new AbortController()
  const onTimeout = () => timeout.abort(new Error('The model took too long.'))
  let timer = setTimeout(onTimeout, options.timeoutMs)
  const say = (words: string | SpokenAnswer) => {
    answer.hasSaid = true
    options.say(words)
  }
  let holdTimer: NodeJS.Timeout | undefined
  let fillerTimer: NodeJS.Timeout | undefined
  let isFirstText = true
  /** How long tools have run, and since when some are running. */
  let toolsMs: number | undefined
  let toolsSince = 0
  const speak = (sentences: string[]) => {
    for (const sentence of sentences) say(sentence)
  }
  const firstText = () => {
    clearTimeout(fillerTimer)
    if (isFirstText) options.onFirstText(toolsMs)
    isFirstText = false
  }

  try {
    for await (const event of untilAborted(AbortSignal.any([options.signal, timeout.signal]), events)) {
      clearTimeout(timer)
      switch (event.type) {
        case 'text':
          if (event.text.trim() !== '') firstText()
          speak(cutter.push(event.text))
          break
        case 'speech':
          firstText()
          speak(cutter.flush())
          say(event.speech)
          break
        case 'spoken':
          // The speech has its text; the event shows that the model is at work.
          break
        case 'say_meanwhile': {
          const fill = () => {
            firstText()
            speak([...cutter.flush(), speakable(event.text)])
          }
          const waitMs = (options.fillerAt ?? 0) - performance.now()
          if (waitMs <= 0) fill()
          else {
            clearTimeout(fillerTimer)
            fillerTimer = setTimeout(fill, waitMs)
          }
          break
        }
        case 'retrieved':
          options.onRetrieved(event.took_ms)
          break
        case 'tool_call':
          speak(cutter.flush())
          if (running.size === 0) toolsSince = performance.now()
          running.set(event.id, { name: event.name, given: event.arguments, at: report.seconds() })
          holdTimer ??= setTimeout(() => {
            const isWaiting = running.values().some(({ name }) => name !== pressKeysName)
            if (!answer.hasSaid && isWaiting) say(hold.phrase())
          }, hold.afterMs)
          report.emit({ type: 'tool.call', name: event.name, arguments: event.arguments })
          break
        case 'tool_result': {
          report.emit({ type: 'tool.result', name: event.name, ok: !event.is_error, result: event.result })
          const { id, name, result, is_error: isError } = event
          const { given = {}, at = report.seconds() } = running.get(id) ?? {}
          options.onTool({ id, name, arguments: given, result })
          report.tools.push({ name, arguments: given, result: result.slice(0, maxResultCharacters), isError, at })
          running.delete(id)
          if (running.size === 0) toolsMs = (toolsMs ?? 0) + performance.now() - toolsSince
          break
        }
        case 'done':
          addTokens(report.usage.model, event.usage)
          report.usage.model.model = event.usage.model
          answer.unanswered = event.unanswered
          break
        case 'choices':
          // Not by voice: there, choices are words of the answer.
          break
        case 'end_call':
        case 'handoff':
        case 'transfer':
          answer.requestedAction = event
      }
      timer = setTimeout(onTimeout, running.size > 0 ? options.toolTimeoutMs : options.timeoutMs)
    }
    speak(cutter.flush())
    return answer
  } finally {
    clearTimeout(timer)
    clearTimeout(holdTimer)
    clearTimeout(fillerTimer)
  }
}
