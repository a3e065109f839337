import { LlmError, type LlmEvent, type LlmRequest } from '../llm/contract.ts'
import { createArrivals } from '../speech/arrivals.ts'
import { bytesPerMs, SpeechError, type SpokenAnswer } from '../speech/contract.ts'
import type { SpeakingLlm, SpokenEvent } from './contract.ts'
import type { Message } from './realtime-connection.ts'
import { pcmRate, type RealtimeSession } from './realtime-session.ts'
import { tokensIn } from './realtime-usage.ts'

interface Speech {
  answer: SpokenAnswer
  push(audio: Buffer): void
  fail(error: unknown): void
  complete(): void
}

/** Answers with the session's own speech. It knows the conversation; of the request it takes what is new. */
export function createRealtimeModel(session: RealtimeSession): SpeakingLlm {
  const { connection, conversation } = session

  function openSpeech(itemId: string, text: () => string): Speech {
    const item = conversation.speaks(itemId)
    const audio = createArrivals<Uint8Array>()
    const encoding = session.encoding()
    const bytesPerMsReceived = encoding === 'mulaw-8000' ? bytesPerMs[encoding] : (2 * pcmRate) / 1000
    return {
      answer: {
        audio: session.decode(audio, encoding),
        text,
        heard(ms) {
          item.heardMs = ms
        },
      },
      push(piece) {
        item.receivedMs += piece.length / bytesPerMsReceived
        audio.push(piece)
      },
      fail: (error) => audio.fail(error),
      complete() {
        item.isComplete = true
        audio.end()
      },
    }
  }

  async function* stream(request: LlmRequest): AsyncIterable<LlmEvent | SpokenEvent> {
    const { system, messages, tools, maxOutputTokens, signal } = request
    signal.throwIfAborted()
    await connection.idle()
    signal.throwIfAborted()
    if (connection.lost()) throw asLlmError(connection.lost())
    conversation.prepare(messages)
    const response = {
      conversation: 'auto',
      output_modalities: ['audio'],
      instructions: system,
      // The session refuses members that it does not know.
      tools: tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters })),
      tool_choice: tools.length > 0 ? 'auto' : 'none',
      max_output_tokens: maxOutputTokens,
    }
    const speeches = new Map<string, Speech>()
    const texts = new Map<string, string>()
    let hasAnswered = false
    let done: Message | undefined
    try {
      for await (const message of connection.respond(response, signal)) {
        const itemId = String(message.item_id)
        if (message.type === 'response.output_audio.delta') {
          if (!speeches.has(itemId)) {
            const speech = openSpeech(itemId, () => texts.get(itemId) ?? '')
            speeches.set(itemId, speech)
            hasAnswered = true
            yield { type: 'speech', speech: speech.answer }
            if (texts.has(itemId)) yield { type: 'spoken', text: texts.get(itemId) as string }
          }
          speeches.get(itemId)?.push(Buffer.from(String(message.delta), 'base64'))
        } else if (message.type === 'response.output_audio_transcript.delta') {
          const piece = String(message.delta)
          texts.set(itemId, (texts.get(itemId) ?? '') + piece)
          if (speeches.has(itemId)) yield { type: 'spoken', text: piece }
        } else if (message.type === 'response.output_item.added') {
          const { id, type } = message.item as { id: string; type: string }
          if (type === 'message') conversation.speaks(id)
        } else if (message.type === 'response.output_audio.done') speeches.get(itemId)?.complete()
        else if (message.type === 'response.output_item.done') {
          const call = callIn(message.item)
          if (call) {
            conversation.called(call.id)
            hasAnswered = true
            yield call
          }
        } else if (message.type === 'response.done') {
          session.checkDone(message)
          for (const speech of speeches.values()) speech.complete()
          done = message
        }
      }
      if (!hasAnswered && !request.mayBeEmpty) throw new LlmError('empty_answer', 'The session gave no answer.')
    } catch (error) {
      signal.throwIfAborted()
      for (const speech of speeches.values()) speech.fail(error)
      // The speech output reports that it broke off.
      if (speeches.size === 0) throw asLlmError(error)
    }
    session.tokens.reported(done)
    yield {
      type: 'done',
      usage: { ...tokensIn(done), model: session.model, ...(session.isOwnKey && { isOwnKey: true }) },
    }
  }

  return { stream }
}

function callIn(item: unknown): Extract<LlmEvent, { type: 'tool_call' }> | undefined {
  const { type, call_id, name, arguments: given } = (item ?? {}) as Record<string, unknown>
  if (type !== 'function_call' || typeof call_id !== 'string' || typeof name !== 'string') return undefined
  return { type: 'tool_call', id: call_id, name, arguments: objectIn(given) }
}

function objectIn(json: unknown): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(String(json || '{}'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

function asLlmError(error: unknown): unknown {
  if (!(error instanceof SpeechError)) return error
  return new LlmError(error.verdict === 'fail' ? 'refused' : 'unreachable', error.message)
}
