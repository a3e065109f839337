import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { startInstalledPostgres } from '../server/testing/installed-postgres.ts'
import { freePort } from '../server/testing/process.ts'

/**
 * `node bench/plans.ts`: how PostgreSQL runs the statements that claim work and that record it. Runs Frontdesk as an
 * operator would, on the embedded PostgreSQL and, if one is installed, on a stock server with its own defaults (JIT
 * on). Sends a campaign with a webhook subscribed, and prints for each statement that is on deliveries or adds messages
 * how often it ran, how long it took, whether it was JIT-compiled, the most rows that one run read by scanning a table,
 * and the plan of its slowest run.
 *
 * Statistics are outdated throughout: all tables are analyzed while they are empty, and autovacuum is off.
 */

const contacts = Number(process.env.PLANS_CONTACTS ?? 3_000)
const key = `svc_sk_test_${'p'.repeat(40)}`
const explained = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_parameter_max_length': '0',
  autovacuum: 'off',
}

interface Target {
  name: string
  url: string
  logFile: string
  stop(): Promise<void>
}

async function embedded(): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-plans-'))
  const server = await startEmbeddedPostgres({ dataDir: folder, log: () => {}, settings: explained })
  return {
    name: 'the embedded PostgreSQL',
    url: `postgres://frontdesk@localhost/frontdesk?host=${encodeURIComponent(server.connection.host)}`,
    logFile: join(folder, 'postgres.log'),
    async stop() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** As a distribution installs it: only the address and auto_explain are configured. */
async function stock(): Promise<Target | undefined> {
  const installed = await startInstalledPostgres(explained)
  return installed && { ...installed, name: installed.version }
}

/** Sends a campaign to all contacts, with a webhook for all events. Returns the seconds until it is completed. */
async function work(url: string): Promise<number> {
  const call = async (method: string, path: string, body?: object | FormData) => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: the API's answers are known
    return (await answer.json()) as any
  }
  const until = async (condition: () => Promise<boolean>) => {
    while (!(await condition())) await sleep(100)
  }
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  await call('POST', 'webhooks', { url: `http://127.0.0.1:${port}/`, events: ['*'] })

  const rows = Array.from(
    { length: contacts },
    (_, n) => `+1${300_000 + Math.floor(n / 5000)}${2000 + (n % 5000)},P${n}`,
  )
  const form = new FormData()
  form.append('file', new Blob([['phone,name', ...rows].join('\n')]), 'people.csv')
  const { id: importId } = await call('POST', 'contacts/imports', form)
  await until(async () => (await call('GET', `contacts/imports/${importId}`)).state === 'completed')

  const [channel] = (await call('GET', 'channels')).data
  await call('PATCH', `channels/${channel.id}`, { messages_per_second: 500 })
  const template = await call('POST', 'templates', {
    channel_id: channel.id,
    name: 'plans',
    language: 'en_US',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Hello, the doors open at nine today.' }],
  })
  await until(async () => (await call('GET', `templates/${template.id}`)).platform_status === 'APPROVED')
  const began = performance.now()
  const { id } = await call('POST', 'campaigns', {
    name: 'Plans',
    chat_phone_number_id: channel.id,
    message_template_id: template.id,
    audience_type: 'all',
  })
  await until(async () => (await call('GET', `campaigns/${id}`)).status === 'completed')
  receiver.close()
  return (performance.now() - began) / 1000
}

interface Seen {
  text: string
  ms: number[]
  compiled: number
  scanned: number
  slowest: string
}

/** Parses auto_explain's log: an entry begins with its duration, and its other lines are indented. */
function statementsIn(log: string): Seen[] {
  const found = new Map<string, Seen>()
  for (const entry of log.split(/\n(?!\t)/)) {
    const [, duration, plan = ''] = /duration: ([\d.]+) ms {2}plan:\n([\s\S]*)/.exec(entry) ?? []
    const [, text = ''] = /Query Text: ([\s\S]*?)\n\t(?=\S[^\n]*\(cost=)/.exec(plan) ?? []
    if (!/skip locked|\b(webhook_)?deliveries\b|insert into messages/i.test(text)) continue
    const name = text.replaceAll(/\s+/g, ' ').trim()
    const seen = found.get(name) ?? { text: name, ms: [], compiled: 0, scanned: 0, slowest: '' }
    found.set(name, seen)
    if (/^\tJIT:/m.test(plan)) seen.compiled++
    seen.scanned = Math.max(seen.scanned, scannedIn(plan))
    if (seen.ms.every((each) => each < Number(duration)))
      seen.slowest = plan.replace(/[\s\S]*?\n(?=\t\S[^\n]*\(cost=)/, '')
    seen.ms.push(Number(duration))
  }
  return [...found.values()].sort((a, b) => sum(b.ms) - sum(a.ms))
}

/** Rows that sequential scans read in one run: those they returned and those they discarded, for each loop. */
function scannedIn(plan: string): number {
  const scans = plan.split(/\n(?=\t *->)/).filter((node) => /Seq Scan on /.test(node))
  return sum(
    scans.map((node) => {
      const [, rows, loops] = /actual rows=([\d.]+) loops=(\d+)/.exec(node) ?? []
      const [, removed] = /Rows Removed by Filter: (\d+)/.exec(node) ?? []
      return (Number(rows ?? 0) + Number(removed ?? 0)) * Number(loops ?? 0)
    }),
  )
}

const sum = (values: number[]) => values.reduce((total, each) => total + each, 0)

for (const target of [await embedded(), await stock()]) {
  if (!target) {
    console.log('\nNo stock PostgreSQL is installed here.')
    continue
  }
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-plans-'))
  const program = join(import.meta.dirname, '../server/bin/frontdesk.js')
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: target.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    SECRET_KEY: 'a secret key that only benchmarks use',
    BOOTSTRAP_API_KEY: key,
    DEMO_DATA: 'false',
    OUTBOUND_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'warn',
  }
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    const url = `http://127.0.0.1:${port}`
    while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) {
      if (child.exitCode !== null) throw new Error('the service did not start')
      await sleep(100)
    }
    const owner = new pg.Client(target.url)
    await owner.connect()
    await owner.query('analyze')
    await owner.end()
    const seconds = await work(url)
    console.log(`\n# ${target.name}: a campaign to ${contacts} contacts took ${seconds.toFixed(1)} s`)
    for (const { text, ms, compiled, scanned, slowest } of statementsIn(readFileSync(target.logFile, 'utf8'))) {
      console.log(`\n## ${text.slice(0, 160)}${text.length > 160 ? ' …' : ''}`)
      console.log(
        `${ms.length} runs, ${sum(ms).toFixed(0)} ms in all, ${(sum(ms) / ms.length).toFixed(2)} ms on average; ` +
          `${compiled} of them compiled; at most ${scanned} rows scanned. The slowest, ${Math.max(...ms).toFixed(2)} ms:`,
      )
      console.log(slowest.replaceAll(/^\t/gm, '  '))
    }
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    await target.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
