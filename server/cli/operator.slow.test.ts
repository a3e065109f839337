import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperatorAction } from '../features/installation/schema.ts'
import { startTestApp } from '../testing/app.ts'
import { operatorOf } from '../testing/operators.ts'
import { person } from '../testing/people.ts'
import { environmentOf, runCommand } from '../testing/process.ts'

const app = await startTestApp()
const acme = await app.organization()

test('an operator is added, listed and removed at the command line, while the service runs', async () => {
  const ada = await person(app, acme.id, 'member', { email: 'ada@example.com' })
  const env = environmentOf(app)
  const run = (...args: string[]) => runCommand(['operator', ...args], env)
  const visit = async () => (await ada.call('GET', 'operator/installation')).status
  assert.equal(await visit(), 403)
  const added = await run('add', '--email', 'ADA@example.com')
  assert.deepEqual(
    [added.code, added.stdout],
    [0, 'ada@example.com is now an operator of this installation.\n'],
    added.stderr,
  )
  assert.equal(await visit(), 200)
  assert.equal((await run('list')).stdout, 'ada@example.com\n')
  assert.equal((await run('remove', '--email', 'ada@example.com')).code, 0)
  assert.equal(await visit(), 403)
  assert.equal((await run('list')).stdout, '')
  assert.equal((await run('remove', '--email', 'ada@example.com')).code, 0)
  const olga = await operatorOf(app)
  const { data } = (await olga.call('GET', 'operator/actions')).body
  const actions = data.filter(({ object_id }: OperatorAction) => object_id === ada.id)
  assert.deepEqual(
    actions.map(({ action, object_name, organization_id }: OperatorAction) => [action, object_name, organization_id]),
    [
      ['operator.deleted', 'ada@example.com', null],
      ['operator.created', 'ada@example.com', null],
    ],
  )
  for (const { actor_name } of actions) assert.match(actor_name, /^.+ \(command line\)$/)
  const unknown = await run('add', '--email', 'eve@example.com')
  assert.deepEqual(
    [unknown.code, unknown.stderr.includes('there is no person with the email eve@example.com')],
    [1, true],
  )
  assert.match((await run('add')).stderr, /--email is required/)
  assert.equal((await run('promote')).code, 2)
})
