import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg, { type ClientConfig } from 'pg'
import { migrateEverything } from '../server/cli/migrate-everything.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { embeddedTenantConnection } from '../server/platform/tenant-login.ts'

/** Shared by all benchmarks: a database, servers in processes of their own, and a load generator in another. */

export const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
export const seconds = Number(process.env.BENCH_SECONDS ?? 4)

export interface BenchDatabase {
  connection: ClientConfig
  /** Of the postmaster, whose children are the server's processes. */
  pid: number
  query: pg.Client['query']
  close(): Promise<void>
}

export async function benchDatabase(settings: Record<string, string> = {}): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-bench-'))
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => {}, settings })
  const { connection } = embedded
  await migrateEverything({ connection, tenantConnection: embeddedTenantConnection(connection) })
  const client = new pg.Client(embedded.connection)
  await client.connect()
  // A benchmark that fails must not leave servers running.
  const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0])
  const quit = () => void process.kill(pid, 'SIGQUIT')
  process.once('exit', quit)
  return {
    connection: embedded.connection,
    pid,
    query: client.query.bind(client) as pg.Client['query'],
    async close() {
      process.removeListener('exit', quit)
      await client.end()
      await embedded.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

interface Served {
  url: string
  pid: number
  stop(): Promise<void>
}

/** Starts a script and waits until it prints `listening <url>`. */
export function serve(script: string, args: string[], env: Record<string, string>): Promise<Served> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ${args.join(' ')} ended with ${code}`)))
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const [, url] = /^listening (\S+)/.exec(line) ?? []
      if (url) resolve({ url, pid: child.pid as number, stop: () => ended(child) })
    })
  })
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })

/** Frontdesk on that database, in a process of its own. */
export const serveFrontdesk = (connection: ClientConfig, env: Record<string, string> = {}) =>
  serve(join(import.meta.dirname, 'serve-frontdesk.ts'), [], {
    BENCH_CONNECTION: JSON.stringify(connection),
    RATE_LIMIT_PER_MINUTE: '100000000',
    LOG_LEVEL: 'warn',
    ...env,
  })

export interface Load {
  url: string
  connections: number
  seconds?: number
  method?: string
  headers?: Record<string, string>
  /** A template: `{n}` becomes a number that no other request of this benchmark has. */
  body?: string
}

export interface LoadResult {
  requestsPerSecond: number
  p50: number
  p99: number
  errors: number
  statuses: string
}

export function load(options: Load): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts'), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error('the load generator failed')),
    )
  })
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}

export interface Line {
  what: string
  ours: string
  floor: string
  ratio: string
  goal: string
  met: boolean
}

/** Prints a table and, under `npm run bench`, sends it to the runner for bench/results.md. */
export function report(title: string, lines: Line[]): void {
  const heads = ['', 'ours', 'floor', 'ours / floor', 'goal', 'met']
  const cells = lines.map(({ what, ours, floor, ratio, goal, met }) => [
    what,
    ours,
    floor,
    ratio,
    goal,
    met ? 'yes' : 'NO',
  ])
  const markdown = [`## ${title}`, '', row(heads), row(heads.map(() => '---')), ...cells.map(row), ''].join('\n')
  console.log(markdown)
  if (process.send) process.send({ title, markdown, met: lines.every(({ met }) => met) })
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`

/** Ratio of ours to the floor, with the goal as a lower bound (`atMostLine`: as an upper bound). */
export const ratioLine = (what: string, ours: number[], floor: number[], unit: string, goal: number): Line => {
  const { ratio, ...line } = compared(what, ours, floor, unit)
  return { ...line, ratio: ratio.toFixed(2), goal: `≥ ${goal}`, met: ratio >= goal }
}

export const atMostLine = (what: string, ours: number[], floor: number[], unit: string, goal: number): Line => {
  const { ratio, ...line } = compared(what, ours, floor, unit)
  return { ...line, ratio: ratio.toFixed(2), goal: `≤ ${goal}`, met: ratio <= goal }
}

const compared = (what: string, ours: number[], floor: number[], unit: string) => ({
  what,
  ours: `${format(median(ours))} ${unit}`,
  floor: `${format(median(floor))} ${unit}`,
  ratio: median(ours) / median(floor),
})

export const format = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
