import assert from 'node:assert/strict'
import { test } from 'node:test'
import { totpCode, totpStep } from '../features/organizations/second-factors/totp.ts'
import { bodyFrom } from '../testing/call-service.ts'
import { dataFolder, runCommand, startProcess } from '../testing/process.ts'

const dataDir = await dataFolder()
const running = await startProcess(dataDir, { DEMO_DATA: 'false' })
const env = { DATA_DIR: dataDir, PORT: new URL(running.url).port }

test('the CLI creates organizations, keys and links beside a running service', async () => {
  const made = await runCommand(['org', 'create', '--name', 'Second', '--owner', 'bo@example.com'], env)
  assert.equal(made.code, 0, made.stderr)
  const [, id] = /Second \((\S+)\)/.exec(made.stdout) ?? []
  const key = await runCommand(['key', 'create', '--organization', id as string, '--scopes', 'contacts:read'], env)
  const secret = key.stdout.trim()
  const ask = bodyFrom(running.url, secret)
  const me = await ask('GET', 'me')
  assert.equal(me.organization.id, id)
  assert.deepEqual(me.scopes, ['contacts:read'])
  const seed = await runCommand(['seed', '--organization', id as string], env)
  assert.match(seed.stdout, /Added demo data/)
  assert.match((await runCommand(['seed', '--organization', id as string], env)).stdout, /already/)
  assert.equal((await ask('GET', 'contacts')).total_count, 200)
  const link = await runCommand(['sign-in-link', '--email', 'bo@example.com'], env)
  assert.match(link.stdout, /#sign-in=/)
  assert.match((await runCommand(['migrate'], env)).stdout, /up to date/)

  for (const [args, words] of [
    [['key', 'create', '--scopes', 'everything'], /unknown scope everything/],
    [['key', 'create', '--mode', 'prod'], /must be test or live/],
    [['key', 'create', '--organization', 'x'], /must be an id/],
    [['key', 'create', '--expires', '2020-01-01T00:00:00Z'], /must be in the future/],
    [['org', 'create'], /--name is required/],
    [['sign-in-link', '--email', 'nobody@example.com'], /no person with the email/],
    [['second-factor', 'remove', '--email', 'nobody@example.com'], /no person with the email/],
    [['second-factor', 'remove'], /--email is required/],
    [['frobnicate'], /unknown command/],
    [['start', '--port', '1'], /Unknown option/],
  ] as [string[], RegExp][]) {
    const { code, stderr } = await runCommand(args, env)
    assert.notEqual(code, 0)
    assert.match(stderr, words)
    assert.doesNotMatch(stderr, /\n\s+at /, 'a sentence, not a stack')
  }
})

test('the CLI removes a lost second factor and prints a link to reset the password', async () => {
  const email = ['--email', 'cy@example.com']
  await runCommand(['org', 'create', '--name', 'Third', '--owner', 'cy@example.com'], env)
  // biome-ignore lint/suspicious/noExplicitAny: what is found in it is asserted
  const post = async (path: string, body: object, token = ''): Promise<{ status: number; body: any }> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const url = `${running.url}/api/v1/auth/${path}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() }
  }
  const linkToken = async (...more: string[]) => {
    const { stdout } = await runCommand(['sign-in-link', ...email, ...more], env)
    return (/#(?:sign-in|reset-password)=(\w+)/.exec(stdout) ?? [])[1] as string
  }
  const { access_token } = (await post('link', { token: await linkToken() })).body
  const { secret } = (await post('authenticator', {}, access_token)).body
  const code = totpCode(secret, totpStep(Date.now()))
  assert.equal((await post('authenticator/confirm', { code }, access_token)).status, 200)
  const token = await linkToken('--reset-password')
  assert.equal((await post('link', { token })).body.error.code, 'second_factor_required')
  const removed = await runCommand(['second-factor', 'remove', ...email], env)
  assert.match(removed.stdout, /Removed the second factor of cy@example\.com/)
  assert.equal((await post('link', { token })).status, 200)
  assert.match((await runCommand(['second-factor', 'remove', ...email], env)).stdout, /has no second factor/)
})

test('--help works after every command and does nothing else', async () => {
  const { stdout: all } = await runCommand(['help'], {})
  // `key create`, `simulate message TEXT …`, `start`: the words before the options and the description.
  const commands = [...all.matchAll(/^ {2}([a-z-]+(?: [a-z]+)?)/gm)].map(([, text = '']) => text.split(' '))
  assert.ok(commands.length >= 9, all)
  // Invalid settings: any command that reads them would fail.
  const unusable = { PORT: 'none', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  for (const [i, command] of [...commands, ['org'], ['key']].entries()) {
    const { code, stdout, stderr } = await runCommand([...command, i % 2 ? '-h' : '--help'], unusable)
    assert.deepEqual([code, stderr], [0, ''], command.join(' '))
    assert.ok(stdout.includes(`\n  ${command.join(' ')} `), stdout)
  }
  assert.doesNotMatch((await runCommand(['key', 'create', '--help'], unusable)).stdout, /sign-in-link/)
  assert.notEqual((await runCommand(['frobnicate', '--help'], unusable)).code, 0)
})
