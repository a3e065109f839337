import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { environmentOf, startProcess, temporaryFolder } from '../../../testing/process.ts'
import { startTemplatePlatform } from '../../../testing/template-platform.ts'
import { templatesOf } from '../../../testing/templates.ts'

/** Jobs run in real worker processes, which the tests kill. */
const platform = await startTemplatePlatform()
const app = await startTestApp({ settings: { GRAPH_API_BASE_URL: platform.url, ROLE: 'api' } })
const helpers = templatesOf(app, platform)
const folder = await temporaryFolder()
const startDoomed = () =>
  startProcess(folder, {
    ...environmentOf(app),
    GRAPH_API_BASE_URL: platform.url,
  })

test('after a worker is killed while the platform creates a template, the next worker finds it there', async () => {
  const doomed = await startDoomed()
  const acme = await helpers.organization()
  platform.next.create.push({ afterwards: () => doomed.stop('SIGKILL') })
  const { id } = await acme.create()
  await doomed.exited
  const orphan = (await acme.call('GET', `templates/${id}`)).body
  assert.deepEqual([orphan.status, orphan.registration, orphan.remote_template_id], ['PENDING', 'registering', null])
  assert.equal(platform.accounts.get(acme.account)?.length, 1)

  const heir = await app.node({ ROLE: 'all' })
  const template = await acme.settled(id)
  await heir.close()
  assert.equal(template.registration, 'registered')
  assert.equal(template.remote_template_id, platform.accounts.get(acme.account)?.[0]?.id)
  assert.equal(platform.requests('create').length, 1)
})

test('a server killed after the platform deleted a template keeps it here, and deleting again succeeds', async () => {
  const doomed = await startDoomed()
  const acme = await helpers.organization()
  const template = await acme.settled((await acme.create()).id)
  platform.next.delete.push({ afterwards: () => doomed.stop('SIGKILL') })
  const headers = { authorization: `Bearer ${acme.key}` }
  await assert.rejects(fetch(`${doomed.url}/api/v1/templates/${template.id}`, { method: 'DELETE', headers }))
  assert.deepEqual(platform.accounts.get(acme.account), [])
  assert.equal((await acme.call('GET', `templates/${template.id}`)).status, 200)
  assert.equal((await acme.call('DELETE', `templates/${template.id}`)).status, 200)
  assert.equal((await acme.call('GET', `templates/${template.id}`)).status, 404)
})
