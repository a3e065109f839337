import { hostname } from 'node:os'
import type { Database } from '../server/platform/database.ts'
import { Unavailable } from '../server/platform/errors.ts'
import type { Log } from '../server/platform/log.ts'
import type { OutboundHttp } from '../server/platform/outbound-fetch.ts'
import type { SecretBox } from '../server/platform/secrets.ts'
import type { BusinessAppEvent } from './business-app.ts'
import type { PersonSpeech } from './carrier/person.ts'
import type { Simulator } from './create-simulator.ts'
import { createDatabaseStore } from './database-store.ts'
import type { InboundMessage } from './inbound.ts'
import { createListeners } from './listeners.ts'
import type { NumberFacts } from './numbers.ts'
import type { TemplateEvent } from './template-events.ts'

/** The platform and the carrier of test mode: inside this process, created on first use, or a separate program. */
export interface SimulatorHost {
  /** The address of its Graph API. */
  url(): Promise<string>
  /** The path of `callback_url` is completed with the address where the service listens. */
  register(phoneNumberId: string, facts: NumberFacts): Promise<void>
  /** Returns the message id. */
  receive(inbound: InboundMessage & { phone_number_id: string; owner: string }): Promise<string>
  changeHealth(change: { owner: string; phone_number_id: string } & Record<string, unknown>): Promise<void>
  tellOfApp(event: BusinessAppEvent & { phone_number_id: string; owner: string }): Promise<void>
  changeTemplate(templateId: string, event: TemplateEvent): Promise<void>
  /** Where the carrier can call us back; nothing while no process listens. */
  callbackBase(): Promise<string | undefined>
  /** Simulates an incoming call; returns the carrier's call id. */
  call(inbound: SimulatedInboundCall): Promise<string>
  /** This process listens here: simulators of other processes post their webhooks to it too. */
  announce(address: string): Promise<void>
  /** Simulators of other processes stop posting to this process, which still listens. */
  withdraw(): Promise<void>
  /** Takes over webhooks that a stopped process has left. */
  resume(): Promise<void>
  close(): Promise<void>
}

interface SimulatedInboundCall {
  from: string
  to: string
  url: string
  status_url?: string
  account_sid: string
  auth_token: string
  script?: string[]
  seed?: string
}

interface HostOptions {
  database: Database
  speech(): PersonSpeech
  secrets: SecretBox
  http: OutboundHttp
  log: Log
  speed: number
  /** The address of a separate simulator; its control token is in the place of a user name. */
  externalUrl: string | undefined
  publicUrl: string | undefined
}

const mostListeners = 8

/** Thrown when the simulator is unreachable or refuses. */
class SimulatorUnavailable extends Error {}

export function createSimulatorHost(options: HostOptions): SimulatorHost {
  const { database, secrets, http, log, speed, publicUrl } = options
  const store = createDatabaseStore(database, secrets)
  const external = options.externalUrl === undefined ? undefined : new URL(options.externalUrl)
  const listeners = createListeners({ store, machine: hostname(), publicUrl, log })
  let starting: Promise<{ simulator: Simulator; url: string }> | undefined
  let closed = false

  function start() {
    if (closed) throw new SimulatorUnavailable('the simulator is closing')
    starting ??= (async () => {
      // Loaded on demand: most processes never need it.
      const { createSimulator } = await import('./create-simulator.ts')
      const simulator = createSimulator({
        store,
        speed,
        log,
        speech: options.speech,
        callbackBase: listeners.reachable,
      })
      return { simulator, url: await simulator.listen({ host: '127.0.0.1', port: 0 }) }
    })()
    starting.catch(() => {
      starting = undefined
    })
    return starting
  }
  const url = async () => (external ? external.origin + external.pathname.replace(/\/$/, '') : (await start()).url)

  async function control(method: 'PUT' | 'POST', path: string, body: unknown): Promise<Record<string, unknown>> {
    const answer = await http
      .fetch({
        url: `${await url()}/simulator${path}`,
        method,
        headers: {
          'content-type': 'application/json',
          ...(external?.username && { authorization: `Bearer ${decodeURIComponent(external.username)}` }),
        },
        body: JSON.stringify(body),
        timeLimitMs: 10_000,
        maxBytes: 1024 * 1024,
      })
      .catch((error) => {
        throw new SimulatorUnavailable(`the simulator cannot be reached: ${(error as Error).message}`, { cause: error })
      })
    if (answer.status === 200) return JSON.parse(answer.body.toString())
    if (answer.status === 503) throw new Unavailable('no room to write, the disk is full; try again later', 30)
    const detail = answer.body.toString().slice(0, 500)
    throw new SimulatorUnavailable(`the simulator answered with status ${answer.status}: ${detail}`)
  }

  /** Killed processes stay registered for a while: a call must not be placed that no process can answer. */
  async function callbackBase(): Promise<string | undefined> {
    for (let attempt = 0; attempt < mostListeners; attempt++) {
      const base = await listeners.reachable(attempt, external?.hostname)
      if (base === undefined) return undefined
      const probe = { url: `${base}/healthz`, timeLimitMs: 1_000, maxBytes: 64 * 1024 }
      const { status } = await http.fetch(probe).catch(() => ({ status: 0 }))
      if (status === 200) return base
    }
    return undefined
  }

  return {
    url,
    async register(phoneNumberId, facts) {
      // A separate simulator needs the whole address; the one in this process finds it when it posts.
      const base = external ? await listeners.reachable(0, external.hostname) : ''
      if (base === undefined) throw new SimulatorUnavailable('no API node listens yet that webhooks could be posted to')
      await control('PUT', `/numbers/${encodeURIComponent(phoneNumberId)}`, {
        ...facts,
        callback_url: base + facts.callback_url,
      })
    },
    async receive(inbound) {
      const { messages } = await control('POST', '/inbound', inbound)
      return (messages as { id: string }[])[0]?.id as string
    },
    async tellOfApp(event) {
      await control('POST', '/business-app', event)
    },
    async changeTemplate(templateId, event) {
      await control('POST', `/templates/${encodeURIComponent(templateId)}/events`, event)
    },
    async changeHealth(change) {
      await control('POST', '/health', change)
    },
    callbackBase,
    async call(inbound) {
      const { sid } = await control('POST', '/calls', inbound)
      return sid as string
    },
    announce: listeners.announce,
    withdraw: listeners.close,
    async resume() {
      if (!external && (await store.any('pending'))) await start()
    },
    async close() {
      closed = true
      const started = await starting?.catch(() => undefined)
      await started?.simulator.close()
      await listeners.close()
    },
  }
}
