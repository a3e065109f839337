import autocannon from 'autocannon'
import type { Load, LoadResult } from './harness.ts'

/** The load generator, in a process of its own, the same for ours and the floor. */
const options: Load = JSON.parse(process.argv[2] as string)
// Starts beyond the numbers of the previous run, at any rate that this machine reaches.
let n = (Date.now() % 100_000_000) * 50
const { url, connections, body, method = 'GET', headers = {} } = options
const result = await autocannon({
  url,
  connections,
  duration: options.seconds ?? 4,
  requests: [
    {
      method: method as 'GET',
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && {
        setupRequest: (request: { body?: string }) => ({ ...request, body: body.replaceAll('{n}', String(++n)) }),
      }),
    },
  ] as never,
})
const answer: LoadResult = {
  requests: result['2xx'],
  requestsPerSecond: result['2xx'] / result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  errors: result.errors + result.non2xx,
  statuses: JSON.stringify(result.statusCodeStats),
}
console.log(JSON.stringify(answer))
