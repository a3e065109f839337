import Type from 'typebox'
import { faultIn } from '../../platform/check-schema.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { parseJson } from '../../platform/parse-json.ts'
import { encodeStream } from './audio.ts'
import { SpeechError, sampleRateOf, type Transcriber, type Voice } from './contract.ts'
import { explained, refusal, streamAnswer } from './hosted-request.ts'
import { keyTermPrompt, withoutPrompt } from './key-term-prompt.ts'
import { type RecogniseOptions, transcribeSegments } from './segment-transcriber.ts'
import { wavFile } from './wav.ts'

interface OpenAiOptions {
  http: OutboundHttp
  /** Up to and including the version: `https://api.openai.com/v1`. */
  baseUrl: string
  apiKey?: string | undefined
  model: string
}

/** `language` is a code or an English name (`spanish`); servers send it with `verbose_json`, some always. */
const Answer = Type.Object({ text: Type.String(), language: Type.Optional(Type.Unknown()) })
const provider = 'openai'
const name = 'The speech server'
const timeLimitMs = 30_000
const longestAudio = 32 << 20
/** The sample rate of `response_format: pcm`. */
const pcmRate = 24_000
const longestInput = 4_096

const authorization = (apiKey: string | undefined): Record<string, string> =>
  apiKey ? { authorization: `Bearer ${apiKey}` } : {}
const at = (baseUrl: string, path: string) => `${baseUrl.replace(/\/+$/, '')}/audio/${path}`

/** Any server that answers `POST {baseUrl}/audio/transcriptions` like OpenAI: one request per turn. */
export function createOpenAiTranscriber({ http, baseUrl, apiKey, model }: OpenAiOptions): Transcriber {
  async function recognise(
    audio: Uint8Array,
    { encoding, language, keyTerms, onLanguage, signal }: RecogniseOptions,
  ): Promise<string> {
    const form = new FormData()
    const format = { encoding: encoding === 'mulaw-8000' ? ('mulaw' as const) : ('pcm16' as const), channels: 1 }
    const file = wavFile({ ...format, sampleRate: sampleRateOf[encoding] }, audio)
    form.set('file', new Blob([file], { type: 'audio/wav' }), 'turn.wav')
    form.set('model', model)
    // Without a language, the server detects it.
    if (!onLanguage) form.set('language', language.split('-')[0] as string)
    const prompt = keyTermPrompt(model, keyTerms)
    if (prompt) form.set('prompt', prompt)
    form.set('response_format', onLanguage && /whisper/i.test(model) ? 'verbose_json' : 'json')
    const multipart = new Response(form)
    const { status, body } = await http
      .fetch({
        url: at(baseUrl, 'transcriptions'),
        method: 'POST',
        headers: { ...authorization(apiKey), 'content-type': multipart.headers.get('content-type') as string },
        body: await multipart.bytes(),
        timeLimitMs,
        maxBytes: 1 << 20,
        signal,
      })
      .catch((error) => {
        throw explained(name, error, signal)
      })
    if (status !== 200) throw refusal(name, status)
    const answer = parseJson(body)
    if (faultIn(Answer, answer)) throw new SpeechError('fail', `${name} answered something else than a transcript.`)
    const { text: recognized, language: detected } = answer as { text: string; language?: unknown }
    const text = withoutPrompt(recognized.trim(), model, keyTerms)
    const code = codeOf(detected)
    if (code && text) onLanguage?.(code)
    return text
  }
  return {
    provider,
    model,
    source: 'recognised',
    // A request at every pause would be paid for twice whenever the caller continues.
    open: (options) => transcribeSegments(recognise, options, { eager: false, partialEveryMs: 0 }),
  }
}

/** `es` for `es` and for `spanish`. */
function codeOf(language: unknown): string | undefined {
  if (typeof language !== 'string') return undefined
  if (/^[a-z]{2}(?:-|$)/i.test(language)) return language.slice(0, 2).toLowerCase()
  return languageNames.get(language.toLowerCase())
}

/** Codes by English name, of the languages that the service has phrases in. */
const languageNames = new Map(
  ['ar', 'de', 'en', 'es', 'fr', 'hi', 'id', 'it', 'ja', 'nl', 'pl', 'pt', 'tr', 'zh'].map((code) => [
    new Intl.DisplayNames('en', { type: 'language' }).of(code)?.toLowerCase(),
    code,
  ]),
)

/** Any server that answers `POST {baseUrl}/audio/speech` like OpenAI. */
export function createOpenAiVoice({ http, baseUrl, apiKey, model }: OpenAiOptions): Voice {
  return {
    provider,
    model,
    speak(text, { encoding, voice, signal }) {
      const pieces = streamAnswer(http, name, {
        url: at(baseUrl, 'speech'),
        method: 'POST',
        headers: { ...authorization(apiKey), 'content-type': 'application/json' },
        body: JSON.stringify({ model, voice, input: text.slice(0, longestInput), response_format: 'pcm' }),
        timeLimitMs,
        maxBytes: longestAudio,
        signal,
      })
      return encodeStream(pieces, pcmRate, encoding)
    },
  }
}
