import { abortable } from '../../platform/abortable.ts'
import { languageOf } from '../../platform/language-of.ts'
import { fromPcm16, toPcm16 } from '../speech/audio.ts'
import { SpeechError, type Transcriber, type TranscriptionOptions } from '../speech/contract.ts'
import { withoutPrompt } from '../speech/key-term-prompt.ts'
import { createResampler } from '../speech/resample.ts'
import type { Message } from './realtime-connection.ts'
import type { CallerItem } from './realtime-conversation.ts'
import { pcmRate, type RealtimeSession } from './realtime-session.ts'
import { startTimeLimit } from './time-limit.ts'

/** A piece of the caller's turn that was committed. */
interface Committed extends CallerItem {
  transcript: PromiseWithResolvers<string>
}

/**
 * The caller's side of a session: audio goes into its input buffer, a pause commits it, and the session says what it
 * heard.
 */
export function createRealtimeTranscriber(session: RealtimeSession): Transcriber {
  const { connection, conversation, limits } = session
  /** Commits that the session has not confirmed, by the id of their message and in order. */
  const unconfirmed = new Map<string, Committed>()
  const untranscribed = new Map<string, Committed>()
  let commits = 0
  let keyTerms: string[] = []

  session.listen((message) => {
    const itemId = String(message.item_id)
    if (message.type === 'input_audio_buffer.committed') {
      const [next] = unconfirmed
      if (!next) return
      unconfirmed.delete(next[0])
      next[1].id = itemId
      untranscribed.set(itemId, next[1])
      conversation.add(next[1])
    } else if (message.type === 'conversation.item.input_audio_transcription.completed') {
      const item = untranscribed.get(itemId)
      untranscribed.delete(itemId)
      if (item) item.text = withoutPrompt(String(message.transcript ?? '').trim(), session.transcriberModel, keyTerms)
      item?.transcript.resolve(item.text)
    } else if (message.type === 'conversation.item.input_audio_transcription.failed') {
      untranscribed
        .get(itemId)
        ?.transcript.reject(new SpeechError('retry', 'The session did not understand the audio.'))
      untranscribed.delete(itemId)
    } else if (message.type === 'error') refuse(message)
  })

  /** Less audio than the provider accepts contains no words. */
  function refuse({ error }: Message): void {
    const { event_id = '', code } = (error ?? {}) as { event_id?: string; code?: string }
    const item = unconfirmed.get(event_id)
    unconfirmed.delete(event_id)
    if (code === 'input_audio_buffer_commit_empty') item?.transcript.resolve('')
    else item?.transcript.reject(new SpeechError('retry', `The session refused the audio (${code ?? 'error'}).`))
  }

  session.onLost((error) => {
    for (const { transcript } of [...unconfirmed.values(), ...untranscribed.values()]) transcript.reject(error)
  })

  function commit(): Committed {
    const item: Committed = { id: undefined, text: '', transcript: Promise.withResolvers() }
    const lost = connection.lost()
    if (lost) item.transcript.reject(lost)
    const event_id = `commit_${++commits}`
    unconfirmed.set(event_id, item)
    connection.send({ type: 'input_audio_buffer.commit', event_id })
    const clearLimit = startTimeLimit(limits.transcriptMs, () =>
      item.transcript.reject(new SpeechError('retry', 'The session took too long to transcribe.')),
    )
    item.transcript.promise.catch(() => {}).finally(clearLimit)
    return item
  }

  return {
    provider: session.provider,
    model: session.transcriberModel,
    isOwnKey: session.isOwnKey,
    source: 'recognised',
    open(options: TranscriptionOptions) {
      session.open(options)
      keyTerms = options.keyTerms ?? []
      const encode = encoderFor(options)
      /** What was committed of the current turn. */
      let turn: Committed[] = []
      let hasAudio = false
      const textOfTurn = async (items: Committed[]) => {
        const texts = await Promise.all(items.map(({ transcript }) => transcript.promise))
        const text = texts.filter(Boolean).join(' ')
        // The provider understands all languages and does not say which one it heard.
        const language = options.onLanguage && languageOf(text, '')
        if (language) options.onLanguage?.(language)
        return text
      }
      const commitRest = () => {
        if (hasAudio) turn.push(commit())
        hasAudio = false
      }
      return {
        write(frame) {
          hasAudio = true
          connection.send({ type: 'input_audio_buffer.append', audio: Buffer.from(encode(frame)).toString('base64') })
        },
        pause() {
          commitRest()
          return textOfTurn(turn)
        },
        async finish(signal) {
          commitRest()
          const items = turn
          turn = []
          return abortable(signal, textOfTurn(items))
        },
        discard() {
          if (hasAudio) connection.send({ type: 'input_audio_buffer.clear' })
          hasAudio = false
          for (const item of turn.splice(0)) conversation.remove(item)
        },
        // The session stays open: it may still speak.
        close() {},
      }
    },
  }
}

/** Phone audio is sent as it is; the provider takes PCM at one rate only. */
function encoderFor({ encoding }: TranscriptionOptions): (frame: Uint8Array) => Uint8Array {
  if (encoding === 'mulaw-8000') return (frame) => frame
  const resampler = createResampler(16_000, pcmRate)
  return (frame) => toPcm16(resampler.push(fromPcm16(frame)))
}
