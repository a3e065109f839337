import { Agent, createServer, request } from 'node:http'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenLocally } from './listen-locally.ts'

interface Balancer extends AsyncDisposable {
  url: string
  /** The nodes that passed their last health check. */
  ready(): string[]
  /** How many requests this node has answered. */
  answeredBy(url: string): number
}

const checkEveryMs = 100

/**
 * A load balancer as operators use them: round robin over keep-alive connections to the nodes whose `/readyz` returns
 * 200. It does not retry, so a request that a node refuses or cuts off fails.
 */
export async function startBalancer(nodes: string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const isReady = new Map<string, boolean>()
  const answered = new Map<string, number>()
  let turn = 0

  const check = async (url: string) => {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    isReady.set(url, answer?.status === 200)
    // A node can be killed in the middle of its answer.
    await answer?.text().catch(() => {})
  }
  await Promise.all(nodes.map(check))
  let isClosed = false
  // One check at a time: a slow answer from before a drain must not follow that of a later check.
  const checking = nodes.map(async (url) => {
    while (!isClosed) {
      await sleep(checkEveryMs)
      await check(url)
    }
  })
  const ready = () => nodes.filter((url) => isReady.get(url))

  const server = createServer((incoming, outgoing) => {
    const healthy = ready()
    const url = healthy[turn++ % healthy.length]
    if (!url) return void outgoing.writeHead(502).end('no node is ready')
    const { method, headers } = incoming
    const upstream = request(url + incoming.url, { method, headers, agent }, (answer) => {
      answered.set(url, (answered.get(url) ?? 0) + 1)
      // The connection to the client is the balancer's own.
      const { connection: _, ...passed } = answer.headers
      outgoing.writeHead(answer.statusCode as number, passed)
      // A node that dies in the middle of a response ends it for the client too.
      pipeline(answer, outgoing, () => {})
    })
    upstream.on('error', (error) => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end(`${url}: ${error.message}`)
    })
    incoming.pipe(upstream)
  })
  const { url } = await listenLocally(server)
  return {
    url,
    ready,
    answeredBy: (url) => answered.get(url) ?? 0,
    async [Symbol.asyncDispose]() {
      isClosed = true
      await Promise.all(checking)
      agent.destroy()
    },
  }
}
