import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCommand, startProcess, temporaryFolder, until } from '../process.ts'
import { receiver } from '../webhook-receivers.ts'

/**
 * The rule of rolling upgrades: nodes of the previous release go on working while the first node of this one migrates
 * the database under them. The previous release is the last tag, or the commit in PREVIOUS_RELEASE.
 */
const root = join(import.meta.dirname, '../../..')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()

function findPrevious(): string | undefined {
  if (process.env.PREVIOUS_RELEASE) return process.env.PREVIOUS_RELEASE
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
  } catch {
    return undefined
  }
}

const key = `svc_sk_test_${'p'.repeat(40)}`
const env = { BOOTSTRAP_API_KEY: key, OUTBOUND_ALLOW: '127.0.0.1' }

test('nodes of the previous release work on the schema of this one', async (t) => {
  const previous = findPrevious()
  if (!previous) return t.skip('needs git and a release tag, or a commit in PREVIOUS_RELEASE')
  const checkout = join(await temporaryFolder(), 'previous')
  git('worktree', 'add', '--detach', checkout, previous)
  after(() => git('worktree', 'remove', '--force', checkout))
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))

  const dataDir = await temporaryFolder()
  const old = await startProcess(dataDir, env, { ofRelease: join(checkout, 'server/bin/frontdesk.js') })
  const migrated = await runCommand(['migrate'], { DATA_DIR: dataDir })
  assert.equal(migrated.code, 0, migrated.stderr)

  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${old.url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const endpoint = await receiver()
  await call('POST', 'webhooks', { url: endpoint.url, events: ['*'] })
  const contact = await call('POST', 'contacts', { phone_number: '+14155559871', name: 'Ada' })
  await call('PATCH', `contacts/${contact.id}`, { stage: 'qualified' })
  const task = await call('POST', 'crm/tasks', { contact_id: contact.id, title: 'Call back' })
  await call('PATCH', `crm/tasks/${task.id}`, { status: 'completed' })
  await call('POST', 'simulator/messages', { from: '+14155559871', text: 'Hello' })
  await until(async () => (await call('GET', 'inbox/tickets?search=14155559871')).inboxes.length === 1)
  for (const path of [
    'agents',
    'calls',
    'campaigns',
    'channels',
    'contacts?search=Ada',
    'crm/dashboard',
    'events',
    'knowledge-base',
    'templates',
  ])
    await call('GET', path)
  await until(async () => endpoint.received.some(({ event }) => event.type === 'task.completed'))
  assert.doesNotMatch(old.output(), /"level":(50|60)/, 'no errors in the log')
  assert.equal(await old.stop(), 0)

  const refused = await startProcess(dataDir, env, { ofRelease: join(checkout, 'server/bin/frontdesk.js') }).then(
    (running) => running.stop().then(() => 'started'),
    (error: Error) => error.message,
  )
  const isNewer = git('diff', '--name-only', '--diff-filter=A', previous, '--', 'server/migrations') !== ''
  if (isNewer) assert.match(refused, /which this version does not know: start a newer version/)
})
