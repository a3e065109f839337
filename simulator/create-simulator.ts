import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Log } from '../server/platform/log.ts'
import { createOutboundHttp } from '../server/platform/outbound-fetch.ts'
import { createBlockList } from './block-list.ts'
import { createBusinessApp } from './business-app.ts'
import { createCarrier } from './carrier/create-carrier.ts'
import type { PersonSpeech } from './carrier/person.ts'
import { createControl } from './control-routes.ts'
import { createGraphRoutes } from './graph-routes.ts'
import { createSimulatorServer } from './http-server.ts'
import { createInbound } from './inbound.ts'
import { createKnobs } from './knobs.ts'
import { createLedger } from './ledger.ts'
import { createLimits } from './limits.ts'
import { createMedia } from './media.ts'
import { createNumberHealth } from './number-health.ts'
import { createNumbers } from './numbers.ts'
import { createPeople } from './people.ts'
import { createSchedule } from './schedule.ts'
import { createSends } from './sends.ts'
import { statusJson } from './statuses.ts'
import type { SimulatorStore } from './store.ts'
import type { SimulatorTask } from './tasks.ts'
import { createTemplateEvents } from './template-events.ts'
import { createTemplateRoutes } from './template-routes.ts'
import { createTemplates } from './templates.ts'
import { createTranscript } from './transcript.ts'
import { createWebhooks } from './webhooks.ts'
import { createWindows } from './windows.ts'

export interface SimulatorOptions {
  store: SimulatorStore
  /** Divides the simulator's own waits; 0 removes them. */
  speed: number
  log: Log
  /** Speech for simulated callers, asked for by their first call. */
  speech: () => PersonSpeech
  /** The base of callback URLs that are only a path. */
  callbackBase?: (attempt: number) => Promise<string | undefined>
  /** Allows other machines to use the control API. */
  controlToken?: string | undefined
  /** How many sends the ledger keeps. */
  ledgerSize?: number
}

export interface Simulator {
  /** Returns the address it listens on. */
  listen(where: { host: string; port: number }): Promise<string>
  /** Stores what is still to be sent, and ends. */
  close(): Promise<void>
}

/**
 * The chat platform's and the telephone carrier's side over real HTTP. It knows nothing of the service that calls it.
 */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { store, speed, log, speech } = options
  const wait = (ms: number) => (speed === 0 ? 0 : ms / speed)
  const http = createOutboundHttp({ connectionsPerOrigin: 16 })
  const knobs = createKnobs()
  const numbers = createNumbers(store)
  const templates = createTemplates(store, knobs)
  const windows = createWindows(store)
  const media = createMedia(store)
  const limits = createLimits()
  const ledger = createLedger(options.ledgerSize ?? 200_000)
  const transcript = createTranscript()
  const webhooks = createWebhooks({ numbers, knobs, http, log, speed, callbackBase: options.callbackBase })
  const blockList = createBlockList({ store, numbers, windows })
  const people = createPeople()
  const inbound = createInbound({ webhooks, windows, blockList, media, limits, knobs, transcript, people })
  const schedule = createSchedule<SimulatorTask>(run)
  const templateEvents = createTemplateEvents({ templates, numbers, webhooks, later, wait, speed })
  const health = createNumberHealth({ store, webhooks })
  const sends = createSends({
    templates,
    windows,
    media,
    limits,
    ledger,
    transcript,
    knobs,
    health,
    people,
    later,
    wait,
  })
  const templateRoutes = createTemplateRoutes({ numbers, templates, later, wait })
  const businessApp = createBusinessApp({ store, numbers, webhooks })
  const graph = createGraphRoutes({ numbers, sends, media, templates: templateRoutes, health, blockList, businessApp })
  const carrier = createCarrier({ http, log, speech, wait })
  const instance = randomBytes(8).toString('hex')
  const scheduled = () => schedule.size
  const control = createControl({
    numbers,
    inbound,
    knobs,
    ledger,
    templates,
    templateEvents,
    transcript,
    webhooks,
    windows,
    health,
    carrier,
    businessApp,
    scheduled,
    instance,
  })
  const server = createSimulatorServer({
    graph,
    control,
    knobs,
    media,
    numbers,
    carrier,
    log,
    controlToken: options.controlToken,
  })
  const sweeping = setInterval(() => void store.removeExpired().catch(() => {}), 3600_000).unref()
  /** Timed work that has not ended. */
  const running = new Set<Promise<void>>()

  function later(task: SimulatorTask): void {
    // Statuses join the batch that is being filled; the rest may have to wait until its request is answered.
    if (task.at <= Date.now() && task.kind === 'statuses') run(task)
    else schedule.add(task)
  }

  function run(task: SimulatorTask): void {
    if (task.kind === 'statuses') {
      tellStatuses(task)
      return
    }
    const work = (task.kind === 'template' ? templateEvents.run(task) : receive(task))
      .catch((error) => log.warn({ err: error }, 'simulator: background task failed'))
      .finally(() => running.delete(work))
    running.add(work)
  }

  function tellStatuses(task: SimulatorTask & { kind: 'statuses' }): void {
    const { message, steps } = task
    const number = numbers.known(message.key)
    if (!number) return
    const now = Date.now()
    for (; task.step < steps.length; task.step++) {
      const step = steps[task.step] as (typeof steps)[number]
      if (step.toldAt > now) {
        task.at = step.toldAt
        schedule.add(task)
        return
      }
      transcript.setStatus(message.id, step.status)
      webhooks.push(number, { part: 'statuses', json: statusJson(message, step) })
    }
  }

  async function receive({ key, from, message }: SimulatorTask & { kind: 'inbound' }): Promise<void> {
    const number = await numbers.find(key)
    if (number) await inbound.receive(number, { from, message })
  }

  /** Leftovers of an earlier run, here or on another node. Each record goes to one node only. */
  async function takeUp(): Promise<void> {
    for (;;) {
      const records = await store.take('pending', 50)
      for (const { data } of records) {
        const { tasks, bodies } = data as { tasks: SimulatorTask[]; bodies: { key: string; body: string }[] }
        for (const { key, body } of bodies) webhooks.resume(key, body)
        for (const task of tasks) {
          if (task.kind === 'statuses') await numbers.find(task.message.key)
          later(task)
        }
      }
      if (records.length < 50) return
    }
  }

  async function writeDown(): Promise<void> {
    const tasks = [...sends.held(), ...schedule.drain()]
    const bodies = webhooks.drain()
    const save = (n: number, data: object) =>
      store.save({ kind: 'pending', id: `${Date.now()}-${instance}-${String(n).padStart(6, '0')}`, account: '', data })
    let n = 0
    for (let i = 0; i < bodies.length; i += 20) await save(n++, { tasks: [], bodies: bodies.slice(i, i + 20) })
    for (let i = 0; i < tasks.length; i += 1000) await save(n++, { tasks: tasks.slice(i, i + 1000), bodies: [] })
  }

  return {
    async listen(where) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(where.port, where.host, resolve)
      })
      await store.removeExpired()
      await takeUp()
      const { port } = server.address() as AddressInfo
      return `http://${where.host.includes(':') ? `[${where.host}]` : where.host}:${port}`
    },
    async close() {
      clearInterval(sweeping)
      await carrier.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all(running)
      await writeDown()
      await http.close()
    },
  }
}
