import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { startCartesiaServer } from '../../testing/cartesia-server.ts'
import { until } from '../../testing/process.ts'
import { startSpeechServer } from '../../testing/speech-server.ts'
import { listCartesiaVoices, listElevenLabsVoices } from './account-voices.ts'
import { SpeechError } from './contract.ts'

const server = await startSpeechServer()
const cartesia = await startCartesiaServer()
const http = createOutboundHttp()
after(() => http.close())

test('a list of voices that takes too long is a failure of the provider', async () => {
  for (const [list, provider] of [
    [listCartesiaVoices, cartesia],
    [listElevenLabsVoices, server],
  ] as const) {
    const limit = new AbortController()
    provider.requests.length = 0
    provider.faults.push('never')
    const listing = list({ http, baseUrl: provider.url, apiKey: 'k', signal: limit.signal })
    await until(async () => provider.requests.length > 0)
    limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    await assert.rejects(
      listing,
      (error) => error instanceof SpeechError && error.verdict === 'retry' && /took too long/.test(error.message),
    )
  }
})
