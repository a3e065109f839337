import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../server/platform/ids.ts'
import { createSecretBox } from '../server/platform/secrets.ts'
import { approvedTemplate } from './approved-template.ts'
import { caller } from './caller.ts'
import type { Floor } from './campaign-floor.ts'
import { fill } from './fill.ts'
import {
  type BenchDatabase,
  benchDatabase,
  format,
  type Line,
  median,
  ratioLine,
  report,
  rounds,
  serve,
  serveFrontdesk,
} from './harness.ts'
import { simulatorControls } from './simulator-controls.ts'

/**
 * Benchmark 4: campaigns to 100,000 recipients on ten numbers, from the first POST until the last message is accepted
 * and recorded. The simulator runs in a process of its own and is reached over HTTP.
 *
 * The floor does the same work with the least code: it freezes the same recipients with one statement per campaign,
 * claims 500 rows per statement, posts them through an undici Pool, and records deliveries, messages, activities and
 * events in the same tables with one statement per batch. On both sides status webhooks go to a listener that discards
 * them.
 *
 * Two more measurements: one number alone at the platform's maximum rate, and all ten numbers with a second worker.
 */

const recipients = Number(process.env.BENCH_RECIPIENTS ?? 100_000)
const channels = 10
const ceiling = 1_000
const secretKey = 'a secret key that only benchmarks use'
const goal = 0.7
let people = 0

const database = await benchDatabase()
const { organizationId, secret } = await fill(database.connection, 0)
const simulator = await serve(join(import.meta.dirname, 'serve-simulator.ts'), [], {})
const control = simulatorControls(simulator.url)
const env = {
  SECRET_KEY: secretKey,
  SIMULATOR_URL: simulator.url,
  RATE_LIMIT_CAMPAIGNS_PER_MINUTE: '100000',
}
const ours = await serveFrontdesk(database.connection, env)
const call = caller(ours.url, secret)
const [first] = (await call('GET', 'channels')).data
await call('PATCH', `channels/${first.id}`, { messages_per_second: ceiling })
const own = [first.id as string]
while (own.length < channels)
  own.push(
    (await call('POST', 'channels', { phone_number: `+1202555${2000 + own.length}`, messages_per_second: ceiling })).id,
  )
const template = await approvedTemplate(call, first.id)
const each = Math.floor(recipients / channels)
await addContacts(database, organizationId, each)

const start = (channel: number, tag: string) =>
  call('POST', 'campaigns', {
    name: `Bench ${tag}`,
    chat_phone_number_id: own[channel],
    message_template_id: template.id,
    audience_type: 'tags',
    audience_tags: [tag],
  })
const ended = async (ids: string[]) => {
  for (;;) {
    // Named, so that it is parsed once: the side that is measured pays for each poll.
    const { rows } = await database.query({
      name: 'counts',
      text: `select coalesce(sum(pending + sending), 0)::int as left, coalesce(sum(sent + delivered + read), 0)::int as sent
        from delivery_counts where campaign_id = any($1)`,
      values: [ids],
    })
    if (rows[0].left === 0 && rows[0].sent > 0) return rows[0].sent as number
    await sleep(20)
  }
}
async function runOurs(): Promise<number> {
  const began = performance.now()
  const ids = await Promise.all(own.map(async (_, i) => (await start(i, `group${i}`)).id as string))
  const sent = await ended(ids)
  return sent / ((performance.now() - began) / 1000)
}

// The first message on a channel registers its number with the simulator.
await addContacts(database, organizationId, 1, 'warm')
// Twice: the first message creates the channel's hook, after which the number is registered again with the hook's
// address.
for (const i of [...own.keys(), ...own.keys()]) await ended([(await start(i, 'warm0')).id])
const token = createSecretBox(secretKey).digest(organizationId, 'simulated access token').toString('hex')
const sink = await startSink()
/**
 * A worker registers each number with the simulator when it first uses it. Only after that can the statuses be
 * redirected to the sink.
 */
async function ignoreStatuses() {
  for (const [i, id] of own.entries()) {
    const facts = {
      owner: organizationId,
      business_account_id: organizationId,
      display_phone_number: `+1202555${3000 + i}`,
      messages_per_second: ceiling,
      access_token: token,
      app_secret: 'any-secret',
      callback_url: sink.url,
    }
    await control('PUT', `numbers/${id}`, facts)
  }
}
await ignoreStatuses()

const sides = {
  ours: runOurs,
  floor: () => runFloor(database, { organizationId, token, simulator: simulator.url, template, own }),
}
await database.query('vacuum analyze')
const speeds = { ours: [] as number[], floor: [] as number[] }
for (let round = 0; round < rounds; round++) {
  for (const side of round % 2 ? (['ours', 'floor'] as const) : (['floor', 'ours'] as const)) {
    speeds[side].push(await sides[side]())
    await database.query('vacuum analyze deliveries')
  }
  console.log(
    `round ${round + 1}: ours ${format(speeds.ours.at(-1) as number)}, floor ${format(speeds.floor.at(-1) as number)} messages/s`,
  )
}
const alone: number[] = []
for (let round = 0; round < Math.min(3, rounds); round++) {
  const { id } = await start(0, 'group0')
  const { rows: before } = await database.query(`select min(updated_at) as at from deliveries where campaign_id = $1`, [
    id,
  ])
  await ended([id])
  const { rows } = await database.query(
    `select count(*)::int as n, extract(epoch from max(accepted_at) - min(accepted_at))::float8 as s
     from deliveries where campaign_id = $1`,
    [id],
  )
  if (before.length === 1) alone.push(rows[0].n / rows[0].s)
}
const worker = await serveFrontdesk(database.connection, { ...env, ROLE: 'worker' })
// Makes both workers register every number: a worker that did so during a measurement would get the statuses, too.
await runOurs()
await ignoreStatuses()
for (let left = 1; left > 0; await sleep(1_000))
  left = Number((await database.query('select count(*) as n from incoming_hooks')).rows[0].n)
await database.query('vacuum analyze deliveries')
const together: number[] = []
for (let round = 0; round < Math.min(3, rounds); round++) {
  together.push(await runOurs())
  await database.query('vacuum analyze deliveries')
}
await worker.stop()
// A second worker helps only if the first one, the database and the simulator have a core each.
const hasRoom = cpus().length >= 4
const speedup = median(together) / median(speeds.ours)
const lines: Line[] = [
  ratioLine(`messages on ${channels} numbers at once`, speeds.ours, speeds.floor, '/s', goal),
  {
    what: `messages on one number (the platform takes ${ceiling})`,
    ours: `${format(median(alone))} /s`,
    floor: `${ceiling} /s`,
    ratio: (median(alone) / ceiling).toFixed(2),
    goal: 'within 2 %, where the machine allows',
    met: median(alone) >= ceiling * 0.98 || median(speeds.floor) < ceiling,
  },
  {
    what: `the same with one more worker (${cpus().length} cores for all)`,
    ours: `${format(median(together))} /s`,
    floor: `${format(median(speeds.ours))} /s with one`,
    ratio: speedup.toFixed(2),
    goal: hasRoom ? '≥ 1.2' : '≥ 1, ≥ 1.2 with four cores',
    met: speedup >= (hasRoom ? 1.2 : 1),
  },
]
report(`4 · campaign: ${recipients.toLocaleString('en')} recipients from POST to last send`, lines)
sink.close()
await Promise.all([ours.stop(), simulator.stop()])
await database.close()
/**
 * Adds `each` contacts per channel, tagged by channel. No number has an ending to which the simulator gives a meaning.
 */
async function addContacts(database: BenchDatabase, organizationId: string, each: number, tag = 'group') {
  const first = people
  people += each * channels
  await database.query(
    `insert into contacts (organization_id, livemode, id, phone_number, name, tags)
     select $1, false, new_id(), '+1' || (300000 + ($2 + n) / 5000) || (2000 + ($2 + n) % 5000), 'Person ' || n, array[$3 || (n % ${channels})]
     from generate_series(0, $4::int - 1) n`,
    [organizationId, first, tag, each * channels],
  )
}

/** A listener that answers 200 and does nothing. */
async function startSink() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() }
}

async function runFloor(
  { connection, query }: BenchDatabase,
  given: Omit<Floor, 'campaigns'> & { own: string[] },
): Promise<number> {
  const campaigns = given.own.map((channelId, i) => ({ id: newId(), channelId, tag: `group${i}` }))
  const order: Floor = { ...given, campaigns }
  const served = await serve(join(import.meta.dirname, 'campaign-floor.ts'), [], {
    BENCH_CONNECTION: JSON.stringify(connection),
    BENCH_FLOOR: JSON.stringify(order),
  })
  const answer = await fetch(served.url)
  const { seconds } = (await answer.json()) as { seconds: number }
  await served.stop()
  const { rows } = await query(
    `select count(*)::int as n from deliveries where campaign_id = any($1) and accepted_at is not null`,
    [campaigns.map(({ id }) => id)],
  )
  return rows[0].n / seconds
}
