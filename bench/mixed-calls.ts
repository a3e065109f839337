import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sign } from '../simulator/carrier/callbacks.ts'
import { pickUp } from '../simulator/carrier/phone.ts'
import { readTwiml } from '../simulator/carrier/twiml.ts'
import { speechOf } from './call-harness.ts'

/**
 * For benchmark 15: a carrier whose people call a channel and speak to its agent, and the model with which the agent
 * answers, in a process of its own. `POST` begins that many calls, each followed by another when it ends; `GET` returns
 * what was heard since the last one.
 */

export interface CallsOrder {
  /** The service, and the channel with its number and its account at the carrier. */
  url: string
  channelId: string
  number: string
  accountSid: string
  authToken: string
  calls: number
}

export interface CallsHeard {
  /** By how much the time between two frames differed from 20 ms. */
  jitterMs: number[]
  ended: number
  /** Calls that were refused or not answered by the agent. */
  failed: number
}

const frameMs = 20
/** A larger gap is a pause in speech, not jitter. */
const pauseMs = 400
const callMs = 90_000
/** The caller asks again after this much silence of the agent, or if it has said nothing for so long. */
const quietMs = 1_500
const longestSilenceMs = 10_000

const question = Buffer.concat(
  (await speechOf('Hello, I would like to know when my parcel arrives.')).map((frame) => Buffer.from(frame, 'base64')),
)
let heard: CallsHeard = { jitterMs: [], ended: 0, failed: 0 }
let isOver = false

async function call({ url, channelId, number, accountSid, authToken }: CallsOrder, person: number): Promise<void> {
  const callSid = `CA${randomBytes(16).toString('hex')}`
  const address = `${url}/hooks/voice/${channelId}/inbound`
  const form = { CallSid: callSid, From: `+1202555${4000 + person}`, To: number, CallStatus: 'ringing' }
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': sign(address, form, authToken),
    },
    body: new URLSearchParams(form),
  })
  const text = await answer.text()
  const [verb] = readTwiml(text) ?? []
  if (verb?.verb !== 'stream') throw new Error(`the call was not connected: ${answer.status} ${text}`)
  let lastAt = 0
  let isHeard = false
  const phone = await pickUp({
    url: verb.url,
    accountSid,
    callSid,
    streamSid: `MZ${callSid.slice(2)}`,
    parameters: verb.parameters,
    signature: sign(verb.url, {}, authToken),
    onAudio() {
      const now = performance.now()
      if (now - lastAt < pauseMs) heard.jitterMs.push(Math.abs(now - lastAt - frameMs))
      lastAt = now
      isHeard = true
    },
  })
  const until = performance.now() + callMs
  let isClosed = false
  void phone.over.then(() => {
    isClosed = true
  })
  let askedAt = performance.now()
  while (performance.now() < until && !isOver && !isClosed) {
    const now = performance.now()
    const hasAnswered = lastAt > askedAt && now - lastAt > quietMs
    if (hasAnswered || now - Math.max(askedAt, lastAt) > longestSilenceMs) {
      await phone.say(question)
      askedAt = performance.now()
    }
    // Not all at the same moments.
    await sleep(100 + person * 10)
  }
  phone.hangUp()
  if (!isHeard || isClosed) heard.failed++
  heard.ended++
}

async function callAgain(order: CallsOrder, person: number): Promise<void> {
  while (!isOver)
    await call(order, person).catch(async (error: Error) => {
      console.error(error.message)
      heard.failed++
      await sleep(1_000)
    })
}

async function answerAsModel(response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'text/event-stream')
  const send = (delta: object, finish_reason: string | null = null) =>
    response.write(`data: ${JSON.stringify({ model: 'bench', choices: [{ index: 0, delta, finish_reason }] })}\n\n`)
  await sleep(250)
  for (const content of ['Your parcel arrives tomorrow. ', 'Is there anything else that I can do for you?']) {
    send({ content })
    await sleep(50)
  }
  send({}, 'stop')
  response.end('data: [DONE]\n\n')
}

const server = createServer(async (request, response) => {
  if (request.url === '/v1/chat/completions') return void (await answerAsModel(response))
  if (request.url?.endsWith('.json')) {
    // What the service asks of the carrier about a call: whether it still runs, or to end it.
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ sid: /(\w+)\.json$/.exec(request.url)?.[1], status: 'in-progress' }))
    return
  }
  if (request.method === 'POST') {
    const order = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()) as CallsOrder
    for (let person = 0; person < order.calls; person++) void callAgain(order, person)
  }
  response.end(JSON.stringify(heard))
  heard = { jitterMs: [], ended: 0, failed: 0 }
})
server.listen(0, '127.0.0.1', () => console.log(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => {
  isOver = true
  process.exit()
})
