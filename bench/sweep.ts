import { type Load, load } from './harness.ts'
import { linePlot } from './plot.ts'

const counts = [1, 2, 4, 8, 16, 32, 64, 128]
const secondsEach = 2

/** A plot of the throughput by number of connections. The servers take turns at each number. */
export async function plotThroughput(title: string, servers: { name: string; request: Load }[]): Promise<string> {
  const series = servers.map(({ name }) => ({ name, points: [] as [number, number][] }))
  for (const connections of counts)
    for (const [i, { name, request }] of servers.entries()) {
      const { requestsPerSecond, errors, statuses } = await load({ ...request, connections, seconds: secondsEach })
      if (errors > 0) throw new Error(`${errors} requests to ${name} failed: ${statuses}`)
      series[i]?.points.push([connections, requestsPerSecond])
    }
  return linePlot({
    title,
    x: { label: 'connections', isLogarithmic: true },
    y: { label: 'requests per second' },
    series,
  })
}
