import { abortable } from '../../../platform/abortable.ts'
import { frameMs } from '../../../providers/speech/contract.ts'
import type { Turn, TurnEvent } from '../../agents/answering/turn.ts'
import type { CallConverse } from './contract.ts'
import type { ConversationReport } from './conversation-report.ts'
import { addTokens } from './token-usage.ts'
import { plainWords } from './turn-rules.ts'

/**
 * Pre-emptive generation: the model starts at a pause of the caller, before the turn is certainly over. If the turn ends
 * with the same words, the answer continues from there; otherwise it is discarded. No tool runs before the turn is over.
 */
interface EarlyAnswers {
  /** Starts an answer to these words, unless one to the same words has started. */
  start(turn: { heard: string; history: Turn[] }): void
  /** Discards the answer if the caller has gone on speaking since the pause. `voicedMs` is of the turn so far. */
  callerSpoke(voicedMs: number): void
  /** The turn is over: returns the answer to these words if it has started, and discards any other. */
  take(heard: string): StartedAnswer | undefined
  /** The turn is over and gets no answer. */
  discard(): void
}

interface StartedAnswer {
  events: AsyncIterable<TurnEvent>
  abort: AbortController
}

/** Voiced speech after the pause that makes the answer obsolete. A shorter sound may be a breath or a click. */
const continuedMs = 200
/** Starts per turn. Bounds what a caller with many pauses costs. */
const maxStarts = 3

export function createEarlyAnswers(
  converse: CallConverse,
  { usage: { model: usage }, earlyStarts }: ConversationReport,
): EarlyAnswers {
  /** The answer that was started. `voicedMs` is of the turn at the pause; undefined until the caller is heard again. */
  let pending:
    | (ReturnType<typeof readAhead> & { words: string; voicedMs: number | undefined; abort: AbortController })
    | undefined
  /** In the current turn. */
  let starts = 0

  function discard(): void {
    if (!pending) return
    pending.abort.abort(new Error('The caller went on speaking.'))
    pending.close()
    // An answer that was complete has reported what it cost.
    const used = pending.readSoFar().find((event) => event.type === 'done')?.usage
    if (used) addTokens(usage, used)
    earlyStarts.discarded++
    pending = undefined
  }

  return {
    start({ heard, history }) {
      const words = wordsOf(heard)
      if (pending?.words === words && !pending.hasFailed()) {
        pending.voicedMs = undefined
        return
      }
      discard()
      if (starts >= maxStarts) return
      starts++
      const abort = new AbortController()
      const { signal } = abort
      pending = { ...readAhead(() => converse({ history, heard, signal }), signal), words, voicedMs: undefined, abort }
    },
    callerSpoke(voicedMs) {
      if (!pending) return
      pending.voicedMs ??= voicedMs - frameMs
      if (voicedMs - pending.voicedMs >= continuedMs) discard()
    },
    take(heard) {
      starts = 0
      // After a failure the turn gets a new answer: the model may have recovered, and no time was lost.
      if (pending?.words !== wordsOf(heard) || pending.hasFailed()) {
        discard()
        return undefined
      }
      const { takeOver, abort } = pending
      pending = undefined
      earlyStarts.used++
      return { events: takeOver(), abort }
    },
    discard() {
      starts = 0
      discard()
    },
  }
}

/** Recognizers correct punctuation and case until the turn is over. */
const wordsOf = (text: string): string => plainWords(text).join(' ')

/**
 * Reads events before anyone needs them, up to and including the first tool call: the tool runs when the event after it
 * is requested. `takeOver` returns all events from the first one on.
 */
function readAhead(start: () => AsyncIterable<TurnEvent>, signal: AbortSignal) {
  const read: TurnEvent[] = []
  let iterator: AsyncIterator<TurnEvent> | undefined
  let requested: Promise<IteratorResult<TurnEvent>> | undefined
  let isOver = false
  let isTaken = false
  let failed = false

  async function readOn(source: AsyncIterator<TurnEvent>): Promise<void> {
    while (!isTaken && !isOver && read.at(-1)?.type !== 'tool_call') {
      requested = abortable(signal, source.next())
      const { value, done } = await requested
      // `takeOver` waits for the same promise.
      if (isTaken) return
      requested = undefined
      if (done) isOver = true
      else read.push(value)
    }
  }

  async function* takeOver(source: AsyncIterator<TurnEvent>): AsyncGenerator<TurnEvent> {
    try {
      yield* read
      while (!isOver) {
        const { value, done } = await (requested ?? source.next())
        requested = undefined
        if (done) return
        yield value
      }
    } finally {
      source.return?.()?.catch(() => {})
    }
  }

  try {
    iterator = start()[Symbol.asyncIterator]()
    readOn(iterator).catch(() => {
      failed = true
    })
  } catch {
    failed = true
  }
  return {
    readSoFar: () => read,
    hasFailed: () => failed,
    close: () => void iterator?.return?.()?.catch(() => {}),
    takeOver() {
      isTaken = true
      return takeOver(iterator as AsyncIterator<TurnEvent>)
    },
  }
}
