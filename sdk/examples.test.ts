import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { sharedTestApp } from '../server/testing/app.ts'

/**
 * Runs the README's examples in order as one program against a real service. A comment after `console.log(…)` is the
 * expected output; in a loop, one comment per iteration.
 */
const blocks = [...readFileSync(join(import.meta.dirname, 'README.md'), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(
  ([, code]) => code as string,
)

test('the README examples print what their comments say', async () => {
  const app = await sharedTestApp()
  const { key } = await app.organization()
  const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
  Object.assign(process.env, { FRONTDESK_URL: await app.listen(), FRONTDESK_API_KEY: key, WEBHOOK_SECRET: secret })
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-readme-'))
  after(() => rmSync(folder, { recursive: true }))
  const source = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'src/index.ts')).href)
  const program = join(folder, 'program.ts')
  writeFileSync(program, `${blocks.join('\n').replaceAll("'@frontdesk/sdk'", source)}\nexport { receive }\n`)

  const printed: string[] = []
  const { log } = console
  console.log = (...words) => void printed.push(format(...words))
  after(() => {
    console.log = log
  })
  const { receive } = await import(pathToFileURL(program).href)
  const promised = blocks.flatMap((code) => [...code.matchAll(/console\.log\(.*\) \/\/ (.*)/g)].map(([, text]) => text))
  assert.ok(promised.length > 8)
  assert.equal(printed.join(' '), promised.join(' '))

  const body = '{"type":"contact.created"}'
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', new Date(), body),
  }
  const post = (text: string) => receive(new Request('http://receiver', { method: 'POST', headers, body: text }))
  assert.equal((await post(body)).status, 204)
  assert.equal((await post(`${body} `)).status, 400)
  assert.equal(printed.at(-1), 'contact.created')
})
