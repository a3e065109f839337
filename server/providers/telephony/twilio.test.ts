import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { handling, listenLocally } from '../../testing/listen-locally.ts'
import { CarrierError } from './contract.ts'
import { createTwilio } from './twilio.ts'
import { signatureOf, twilioHooks } from './twilio-hooks.ts'

let answer: (request: IncomingMessage, response: ServerResponse, form: URLSearchParams) => void = () => {}
const server = createServer(
  handling(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    answer(request, response, new URLSearchParams(Buffer.concat(chunks).toString()))
  }),
)
const { url: baseUrl } = await listenLocally(server)
const http = createOutboundHttp()
after(() => http.close())
const account = { accountSid: 'AC1', authToken: 'secret-token' }
const carrier = createTwilio({ baseUrl, http }).connect(account)
const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const outgoing = {
  from: '+12025550100',
  to: '+12025550142',
  answerUrl: 'https://desk.example.com/answer',
  statusUrl: 'https://desk.example.com/status',
  machineUrl: 'https://desk.example.com/machine',
  waitForGreeting: false,
  ringSeconds: 25,
  longestSeconds: 600,
}
const refusalOf = (asked: Promise<unknown>): Promise<CarrierError> =>
  asked.then(
    () => assert.fail('it was not refused'),
    (error) => {
      assert.ok(error instanceof CarrierError, String(error))
      return error
    },
  )

test('a call is placed with callbacks, machine detection and limits, with the account’s credentials', async () => {
  let asked: { url: string | undefined; authorization: string | undefined; form: URLSearchParams } | undefined
  answer = (request, response, form) => {
    asked = { url: request.url, authorization: request.headers.authorization, form }
    json(response, 201, { sid: 'CA77', status: 'queued', duration: null })
  }
  assert.deepEqual(await carrier.placeCall(outgoing), { id: 'CA77', status: 'queued', seconds: null })
  assert.equal(asked?.url, '/2010-04-01/Accounts/AC1/Calls.json')
  assert.equal(asked?.authorization, `Basic ${Buffer.from('AC1:secret-token').toString('base64')}`)
  const { form } = asked as { form: URLSearchParams }
  assert.deepEqual(form.getAll('StatusCallbackEvent'), ['initiated', 'ringing', 'answered', 'completed'])
  assert.deepEqual(
    ['To', 'From', 'Url', 'Timeout', 'TimeLimit', 'MachineDetection', 'AsyncAmd', 'AsyncAmdStatusCallback'].map(
      (name) => form.get(name),
    ),
    [
      '+12025550142',
      '+12025550100',
      'https://desk.example.com/answer',
      '25',
      '600',
      'Enable',
      'true',
      'https://desk.example.com/machine',
    ],
  )
})

test('a refusal by the carrier fails with the carrier’s message', async () => {
  answer = (_, response) => json(response, 400, { code: 21211, message: 'Invalid To', status: 400 })
  const { verdict, code, message } = await refusalOf(carrier.placeCall(outgoing))
  assert.deepEqual([verdict, code, message], ['fail', '21211', 'Invalid To'])
})

test('a rate-limited request was not executed and may be retried when the carrier says', async () => {
  answer = (_, response) => json(response, 429, { code: 20429, message: 'Too many' }, { 'retry-after': '3' })
  const { verdict, retryAfterMs } = await refusalOf(carrier.placeCall(outgoing))
  assert.deepEqual([verdict, retryAfterMs], ['retry', 3000])
})

test('after a 5xx, a lost response or an invalid one, it is unknown whether the carrier dialed', async () => {
  const failures: (typeof answer)[] = [
    (_, response) => json(response, 503, {}),
    (request) => void request.socket.destroy(),
    (_, response) => void response.writeHead(201).end('<html>'),
    (_, response) => json(response, 201, { status: 'queued' }),
  ]
  for (const failure of failures) {
    answer = failure
    assert.equal((await refusalOf(carrier.placeCall(outgoing))).verdict, 'unknown')
  }
})

test('if the carrier is unreachable, nothing was dialed', async () => {
  const nowhere = createTwilio({ baseUrl: 'http://127.0.0.1:9', http }).connect(account)
  const { verdict, code, message } = await refusalOf(nowhere.placeCall(outgoing))
  assert.deepEqual([verdict, code], ['retry', 'unreachable'])
  assert.doesNotMatch(message, /secret-token/)
})

test('a call is ended; one that is gone counts as ended, any other error does not', async () => {
  answer = (_, response, form) => json(response, 200, { sid: 'CA77', status: form.get('Status') })
  assert.equal(await carrier.endCall('CA77'), 'ended')
  answer = (_, response) => json(response, 404, { code: 20404, message: 'Not found' })
  assert.equal(await carrier.endCall('CA77'), 'gone')
  answer = (_, response) => json(response, 401, { code: 20003, message: 'Authenticate' })
  assert.equal((await refusalOf(carrier.endCall('CA77'))).code, '20003')
})

test('a call is looked up and transferred', async () => {
  answer = (_, response) => json(response, 200, { sid: 'CA77', status: 'completed', duration: '42' })
  assert.deepEqual(await carrier.findCall('CA77'), { id: 'CA77', status: 'completed', seconds: 42 })
  answer = (_, response) => json(response, 404, { code: 20404 })
  assert.equal(await carrier.findCall('CA77'), undefined)
  let twiml: string | null = null
  let timeLimit: string | null = null
  answer = (_, response, form) => {
    twiml = form.get('Twiml')
    timeLimit = form.get('TimeLimit')
    json(response, 200, { sid: 'CA77', status: 'in-progress' })
  }
  const to = { number: '+12025550142', callerId: '+1"><Say>', longestSeconds: 14_400, ringSeconds: 25 }
  const afterUrl = 'https://desk.example.com/after?a=1&b=2'
  await carrier.transferCall('CA77', { ...to, afterUrl, briefingUrl: 'https://desk.example.com/briefing' })
  assert.match(
    twiml ?? '',
    /<Dial [^>]* timeout="25" action="https:\/\/desk\.example\.com\/after\?a=1&amp;b=2" method="POST"><Number url="https:\/\/desk\.example\.com\/briefing" method="POST">\+12025550142<\/Number>/,
  )
  await carrier.transferCall('CA77', { ...to, afterUrl: undefined, briefingUrl: undefined })
  assert.equal(timeLimit, '14400')
  assert.match(
    twiml ?? '',
    /<Dial callerId="\+1&quot;&gt;&lt;Say&gt;" timeout="25"><Number>\+12025550142<\/Number><\/Dial>/,
  )
})

const form = new Map(
  Object.entries({
    CallSid: ['CA00000000000000000000000000000077'],
    CallStatus: ['completed'],
    CallDuration: ['42'],
    From: ['+15550100001'],
    To: ['+15550100002'],
  }),
)
const url = 'https://calls.example.test/hooks/voice/status?run=77'
const authToken = 'tok_demo_0001'
const signature = 'gkG38lIUsL+SEG+781dYZNCHKBg='

test('a signature is valid only for its URL, parameters and token', () => {
  assert.equal(signatureOf(url, form, authToken).toString('base64'), signature)
  const isSigned = (change: object) => twilioHooks.isSigned({ url, form, signature, authToken, ...change })
  assert.ok(isSigned({}))
  const more = new Map([...form, ['CallDuration', ['43']] as const])
  for (const change of [
    { url: url.replace('77', '78') },
    { authToken: 'tok_demo_0002' },
    { form: more },
    { signature: 'gkG38lIUsL' },
    { signature: undefined },
  ])
    assert.equal(isSigned(change), false, JSON.stringify(change))
})

test('a URL may be signed with or without its standard port', () => {
  const withPort = 'https://calls.example.test:443/x'
  const signed = signatureOf(withPort, form, authToken).toString('base64')
  assert.ok(twilioHooks.isSigned({ url: 'https://calls.example.test/x', form, signature: signed, authToken }))
  const other = signatureOf('https://calls.example.test:8443/x', form, authToken).toString('base64')
  assert.equal(twilioHooks.isSigned({ url: 'https://calls.example.test/x', form, signature: other, authToken }), false)
})

test('a repeated parameter is signed with each of its values once, in order', () => {
  const twice = new Map([['A', ['2', '1', '2']]])
  assert.deepEqual(signatureOf(url, twice, 'k'), signatureOf(url, new Map([['A', ['1', '2']]]), 'k'))
})

test('the carrier’s updates are parsed, and invalid values are dropped', () => {
  assert.deepEqual(twilioHooks.read(form), {
    callId: 'CA00000000000000000000000000000077',
    from: '+15550100001',
    to: '+15550100002',
    status: 'completed',
    seconds: 42,
    sequence: null,
    answeredBy: null,
    errorCode: null,
    isConnected: null,
  })
  const { status, seconds } = twilioHooks.read(
    new Map(Object.entries({ CallStatus: ['dancing'], CallDuration: ['-1'] })),
  )
  assert.deepEqual([status, seconds], [null, null])
})
