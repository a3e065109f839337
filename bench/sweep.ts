import { loadavg } from 'node:os'
import { type Load, load } from './harness.ts'
import { linePlot } from './plot.ts'

const counts = [1, 2, 4, 8, 16, 32, 64, 128]
const roundsEach = 3

/**
 * A plot of the throughput by number of connections: the best of three seconds, because other processes of the machine
 * can only take away. The servers take turns.
 */
export async function plotThroughput(title: string, servers: { name: string; request: Load }[]): Promise<string> {
  const loadBefore = (loadavg()[0] as number).toFixed(1)
  const best = servers.map(() => new Map<number, number>())
  for (let round = 0; round < roundsEach; round++)
    for (const connections of counts)
      for (const [i, { name, request }] of servers.entries()) {
        const { requestsPerSecond, errors, statuses } = await load({ ...request, connections, seconds: 1 })
        if (errors > 0) throw new Error(`${errors} requests to ${name} failed: ${statuses}`)
        best[i]?.set(connections, Math.max(best[i].get(connections) ?? 0, requestsPerSecond))
      }
  return linePlot({
    title,
    x: { label: `connections (load average before: ${loadBefore})`, isLogarithmic: true },
    y: { label: 'requests per second' },
    series: servers.map(({ name }, i) => ({ name, points: [...(best[i] ?? [])] })),
  })
}
