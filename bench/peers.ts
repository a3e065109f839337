import { loadavg } from 'node:os'
import { join } from 'node:path'
import { cpuPerRequest } from './cpu.ts'
import { fill } from './fill.ts'
import {
  type BenchDatabase,
  benchDatabase,
  format,
  type Load,
  load,
  median,
  reportTable,
  rounds,
  type Served,
  seconds,
  serve,
  serveFrontdesk,
  yesOrNo,
} from './harness.ts'
import { install } from './peers/install.ts'
import { newContact, type Peer, rows } from './peers/peer.ts'
import { peers } from './peers/peers.ts'

/**
 * Benchmark 14: the same contacts, listed and created, in Frontdesk and in frameworks that people choose instead, on one
 * PostgreSQL server. bench/notes.md says what each of them does not do.
 */

interface Contestant {
  name: string
  server: Served
  list: Load
  create: Load
}

interface Measured {
  rate: number[]
  p50: number[]
  p99: number[]
  cpu: number[]
  postgres: number[]
}

const key = 'a-key-that-only-benchmarks-use'
const connections = 32

const database = await benchDatabase()
const contestants = [await startFrontdesk(database)]
for (const peer of peers) {
  try {
    contestants.push(await startPeer(database, peer))
  } catch (error) {
    console.log(`${peer.name} is skipped: ${(error as Error).message}`)
  }
}
if (contestants.length === 1) {
  console.log('No peer could be installed, so there is nothing to compare.')
  process.exit(0)
}

const load1 = loadavg()[0] as number
// All lists come first: creating contacts would make the totals of those who count them more expensive.
const lists = await measure((each) => each.list)
const creates = await measure((each) => each.create)
const lines = [...linesOf('list', lists), ...linesOf('create', creates)]
reportTable({
  title: `14 · peers: a contact list (20 of ${rows.toLocaleString('en')}, with total) and a contact create, ${connections} connections`,
  heads: ['', 'requests', 'median', 'p99', 'CPU of the server', 'CPU of PostgreSQL', 'Frontdesk / peer', 'goal', 'met'],
  cells: lines.map(({ cells }) => cells),
  met: lines.every(({ met }) => met),
  remark: `CPU time for each request. Load average before the measurements: ${load1.toFixed(1)}. What differs: [notes](notes.md#peers).`,
})
await Promise.all(contestants.map(({ server }) => server.stop()))
await database.close()

async function startFrontdesk({ connection, query }: BenchDatabase): Promise<Contestant> {
  const { secret } = await fill(connection, rows)
  await query('vacuum analyze')
  const server = await serveFrontdesk(connection, { NODE_ENV: 'production' })
  const headers = { authorization: `Bearer ${secret}` }
  const request = { url: `${server.url}/api/v1/contacts`, connections, headers }
  return { name: 'Frontdesk', server, list: request, create: { ...request, method: 'POST', body: newContact } }
}

async function startPeer({ connection, query }: BenchDatabase, peer: Peer): Promise<Contestant> {
  const folder = await install(peer)
  const name = peer.name.toLowerCase().replaceAll(' ', '_')
  await query(`create database ${name}`)
  const server = await serve(join(import.meta.dirname, 'peers/serve.ts'), [peer.name], {
    NODE_ENV: 'production',
    PEER_CONNECTION: JSON.stringify({ ...connection, database: name }),
    PEER_FOLDER: folder,
    PEER_KEY: key,
  })
  const at = (request: ReturnType<Peer['list']>) => ({ ...request, url: server.url + request.url, connections })
  const [list, create] = [at(peer.list(key)), at(peer.create(key))]
  try {
    await refusesOthers(peer, at(peer.list('another-key')))
    await hasTwentyRows(peer, list)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { name: `${peer.name} ${Object.values(peer.packages)[0]}`, server, list, create }
}

/** A peer that answers without a valid key would be compared unfairly. */
async function refusesOthers({ name }: Peer, { url, headers = {} }: Load) {
  const { status } = await fetch(url, { headers })
  if (status !== 401 && status !== 403) throw new Error(`${name} answers ${status} to an unknown key`)
}

async function hasTwentyRows({ name }: Peer, { url, headers = {} }: Load) {
  const answer = await fetch(url, { headers })
  const body = (await answer.json()) as { data?: unknown[]; results?: unknown[] }
  const listed = body.data ?? body.results
  if (listed?.length !== 20) throw new Error(`${name} answers ${answer.status}: ${JSON.stringify(body).slice(0, 300)}`)
}

async function measure(requestOf: (each: Contestant) => Load) {
  for (const each of contestants) await load({ ...requestOf(each), seconds: 2 })
  const measured: (Measured & { each: Contestant })[] = contestants.map((each) => ({
    each,
    rate: [],
    p50: [],
    p99: [],
    cpu: [],
    postgres: [],
  }))
  for (let round = 0; round < rounds; round++)
    // Each round begins with another one: work that a server has left to do disturbs the next.
    for (const { each, ...results } of [
      ...measured.slice(round % measured.length),
      ...measured.slice(0, round % measured.length),
    ])
      await measureOnce(each, requestOf(each), results)
  return measured
}

async function measureOnce({ name, server }: Contestant, request: Load, { rate, p50, p99, cpu, postgres }: Measured) {
  const { result, ...used } = await cpuPerRequest({ server, database }, () => load({ ...request, seconds }))
  if (result.errors > 0) throw new Error(`${result.errors} requests to ${name} failed: ${result.statuses}`)
  rate.push(result.requestsPerSecond)
  p50.push(result.p50)
  p99.push(result.p99)
  cpu.push(used.cpu)
  postgres.push(used.postgres)
}

function linesOf(what: string, measured: Awaited<ReturnType<typeof measure>>) {
  const ours = median(measured[0]?.rate ?? [])
  return measured.map(({ each, rate, p50, p99, cpu, postgres }, i) => {
    const ratio = ours / median(rate)
    const met = ratio >= 1
    const figures = [
      `${format(median(rate))} /s`,
      ...[p50, p99].map((times) => `${format(median(times))} ms`),
      ...[cpu, postgres].map((times) => `${format(median(times))} µs`),
    ]
    const compared = i === 0 ? ['', '', ''] : [ratio.toFixed(2), '≥ 1', yesOrNo(met)]
    return { cells: [`${what}: ${each.name}`, ...figures, ...compared], met }
  })
}
