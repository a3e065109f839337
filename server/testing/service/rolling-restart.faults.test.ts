import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../app.ts'
import { startBalancer } from '../balancer.ts'
import { environmentOf, freePort, startProcess, temporaryFolder, until } from '../process.ts'

const app = await startTestApp()
const environment = {
  ...environmentOf(app),
  ROLE: 'api',
  RATE_LIMIT_PER_MINUTE: '1000000',
}
test('a rolling restart behind a balancer fails no request', async () => {
  const folder = await temporaryFolder()
  const org = await app.organization()
  const ports = [String(await freePort()), String(await freePort())]
  // The default, thirty times as long as the balancer takes to notice on a quiet machine.
  const start = (PORT: string) => startProcess(folder, { ...environment, PORT, DRAIN_DELAY_SECONDS: '3' })
  const nodes = await Promise.all(ports.map(start))
  await using balancer = await startBalancer(nodes.map(({ url }) => url))

  let isOver = false
  after(() => {
    isOver = true
  })
  const failures: unknown[] = []
  let sent = 0
  const client = async () => {
    const headers = { authorization: `Bearer ${org.key}`, 'content-type': 'application/json' }
    while (!isOver) {
      const body = JSON.stringify({ phone_number: `+1415${5_550_000 + ++sent}` })
      const request = sent % 2 === 0 ? { method: 'GET' } : { method: 'POST', body }
      const [status, text] = await fetch(`${balancer.url}/api/v1/contacts`, { ...request, headers })
        .then(async (answer) => [answer.status, await answer.text()] as const)
        .catch((error) => [0, String(error.cause ?? error)] as const)
      if (status !== 200 && status !== 201) failures.push({ request: request.method, status, text })
    }
  }
  const clients = Array.from({ length: 4 }, client)
  for (const [i, port] of ports.entries()) {
    assert.equal(await nodes[i]?.stop(), 0, nodes[i]?.output())
    nodes[i] = await start(port)
    await until(async () => balancer.ready().length === 2)
    const before = balancer.answeredBy(nodes[i].url)
    await until(async () => balancer.answeredBy(nodes[i]?.url as string) > before)
  }
  isOver = true
  await Promise.all(clients)
  assert.deepEqual(failures, [], `of ${sent} requests`)
})
