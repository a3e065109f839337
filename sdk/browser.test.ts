import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { chromium, type Page } from 'playwright-core'
import { createSignInLink } from '../server/features/organizations/create-sign-in-link.ts'
import { startTestApp } from '../server/testing/app.ts'
import { chromiumArgs, chromiumPath, withoutChromium } from '../server/testing/chromium.ts'

suite('the built package in a page', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-sdk-'))
  after(() => rmSync(folder, { recursive: true }))
  execFileSync(process.execPath, [join(import.meta.dirname, 'build.ts'), folder])
  // Closes before the service, whose shutdown waits for open connections.
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs })
  after(() => browser.close())
  const app = await startTestApp({
    prepare: ({ server }) => {
      const policy = { 'content-security-policy': "script-src 'self' 'unsafe-inline'; connect-src 'self'" }
      server.get('/page', (_, reply) => reply.headers(policy).type('text/html').send('<!doctype html><title>x</title>'))
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
        if (name.endsWith('.js'))
          server.get(`/sdk/${name}`, (_, reply) => reply.type('text/javascript').send(readFileSync(join(folder, name))))
    },
  })
  const address = await app.listen()
  const { ownerId } = await app.organization({ owner: 'olive@example.com' })

  async function openPage(): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${address}/page`)
    return page
  }

  /** Runs in the page; `sdk` is the built package. */
  const run = (page: Page, code: string): Promise<unknown> =>
    page.evaluate(`import('/sdk/index.js').then(async (sdk) => { ${code} })`)

  test('a signed-in person’s page reads, writes, uploads and iterates over lists by cookie', async () => {
    const page = await openPage()
    const token = await app.database.inSystem((tx) => createSignInLink(tx, ownerId as string))
    const answer = await run(
      page,
      `const client = sdk.createClient({ mode: 'test' })
       await client.signIn.useLink({ token: '${token}' })
       for (let i = 0; i < 5; i++) await client.contacts.create({ phone_number: '+1202555010' + i, name: 'Contact ' + i })
       const names = []
       for await (const { name } of client.contacts.list({ limit: 2 })) names.push(name)
       const document = await client.knowledge.uploadDocument({ file: new File(['from a page'], 'page.txt') })
       const text = await (await client.knowledge.downloadDocument(document.id)).text()
       const { mode, user } = await client.organization.getMe()
       return { names, text, mode, email: user.email }`,
    )
    assert.deepEqual(answer, {
      names: ['Contact 4', 'Contact 3', 'Contact 2', 'Contact 1', 'Contact 0'],
      text: 'from a page',
      mode: 'test',
      email: 'olive@example.com',
    })
  })

  test('the README’s browser example works', async () => {
    const [, example = ''] = /```js\n(.*?)```/s.exec(readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')) ?? []
    const page = await openPage()
    const token = await app.database.inSystem((tx) => createSignInLink(tx, ownerId as string))
    await run(page, `await sdk.createClient({}).signIn.useLink({ token: '${token}' })`)
    const code = example.replace(/import (.*) from '@frontdesk\/sdk'/, 'const $1 = sdk')
    assert.deepEqual(await run(page, `${code}; return [user.email, mode]`), ['olive@example.com', 'test'])
  })

  test('without a session requests are refused, and an API key is not sent', async () => {
    const page = await openPage()
    const answer = await run(
      page,
      `const refused = await sdk.createClient({}).contacts.list().catch((error) => error)
       const status = [refused instanceof sdk.AuthenticationError, refused.status]
       try { sdk.createClient({ apiKey: 'svc_sk_live_x' }) } catch (error) { return [...status, error.message] }`,
    )
    assert.deepEqual(answer, [true, 401, 'An API key in a page is everybody’s: sign people in, and leave apiKey out'])
  })

  test('webhooks are verified by the browser’s WebCrypto', async () => {
    const page = await openPage()
    const answer = await run(
      page,
      `const headers = {
         'webhook-id': 'evt_0001',
         'webhook-timestamp': '1767323045',
         'webhook-signature': 'v1,lVeu3P7EhwHY0MP/v+hwLDBEbrxHs1rLzUnPZcjYZWg=',
       }
       const body = '{"type":"message.delivered","timestamp":"2026-01-02T03:04:05Z","data":{"id":"msg_77"}}'
       const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
       const event = await sdk.verifyWebhook({ body, headers, secret, toleranceSeconds: Infinity })
       const late = await sdk.verifyWebhook({ body, headers, secret }).catch((error) => error.name)
       return [event.type, late]`,
    )
    assert.deepEqual(answer, ['message.delivered', 'WebhookError'])
  })
})
