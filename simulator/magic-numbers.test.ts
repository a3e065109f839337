import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../server/testing/app.ts'
import { until } from '../server/testing/process.ts'
import { startTestSimulator } from '../server/testing/simulator.ts'

const simulator = await startTestSimulator()
const { control, send, listener, phoneNumberId } = simulator
await simulator.template('hello')
const hello = (callbackData?: string) => ({
  type: 'template',
  template: {
    name: 'hello',
    language: { code: 'en_US' },
    components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }],
  },
  ...(callbackData && { biz_opaque_callback_data: callbackData }),
})
const idle = () =>
  until(async () => {
    const { body } = await control('GET', 'pending')
    return body.scheduled === 0 && body.webhooks === 0
  })

async function fateOf(to: string): Promise<{ statuses: string[]; codes: number[] }> {
  const { id } = ok(await send(to, hello())).messages[0]
  await idle()
  const updates = listener.updates.filter(({ value }) => value.id === id)
  return {
    statuses: updates.map(({ value }) => value.status),
    codes: updates.flatMap(({ value }) => (value.errors ?? []).map(({ code }: { code: number }) => code)),
  }
}

test('the last four digits decide the outcome of a message', async () => {
  const read = { statuses: ['sent', 'delivered', 'read'], codes: [] }
  assert.deepEqual(await fateOf('+14155550100'), read)
  assert.deepEqual(await fateOf('+442079460100'), read)
  assert.deepEqual(await fateOf('+14155550101'), { statuses: ['sent'], codes: [] })
  assert.deepEqual(await fateOf('+14155550102'), { statuses: ['failed'], codes: [131026] })
  assert.deepEqual(await fateOf('+14155550103'), { statuses: ['failed'], codes: [131049] })
  assert.deepEqual(await fateOf('+14155550104'), { statuses: ['failed'], codes: [131050] })
  assert.deepEqual(await fateOf('+14155557777'), read)
})

test('failures can be answered at once instead', async () => {
  await control('PATCH', 'knobs', { sync_failures: true })
  for (const [last, code] of [
    ['0102', 131026],
    ['0103', 131049],
    ['0104', 131050],
  ] as const) {
    const answer = await send(`+1415555${last}`, hello())
    assert.deepEqual([answer.status, answer.body.error.code], [400, code])
  }
  await control('PATCH', 'knobs', { sync_failures: false })
})

test('…0105 refuses each message twice and then accepts it', async () => {
  const codes = async (callbackData: string) => {
    const answer = await send('+14155550105', hello(callbackData))
    return answer.body.error?.code ?? 'sent'
  }
  assert.deepEqual([await codes('a'), await codes('b'), await codes('a')], [130429, 130429, 130429])
  assert.deepEqual([await codes('a'), await codes('b'), await codes('b')], ['sent', 130429, 'sent'])
  const plain = async () => (await send('+14155550105', hello())).body.error?.code ?? 'sent'
  assert.deepEqual([await plain(), await plain(), await plain()], [130429, 130429, 'sent'])
})

test('…0106 answers STOP', async () => {
  await send('+14155550106', hello())
  const { value } = await listener.hear((update) => update.value.from === '14155550106')
  assert.equal(value.type, 'text')
  assert.deepEqual(value.text, { body: 'STOP' })
  assert.equal(value.around.contacts[0].wa_id, '14155550106')
})

test('…0107 accepts without answering, and its webhooks arrive', async () => {
  const asking = new AbortController()
  const silent = fetch(`${simulator.url}/v19.0/${phoneNumberId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulator.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messaging_product: 'whatsapp', to: '+14155550107', ...hello('lost') }),
    signal: asking.signal,
  }).then(
    () => 'answered',
    () => 'gave up',
  )
  const { value } = await listener.hear((update) => update.value.biz_opaque_callback_data === 'lost')
  await until(async () => listener.statuses(value.id).includes('read'))
  asking.abort()
  assert.equal(await silent, 'gave up')
  assert.equal((await control('GET', 'ledger?callback_data=lost')).body.accepted, 1)
})
