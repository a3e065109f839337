import type { Profiler } from 'node:inspector'
import { loadavg } from 'node:os'
import { cpuPerRequest } from './cpu.ts'
import {
  type BenchDatabase,
  format,
  type Load,
  load,
  median,
  reportTable,
  rounds,
  seconds,
  serveProfiled,
} from './harness.ts'

/**
 * What an answer of Frontdesk costs, by part. A sampling CPU profile of the process that answers; each sample belongs to
 * the part of the innermost function on its stack that a rule knows, so a system call counts for its caller.
 */

const parts: Record<string, RegExp> = {
  authentication: /\/features\/organizations\/credentials\/|\/http\/principal\.ts/,
  'rate limit': /\/http\/rate-limit\.ts/,
  validation:
    /^#validate\d+$|\/http\/validation\.ts|\/fastify\/lib\/validation\.js|\/http\/json-body\.ts|\/contentTypeParser\.js|\/phone-numbers\.ts/,
  'transaction: statements, pool, rows':
    /\/platform\/(database|pipeline|sql|fair-turns|postgres-types|signals|events)\.ts|\/node_modules\/(pg|pg-[a-z]+|postgres-[a-z]+)\//,
  'operation: the handler and its page': /\/features\/contacts\/|\/http\/pagination\.ts/,
  serialization: /^#anonymous\d+$|\/fast-json-stringify\/|\/fastify\/lib\/reply\.js#(serialize|preSerializ)/,
  'metrics and traces':
    /\/platform\/(metrics|metrics-route|tracing\/.*|origin)\.ts|\/http\/trace-requests\.ts|\/prom-client\//,
  'response: headers, socket': /\/fastify\/lib\/reply\.js|^node:_http_outgoing|\/http\/routes\.ts#answer/,
  'request: HTTP, routing, hooks':
    /^node:_http_(server|common|incoming)|\/node_modules\/(fastify|find-my-way|@fastify\/[a-z]+|avvio|fast-querystring)\/|\/platform\/(http\/|ids\.ts)/,
  'garbage collector': /^#\(garbage collector\)/,
}
const rest = 'event loop, sockets, everything else'

/** Shares come from the profile, CPU times from the kernel: a sample's own time includes waiting for a core. */
export async function reportBudget(title: string, database: BenchDatabase, requestTo: (url: string) => Load) {
  const server = await serveProfiled(database.connection)
  const request = requestTo(server.url)
  await load({ ...request, seconds: 3 })
  const [cpu, postgres, alone]: [number[], number[], number[]] = [[], [], []]
  const shares: Map<string, number>[] = []
  const loadBefore = loadavg()[0] as number
  for (let round = 0; round < rounds; round++) {
    const measured = await cpuPerRequest({ server, database }, () => load({ ...request, seconds }))
    cpu.push(measured.cpu)
    postgres.push(measured.postgres)
    await server.ask('start')
    await load({ ...request, seconds })
    shares.push(sharesByPart((await server.ask('stop')) as Profiler.Profile))
    alone.push(1_000_000 / (await load({ ...request, connections: 1, seconds: 1 })).requestsPerSecond)
  }
  await server.stop()
  const lines = [...Object.keys(parts), rest].map((name) => {
    const share = median(shares.map((each) => each.get(name) ?? 0))
    return [name, `${format(share * median(cpu))} µs`, `${(share * 100).toFixed(1)} %`]
  })
  reportTable({
    title,
    heads: ['', 'CPU for each answer', 'share'],
    cells: [
      ...lines,
      ['all of Node', `${format(median(cpu))} µs`, ''],
      ['all of PostgreSQL', `${format(median(postgres))} µs`, ''],
      ['time of an answer, one connection', `${format(median(alone))} µs`, ''],
    ],
    met: true,
    remark: `Medians of ${rounds} rounds of ${seconds} s with ${request.connections} connections. Load average before: ${loadBefore.toFixed(1)}.`,
  })
}

/** Idle time and the profiler itself do not count. */
function sharesByPart({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const partOf = new Map(nodes.map(({ id }) => [id, findPart(id, byId, parents)]))
  const times = new Map<string, number>()
  let all = 0
  for (const [i, id] of samples.entries()) {
    const part = partOf.get(id)
    if (part === undefined) continue
    const time = timeDeltas[i] as number
    times.set(part, (times.get(part) ?? 0) + time)
    all += time
  }
  return new Map([...times].map(([part, time]) => [part, time / all]))
}

function findPart(id: number, byId: Map<number, Profiler.ProfileNode>, parents: Map<number, number>) {
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const { url, functionName } = (byId.get(at) as Profiler.ProfileNode).callFrame
    if (functionName === '(idle)' || url === 'node:inspector') return undefined
    const frame = `${url}#${functionName}`
    const part = Object.keys(parts).find((name) => parts[name]?.test(frame))
    if (part !== undefined) return part
  }
  return rest
}
