import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { type WebSocket, WebSocketServer } from 'ws'
import { encodeMulaw } from '../../server/providers/speech/mulaw.ts'
import { listenLocally } from '../../server/testing/listen-locally.ts'
import { until } from '../../server/testing/process.ts'
import { startTestSimulator } from '../../server/testing/simulator.ts'
import { behaviourOf, interruption, randomFrom } from './behaviours.ts'
import { sign } from './callbacks.ts'
import { readTwiml } from './twiml.ts'

/** A service that the carrier calls back: it records the callbacks and connects every call to its own socket. */
const told: { path: string; form: Record<string, string>; isSigned: boolean }[] = []
const token = 'a token'
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
  const path = request.url as string
  const isSigned = request.headers['x-twilio-signature'] === sign(`${base}${path}`, form, token)
  told.push({ path, form, isSigned })
  const stream = `<Connect action="${base}/after"><Stream url="${base.replace('http', 'ws')}/media"><Parameter name="ticket" value="a &amp; b"/></Stream></Connect>`
  response.end(`<Response>${path === '/answer' ? stream : '<Hangup/>'}</Response>`)
}
// A callback may be cut off when the file ends.
const service = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
const { url: base } = await listenLocally(service)
const sockets = new WebSocketServer({ server: service })
const simulator = await startTestSimulator()

const authorization = `Basic ${Buffer.from(`AC1:${token}`).toString('base64')}`
async function rest(method: string, path: string, form?: Record<string, string>, auth = authorization) {
  const reply = await fetch(`${simulator.url}/2010-04-01/Accounts/AC1/${path}`, {
    method,
    headers: { authorization: auth },
    ...(form && { body: new URLSearchParams(form) }),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}
const place = (To: string, more: Record<string, string> = {}) =>
  rest('POST', 'Calls.json', {
    To,
    From: '+12025550100',
    Url: `${base}/answer`,
    StatusCallback: `${base}/status`,
    ...more,
  })
const statuses = (sid: unknown) =>
  told.filter(({ path, form }) => path === '/status' && form.CallSid === sid).map(({ form }) => form.CallStatus)

interface Stream {
  socket: WebSocket
  // Tests look into what they hear freely.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  messages: any[]
  closed: Promise<void>
}
const nextStream = () =>
  new Promise<Stream>((resolve) => {
    sockets.once('connection', (socket) => {
      const closed = new Promise<void>((close) => socket.once('close', () => close()))
      const stream: Stream = { socket, messages: [], closed }
      socket.on('message', (data) => stream.messages.push(JSON.parse(String(data))))
      resolve(stream)
    })
  })

test('a call is reported step by step, signed, and its audio streams in real time until the service closes it', async () => {
  const streaming = nextStream()
  const placedAt = performance.now()
  const { status, body } = await place('+12025550113', {
    MachineDetection: 'Enable',
    AsyncAmdStatusCallback: `${base}/machine`,
  })
  assert.equal(status, 201)
  assert.deepEqual([body.status, body.direction, body.account_sid], ['queued', 'outbound-api', 'AC1'])
  const { socket, messages } = await streaming
  const isMedia = ({ event }: { event: string }) => event === 'media'
  const media = () => messages.filter(isMedia)
  await until(async () => media().length >= 50)
  assert.deepEqual(
    messages.slice(0, 2).map(({ event }) => event),
    ['connected', 'start'],
  )
  const { start } = messages[1]
  assert.deepEqual([start.callSid, start.customParameters], [body.sid, { ticket: 'a & b' }])
  const [frame] = media()
  assert.deepEqual([Buffer.from(frame.media.payload, 'base64').length, frame.media.chunk], [160, '1'])
  const took = performance.now() - placedAt
  assert.ok(took > 700, `${messages.length} messages came within ${took} ms: faster than sound`)

  const tell = (message: object) => socket.send(JSON.stringify({ streamSid: messages[1]?.streamSid, ...message }))
  const marks = () => messages.filter(({ event }) => event === 'mark').map(({ mark }) => mark.name)
  const audio = (seconds: number) => Buffer.alloc(8000 * seconds, 0x80).toString('base64')
  // The carrier plays one frame for each frame that it sends, 50 per second.
  const framesBefore = (mark: string) =>
    messages
      .slice(
        0,
        messages.findIndex((message) => message.mark?.name === mark),
      )
      .filter(isMedia).length
  let sent = media().length
  tell({ event: 'media', media: { payload: audio(1) } })
  tell({ event: 'mark', mark: { name: 'played' } })
  await until(async () => marks().length === 1)
  assert.ok(framesBefore('played') - sent >= 50, 'a mark comes back when the audio before it was played')
  sent = media().length
  tell({ event: 'media', media: { payload: audio(60) } })
  tell({ event: 'mark', mark: { name: 'cleared' } })
  tell({ event: 'clear' })
  await until(async () => marks().length === 2)
  assert.ok(framesBefore('cleared') - sent < 3_000, 'and at once when that audio is thrown away')

  await until(async () => told.some(({ path }) => path === '/machine'))
  assert.equal(told.find(({ path }) => path === '/machine')?.form.AnsweredBy, 'machine_start')
  socket.close()
  await until(async () => statuses(body.sid).includes('completed'))
  assert.deepEqual(statuses(body.sid), ['initiated', 'ringing', 'in-progress', 'completed'])
  assert.ok(told.some(({ path, form }) => path === '/after' && form.CallSid === body.sid))
  assert.ok(told.every(({ isSigned }) => isSigned))
  const shown = await rest('GET', `Calls/${body.sid}.json`)
  assert.equal(shown.body.status, 'completed')
})

test('a person who hangs up is reported before the media ends; a call can be cancelled', async () => {
  const streaming = nextStream()
  const { body } = await place('+12025550114')
  const { messages, closed } = await streaming
  await closed
  assert.equal(messages.at(-1)?.event, 'stop')
  await until(async () => statuses(body.sid).includes('completed'))

  const held = nextStream()
  const other = await place('+12025550113')
  await held
  const ended = await rest('POST', `Calls/${other.body.sid}.json`, { Status: 'completed' })
  assert.equal(ended.status, 200)
  await until(async () => statuses(other.body.sid).includes('completed'))
  const again = await rest('POST', `Calls/${other.body.sid}.json`, { Status: 'completed' })
  assert.deepEqual([again.status, again.body.code], [400, 21220])
})

/** Sound that a voice detector takes for speech. */
function voice(ms: number): string {
  const hum = new Int16Array(8 * ms)
  for (let i = 0; i < hum.length; i++)
    hum[i] = 9_000 * Math.sign(Math.sin((2 * Math.PI * 180 * i) / 8000)) * Math.sin((Math.PI * i) / 1200)
  return Buffer.from(encodeMulaw(hum)).toString('base64')
}
const scriptsIn = ({ messages }: Stream) =>
  messages.filter(({ event }) => event === 'script').map(({ script }) => script.text)

test('an interrupting person waits for the answer, but not for an agent that says nothing', async () => {
  const streaming = nextStream()
  await place('+12025550115', { SimulationScript: '["Where is my parcel?"]' })
  const stream = await streaming
  const tell = (message: object) => stream.socket.send(JSON.stringify(message))
  const say = (ms: number) => tell({ event: 'media', media: { payload: voice(ms) } })
  say(30_000)
  await until(async () => scriptsIn(stream).length === 1)
  assert.deepEqual(scriptsIn(stream), [interruption])
  tell({ event: 'clear' })
  const { length } = stream.messages
  await until(async () => stream.messages.length > length + 250)
  assert.deepEqual(scriptsIn(stream), [interruption], 'the agent has not answered yet')
  say(500)
  await until(async () => scriptsIn(stream).length === 2)
  assert.deepEqual(scriptsIn(stream), [interruption, 'Where is my parcel?'])
  stream.socket.close()

  const silent = nextStream()
  await place('+12025550115', { SimulationScript: '["Is anybody there?"]' })
  const other = await silent
  await until(async () => scriptsIn(other).length === 1)
  assert.deepEqual(scriptsIn(other), ['Is anybody there?'])
  other.socket.close()
})

test('invalid requests are refused with the carrier’s codes', async () => {
  assert.deepEqual((await place('nobody')).body.code, 21211)
  assert.deepEqual((await place('+12025550142', { From: 'me' })).body.code, 21212)
  assert.deepEqual((await rest('GET', 'Calls/CA1.json')).body.code, 20404)
  assert.equal((await rest('POST', 'Calls.json', {}, 'Basic nothing')).status, 401)
  assert.equal((await rest('GET', 'Calls.json')).status, 405)
})

test('the signature matches the carrier’s published algorithm', () => {
  const form = {
    CallSid: 'CA00000000000000000000000000000077',
    CallStatus: 'completed',
    CallDuration: '42',
    From: '+15550100001',
    To: '+15550100002',
  }
  const url = 'https://calls.example.test/hooks/voice/status?run=77'
  assert.equal(sign(url, form, 'tok_demo_0001'), 'gkG38lIUsL+SEG+781dYZNCHKBg=')
})

test('instructions are parsed, numbers have behaviours, and a seed is deterministic', () => {
  assert.deepEqual(
    readTwiml(
      '<Response><Say>Hi &amp; bye</Say><Dial callerId="+1" action="/a"><Number url="/b">+2</Number></Dial><Gather action="/c"><Say>Press</Say></Gather><Hangup/></Response>',
    ),
    [
      { verb: 'say', text: 'Hi & bye' },
      { verb: 'dial', number: '+2', action: '/a', briefingUrl: '/b' },
      { verb: 'gather', text: 'Press', action: '/c' },
      { verb: 'hangup' },
    ],
  )
  assert.deepEqual(readTwiml('<Response><Reject reason="busy"/></Response>'), [{ verb: 'reject', reason: 'busy' }])
  assert.equal(readTwiml('<html>'), undefined)
  assert.deepEqual(
    ['+12025550111', '+447700900112', '+12025550142'].map((number) => behaviourOf(number).answers),
    ['nobody', 'busy', 'person'],
  )
  const [one, same, other] = [randomFrom('a'), randomFrom('a'), randomFrom('b')]
  const first = Array.from({ length: 5 }, one)
  assert.deepEqual(first, Array.from({ length: 5 }, same))
  assert.notDeepEqual(first, Array.from({ length: 5 }, other))
})
