import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { startCartesiaServer } from '../../testing/cartesia-server.ts'
import { startSpeechServer } from '../../testing/speech-server.ts'
import { silence } from './audio.ts'
import { keyTermPrompt, withoutPrompt } from './key-term-prompt.ts'
import { createSpeech } from './speech.ts'

/** Names that recognizers are told to expect, in the form that each provider documents. */

const server = await startSpeechServer()
const cartesia = await startCartesiaServer()
const http = createOutboundHttp({ allow: ['127.0.0.1'] })
const speech = createSpeech({
  http,
  accounts: {
    deepgram: { baseUrl: server.url, apiKey: 'key-of-deepgram', model: 'nova-3' },
    elevenlabs: { baseUrl: server.url, model: '' },
    cartesia: { baseUrl: cartesia.url, apiKey: 'key-of-cartesia', transcriberModel: 'ink-2', voiceModel: '' },
    openai: {
      baseUrl: `${server.url}/v1`,
      transcriberModel: 'gpt-4o-mini-transcribe',
      voiceModel: '',
      isOffered: true,
      takesOwnKey: true,
    },
  },
  realtime: { baseUrl: server.url, apiKey: undefined, model: '', transcriberModel: '' },
  keysOf: async () => ({}),
})
const call = new AbortController()
after(async () => {
  call.abort()
  await speech.close()
  await http.close()
})

const terms = ['Siobhán O’Brien', 'Acme & Sons']

/** The request of a turn with these terms. */
async function ask(provider: string, model: string | null, keyTerms = terms) {
  server.texts.push('Hello')
  cartesia.texts.push('Hello')
  const { transcriber } = await speech.choose({ organizationId: 'a', livemode: true, transcriber: { provider, model } })
  const { signal } = call
  const stream = transcriber.open({ encoding: 'mulaw-8000', language: 'en-US', keyTerms, onPartial() {}, signal })
  for (let i = 0; i < 10; i++) stream.write(silence('mulaw-8000'))
  assert.equal(await stream.finish(signal), 'Hello')
  stream.close()
  const request = (provider === 'cartesia' ? cartesia : server).requests.at(-1)
  assert.ok(request)
  return request
}
const promptIn = (request: object) => {
  const [, prompt] = /name="prompt"\r\n\r\n([^\r]*)/.exec(String((request as { body: Buffer }).body)) ?? []
  return prompt
}

test('Deepgram gets one parameter for each term, from Nova-3 on', async () => {
  assert.deepEqual((await ask('deepgram', null)).keyTerms, terms)
  assert.deepEqual((await ask('deepgram', 'nova-3-medical')).keyTerms, terms)
  assert.deepEqual((await ask('deepgram', 'nova-2')).keyTerms, [])
})

test('Cartesia gets one parameter for each term, except for Whisper', async () => {
  assert.deepEqual((await ask('cartesia', null)).keyTerms, terms)
  assert.deepEqual((await ask('cartesia', 'ink-whisper')).keyTerms, [])
})

test('OpenAI gets a prompt: a sentence, or a list for Whisper', async () => {
  const names = 'Siobhán O’Brien, Acme & Sons'
  assert.equal(promptIn(await ask('openai', null)), `The conversation may contain these names: ${names}.`)
  assert.equal(promptIn(await ask('openai', 'whisper-1')), names)
  assert.equal(promptIn(await ask('openai', null, [])), undefined)
})

test('a prompt that comes back is not what the caller said', () => {
  const terms = ['Ada Lovelace', 'Acme', 'Oslo']
  for (const model of ['gpt-4o-transcribe', 'whisper-1']) {
    assert.equal(withoutPrompt(keyTermPrompt(model, terms) as string, model, terms), '')
    assert.equal(withoutPrompt('Acme, Oslo.', model, terms), '')
    for (const said of ['Acme.', 'Ada Lovelace', 'I am Ada Lovelace from Acme', 'names', ''])
      assert.equal(withoutPrompt(said, model, terms), said)
  }
  assert.equal(withoutPrompt('Acme, Oslo', 'whisper-1', []), 'Acme, Oslo')
})
