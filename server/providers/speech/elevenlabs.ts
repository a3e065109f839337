import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import type { Voice } from './contract.ts'
import { streamAnswer } from './hosted-request.ts'

interface ElevenLabsOptions {
  http: OutboundHttp
  /** `https://api.elevenlabs.io`. */
  baseUrl: string
  apiKey: string
  model: string
}

const timeLimitMs = 30_000
const longestAudio = 32 << 20

/** ElevenLabs' streaming speech, in the connection's own encoding: nothing is converted here. */
export function createElevenLabs({ http, baseUrl, apiKey, model }: ElevenLabsOptions): Voice {
  return {
    provider: 'elevenlabs',
    model,
    speak(text, { encoding, voice, language, signal }) {
      const url = new URL(`${baseUrl.replace(/\/+$/, '')}/v1/text-to-speech/${encodeURIComponent(voice)}/stream`)
      url.searchParams.set('output_format', encoding === 'mulaw-8000' ? 'ulaw_8000' : 'pcm_16000')
      return streamAnswer(http, 'ElevenLabs', {
        url,
        method: 'POST',
        headers: { 'xi-api-key': apiKey, 'content-type': 'application/json' },
        // Only some models take a language; the multilingual ones detect it from the text.
        body: JSON.stringify({
          text,
          model_id: model,
          ...(takesLanguage(model) && { language_code: language.split('-')[0] }),
        }),
        timeLimitMs,
        maxBytes: longestAudio,
        signal,
      })
    },
  }
}

const takesLanguage = (model: string): boolean => /_(?:turbo|flash)_v2_5$/.test(model)
