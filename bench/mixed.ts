import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { approvedTemplate } from './approved-template.ts'
import { limit, percentile } from './call-harness.ts'
import { caller } from './caller.ts'
import { cpuWithChildren } from './cpu.ts'
import { fill } from './fill.ts'
import { atMostLine, benchDatabase, format, report, serve, serveFrontdesk } from './harness.ts'
import { mebibytesWithDescendants, runningProcesses } from './memory.ts'
import type { CallsHeard, CallsOrder } from './mixed-calls.ts'
import type { LoadOrder, LoadSeen } from './mixed-load.ts'
import { linePlot } from './plot.ts'

/**
 * Benchmark 15: for an hour, one service does everything at once: API reads and writes, a campaign, inbound webhooks with
 * messages and statuses, ten calls with the speech of this machine, and documents that are read and embedded. Service,
 * PostgreSQL, the simulated platform and all clients share the cores. How much longer do reads take than alone, do calls
 * stay even, and does memory grow?
 */

const minutes = Number(process.env.BENCH_MINUTES ?? 60)
const aloneMinutes = 2
const calls = 10
const contacts = 20_000
const groups = 10
const messagesPerSecond = 20
const goals = { reads: 3, jitterMs: 20, memory: 0.05 }
const carrier = { account_sid: 'AC0123456789abcdef', auth_token: 'a-token-that-only-benchmarks-use' }
const platform = { appSecret: 'a-secret-that-only-benchmarks-use', phoneNumberId: '600500400300200' }
const businessAccountId = '700100200300400'

interface Minute {
  reads: { p50: number; p99: number }
  readMs: number[]
  hookP99: number
  jitterMs: number[]
  service: number
  postgres: number
}

const database = await benchDatabase()
const test = await fill(database.connection, contacts)
const live = await fill(database.connection, 0, 'live')
const simulator = await serve(join(import.meta.dirname, 'serve-simulator.ts'), [], {
  SIMULATOR_SPEED: '1',
  BENCH_LEDGER: '10000',
})
const callers = await serve(join(import.meta.dirname, 'mixed-calls.ts'), [], {})
const port = await freePort()
const service = await serveFrontdesk(database.connection, {
  BENCH_PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  SIMULATOR_URL: simulator.url,
  TELEPHONY_BASE_URL: callers.url,
  OPENAI_BASE_URL: `${callers.url}/v1`,
  OPENAI_API_KEY: 'any-key',
})
const clients = await serve(join(import.meta.dirname, 'mixed-load.ts'), [], {
  BENCH_ORDER: JSON.stringify(await prepareLoad()),
})
const callsOrder = await prepareCalls()

await ask<LoadSeen>(clients.url, '/reads')
await sleep(30_000)
await ask<LoadSeen>(clients.url)
await sleep(aloneMinutes * 60_000 - 30_000)
const alone = (await ask<LoadSeen>(clients.url)).readMs
console.log(`reads alone: p50 ${format(percentile(alone, 0.5))} ms, p99 ${format(percentile(alone, 0.99))} ms`)

await ask<LoadSeen>(clients.url, '/rest')
await ask<CallsHeard>(callers.url, '/', callsOrder)
const totals = { writes: 0, hooks: 0, campaigns: 0, documents: 0, calls: 0 }
const failed: Record<string, number> = {}
const seen: Minute[] = []
for (let minute = 1; minute <= minutes; minute++) seen.push(await measureMinute(minute))

const reads = seen.flatMap(({ readMs }) => readMs)
const jitter = percentile(
  seen.flatMap(({ jitterMs }) => jitterMs),
  0.99,
)
const lastHalf = seen.slice(-Math.ceil(minutes / 2)).map(({ service }) => service)
const middle = (Math.max(...lastHalf) + Math.min(...lastHalf)) / 2
const spread = (Math.max(...lastHalf) - middle) / middle
const failures = Object.values(failed).reduce((sum, count) => sum + count, 0)
const title = `15 · mixed load: ${minutes} minutes of everything at once on ${cpus().length} cores`
report(
  title,
  [
    atMostLine(
      'reads, p99 (floor: reads alone)',
      [percentile(reads, 0.99)],
      [percentile(alone, 0.99)],
      'ms',
      goals.reads,
    ),
    {
      ...atMostLine('reads, median (floor: reads alone)', [percentile(reads, 0.5)], [percentile(alone, 0.5)], 'ms', 0),
      goal: 'none',
      met: true,
    },
    limit(`jitter of ${calls} calls, p99`, jitter, 'ms', goals.jitterMs),
    {
      what: `failures beside ${totals.writes} writes, ${totals.hooks} messages of customers, ${totals.campaigns} campaigns, ${totals.documents} documents, ${totals.calls} calls`,
      ours: [`${failures}`, ...Object.entries(failed).map(([what, count]) => `${what} ${count}`)].join(', '),
      floor: '',
      ratio: '',
      goal: '0',
      met: failures === 0,
    },
  ],
  {
    file: 'mixed.svg',
    description: 'Latency of reads and jitter of calls by minute',
    svg: linePlot({
      title: 'Mixed load: latency by minute',
      x: { label: 'minute' },
      y: { label: 'milliseconds', isLogarithmic: true },
      series: [
        { name: 'reads, p99', points: seen.map(({ reads }, i) => [i + 1, reads.p99]) },
        { name: 'reads, median', points: seen.map(({ reads }, i) => [i + 1, reads.p50]) },
        { name: 'jitter of calls, p99', points: seen.map(({ jitterMs }, i) => [i + 1, percentile(jitterMs, 0.99)]) },
      ],
    }),
  },
)
report(
  '15 · mixed load: memory',
  [
    limit(
      `service with its processes, ± around ${format(middle)} MiB in the last half`,
      spread * 100,
      '%',
      goals.memory * 100,
    ),
  ],
  {
    file: 'mixed-memory.svg',
    description: 'Memory by minute',
    svg: linePlot({
      title: 'Mixed load: memory by minute',
      x: { label: 'minute' },
      y: { label: 'MiB' },
      series: [
        { name: 'service', points: seen.map(({ service }, i) => [i + 1, service]) },
        { name: 'PostgreSQL', points: seen.map(({ postgres }, i) => [i + 1, postgres]) },
      ],
    }),
  },
)
for (const each of [clients, callers, service, simulator]) await each.stop()
await database.close()
process.exit()

async function measureMinute(minute: number): Promise<Minute> {
  const memory: { service: number; postgres: number }[] = []
  const before = cpuTimes()
  for (let part = 0; part < 6; part++) {
    await sleep(10_000)
    const all = await runningProcesses()
    memory.push({
      service: mebibytesWithDescendants(all, service.pid),
      postgres: mebibytesWithDescendants(all, database.pid),
    })
  }
  const load = await ask<LoadSeen>(clients.url)
  const { jitterMs, ended, failed: failedCalls } = await ask<CallsHeard>(callers.url)
  for (const what of ['writes', 'hooks', 'campaigns', 'documents'] as const) totals[what] += load[what]
  totals.calls += ended
  if (failedCalls > 0) failed.calls = (failed.calls ?? 0) + failedCalls
  for (const [what, count] of Object.entries(load.failed)) failed[what] = (failed[what] ?? 0) + count
  const mean = (of: 'service' | 'postgres') => memory.reduce((sum, each) => sum + each[of], 0) / memory.length
  const result = {
    reads: { p50: percentile(load.readMs, 0.5), p99: percentile(load.readMs, 0.99) },
    readMs: load.readMs,
    hookP99: percentile(load.hookMs, 0.99),
    jitterMs,
    service: mean('service'),
    postgres: mean('postgres'),
  }
  const cores = Object.entries(cpuTimes()).map(
    ([name, time]) => `${name} ${format((time - (before[name] as number)) / 60_000_000)}`,
  )
  console.log(
    `minute ${minute}: reads p50 ${format(result.reads.p50)} ms, p99 ${format(result.reads.p99)} ms; webhooks p99 ${format(result.hookP99)} ms; ` +
      `jitter p99 ${format(percentile(jitterMs, 0.99))} ms; service ${format(result.service)} MiB, PostgreSQL ${format(result.postgres)} MiB; cores: ${cores.join(', ')}`,
  )
  return result
}

/** In microseconds of one core. */
function cpuTimes(): Record<string, number> {
  return {
    service: cpuWithChildren(service.pid),
    PostgreSQL: cpuWithChildren(database.pid),
    platform: cpuWithChildren(simulator.pid),
    clients: cpuWithChildren(clients.pid) + cpuWithChildren(callers.pid),
  }
}

async function ask<Answer>(url: string, path = '/', body?: object): Promise<Answer> {
  const answer = await fetch(url + path, body ? { method: 'POST', body: JSON.stringify(body) } : {})
  return (await answer.json()) as Answer
}

/** A channel of the simulated platform for campaigns, another with an account for what customers write. */
async function prepareLoad(): Promise<LoadOrder> {
  const call = caller(service.url, test.secret)
  await database.query(
    `insert into contacts (organization_id, livemode, id, phone_number, name, tags)
     select $1, false, new_id(), '+1' || (300000 + n / 5000) || (2000 + n % 5000), 'Person ' || n, array['group' || (n % $2)]
     from generate_series(0, $3::int - 1) n`,
    [test.organizationId, groups, groups * messagesPerSecond * 60],
  )
  const [{ id: channelId }] = (await call('GET', 'channels')).data
  await call('PATCH', `channels/${channelId}`, { messages_per_second: messagesPerSecond })
  const template = await approvedTemplate(call, channelId)
  const inbox = await call('POST', 'channels', {
    phone_number: '+14155550123',
    chat: {
      phone_number_id: platform.phoneNumberId,
      business_account_id: businessAccountId,
      access_token: 'token',
      app_secret: platform.appSecret,
      verify_token: 'word',
    },
  })
  return {
    url: service.url,
    key: test.secret,
    campaign: { channelId, templateId: template.id, tags: Array.from({ length: groups }, (_, i) => `group${i}`) },
    hook: { url: inbox.chat.hook_url, ...platform, businessAccountId },
  }
}

async function prepareCalls(): Promise<CallsOrder> {
  const call = caller(service.url, live.secret)
  const agent = await call('POST', 'agents', { name: 'Desk', welcome_message: 'Good morning, how can I help you?' })
  const number = '+14155552000'
  const { account_sid: accountSid, auth_token: authToken } = carrier
  const { id: channelId } = await call('POST', 'channels', {
    phone_number: number,
    agent_id: agent.id,
    voice: { provider: 'twilio', ...carrier, phone_number_id: 'PN0123456789' },
  })
  return { url: service.url, channelId, number, accountSid, authToken, calls }
}

/** Free now; the service listens on it a moment later. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
