import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request, setGlobalDispatcher } from 'undici'
import { createKey } from '../server/features/organizations/create-key.ts'
import { createOrganization } from '../server/features/organizations/create-organization.ts'
import { createDatabase } from '../server/platform/create-database.ts'
import { embeddedTenantConnection } from '../server/platform/tenant-login.ts'
import { cpuOfMachine, cpuWithChildren } from './cpu.ts'
import { atMostLine, type BenchDatabase, benchDatabase, format, report, serve, serveFrontdesk } from './harness.ts'

/**
 * Benchmark 16: a thousand organizations on one node, the n-th with a n-th of the contacts of the largest (Zipf). All
 * but the largest send requests at a steady rate. How long do the small ones wait while the largest is idle, and how
 * long while it sends as many requests as it can, imports contacts and runs a campaign? With the default limits.
 */

const organizations = Number(process.env.BENCH_ORGANIZATIONS ?? 1_000)
const largest = Number(process.env.BENCH_LARGEST ?? 20_000)
/** Ranks from here on are small: at most a hundredth of the largest. */
const firstSmall = Math.ceil(organizations / 10)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 15)
const requestsPerSecond = 60
const noisyConnections = 32
const goal = 2

interface Org {
  id: string
  key: string
}

interface Measured {
  p50: number
  p99: number
  failed: number
}

type CpuTimes = Record<'service' | 'PostgreSQL' | 'generators' | 'machine', number>

if (process.argv[2] === 'load') await generateLoad()
else await bench()

async function bench() {
  const database = await benchDatabase()
  const orgs = await makeOrganizations(database)
  const server = await serveFrontdesk(database.connection, { RATE_LIMIT_PER_MINUTE: '6000' })
  // In a process of its own, so that the noise does not delay the measurement.
  const load = await serve(import.meta.filename, ['load'], {
    BENCH_ORGS: JSON.stringify(orgs),
    BENCH_URL: server.url,
  })
  const cpuTimes = (): CpuTimes => {
    const { user, system } = process.cpuUsage()
    return {
      service: cpuWithChildren(server.pid),
      PostgreSQL: cpuWithChildren(database.pid),
      generators: cpuWithChildren(load.pid) + user + system,
      machine: cpuOfMachine(),
    }
  }
  const measure = async (what: string) => {
    const [before, began] = [cpuTimes(), performance.now()]
    const measured = (await (await fetch(load.url, { method: 'POST' })).json()) as Measured
    const cores = coresBetween(before, cpuTimes(), (performance.now() - began) * 1000)
    console.log(`${what}: p50 ${format(measured.p50)} ms, p99 ${format(measured.p99)} ms; cores: ${cores}`)
    return measured
  }
  const noisy = orgs[0] as Org
  const message = await prepareCampaign(server.url, noisy)
  await measure('warm-up')
  const idle: Measured[] = []
  const loaded: Measured[] = []
  for (let round = 0; round < rounds; round++) {
    idle.push(await measure('without the noisy organization'))
    const noise = makeNoise(server.url, noisy, message, round)
    loaded.push(await measure('beside it'))
    console.log(`round ${round + 1}: the noisy organization got ${await noise.stop()}`)
  }
  const failed = [...idle, ...loaded].reduce((sum, each) => sum + each.failed, 0)
  report(
    `16 · fairness (${organizations.toLocaleString('en')} organizations, one noisy; ours: beside it, floor: without it)`,
    [
      atMostLine(
        'small organizations, p99',
        loaded.map(({ p99 }) => p99),
        idle.map(({ p99 }) => p99),
        'ms',
        goal,
      ),
      atMostLine(
        'small organizations, median',
        loaded.map(({ p50 }) => p50),
        idle.map(({ p50 }) => p50),
        'ms',
        goal,
      ),
      { what: 'failed requests', ours: String(failed), floor: '', ratio: '', goal: '0', met: failed === 0 },
    ],
  )
  await load.stop()
  await server.stop()
  await database.close()
}

/** How many cores each kept busy: what other processes took says how far to trust the times. */
function coresBetween(before: CpuTimes, after: CpuTimes, microseconds: number): string {
  const used = (name: keyof CpuTimes) => (after[name] - before[name]) / microseconds
  const [service, postgres, generators] = [used('service'), used('PostgreSQL'), used('generators')]
  const others = Math.max(0, used('machine') - service - postgres - generators)
  return `service ${format(service)}, PostgreSQL ${format(postgres)}, generators ${format(generators)}, other processes ${format(others)}`
}

async function makeOrganizations({ connection }: BenchDatabase): Promise<Org[]> {
  const database = createDatabase({ connection, tenantConnection: embeddedTenantConnection(connection), poolSize: 2 })
  const orgs: Org[] = []
  for (let rank = 1; rank <= organizations; rank++)
    orgs.push(
      await database.inSystem(async (tx) => {
        const { organization } = await createOrganization(tx, { name: `Organization ${rank}` })
        const { id: organizationId } = organization
        const { secret } = await createKey(tx, { organizationId, name: 'b', mode: 'test', scopes: ['full_access'] })
        return { id: organizationId, key: secret }
      }),
    )
  for (const [index, { id: organizationId }] of orgs.entries())
    await database.inTenant(
      { organizationId, livemode: false },
      (tx) => tx.run`
        insert into contacts (id, phone_number, name, tags, last_activity_at)
        select new_id(), '+1415' || (5550000 + n), 'Person ' || n, array['vip'], now()
        from generate_series(1, ${Math.ceil(largest / (index + 1))}::integer) n`,
    )
  await database.close()
  return orgs
}

function calling(url: string, key: string) {
  return async (method: string, path: string, body?: object) => {
    const answer = await request(`${url}/api/v1/${path}`, {
      method: method as 'GET',
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.body.text()
    // biome-ignore lint/suspicious/noExplicitAny: a benchmark looks into answers freely
    return { status: answer.statusCode, body: (text.startsWith('{') ? JSON.parse(text) : undefined) as any }
  }
}

/** The members of a campaign that say what is sent on which channel. */
async function prepareCampaign(url: string, { key }: Org): Promise<object> {
  const call = calling(url, key)
  const { id: channelId } = (await call('GET', 'channels')).body.data[0]
  const { id } = (
    await call('POST', 'templates', {
      channel_id: channelId,
      name: 'news',
      language: 'en_US',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'We are open today.' }],
    })
  ).body
  while ((await call('GET', `templates/${id}`)).body.status !== 'APPROVED') await sleep(100)
  return { chat_phone_number_id: channelId, message_template_id: id }
}

/** Requests without a pause on many connections, whatever the answers are, beside a campaign and an import. */
function makeNoise(url: string, { key }: Org, message: object, round: number) {
  const call = calling(url, key)
  const statuses: Record<string, number> = {}
  let isOver = false
  const paths = ['contacts?limit=100', 'contacts?search=Person+77', 'crm/dashboard', 'events?limit=100']
  const hammer = async () => {
    for (let n = 0; !isOver; n++) {
      const { status } = await call('GET', paths[n % paths.length] as string)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  const heavy = async () => {
    const campaign = await call('POST', 'campaigns', { name: `Round ${round}`, ...message, audience_type: 'all' })
    const form = new FormData()
    const rows = Array.from({ length: 20_000 }, (_, n) => `+1212${round}${String(n).padStart(6, '0')},Person ${n}`)
    form.set('file', new Blob([`phone,name\n${rows.join('\n')}`], { type: 'text/csv' }), 'people.csv')
    const answer = await fetch(`${url}/api/v1/contacts/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    })
    return { campaign, text: `campaign ${campaign.status}, import ${answer.status}` }
  }
  const work = Promise.all([heavy(), ...Array.from({ length: noisyConnections }, hammer)])
  return {
    async stop() {
      isOver = true
      const [{ campaign, text }] = await work
      await call('POST', `campaigns/${campaign.body.id}/cancel`)
      return `${JSON.stringify(statuses)}, ${text}`
    },
  }
}

/** Sends requests at a steady rate, however long the answers take, and measures from when each was due. */
async function generateLoad() {
  const { createServer } = await import('node:http')
  setGlobalDispatcher(new Agent({ connections: 200, pipelining: 1 }))
  const orgs: Org[] = JSON.parse(process.env.BENCH_ORGS as string)
  const url = process.env.BENCH_URL as string
  const weights = orgs.map((_, index) => (index === 0 ? 0 : 1 / (index + 1)))
  const total = weights.reduce((sum, weight) => sum + weight)
  let number = 0

  function pickByZipf(): number {
    let left = Math.random() * total
    return weights.findIndex((weight) => {
      left -= weight
      return left < 0
    })
  }
  async function send(rank: number): Promise<number> {
    const call = calling(url, (orgs[rank] as Org).key)
    const kind = Math.random()
    if (kind < 0.6) return (await call('GET', 'contacts')).status
    if (kind < 0.8) return (await call('GET', 'crm/dashboard')).status
    return (await call('POST', 'contacts', { phone_number: `+1310${5_550_000 + ++number}`, name: 'New' })).status
  }
  async function measure(): Promise<Measured> {
    const times: number[] = []
    let failed = 0
    const sent: Promise<void>[] = []
    const began = performance.now()
    for (let n = 0; n < seconds * requestsPerSecond; n++) {
      const due = began + (n * 1000) / requestsPerSecond
      await sleep(Math.max(0, due - performance.now()))
      // Every second request is of a small organization, so that there are enough to measure.
      const rank = n % 2 ? pickByZipf() : firstSmall + Math.floor(Math.random() * (orgs.length - firstSmall))
      sent.push(
        send(rank).then((status) => {
          if (status >= 300) failed++
          if (rank >= firstSmall) times.push(performance.now() - due)
        }),
      )
    }
    await Promise.all(sent)
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)] as number
    return { p50: at(0.5), p99: at(0.99), failed }
  }

  const server = createServer(async (_request, response) => response.end(JSON.stringify(await measure())))
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number }
    console.log(`listening http://127.0.0.1:${port}`)
  })
}
