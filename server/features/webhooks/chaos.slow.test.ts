import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readSettings } from '../../config.ts'
import { type CallAs, startTestApp } from '../../testing/app.ts'
import { databaseUrl, type Running, startProcess, temporaryFolder, until } from '../../testing/process.ts'
import { type MadeWebhook, makeWebhook, type Received, receiver, verify } from '../../testing/webhook-receivers.ts'
import type { Event } from '../events/schema.ts'

/**
 * One hour takes six seconds, or CHAOS_SECONDS: the retry schedule and the time until an endpoint is disabled are
 * divided by the same factor, through the settings that operators have.
 */
const hourMs = Number(process.env.CHAOS_SECONDS ?? 6) * 1000
const speedup = 3_600_000 / hourMs
const timeoutMs = 3 * hourMs + 180_000
const usual = readSettings({})
const timing = {
  WEBHOOK_RETRY_SECONDS: usual.WEBHOOK_RETRY_SECONDS.map((seconds) => String(Number(seconds) / speedup)),
  WEBHOOK_DISABLE_AFTER_SECONDS: usual.WEBHOOK_DISABLE_AFTER_SECONDS / speedup,
  WEBHOOK_TIMEOUT_SECONDS: 0.2,
}
/** This node serves the API only. Separate worker processes, which the test kills, deliver. */
const app = await startTestApp({ settings: { ROLE: 'api', OUTBOUND_ALLOW: ['127.0.0.1'] } })
const folder = await temporaryFolder()
const startWorker = () =>
  startProcess(folder, {
    DATABASE_URL: databaseUrl(app.connection),
    SECRET_KEY: app.settings.SECRET_KEY as string,
    OUTBOUND_ALLOW: '127.0.0.1',
    ROLE: 'worker',
    ...Object.fromEntries(Object.entries(timing).map(([name, value]) => [name, String(value)])),
  })

const chance = (share: number) => Math.random() < share
const answer = (response: ServerResponse, status: number, headers = {}) =>
  void response.writeHead(status, headers).end()

/** Ways in which an endpoint misbehaves. Each is healthy again by the end of the hour. */
const behaviors: Record<string, (response: ServerResponse, minute: number) => void> = {
  healthy: (response) => answer(response, 200),
  flaky: (response) => answer(response, chance(0.15) ? 500 : 204),
  slow: (response) => void setTimeout(() => answer(response, 200), Math.random() * 150),
  hanging: (response) => (chance(0.1) ? undefined : answer(response, 200)),
  // A full disk: the endpoint reads the request and cuts the connection.
  full: (response, minute) => (minute > 10 && minute < 20 ? void response.socket?.destroy() : answer(response, 200)),
  busy: (response) => (chance(0.1) ? answer(response, 429, { 'retry-after': '1' }) : answer(response, 200)),
  away: (response, minute) =>
    answer(response, minute > 15 && minute < 25 ? 302 : 200, { location: 'http://127.0.0.1:9/' }),
  garbled: (response) => (chance(0.2) ? void response.socket?.end('HTTP/9 what?\r\n\r\n') : answer(response, 200)),
  gone: (response, minute) => answer(response, minute > 30 && minute < 35 ? 410 : 200),
  // Its port is closed for a while.
  dead: (response) => answer(response, 200),
}
const isDead = (minute: number) => minute > 20 && minute < 40

interface Endpoint {
  behavior: string
  pattern: string
  received: Received[]
  /** Opens and closes its port. */
  open(): Promise<void>
  close(): Promise<void>
  webhook: MadeWebhook
  call: CallAs
  /** Ids of the events that it answered with a 2xx. */
  accepted: Set<string>
}

test('after an hour of failures every endpoint has received every event it subscribes to, and no other', async () => {
  const org = await app.organization()
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  const begun = Date.now()
  const minute = () => ((Date.now() - begun) / hourMs) * 60
  const isOver = () => minute() >= 60

  const endpoints: Endpoint[] = []
  const forged: Received[] = []
  for (const [behavior, react] of Object.entries(behaviors))
    for (const [pattern, call] of [
      ['*', org.call],
      [behavior === 'healthy' ? '*' : 'contact.*', live],
    ] as const) {
      const accepted = new Set<string>()
      const received: Received[] = []
      const listen = (port?: number) =>
        receiver((response, got) => {
          received.push(got)
          if (!isOurs(webhook, got)) forged.push(got)
          response.once('finish', () => response.statusCode < 300 && accepted.add(got.id))
          if (isOver()) answer(response, 200)
          else react(response, minute())
        }, port)
      let at = await listen()
      const { port } = new URL(at.url)
      const open = async () => {
        at = await listen(Number(port))
      }
      const webhook = await makeWebhook(call, at.url, [pattern])
      endpoints.push({ behavior, pattern, received, open, close: () => at.close(), webhook, call, accepted })
    }
  /** Reopens the ports also if the hour ends early. */
  const closeDeadEndpoints = async () => {
    const dead = endpoints.filter(({ behavior }) => behavior === 'dead')
    await until(async () => isDead(minute()) || isOver(), timeoutMs)
    await Promise.all(dead.map(({ close }) => close()))
    await until(async () => !isDead(minute()), timeoutMs)
    await Promise.all(dead.map(({ open }) => open()))
  }

  const workers: Running[] = await Promise.all([startWorker(), startWorker(), startWorker()])
  let killed = 0
  const owner = new pg.Client(app.connection)
  await owner.connect()
  /** Kills workers with requests in flight, stops others with SIGTERM, and cuts random database connections. */
  const disrupt = async () => {
    for (let n = 0; !isOver() || killed < 3; n++) {
      await sleep(hourMs / 12)
      const leaving = workers.shift()
      if (n % 4 !== 3) killed++
      await leaving?.stop(n % 4 === 3 ? 'SIGTERM' : 'SIGKILL')
      workers.push(await startWorker())
      await owner.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'frontdesk frontdesk_system' and random() < 0.3`)
    }
  }
  /** Enables disabled endpoints again and recovers the events that they missed. */
  const reenable = async () => {
    const since = new Date(begun - 1000).toISOString()
    for (let isLast = false; !isLast; ) {
      isLast = isOver()
      for (const { webhook, call } of endpoints) {
        const path = `webhooks/${webhook.id}`
        if ((await retrying(() => call('GET', path))).status === 'enabled') continue
        await retrying(() => call('PATCH', path, { status: 'enabled' }))
        await retrying(() => call('POST', `${path}/recover`, { since }))
      }
      await sleep(hourMs / 20)
    }
  }
  let people = 0
  const madeBy = new Map<CallAs, string[]>()
  const createEvents = async (call: CallAs) => {
    for (let n = 0; n < 15 || !isOver(); n++) {
      const made = await retrying(() => call('POST', 'contacts', { phone_number: `+1415${5_600_000 + ++people}` }))
      madeBy.set(call, [...(madeBy.get(call) ?? []), made.id])
      await retrying(() => call('PATCH', `contacts/${made.id}`, { name: `Person ${people}`, stage: 'engaged' }))
      await retrying(() => call('POST', 'crm/tasks', { contact_id: made.id, title: 'Call back' }))
      if (chance(0.2)) await retrying(() => call('DELETE', `contacts/${made.id}`))
      await sleep(Math.random() * 60)
    }
  }
  await Promise.all([
    disrupt(),
    reenable(),
    closeDeadEndpoints(),
    createEvents(org.call),
    createEvents(live),
    createEvents(org.call),
  ])
  await owner.end()

  const outbox = { test: await allEvents(org.call), live: await allEvents(live) }
  assert.ok(outbox.test.length >= 2 * 15 * 3 && outbox.live.length >= 15 * 3)
  // Every change has exactly one event in the outbox.
  for (const [call, events] of [
    [org.call, outbox.test],
    [live, outbox.live],
  ] as const) {
    const created = events.filter(({ type }) => type === 'contact.created').map(({ data }) => data.object.id)
    assert.deepEqual(created.sort(), [...(madeBy.get(call) ?? [])].sort())
  }
  const wantedBy = ({ pattern, call }: Endpoint) =>
    (call === live ? outbox.live : outbox.test).filter(({ type }) => pattern === '*' || type.startsWith('contact.'))
  await until(async () => endpoints.every((each) => each.accepted.size >= wantedBy(each).length), timeoutMs)

  for (const endpoint of endpoints) {
    const wanted = wantedBy(endpoint)
    const what = `${endpoint.behavior}, ${endpoint.pattern}`
    assert.deepEqual([...endpoint.accepted].sort(), wanted.map(({ id }) => id).sort(), what)
    const byId = new Map(wanted.map((event) => [event.id, event]))
    for (const got of endpoint.received) {
      const event = byId.get(got.id) as Event
      assert.deepEqual(got.event, { ...event, timestamp: event.created_at }, what)
    }
  }
  assert.deepEqual(forged, [])
  await Promise.all(workers.map((worker) => worker.stop()))
})

/** Verified by the public library on arrival. */
function isOurs({ secret }: MadeWebhook, got: Received): boolean {
  try {
    verify(secret, got)
    return true
  } catch {
    return false
  }
}

/**
 * The database may have cut the connection of this request: the client repeats it, and may find that the first one had
 * committed.
 */
async function retrying(request: () => ReturnType<CallAs>) {
  for (;;) {
    const { status, body, text } = await request()
    if (status < 300) return body
    if (status === 409) return { id: body.existing_id }
    if (status === 404) return body
    assert.ok(status === 500 || status === 503, text)
  }
}

/** The outbox, as the API lists it. */
async function allEvents(call: CallAs): Promise<Event[]> {
  const events: Event[] = []
  for (let cursor = ''; ; ) {
    const { data, has_more, next_cursor } = (await call('GET', `events?limit=100${cursor}`)).body
    events.push(...data)
    if (!has_more) return events
    cursor = `&starting_after=${next_cursor}`
  }
}
