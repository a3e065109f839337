import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
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
  // A benchmark that fails or is stopped must not leave servers running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const pid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0])
  const quit = () => {
    process.kill(pid, 'SIGQUIT')
    rmSync(dataDir, { recursive: true, force: true })
  }
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

export interface Served {
  url: string
  pid: number
  /** Sends a message and waits for the next one that the script sends. */
  ask(message: string): Promise<unknown>
  stop(): Promise<void>
}

/** Starts a script and waits until it prints `listening <url>`. */
export function serve(script: string, args: string[], env: Record<string, string>): Promise<Served> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const ask = async (message: string) => {
    const answered = once(child, 'message')
    child.send(message)
    return (await answered)[0] as unknown
  }
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ${args.join(' ')} ended with ${code}`)))
    createInterface({ input: child.stdout as Readable }).on('line', (line) => {
      const [, url] = /^listening (\S+)/.exec(line) ?? []
      if (url) resolve({ url, pid: child.pid as number, ask, stop: () => ended(child) })
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
  serve(join(import.meta.dirname, 'serve-frontdesk.ts'), [], { ...frontdeskEnv(connection), ...env })

/** The same with a CPU profiler; see `bench/budget.ts`. */
export const serveProfiled = (connection: ClientConfig) =>
  serve(join(import.meta.dirname, 'serve-profiled.ts'), [], frontdeskEnv(connection))

const frontdeskEnv = (connection: ClientConfig) => ({
  BENCH_CONNECTION: JSON.stringify(connection),
  RATE_LIMIT_PER_MINUTE: '100000000',
  LOG_LEVEL: 'warn',
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
  /** Those that were answered with 2xx. */
  requests: number
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

/** Prints a table of ours against the floor. */
export function report(title: string, lines: Line[], plot?: Plot): void {
  const heads = ['', 'ours', 'floor', 'ours / floor', 'goal', 'met']
  const cells = lines.map(({ what, ours, floor, ratio, goal, met }) => [what, ours, floor, ratio, goal, yesOrNo(met)])
  reportTable({ title, heads, cells, met: lines.every(({ met }) => met), plot })
}

export const yesOrNo = (met: boolean) => (met ? 'yes' : 'NO')

export interface Plot {
  /** Its name in bench/plots, which the runner writes. */
  file: string
  description: string
  svg: string
}

interface Table {
  title: string
  heads: string[]
  cells: string[][]
  met: boolean
  /** A paragraph below the table. */
  remark?: string
  plot?: Plot | undefined
}

/** Prints a table and, under `npm run bench`, sends it to the runner for bench/results.md. */
export function reportTable({ title, heads, cells, met, remark, plot }: Table): void {
  const picture = plot && `![${plot.description}](plots/${plot.file})`
  const below = [remark, picture].flatMap((text) => (text === undefined ? [] : [text, '']))
  const table = [row(heads), row(heads.map(() => '---')), ...cells.map(row)]
  const markdown = [`## ${title}`, '', ...table, '', ...below].join('\n')
  console.log(markdown)
  if (process.send) process.send({ title, markdown, met, plot })
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
