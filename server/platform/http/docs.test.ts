import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../testing/app.ts'

const app = await sharedTestApp()

test('/docs loads resources from this server only', async () => {
  for (const url of ['/docs', '/docs/']) {
    const page = await app.call('GET', url)
    assert.equal(page.status, 200)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    const policy = String(page.headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /connect-src 'self'/)
    assert.match(policy, /script-src 'self'/)
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source as string)
    assert.ok(sources.length > 0)
    for (const source of sources) assert.match(source, /^(\/(docs|api)\/|data:)/)
  }
})

test('its scripts are served from here, compressed if the client accepts it, and cached by ETag', async () => {
  const starter = await app.call('GET', '/docs/start.js')
  assert.equal(starter.status, 200)
  assert.match(starter.text, /telemetry: false/)
  assert.doesNotMatch(starter.text, /https?:/)
  const plain = await app.call('GET', '/docs/scalar.js')
  const zipped = await app.call('GET', '/docs/scalar.js', undefined, { 'accept-encoding': 'gzip, br' })
  assert.match(String(plain.headers['content-type']), /^text\/javascript/)
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.ok(Number(zipped.headers['content-length']) * 2 < Number(plain.headers['content-length']))
  assert.match(plain.text, /createApiReference/)
  for (const url of ['/docs', '/docs/start.js', '/docs/scalar.js']) {
    const { headers } = await app.call('GET', url)
    const again = await app.call('GET', url, undefined, { 'if-none-match': String(headers.etag) })
    assert.equal(again.status, 304, url)
  }
})

test('other pages keep their strict policy, and a wrong method is refused', async () => {
  const { headers } = await app.call('GET', 'openapi.json')
  assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
  assert.equal((await app.call('POST', '/docs')).status, 405)
  assert.equal((await app.call('GET', '/docs/other.js')).status, 404)
})
