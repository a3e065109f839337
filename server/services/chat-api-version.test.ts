import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { ok, startTestApp } from '../testing/app.ts'
import { startGraphPlatform } from '../testing/graph-platform.ts'
import { until } from '../testing/process.ts'

/**
 * The version of the platform's API that served a request is stored from its response header and shown by every node.
 */

const platform = await startGraphPlatform()
const headers = { 'facebook-api-version': 'v21.0' }
const lines: { level: number; msg: string; warning?: string; served?: string }[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const announced = () => lines.filter(({ msg }) => msg === 'chat platform: API version')
const now = () => new Date('2026-11-16T12:00:00Z')
const app = await startTestApp({ log, now, settings: { GRAPH_API_BASE_URL: platform.url } })
const acme = await app.organization({ mode: 'live' })
const chatApi = async (call = acme.call) => (await call('GET', 'organization')).body.chat_api

test('the served API version is shown, with its end of life and what to do', async () => {
  assert.deepEqual(announced(), [], 'no live channel uses it')
  const { asked, served, ends_on } = await chatApi()
  assert.deepEqual([asked, served, ends_on], ['v19.0', null, '2027-01-21'])
  platform.answers(
    { headers, json: { id: 'PN1', display_phone_number: '+1 415-555-0100' } },
    { headers, json: { data: [{ id: 'PN1' }] } },
  )
  const chat = {
    phone_number_id: 'PN1',
    business_account_id: 'WABA1',
    access_token: 'token',
    app_secret: 'secret',
    verify_token: 'word',
  }
  ok(await acme.call('POST', 'channels', { phone_number: '+14155550100', chat }), 201)
  await until(async () => (await chatApi()).served === 'v21.0')
  const shown = await chatApi()
  assert.equal(shown.ends_on, '2027-01-21')
  assert.match(shown.warning, /v19\.0 ended on 2026-05-21.*serves v21\.0.*2027-01-21.*GRAPH_API_VERSION=v25\.0/)
})

test('a node that starts with live channels warns about an ending version, but not about a lasting one', async () => {
  const before = announced().length
  const node = await app.node()
  const [warned] = announced().slice(before)
  assert.deepEqual([warned?.level, warned?.served], [40, 'v21.0'])
  assert.match(warned?.warning ?? '', /ends on 2027-01-21/)
  await node.close()
  // Jobs of the new node may ask the platform, too.
  platform.answers({ status: 503 })
  const current = await app.node({ GRAPH_API_VERSION: 'v25.0' })
  assert.equal(announced().at(-1)?.level, 30)
  // The version served while another one was requested says nothing about this one.
  const { served, ends_on, warning } = await chatApi(current.as(acme.key))
  assert.deepEqual([served, ends_on, warning], [null, '2028-07-29', null])
  await current.close()
})
