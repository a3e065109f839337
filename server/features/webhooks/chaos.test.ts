import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readSettings } from '../../config.ts'
import { type CallAs, startTestApp, type TestApp } from '../../testing/app.ts'
import { until } from '../../testing/process.ts'
import { type MadeWebhook, makeWebhook, type Receiver, receiver, verify } from '../../testing/webhook-receivers.ts'
import type { Event } from '../events/schema.ts'

/**
 * An hour in fifteen seconds: every time that the service keeps towards endpoints is divided by the same factor, through the
 * settings that operators have.
 */
const faster = 240
const hourMs = 3_600_000 / faster
const usual = readSettings({})
const app = await startTestApp({
  settings: {
    ROLE: 'api',
    OUTBOUND_ALLOW: ['127.0.0.1'],
    WEBHOOK_RETRY_SECONDS: usual.WEBHOOK_RETRY_SECONDS.map((seconds) => String(Number(seconds) / faster)),
    WEBHOOK_DISABLE_AFTER_SECONDS: usual.WEBHOOK_DISABLE_AFTER_SECONDS / faster,
    WEBHOOK_TIMEOUT_SECONDS: 0.2,
  },
})

const chance = (share: number) => Math.random() < share
const answer = (response: ServerResponse, status: number, headers = {}) =>
  void response.writeHead(status, headers).end()

/** What can be wrong with an endpoint. Each ends the hour in good health. */
const moods: Record<string, (response: ServerResponse, minute: number) => void> = {
  healthy: (response) => answer(response, 200),
  flaky: (response) => answer(response, chance(0.3) ? 500 : 204),
  slow: (response) => void setTimeout(() => answer(response, 200), Math.random() * 150),
  hanging: (response) => (chance(0.2) ? undefined : answer(response, 200)),
  // Its disk is full: it takes everything in, and says so too late or not at all.
  full: (response, minute) => (minute > 10 && minute < 20 ? void response.socket?.destroy() : answer(response, 200)),
  busy: (response) => (chance(0.1) ? answer(response, 429, { 'retry-after': '1' }) : answer(response, 200)),
  away: (response, minute) =>
    answer(response, minute > 15 && minute < 25 ? 302 : 200, { location: 'http://127.0.0.1:9/' }),
  garbled: (response) => (chance(0.2) ? void response.socket?.end('HTTP/9 what?\r\n\r\n') : answer(response, 200)),
  gone: (response, minute) => answer(response, minute > 30 && minute < 35 ? 410 : 200),
}

interface Endpoint {
  mood: string
  pattern: string
  receiver: Receiver
  webhook: MadeWebhook
  call: CallAs
  /** Ids that it has answered with a 2xx. */
  accepted: Set<string>
}

test('after an hour of trouble every endpoint has every event that it wanted, and no other', async () => {
  const org = await app.organization()
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  const begun = Date.now()
  const minute = () => ((Date.now() - begun) / hourMs) * 60
  const isOver = () => minute() >= 60

  const endpoints: Endpoint[] = []
  for (const [mood, react] of Object.entries(moods))
    for (const [pattern, call] of [
      ['*', org.call],
      [mood === 'healthy' ? '*' : 'contact.*', live],
    ] as const) {
      const accepted = new Set<string>()
      const at = await receiver((response, { id }) => {
        response.once('finish', () => response.statusCode < 300 && accepted.add(id))
        if (isOver()) answer(response, 200)
        else react(response, minute())
      })
      const webhook = await makeWebhook(call, at.url, [pattern])
      endpoints.push({ mood, pattern, receiver: at, webhook, call, accepted })
    }

  const workers: TestApp[] = [await app.node({ ROLE: 'worker' }), await app.node({ ROLE: 'worker' })]
  const owner = new pg.Client(app.connection)
  await owner.connect()
  /** Workers come and go, and the database hangs up on whoever it likes. */
  const trouble = async () => {
    for (let n = 0; !isOver(); n++) {
      await sleep(hourMs / 12)
      if (n % 3 === 2) {
        const leaving = workers.shift()
        workers.push(await app.node({ ROLE: 'worker' }))
        await leaving?.close()
      }
      await owner.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'frontdesk frontdesk_system' and random() < 0.3`)
    }
  }
  /** An endpoint that was disabled is enabled again by somebody, who asks for what it missed. */
  const repair = async () => {
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
  const useIt = async (call: CallAs) => {
    for (let n = 0; n < 15 || !isOver(); n++) {
      const made = await retrying(() => call('POST', 'contacts', { phone_number: `+1415${5_600_000 + ++people}` }))
      await retrying(() => call('PATCH', `contacts/${made.id}`, { name: `Person ${people}`, stage: 'engaged' }))
      await retrying(() => call('POST', 'crm/tasks', { contact_id: made.id, title: 'Call back' }))
      if (chance(0.2)) await retrying(() => call('DELETE', `contacts/${made.id}`))
      await sleep(Math.random() * 60)
    }
  }
  await Promise.all([trouble(), repair(), useIt(org.call), useIt(live), useIt(org.call)])
  await owner.end()

  const outbox = { test: await allEvents(org.call), live: await allEvents(live) }
  assert.ok(outbox.test.length >= 2 * 15 * 3 && outbox.live.length >= 15 * 3)
  const wantedBy = ({ pattern, call }: Endpoint) =>
    (call === live ? outbox.live : outbox.test).filter(({ type }) => pattern === '*' || type.startsWith('contact.'))
  await until(async () => endpoints.every((each) => each.accepted.size >= wantedBy(each).length))

  for (const endpoint of endpoints) {
    const wanted = wantedBy(endpoint)
    const what = `${endpoint.mood}, ${endpoint.pattern}`
    assert.deepEqual([...endpoint.accepted].sort(), wanted.map(({ id }) => id).sort(), what)
    const byId = new Map(wanted.map((event) => [event.id, event]))
    for (const got of endpoint.receiver.received) {
      const event = byId.get(got.id) as Event
      assert.deepEqual(got.event, { ...event, timestamp: event.created_at }, what)
      verify(endpoint.webhook.secret, got)
    }
  }
  await Promise.all(workers.map((worker) => worker.close()))
})

/** The database may have hung up on this very request: its caller asks again, and may find that it was done after all. */
async function retrying(request: () => ReturnType<CallAs>) {
  for (;;) {
    const { status, body, text } = await request()
    if (status < 300) return body
    if (status === 409) return { id: body.existing_id }
    if (status === 404) return body
    assert.ok(status === 500 || status === 503, text)
  }
}

/** The outbox, as anybody can list it. */
async function allEvents(call: CallAs): Promise<Event[]> {
  const events: Event[] = []
  for (let cursor = ''; ; ) {
    const { data, has_more, next_cursor } = (await call('GET', `events?limit=100${cursor}`)).body
    events.push(...data)
    if (!has_more) return events
    cursor = `&starting_after=${next_cursor}`
  }
}
