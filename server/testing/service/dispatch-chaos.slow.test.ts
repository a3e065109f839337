import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Campaign } from '../../features/campaigns/schema.ts'
import type { Event } from '../../features/events/schema.ts'
import { type CallAs, startTestApp } from '../app.ts'
import { type Campaigner, campaigner, compareWithLedger, receiptsAreIn } from '../campaigns.ts'
import { listenLocally } from '../listen-locally.ts'
import { environmentOf, type Running, startProcess, temporaryFolder, until } from '../process.ts'
import { numbersFrom } from '../seeded-numbers.ts'
import { startTestSimulator } from '../simulator.ts'
import { type MadeWebhook, makeWebhook, type Received, receiver, verify } from '../webhook-receivers.ts'

/**
 * The dispatch engine with both of its sources: two worker processes send campaigns to the simulated platform and
 * deliver the events to webhooks. Workers are killed, database connections terminated and leases lost, while the
 * platform and the endpoints fail in every way. The seed decides what fails when and how: repeat a failed run with
 * CHAOS_SEED.
 */
const seed = Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31))
const recipients = 240
const quietRecipients = 40
/** Requests in flight per worker: the setting for webhooks, and the slots that a campaign sender starts with. */
const webhookSlots = 8
const firstSenderSlots = 64

const simulator = await startTestSimulator()
/** This node serves the API only. */
const app = await startTestApp({
  settings: { ROLE: 'api', SIMULATOR_URL: simulator.url, OUTBOUND_ALLOW: ['127.0.0.1'] },
})
await app.listen()
// A role can terminate its own sessions; an owner who is not a superuser cannot terminate those of the tenant login.
const owner = new pg.Client(app.connection)
const tenantLogin = new pg.Client(app.tenantConnection)
await Promise.all([owner.connect(), tenantLogin.connect()])

/** How a server answers a request; `cut` closes the connection instead, `garbled` writes something that is not HTTP. */
type Fate = 200 | 302 | 500 | 'cut' | 'garbled'

function answer(response: ServerResponse, fate: Fate, body: object = {}): void {
  if (fate === 'cut') response.socket?.destroy()
  else if (fate === 'garbled') response.socket?.end('HTTP/9 what?\r\n\r\n')
  else
    response
      .writeHead(fate, { 'content-type': 'application/json', ...(fate === 302 && { location: 'http://127.0.0.1:9/' }) })
      .end(JSON.stringify(body))
}

/** Counts unanswered requests. Those of a killed worker do not count. */
function createGauge() {
  const gauge = {
    open: 0,
    most: 0,
    /** Returns what to call before the answer: the worker may send its next request as soon as it has the answer. */
    enter(response: ServerResponse): () => void {
      gauge.most = Math.max(gauge.most, ++gauge.open)
      let isOpen = true
      const leave = () => {
        if (isOpen) gauge.open--
        isOpen = false
      }
      response.once('close', leave)
      return leave
    },
  }
  return gauge
}

/** Whether the platform and the endpoints fail. */
let isTroubled = false

/** A proxy between the workers and the simulator, which has no delays and no channel that does not answer. */
const platform = {
  url: '',
  gauge: createGauge(),
  answered: 0,
  /** Requests that may still reach the simulator. */
  busy: 0,
  silentChannel: '',
  silence: Promise.withResolvers<void>(),
}
const platformRandom = numbersFrom(seed)
const platformServer = createServer(async (request, response) => {
  const { url = '', method = 'GET', headers } = request
  const leave = platform.gauge.enter(response)
  platform.busy++
  const parts = await Array.fromAsync(request).catch(() => undefined)
  // The worker was killed before its request had arrived.
  if (!parts) return void platform.busy--
  const body = Buffer.concat(parts)
  const isMessage = url.endsWith('/messages')
  // The platform executes a request whose worker was killed meanwhile.
  if (isMessage && url.includes(platform.silentChannel)) await platform.silence.promise
  const n = isMessage && isTroubled ? platformRandom(32) : 32
  const isLost = n < 2
  const executed = isLost
    ? undefined
    : await fetch(simulator.url + url, {
        method,
        headers: { authorization: String(headers.authorization), 'content-type': 'application/json' },
        ...(method !== 'GET' && { body }),
      })
  const accepted = (await executed?.json()) as object | undefined
  if (isTroubled) await sleep(platformRandom(150))
  platform.busy--
  platform.answered++
  leave()
  if (n < 4 && n % 2 === 0) answer(response, 'cut')
  else if (n < 4) answer(response, 500, { error: { message: 'Something went wrong', code: 131000 } })
  else answer(response, (executed as globalThis.Response).status as Fate, accepted)
})
const { url } = await listenLocally(platformServer)
platform.url = url

interface Endpoint {
  what: string
  call: CallAs
  webhook: MadeWebhook
  pattern: string
  received: Received[]
  /** Ids of the events that it answered with 200. */
  accepted: Set<string>
  gauge: ReturnType<typeof createGauge>
}

type Behavior = (random: (below: number) => number) => Fate | Promise<Fate>
const failures: Fate[] = [302, 500, 'cut', 'garbled']
const behaviors = {
  healthy: () => 200,
  failing: (random) => (isTroubled ? (failures[random(28)] ?? 200) : 200),
  slow: (random) => sleep(isTroubled ? random(40) : 0, 200),
} satisfies Record<string, Behavior>

const endpointsInFlight = createGauge()
const endpoints: Endpoint[] = []

async function openEndpoint({ call }: Campaigner, pattern: string, behave: Behavior): Promise<Endpoint> {
  const random = numbersFrom(seed + endpoints.length + 1)
  const accepted = new Set<string>()
  const gauge = createGauge()
  const { url, received } = await receiver(async (response, { id }) => {
    const leaves = [endpointsInFlight.enter(response), gauge.enter(response)]
    const fate = await behave(random)
    for (const leave of leaves) leave()
    if (fate === 200) accepted.add(id)
    answer(response, fate)
  })
  const webhook = await makeWebhook(call, url, [pattern])
  const endpoint = { what: `${endpoints.length} ${pattern}`, call, webhook, pattern, received, accepted, gauge }
  endpoints.push(endpoint)
  return endpoint
}

const folder = await temporaryFolder()
const workers: Running[] = []
const hasStarted = (worker: Running) => worker.output().includes('working on jobs')

async function startWorker(n: number): Promise<void> {
  const worker = await startProcess(folder, {
    ROLE: 'worker',
    LOG_LEVEL: 'info',
    ...environmentOf(app),
    SIMULATOR_URL: platform.url,
    OUTBOUND_ALLOW: '127.0.0.1',
    CAMPAIGN_LEASE_SECONDS: '3',
    WEBHOOK_CONCURRENCY: String(webhookSlots),
    // The silent endpoint never times out, and no delivery runs out of retries.
    WEBHOOK_TIMEOUT_SECONDS: '60',
    WEBHOOK_RETRY_SECONDS: Array.from({ length: 50 }, () => '0.1').join(','),
  })
  workers[n] = worker
  // A worker that loses its connection while it starts exits, and a supervisor starts it again.
  void worker.exited.then(async (code) => {
    if (code === 1 && !hasStarted(worker)) await startWorker(n)
  })
}

/** A request whose database connection was terminated is repeated. */
async function get(call: CallAs, path: string) {
  let answer = await call('GET', path)
  await until(async () => {
    if (answer.status === 200) return true
    assert.ok(answer.status === 500 || answer.status === 503, answer.text)
    answer = await call('GET', path)
    return false
  })
  return answer.body
}

async function getAll<T>(call: CallAs, path: string): Promise<T[]> {
  const all: T[] = []
  for (let cursor = ''; ; ) {
    const { data, has_more, next_cursor } = await get(call, `${path}?limit=100${cursor}`)
    all.push(...data)
    if (!has_more) return all
    cursor = `&starting_after=${next_cursor}`
  }
}

const campaignOf = ({ call }: Campaigner, id: string): Promise<Campaign> => get(call, `campaigns/${id}`)
/** No request is on its way to the platform, and all of its receipts are applied. */
const isSettled = async () => platform.busy === 0 && (await receiptsAreIn(app))
const hasEnded = async (own: Campaigner, id: string) => (await campaignOf(own, id)).status === 'completed'

async function countOf(query: string): Promise<number> {
  return (await owner.query(`select count(*)::integer as n from ${query}`)).rows[0].n
}

/** What holds at every moment. */
async function checkInvariants(): Promise<void> {
  const { body: ledger } = await simulator.control('GET', 'ledger?repeated=true')
  assert.deepEqual(ledger.entries, [], 'the platform accepted a message twice')
  const { rows } = await owner.query(`select webhook_id, id from webhook_deliveries where status = 'succeeded'`)
  const acceptedBy = new Map(endpoints.map(({ webhook, accepted }) => [webhook.id, accepted]))
  const invented = rows.filter(({ webhook_id, id }) => !acceptedBy.get(webhook_id)?.has(id))
  assert.deepEqual(invented, [], 'a delivery is recorded as delivered, and the endpoint did not accept it')
  const workers = 2
  assert.ok(endpointsInFlight.most <= workers * webhookSlots, `${endpointsInFlight.most} webhooks in flight`)
  // Each quick answer adds a slot.
  const senderSlots = workers * firstSenderSlots + platform.answered
  assert.ok(platform.gauge.most <= senderSlots, `${platform.gauge.most} messages in flight, ${senderSlots} slots`)
}

async function play(): Promise<void> {
  await startWorker(0)
  await startWorker(1)
  const [busy, quiet] = [await campaigner(app, { messagesPerSecond: 100 }), await campaigner(app)]
  await busy.crowd(recipients, 'crowd')
  await quiet.crowd(quietRecipients, 'crowd')
  const before = new Set<string>()
  for (const { call } of [busy, quiet]) for (const { id } of await getAll<Event>(call, 'events')) before.add(id)
  const endpointSilence = Promise.withResolvers<void>()
  const silent = await openEndpoint(quiet, '*', () => endpointSilence.promise.then(() => 200))
  const healthy = await openEndpoint(quiet, '*', behaviors.healthy)
  const failing = await openEndpoint(busy, '*', behaviors.failing)
  await openEndpoint(busy, 'message.*', behaviors.slow)
  await openEndpoint(busy, 'campaign.*', behaviors.healthy)
  /** Waits until the endpoint has accepted every event that it subscribes to. */
  const untilComplete = async ({ call, pattern, accepted }: Endpoint): Promise<Event[]> => {
    const wanted = (await getAll<Event>(call, 'events')).filter(
      ({ id, type }) => !before.has(id) && (pattern === '*' || type.startsWith(pattern.slice(0, -1))),
    )
    await until(async () => wanted.every(({ id }) => accepted.has(id)))
    return wanted
  }

  // A channel and an endpoint that do not answer take half of the slots and keep no other queue waiting.
  await simulator.control('PATCH', 'knobs', { duplicates: 1, order: 'shuffled' })
  platform.silentChannel = busy.channelId
  const { id } = await busy.send(null)
  await until(async () => platform.gauge.open >= firstSenderSlots / 2)
  const { id: quietId } = await quiet.send(null)
  await until(async () => (await campaignOf(quiet, quietId)).read_count === quietRecipients && hasEnded(quiet, quietId))
  await until(async () => silent.gauge.open >= webhookSlots / 2)
  await untilComplete(healthy)
  assert.equal(silent.accepted.size, 0)
  assert.equal((await campaignOf(busy, id)).sent_count, 0)
  await checkInvariants()

  isTroubled = true
  // Late receipts: nothing but the engine keeps a message of a lost worker from being sent again.
  await simulator.control('PATCH', 'knobs', { webhooks: false })
  platform.silence.resolve()
  const random = numbersFrom(seed - 1)
  const expireLeases = () => owner.query(`update worker_leases set expires_at = now() - interval '1 second'`)
  // The leases of the killed worker would expire by themselves after 10 s; the other worker loses its own as well.
  const kill = async (n: number) => {
    await workers[n]?.stop('SIGKILL')
    await expireLeases()
    await startWorker(n)
  }
  const terminateConnections = async () => {
    const share = random(3)
    for (const client of [owner, tenantLogin])
      await client.query(
        `select pg_terminate_backend(pid) from (
          select pid, row_number() over (order by pid) as n from pg_stat_activity
          where datname = current_database() and usename = current_user and application_name like 'frontdesk %') s
        where n % 3 = $1`,
        [share],
      )
  }
  const faults = [() => kill(0), () => kill(1), terminateConnections, terminateConnections, expireLeases]
  const faultCount = faults.length
  const step = recipients / (faultCount + 1)
  for (let left = faultCount; left > 0; left--) {
    const accepted = 10 * (faultCount - left + 1)
    // Both sources have progressed since the last fault and have requests in flight.
    await until(async () => {
      if (failing.accepted.size < accepted || endpointsInFlight.open === 0) return false
      const { status, pending_count, sending_count } = await campaignOf(busy, id)
      return status === 'completed' || (pending_count + sending_count < left * step && platform.gauge.open > 0)
    })
    const [fault] = faults.splice(random(left), 1)
    await fault?.()
    await checkInvariants()
  }
  await until(() => hasEnded(busy, id))
  isTroubled = false
  endpointSilence.resolve()
  await simulator.control('PATCH', 'knobs', { webhooks: true })

  // Drained workers send nothing more: what is still unknown was not accepted, and a member can have it sent again.
  await until(async () => workers.every(hasStarted))
  for (const worker of workers) assert.equal(await worker.stop(), 0, worker.output())
  await startWorker(0)
  await until(isSettled)
  await compareWithLedger(app, busy, id)
  const { unknown_count } = await campaignOf(busy, id)
  const { body } = await busy.call('POST', `campaigns/${id}/retry`, { scope: 'unknown' })
  assert.equal(body.retried_count, unknown_count)
  await until(async () => (await hasEnded(busy, id)) && (await isSettled()))
  await compareWithLedger(app, busy, id)
  await compareWithLedger(app, quiet, quietId)
  assert.equal((await campaignOf(busy, id)).read_count, recipients)

  for (const endpoint of endpoints) {
    const { what, accepted, received, webhook } = endpoint
    const wanted = new Map((await untilComplete(endpoint)).map((event) => [event.id, event]))
    assert.deepEqual([...accepted].sort(), [...wanted.keys()].sort(), what)
    for (const got of received) {
      verify(webhook.secret, got)
      const event = wanted.get(got.id) as Event
      assert.deepEqual(got.event, { ...event, timestamp: event.created_at }, what)
    }
  }
  const sent = (await untilComplete(failing)).filter(({ type }) => type === 'message.sent')
  assert.deepEqual([sent.length, new Set(sent.map(({ data }) => data.object.id)).size], [recipients, recipients])
  await until(async () => (await countOf(`webhook_deliveries where status = 'pending'`)) === 0)
  assert.equal(await countOf(`webhook_deliveries where status <> 'succeeded'`), 0)
  await checkInvariants()
}

test('whatever fails, no message is sent twice, no event is lost, and no queue keeps another waiting', async () => {
  try {
    await play()
  } catch (error) {
    throw new Error(`failed with CHAOS_SEED=${seed}`, { cause: error })
  } finally {
    // Before the database is dropped.
    await Promise.all([owner.end(), tenantLogin.end()])
  }
})
