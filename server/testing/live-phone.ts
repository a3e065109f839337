import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { sign } from '../../simulator/carrier/callbacks.ts'
import { type Phone, pickUp } from '../../simulator/carrier/phone.ts'
import { readTwiml } from '../../simulator/carrier/twiml.ts'
import type { Settings } from '../config.ts'
import { newId } from '../platform/ids.ts'
import { startTestApp, type TestApp, type TestOrganization } from './app.ts'
import { handling, listenLocally } from './listen-locally.ts'
import { freePort } from './process.ts'

/**
 * Calls in live mode: a test carrier that takes REST requests and signs its webhooks, and a phone that the test
 * controls. Key presses stand for speech, so no recognizer is needed.
 */
interface LiveCarrier {
  url: string
  /** What the service requested for running calls, oldest first. */
  requests: { callSid: string; form: Record<string, string> }[]
  /** By call: the status of its next answer; without one, the connection is closed without an answer. */
  refusals: Map<string, number | undefined>
  /** Calls that are over; others are in progress. */
  over: Set<string>
}

/** Resolves when the agent is next heard on this phone; rejects if the call is over before. */
export function hearsAgent(phone: Phone): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  phone.onHear((_, isAgent) => {
    if (isAgent) resolve()
  })
  void phone.over.then((why) => reject(new Error(`The agent was not heard before the call was over: ${why}`)))
  return promise
}

const account = { account_sid: 'AC0123456789abcdef', auth_token: 'live-carrier-token' }

async function startCarrier(): Promise<LiveCarrier> {
  const carrier: LiveCarrier = { url: '', requests: [], refusals: new Map(), over: new Set() }
  const server = createServer(
    handling(async (request, response) => {
      const [, callSid = ''] = /\/Calls\/(\w+)\.json$/.exec(request.url ?? '') ?? []
      const form = Object.fromEntries(new URLSearchParams(await readText(request)))
      if (request.method === 'POST') carrier.requests.push({ callSid, form })
      const status = carrier.refusals.has(callSid) ? carrier.refusals.get(callSid) : 200
      carrier.refusals.delete(callSid)
      if (status === undefined) return void request.socket.destroy()
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(
          status === 200
            ? { sid: callSid, status: carrier.over.has(callSid) ? 'completed' : 'in-progress' }
            : { code: 20500, message: 'No' },
        ),
      )
    }),
  )
  const { url } = await listenLocally(server)
  carrier.url = url
  return carrier
}

export async function startLivePhones(settings: Partial<Settings> = {}) {
  const carrier = await startCarrier()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const app = await startTestApp({ settings: { TELEPHONY_BASE_URL: carrier.url, PUBLIC_URL: url, ...settings } })
  await app.server.listen({ host: '127.0.0.1', port })
  return { app, carrier, url, newOrganization: (agent: object) => newVoiceOrganization(app, url, agent) }
}

export interface VoiceOrganization extends TestOrganization {
  agentId: string
  channelId: string
  /** Posts to the channel's hooks, signed like the carrier. */
  hook(path: string, form: Record<string, string>): Promise<string>
  /** A person calls the channel, from a new number by default; `streamOf` names another call when the media stream opens. */
  ring(options?: { streamOf?: string; from?: string }): Promise<RingingPhone>
}

interface RingingPhone {
  id: string
  callSid: string
  from: string
  phone: Phone
  /** The keys whose tones this phone has heard. */
  keys(): string
  /** Opens another media stream with the same ticket. */
  pickUp(): Promise<Phone>
}

let people = 0

async function newVoiceOrganization(app: TestApp, url: string, agent: object): Promise<VoiceOrganization> {
  const org = await app.organization({ mode: 'live' })
  const made = await org.call('POST', 'agents', { name: 'Desk', ...agent })
  assert.equal(made.status, 201, made.text)
  const voice = { provider: 'twilio', ...account, phone_number_id: `PN${newId()}` }
  const phone_number = `+1415555${String(2000 + ++people)}`
  const channel = await org.call('POST', 'channels', { phone_number, agent_id: made.body.id, voice })
  assert.equal(channel.status, 201, channel.text)
  const channelId = channel.body.id as string
  const hook = async (path: string, form: Record<string, string>) => {
    const address = `${url}/hooks/voice/${channelId}${path}`
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': sign(address, form, account.auth_token),
    }
    const answer = await fetch(address, { method: 'POST', headers, body: new URLSearchParams(form) })
    assert.equal(answer.status, 200)
    return answer.text()
  }
  return {
    ...org,
    agentId: made.body.id,
    channelId,
    hook,
    async ring({ streamOf, from: caller } = {}) {
      const callSid = `CA${randomBytes(16).toString('hex')}`
      const from = caller ?? `+1202555${String(4000 + ++people)}`
      const twiml = await hook('/inbound', { CallSid: callSid, From: from, To: phone_number, CallStatus: 'ringing' })
      const [verb] = readTwiml(twiml) ?? []
      assert.ok(verb?.verb === 'stream', twiml)
      const { body } = await org.call('GET', `call-logs?search=${callSid}`)
      let keys = ''
      const onKey = (key: string) => {
        keys += key
      }
      const open = (named: string) =>
        pickUp({
          url: verb.url,
          accountSid: account.account_sid,
          callSid: named,
          streamSid: `MZ${newId()}`,
          parameters: verb.parameters,
          signature: sign(verb.url, {}, account.auth_token),
          onKey,
        })
      const phone = await open(streamOf ?? callSid)
      return { id: body.items[0].id, callSid, from, phone, keys: () => keys, pickUp: () => open(callSid) }
    },
  }
}
