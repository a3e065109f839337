import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../app.ts'
import { environmentOf, startProcess, temporaryFolder, until } from '../process.ts'

const app = await startTestApp()
const environment = {
  ...environmentOf(app),
  ROLE: 'api',
}
/** The status that `/readyz` reports; undefined while the node does not listen, or if it ends in the middle of its answer. */
const readiness = async (url: string): Promise<unknown> => {
  const answer = await fetch(`${url}/readyz`)
    .then((response) => response.json())
    .catch(() => undefined)
  return (answer as { status: unknown } | undefined)?.status
}

test('a second signal ends a draining process at once', async () => {
  const node = await startProcess(await temporaryFolder(), { ...environment, DRAIN_DELAY_SECONDS: '300' })
  node.child.kill('SIGTERM')
  await until(async () => (await readiness(node.url)) === 'draining')
  await until(async () => {
    node.child.kill('SIGINT')
    return (await readiness(node.url)) === undefined
  })
  assert.equal(await node.exited, 1)
})
