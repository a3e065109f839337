import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl } from '../server/testing/process.ts'
import { approvedTemplate } from './approved-template.ts'
import { caller } from './caller.ts'
import { compareCampaign, finalStates } from './compare-campaign.ts'
import { fill } from './fill.ts'
import { benchDatabase, serve, serveFrontdesk } from './harness.ts'
import { simulatorControls } from './simulator-controls.ts'

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
const control = simulatorControls(simulator.url)
const api = await serveFrontdesk(database.connection, {
  ROLE: 'api',
  SECRET_KEY: secretKey,
  SIMULATOR_URL: simulator.url,
})
const workers = createWorkers()
const tally = { kills: 0, stops: 0, outages: 0, resumed: 0 }

try {
  for (let i = 0; i < workerCount; i++) workers.start()
  const asLarge = caller(api.url, large.secret)
  const asSmall = caller(api.url, small.secret)
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
  const before = await compareCampaign(asLarge, id, { database, control, recipients })
  const inDoubt = before.unknown
  const { retried_count } = await asLarge('POST', `campaigns/${id}/retry`, { scope: 'unknown' })
  assert.ok(retried_count === inDoubt, `${inDoubt} deliveries were unknown, but ${retried_count} are retried`)
  await untilCompleted(asLarge, id)
  await untilReceiptsApplied()
  const after = await compareCampaign(asLarge, id, { database, control, recipients })
  assert.ok(after.unknown === 0 && after.accepted + after.refused === recipients, JSON.stringify(after))
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

type Call = ReturnType<typeof caller>

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

/** What a campaign needs: a channel at the platform's maximum rate and an approved template. */
async function prepareSending(call: Call) {
  const [channel] = (await call('GET', 'channels')).data
  await call('PATCH', `channels/${channel.id}`, { messages_per_second: 1000 })
  const { id } = await approvedTemplate(call, channel.id)
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
  assert.ok(sent_count < recipients, 'the small campaign was completed only after the large one')
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
