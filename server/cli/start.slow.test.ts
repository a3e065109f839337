import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import {
  dataFolder,
  freePort,
  isAlive,
  postmasterPid,
  runCommand,
  startProcess,
  temporaryFolder,
  until,
} from '../testing/process.ts'
import { startWriters, storedNumbers } from '../testing/writers.ts'

const shell = (command: string) => promisify(execFile)('/bin/sh', ['-c', command])

function printed(output: string) {
  const [, link] = /Sign in +(\S+)/.exec(output) ?? []
  const [, key] = /Test key +(svc_sk_test_\S+)/.exec(output) ?? []
  const [, curl] = /Try it +(.+)/.exec(output) ?? []
  return { link, key, curl }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
const get = async (url: string, key: string): Promise<any> =>
  (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).json()

test('the first start creates a demo organization and prints a working URL, link, key and curl line; the second creates nothing', async () => {
  const dataDir = await temporaryFolder()
  const first = await startProcess(dataDir)
  await until(async () => first.output().includes('API docs'))
  const { link, key, curl } = printed(first.output())
  assert.ok(link && key && curl, first.output())
  assert.ok(first.output().includes(`running at ${first.url}`))

  const { stdout } = await shell(`${curl} --silent`)
  const dashboard = JSON.parse(stdout)
  assert.equal(dashboard.contacts.total, 200)
  for (const stage of ['new', 'engaged', 'qualified', 'customers', 'lost'])
    assert.ok(dashboard.contacts[stage] > 0, stage)
  assert.ok(dashboard.tasks.overdue > 0 && dashboard.tasks.overdue < dashboard.tasks.pending)

  const token = new URL(link).hash.replace('#sign-in=', '')
  const signIn = () =>
    fetch(`${first.url}/api/v1/auth/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
  assert.equal((await signIn()).status, 200)
  assert.equal((await signIn()).status, 401)

  assert.equal(await first.stop(), 0)
  const second = await startProcess(dataDir)
  await until(async () => second.output().includes('API docs'))
  const again = printed(second.output())
  assert.equal(again.key, undefined)
  assert.notEqual(again.link, link)
  const { contacts } = await get(`${second.url}/api/v1/crm/dashboard`, key)
  assert.equal(contacts.total, 200)
  assert.equal((await get(`${second.url}/api/v1/keys`, key)).total_count, 1)
  assert.equal(await second.stop(), 0)
  assert.equal(await postmasterPid(dataDir), undefined, 'the database stops with its last user')
})

test('acknowledged writes survive kill -9 of the app and of the database, and the service recovers by itself', async () => {
  const dataDir = await dataFolder()
  const key = `svc_sk_test_${'k'.repeat(40)}`
  const env = { BOOTSTRAP_API_KEY: key, DEMO_DATA: 'false' }
  const first = await startProcess(dataDir, env)
  const writers = startWriters(first.url, key)
  await writers.more(20)
  for (let round = 0; round < 2; round++) {
    process.kill((await postmasterPid(dataDir)) as number, 'SIGKILL')
    await writers.more(100)
  }
  await first.stop('SIGKILL')
  await writers.stop()

  const second = await startProcess(dataDir, env)
  const stored = await storedNumbers(second.url, key)
  for (const number of writers.acknowledged) assert.ok(stored.has(number), `${number} was acknowledged and is gone`)
})

test('requests in flight at shutdown are answered', async () => {
  const dataDir = await dataFolder()
  const key = `svc_sk_test_${'d'.repeat(40)}`
  const running = await startProcess(dataDir, { BOOTSTRAP_API_KEY: key })
  const answers = Array.from({ length: 20 }, () =>
    fetch(`${running.url}/api/v1/contacts/export`, { headers: { authorization: `Bearer ${key}` } }),
  )
  await Promise.race(answers)
  const exit = running.stop()
  for (const answer of await Promise.all(answers.map((each) => each.catch(() => undefined)))) {
    // Either refused before it began, or answered completely.
    if (answer?.status !== 200) continue
    const lines = (await answer.text()).trim().split('\n')
    assert.ok(lines.length >= 201)
  }
  assert.equal(await exit, 0)
})

test('an uncaught exception is logged as fatal, requests in flight are answered, the database stops and the exit code is 1', async () => {
  const dataDir = await dataFolder()
  const key = `svc_sk_test_${'f'.repeat(40)}`
  // Faults on demand: an unhandled rejection, and an exception while the first fault is being handled.
  const fail = `process.on('SIGUSR2', () => {
    Promise.reject(new Error('first fault'))
    setTimeout(() => { throw new Error('second fault') }, 1)
  })`
  const running = await startProcess(dataDir, {
    BOOTSTRAP_API_KEY: key,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fail)}`,
  })
  const postmaster = (await postmasterPid(dataDir)) as number
  const answers = Array.from({ length: 20 }, () =>
    fetch(`${running.url}/api/v1/contacts/export`, { headers: { authorization: `Bearer ${key}` } }),
  )
  await Promise.race(answers)
  running.child.kill('SIGUSR2')
  for (const answer of await Promise.all(answers.map((each) => each.catch(() => undefined))))
    if (answer?.status === 200) assert.ok((await answer.text()).trim().split('\n').length >= 201, 'answered whole')
  assert.equal(await running.exited, 1)
  // The end of the output may arrive after the exit.
  for (const fault of ['first fault', 'second fault'])
    await until(async () => new RegExp(`"level":60.*${fault}.*uncaught exception`).test(running.output()))
  assert.equal(await postmasterPid(dataDir), undefined)
  await until(async () => !isAlive(postmaster))
})

test('a SIGTERM to npm drains the service that npm started', async () => {
  const dataDir = await dataFolder()
  const port = await freePort()
  const npm = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      HOME: await temporaryFolder(),
      npm_config_update_notifier: 'false',
      DATA_DIR: dataDir,
      PORT: String(port),
      DEMO_DATA: 'false',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own, which is killed if the test fails.
    detached: true,
  })
  after(() => {
    try {
      process.kill(-(npm.pid as number), 'SIGKILL')
    } catch {}
  })
  let output = ''
  npm.stdout.on('data', (chunk) => {
    output += chunk
  })
  // The service has the same output: it closes when both have ended.
  let isClosed = false
  npm.on('close', () => {
    isClosed = true
  })
  await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200)
  npm.kill('SIGTERM')
  await until(async () => isClosed)
  assert.match(output, /process: draining/)
  assert.equal(await postmasterPid(dataDir), undefined, 'the service has stopped its database')
})

test('several nodes that start at once on a new database share it', async () => {
  const dataDir = await temporaryFolder()
  const key = `svc_sk_test_${'n'.repeat(40)}`
  const env = { BOOTSTRAP_API_KEY: key, DEMO_DATA: 'false' }
  const nodes = await Promise.all([
    startProcess(dataDir, env),
    startProcess(dataDir, { ...env, ROLE: 'api' }),
    startProcess(dataDir, { ...env, ROLE: 'worker', LOG_LEVEL: 'info' }),
  ])
  // A worker that is still loading does not handle signals yet.
  await until(async () => nodes[2]?.output().includes('working on jobs') ?? false)
  const created = await fetch(`${nodes[0]?.url}/api/v1/contacts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone_number: '+14155550123' }),
  })
  assert.equal(created.status, 201)
  assert.equal((await get(`${nodes[1]?.url}/api/v1/contacts`, key)).total_count, 1)
  const organizations = await get(`${nodes[1]?.url}/api/v1/me`, key)
  assert.equal(organizations.organization.name, 'Juniper Dental')
  // The first node to stop does not affect the others.
  assert.equal(await nodes[0]?.stop(), 0)
  assert.equal((await get(`${nodes[1]?.url}/api/v1/contacts`, key)).total_count, 1)
  assert.deepEqual(await Promise.all([nodes[1]?.stop(), nodes[2]?.stop()]), [0, 0])
})

test('invalid settings are refused with an explanation', async () => {
  const refused = async (env: Record<string, string>, words: RegExp) => {
    const { code, stderr } = await runCommand(['start'], { DATA_DIR: await temporaryFolder(), ...env })
    assert.equal(code, 1)
    assert.match(stderr, words)
  }
  await refused({ PORT: 'eighty', ROLE: 'boss' }, /ROLE must be one of[\s\S]*PORT .*integer/)
  const taken = createServer().listen(0, '127.0.0.1')
  after(() => taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  await refused({ PORT: String(port), DATA_DIR: await dataFolder() }, /is in use/)
})

test('a bootstrap key is registered once, and stays revoked after it was revoked', async () => {
  const dataDir = await dataFolder()
  const key = `svc_sk_test_${'b'.repeat(40)}`
  const env = { BOOTSTRAP_API_KEY: key, DEMO_DATA: 'false' }
  const first = await startProcess(dataDir, env)
  assert.doesNotMatch(first.output(), /bbbbbbbb/)
  const { data } = await get(`${first.url}/api/v1/keys`, key)
  const own = data.find(({ last_four }: { last_four: string }) => last_four === 'bbbb')
  const revoked = await fetch(`${first.url}/api/v1/keys/${own.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key}` },
  })
  assert.equal(revoked.status, 200)
  await first.stop()
  const second = await startProcess(dataDir, env)
  assert.equal((await fetch(`${second.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status, 401)
})
