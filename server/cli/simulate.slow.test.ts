import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readSettings, type SettingsError } from '../config.ts'
import { startTestApp } from '../testing/app.ts'
import { freePort, runCommand, until } from '../testing/process.ts'

const app = await startTestApp()
const url = await app.listen()
const acme = await app.organization()
const program = join(import.meta.dirname, '../bin/frontdesk.js')

test('`frontdesk simulate` runs the simulator until it is stopped', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [program, 'simulate', '--port', String(port), '--speed', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  after(() => child.kill())
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await until(async () => output.includes('Ctrl+C'))
  assert.match(output, new RegExp(`SIMULATOR_URL=http://127.0.0.1:${port}`))
  const page = await fetch(`http://127.0.0.1:${port}/`)
  assert.match(await page.text(), /You are the customer/)
  const second = await runCommand(['simulate', '--port', String(port)], {})
  assert.deepEqual([second.code, second.stderr.includes('in use')], [1, true], second.stderr)
  child.kill('SIGTERM')
  assert.equal(await exited, 0)
})

test('`frontdesk simulate` explains invalid options', async () => {
  for (const [args, words] of [
    [['--port', 'many'], /--port/],
    [['--speed', 'fast'], /--speed/],
    [['--host', '0.0.0.0'], /--token/],
    [['--colour', 'red'], /colour/],
  ] as const) {
    const { code, stderr } = await runCommand(['simulate', ...args], {})
    assert.notEqual(code, 0)
    assert.match(stderr, words)
  }
})

test('`frontdesk simulate message` sends a message to a running Frontdesk as a customer', async () => {
  const args = ['simulate', 'message', 'hi there', '--from', '+14155550177', '--name', 'Ines', '--url', url]
  const written = await runCommand([...args, '--to', '+1 800 555 0199'], { FRONTDESK_KEY: acme.key })
  assert.equal(written.code, 0, written.stderr)
  assert.match(written.stdout, /wamid\./)
  await until(async () => (await acme.call('GET', 'inbox/tickets')).body.total === 1)
  const [ticket] = (await acme.call('GET', 'inbox/tickets')).body.inboxes
  assert.equal(ticket.contact.name, 'Ines')
  const { body } = await acme.call('GET', `inbox/messages/${ticket.id}`)
  assert.equal(body.messages[0].body, 'hi there')

  const refusals: [args: string[], words: RegExp][] = [
    [['simulate', 'message', 'hi', '--url', url, '--key', acme.key], /--from/],
    [['simulate', 'message', 'hi', '--from', '+14155550177'], /--key/],
    [[...args, '--key', 'svc_sk_test_wrong'], /401/],
    [[...args, '--key', acme.key, '--to', '+15550000000'], /\+18005550199/],
    [['simulate', 'message', 'hi', '--from', 'me', '--url', url, '--key', acme.key], /422/],
    [
      ['simulate', 'message', 'hi', '--from', '+14155550177', '--url', 'http://127.0.0.1:9', '--key', acme.key],
      /cannot connect/,
    ],
  ]
  for (const [given, words] of refusals) {
    const { code, stderr } = await runCommand(given, {})
    assert.equal(code, 1, stderr)
    assert.match(stderr, words)
    assert.ok(!stderr.includes(acme.key))
  }
})

test('SIMULATOR_URL cannot be set to the real platform', () => {
  const problems = (env: Record<string, string>) => {
    try {
      readSettings(env)
      return []
    } catch (error) {
      return (error as SettingsError).problems
    }
  }
  for (const url of ['https://graph.facebook.com', 'https://Graph.Facebook.com./v19.0', 'http://x@graph.facebook.com'])
    assert.match(problems({ SIMULATOR_URL: url }).join(), /SIMULATOR_URL/, url)
  assert.match(problems({ SIMULATOR_SPEED: 'fast' }).join(), /SIMULATOR_SPEED/)
  assert.match(problems({ SIMULATOR_SPEED: '-1' }).join(), /SIMULATOR_SPEED/)
  assert.deepEqual(problems({ SIMULATOR_SPEED: '2.5', SIMULATOR_URL: 'http://token@sim.internal:3001' }), [])
  assert.equal(readSettings({ SIMULATOR_SPEED: '2.5' }).SIMULATOR_SPEED, 2.5)
})
