import type { ToolUse, TurnEvent } from '../../agents/turn.ts'
import type { Notes } from './notes.ts'
import { createSentenceCutter, speakable } from './sentences.ts'
import { until } from './until.ts'

/** What the agent wants done once its words were heard. */
export type Wish =
  | { type: 'end_call'; reason: string }
  | { type: 'handoff'; reason: string }
  | { type: 'transfer'; to: string; reason: string }

export interface Answer {
  tools: ToolUse[]
  wish: Wish | undefined
}

/** Enough to see what a tool answered; the whole of it was for the model. */
const mostKeptOfResult = 2_000

export interface AnswerOptions {
  notes: Notes
  signal: AbortSignal
  /** How long the model may leave one waiting for its next words. */
  timeoutMs: number
  /** How long a tool may run: its own limit is shorter, so this only ends what hangs. */
  toolTimeoutMs: number
  onFirstText(): void
  say(sentence: string): void
}

/** Turns what the model streams into sentences to say and things to do. Throws what the model threw. */
export async function takeAnswer(events: AsyncIterable<TurnEvent>, options: AnswerOptions): Promise<Answer> {
  const { notes, say } = options
  const cutter = createSentenceCutter()
  const answer: Answer = { tools: [], wish: undefined }
  /** The calls of tools that have no result yet. */
  const running = new Map<string, { given: Record<string, unknown>; at: number }>()
  const impatient = new AbortController()
  const giveUp = () => impatient.abort(new Error('The model took too long.'))
  let patience = setTimeout(giveUp, options.timeoutMs)
  let silent = true
  const speak = (sentences: string[]) => {
    for (const sentence of sentences) say(sentence)
  }
  const firstText = () => {
    if (silent) options.onFirstText()
    silent = false
  }

  try {
    for await (const event of until(AbortSignal.any([options.signal, impatient.signal]), events)) {
      clearTimeout(patience)
      switch (event.type) {
        case 'text':
          if (event.text.trim() !== '') firstText()
          speak(cutter.push(event.text))
          break
        case 'say_meanwhile':
          firstText()
          speak([...cutter.flush(), speakable(event.text)])
          break
        case 'tool_call':
          speak(cutter.flush())
          running.set(event.id, { given: event.arguments, at: notes.seconds() })
          notes.tell({ type: 'tool.call', name: event.name, arguments: event.arguments })
          break
        case 'tool_result': {
          notes.tell({ type: 'tool.result', name: event.name, ok: !event.is_error, result: event.result })
          const { id, name, result, is_error: isError } = event
          const { given = {}, at = notes.seconds() } = running.get(id) ?? {}
          answer.tools.push({ id, name, arguments: given, result })
          notes.tools.push({ name, arguments: given, result: result.slice(0, mostKeptOfResult), isError, at })
          running.delete(id)
          break
        }
        case 'done':
          notes.usage.model.inputTokens += event.usage.input_tokens
          notes.usage.model.outputTokens += event.usage.output_tokens
          notes.usage.model.model = event.usage.model
          break
        default:
          answer.wish = event
      }
      patience = setTimeout(giveUp, running.size > 0 ? options.toolTimeoutMs : options.timeoutMs)
    }
    speak(cutter.flush())
    return answer
  } finally {
    clearTimeout(patience)
  }
}
