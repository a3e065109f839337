import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl } from '../server/testing/process.ts'
import { fill } from './fill.ts'
import { benchDatabase, serve, serveFrontdesk } from './harness.ts'

/**
 * `npm run soak [recipients]`: checks that a campaign loses no message and sends none twice.
 *
 * Sends one campaign to 100,000 recipients with several worker processes. Every few seconds a worker is killed, and the
 * platform duplicates, reorders, delays and fails requests and receipts. At the end each delivery is compared with the
 * platform's ledger. Deliveries that are `unknown` are then retried, as a member would do, and everything is compared
 * once more. Exits with 1 if a single delivery does not agree.
 */

const recipients = Number(process.argv[2] ?? 100_000)
const workerCount = Number(process.env.SOAK_WORKERS ?? 3)
const secretKey = 'a secret key that only benchmarks use'
const program = join(import.meta.dirname, '../server/bin/frontdesk.js')

/**
 * The final state of messages to numbers with these endings; one recipient in `oneIn` has each. All other recipients
 * read the message.
 */
const finalStates = [
  { ending: '0101', oneIn: 150, status: 'sent', code: null },
  { ending: '0102', oneIn: 100, status: 'failed', code: '131026' },
  { ending: '0107', oneIn: 2_000, status: 'read', code: null },
] as const
const defaultState = { status: 'read', code: null }
const finalStateOf = (phoneNumber: string) =>
  finalStates.find(({ ending }) => phoneNumber.endsWith(ending)) ?? defaultState

/**
 * Short outages of the platform, in rotation. With `lost_answer` and `false_error` the platform accepts the message
 * although its answer is missing or says otherwise. They end after a moment: of a channel on hold, two requests at once
 * find out whether the platform is up, and would need many holds to use up the outage.
 */
const outageMs = 500
const outages = [
  { kind: 'lost_answer', requests: 20 },
  { kind: 'false_error', requests: 20 },
  { kind: 'refuse', requests: 20 },
  { kind: 'error', requests: 20 },
  { kind: 'timeout', requests: 5 },
]

const started = performance.now()
const database = await benchDatabase()
const large = await fill(database.connection, 0)
const small = await fill(database.connection, 10)
const simulator = await serve(join(import.meta.dirname, 'serve-simulator.ts'), [], {})
const api = await serveFrontdesk(database.connection, {
  ROLE: 'api',
  SECRET_KEY: secretKey,
  SIMULATOR_URL: simulator.url,
})
const workers = createWorkers()
const tally = { kills: 0, stops: 0, outages: 0, resumed: 0 }

try {
  for (let i = 0; i < workerCount; i++) workers.start()
  const asLarge = caller(large.secret)
  const asSmall = caller(small.secret)
  const [ofLarge, ofSmall] = [await prepareSending(asLarge), await prepareSending(asSmall)]
  await addRecipients()
  await control('PATCH', 'knobs', { duplicates: 1, order: 'shuffled', delay_ms: 300, error_rate: 0.01 })

  const sendingSince = performance.now()
  const { id } = await asLarge('POST', 'campaigns', { name: 'Soak', ...ofLarge })
  const failures = causeFailures()
  const smallCampaignSeconds = sendSmallCampaign(asSmall, ofSmall, { behind: () => asLarge('GET', `campaigns/${id}`) })
  await untilCompleted(asLarge, id)
  const sentIn = (performance.now() - sendingSince) / 1000
  await failures.stop()
  await untilReceiptsApplied()
  // No faults from here on, so that every retried message arrives.
  await control('DELETE', 'knobs')
  const before = await compare(asLarge, id)
  const inDoubt = before.unknown
  const { retried_count } = await asLarge('POST', `campaigns/${id}/retry`, { scope: 'unknown' })
  assertThat(retried_count === inDoubt, `${inDoubt} deliveries were unknown, but ${retried_count} are retried`)
  await untilCompleted(asLarge, id)
  await untilReceiptsApplied()
  const after = await compare(asLarge, id)
  assertThat(after.unknown === 0 && after.accepted + after.refused === recipients, JSON.stringify(after))
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  console.log(
    [
      `${recipients.toLocaleString('en')} recipients, ${workerCount} workers, ${minutes} minutes, sent in ${sentIn.toFixed(0)} s`,
      `workers killed ${tally.kills} times and stopped ${tally.stops} times; ${tally.outages} outages; resumed ${tally.resumed} times`,
      `accepted by the platform ${after.accepted.toLocaleString('en')}, twice ${after.repeated}`,
      `in doubt after the last send ${inDoubt}, none of them ever seen by the platform; sent when a person asked`,
      `deliveries: ${Object.entries(after.statuses)
        .map(([status, n]) => `${status} ${n.toLocaleString('en')}`)
        .join(', ')}`,
      `meanwhile ten messages of another organization took ${(await smallCampaignSeconds).toFixed(1)} s from POST to completed`,
      'ledger and deliveries agree, one by one',
    ].join('\n'),
  )
} finally {
  workers.close()
  await Promise.all([api.stop(), simulator.stop()])
  await database.close()
}

function assertThat(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message)
}

type Call = ReturnType<typeof caller>

function caller(secret: string) {
  return async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${api.url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    assertThat(
      answer.status < 300,
      `${method} ${path}: ${answer.status} ${answer.status < 300 || (await answer.text())}`,
    )
    // biome-ignore lint/suspicious/noExplicitAny: the API's answers are known
    return (await answer.json()) as any
  }
}

async function control(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${simulator.url}/simulator/${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  assertThat(answer.status === 200, `${method} ${path}: ${answer.status}`)
  // biome-ignore lint/suspicious/noExplicitAny: the simulator's answers are known
  return (await answer.json()) as any
}

/** Worker processes, started as an operator would. */
function createWorkers() {
  const running = new Set<ChildProcess>()
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL')
  })
  const start = () => {
    const child = spawn(process.execPath, [program, 'start'], {
      env: {
        PATH: process.env.PATH,
        ROLE: 'worker',
        DATABASE_URL: databaseUrl(database.connection),
        SECRET_KEY: secretKey,
        SIMULATOR_URL: simulator.url,
        CAMPAIGN_LEASE_SECONDS: '5',
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
      },
      stdio: 'inherit',
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
  }
  return {
    start,
    /** Ends a random worker with this signal and starts another. */
    replace(signal: NodeJS.Signals) {
      const all = [...running]
      all[Math.floor(Math.random() * all.length)]?.kill(signal)
      start()
    },
    close() {
      for (const child of running) child.kill('SIGKILL')
    },
  }
}

/**
 * Every 1 to 5 seconds, ends a worker and causes a short outage of the platform. Four of five workers are killed, the
 * fifth gets SIGTERM.
 */
function causeFailures() {
  let isOver = false
  const run = async () => {
    for (let n = 1; !isOver; n++) {
      await sleep(1_000 + Math.random() * 4_000)
      // On a machine where workers start slowly, none would be left.
      while (!isOver && (await workersAlive()) < workerCount) await sleep(200)
      if (isOver) return
      const isGraceful = n % 5 === 0
      workers.replace(isGraceful ? 'SIGTERM' : 'SIGKILL')
      if (isGraceful) tally.stops++
      else tally.kills++
      await control('POST', 'outage', { on: 'messages', for_ms: outageMs, ...outages[n % outages.length] })
      tally.outages++
    }
  }
  const running = run()
  return {
    async stop() {
      isOver = true
      await running
    },
  }
}

async function workersAlive(): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::int as n from worker_leases where name = 'campaign sender' and expires_at > now()`,
  )
  return rows[0].n
}

/** Waits until the campaign is completed, and resumes it if the circuit breaker has paused it. */
async function untilCompleted(call: Call, id: string): Promise<void> {
  for (let loggedAt = performance.now(); ; await sleep(500)) {
    const campaign = await call('GET', `campaigns/${id}`)
    if (campaign.status === 'completed') return
    if (performance.now() - loggedAt > 20_000) {
      loggedAt = performance.now()
      const { status, sent_count, pending_count, sending_count, unknown_count, waiting_reason } = campaign
      console.log(JSON.stringify({ status, sent_count, pending_count, sending_count, unknown_count, waiting_reason }))
    }
    if (campaign.status !== 'paused') continue
    await call('POST', `campaigns/${id}/resume`)
    tally.resumed++
  }
}

/** Waits until every webhook was posted, stored and applied. */
async function untilReceiptsApplied(): Promise<void> {
  for (let loggedAt = performance.now(); ; await sleep(500)) {
    const { scheduled, webhooks } = await control('GET', 'pending')
    const { rows } = await database.query(
      'select (select count(*) from incoming_hooks) + (select count(*) from early_updates) as n',
    )
    if (scheduled + webhooks + rows[0].n === 0) return
    if (performance.now() - loggedAt < 20_000) continue
    loggedAt = performance.now()
    console.log(JSON.stringify({ scheduled, webhooks, toBeApplied: rows[0].n }))
  }
}

interface LedgerEntry {
  to: string
  callback_data: string
  accepted: number
  ids: string[]
}

async function readLedger(channelId: string): Promise<Map<string, LedgerEntry>> {
  const ledger = new Map<string, LedgerEntry>()
  const page = 20_000
  for (let offset = 0; ; offset += page) {
    const { entries } = await control('GET', `ledger?phone_number_id=${channelId}&offset=${offset}&limit=${page}`)
    for (const entry of entries as LedgerEntry[]) {
      assertThat(!ledger.has(entry.callback_data), `${entry.callback_data} is in the ledger twice`)
      ledger.set(entry.callback_data, entry)
    }
    if (entries.length < page) return ledger
  }
}

/** Compares each delivery with the platform's ledger and with our messages, activities and counts. */
async function compare(call: Call, campaignId: string) {
  const campaign = await call('GET', `campaigns/${campaignId}`)
  const ledger = await readLedger(campaign.chat_phone_number_id)
  const { rows } = await database.query(
    `select d.id, d.phone_number, d.status, d.code, d.chat_message_id,
       (select count(*) from messages m where m.organization_id = d.organization_id and m.livemode = d.livemode
         and m.contact_id = d.contact_id) as messages,
       (select count(*) from activities a where a.organization_id = d.organization_id and a.livemode = d.livemode
         and a.contact_id = d.contact_id and a.type = 'message_outbound') as activities
     from deliveries d where d.campaign_id = $1`,
    [campaignId],
  )
  const statuses: Record<string, number> = {}
  const people = new Set<string>()
  let [accepted, repeated, refused] = [0, 0, 0]
  for (const { id, phone_number, status, code, chat_message_id, messages, activities } of rows) {
    const described = JSON.stringify({ id, phone_number, status, code, chat_message_id, messages, activities })
    assertThat(!people.has(phone_number), `two deliveries to one person: ${described}`)
    people.add(phone_number)
    statuses[status] = (statuses[status] ?? 0) + 1
    const entry = ledger.get(id)
    ledger.delete(id)
    if (!entry) {
      // The platform refused it, and the worker recorded that after its lease had expired and the campaign was over.
      const isRefused = status === 'failed' && code === '131000'
      assertThat(
        (status === 'unknown' || isRefused) && messages === 0 && activities === 0,
        `not in the platform’s ledger: ${described}`,
      )
      if (isRefused) refused++
      continue
    }
    accepted += entry.accepted
    if (entry.accepted > 1) repeated++
    assertThat(entry.accepted === 1, `sent ${entry.accepted} times: ${described}`)
    const expected = finalStateOf(phone_number)
    const agrees = `+${entry.to}` === phone_number && entry.ids[0] === chat_message_id
    const isRecorded = messages === 1 && activities === 1
    assertThat(
      agrees && isRecorded && status === expected.status && code === expected.code,
      `expected ${expected.status}: ${described}`,
    )
  }
  assertThat(ledger.size === 0, `${ledger.size} messages in the platform’s ledger have no delivery`)
  assertThat(rows.length === recipients, `${rows.length} deliveries instead of ${recipients}`)
  const count = (...of: string[]) => of.reduce((sum, status) => sum + (statuses[status] ?? 0), 0)
  const counted = {
    total_contacts_count: recipients,
    sent_count: accepted,
    delivered_count: count('delivered', 'read'),
    read_count: count('read'),
    failed_count: count('failed'),
    unknown_count: count('unknown'),
    pending_count: 0,
    sending_count: 0,
  }
  for (const [name, n] of Object.entries(counted))
    assertThat(campaign[name] === n, `${name} is ${campaign[name]}, but the rows give ${n}`)
  return { accepted, repeated, refused, unknown: count('unknown'), statuses }
}

/** What a campaign needs: a channel at the platform's maximum rate and an approved template. */
async function prepareSending(call: Call) {
  const [channel] = (await call('GET', 'channels')).data
  await call('PATCH', `channels/${channel.id}`, { messages_per_second: 1000 })
  const { id } = await call('POST', 'templates', {
    channel_id: channel.id,
    name: 'soak_news',
    language: 'en_US',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Hello {{1}}, the doors open at nine today.' }],
  })
  while ((await call('GET', `templates/${id}`)).platform_status !== 'APPROVED') await sleep(100)
  return { chat_phone_number_id: channel.id, message_template_id: id }
}

/**
 * Once a quarter of the large campaign is sent, sends ten messages of another organization; returns how many seconds
 * that took.
 */
async function sendSmallCampaign(
  call: Call,
  campaign: object,
  { behind }: { behind(): Promise<{ sent_count: number }> },
) {
  while ((await behind()).sent_count < recipients / 4) await sleep(200)
  const began = performance.now()
  const { id } = await call('POST', 'campaigns', { name: 'A few', ...campaign })
  await untilCompleted(call, id)
  const seconds = (performance.now() - began) / 1000
  const { sent_count } = await behind()
  assertThat(sent_count < recipients, 'the small campaign was completed only after the large one')
  return seconds
}

/** In batches: PostgreSQL looks up references in an empty table by the wrong index until it was analyzed. */
async function addRecipients(): Promise<void> {
  const ending = finalStates.map(({ ending, oneIn }) => `when n % ${oneIn} = 0 then '${ending}'`).reverse()
  const batch = 2_000
  for (let first = 1; first <= recipients; first += batch) {
    await database.query(
      `insert into contacts (organization_id, livemode, id, phone_number, name)
       select $1, false, new_id(), '+44' || (7000000 + n) || case ${ending.join(' ')} else '2000' end, 'Person ' || n
       from generate_series($2::integer, $3::integer) n`,
      [large.organizationId, first, Math.min(recipients, first + batch - 1)],
    )
    if (first === 1) await database.query('analyze contacts, contact_identities')
  }
  await database.query('analyze contacts')
}
