import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestApp } from './testing/app.ts'

const app = await startTestApp()

test('the front page is served under a policy that lets in nothing but our own files', async () => {
  const page = await app.call('GET', '/')
  assert.equal(page.status, 200)
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(page.headers['cache-control'], 'no-cache')
  const policy = String(page.headers['content-security-policy'])
  for (const directive of ["default-src 'none'", "script-src 'self'", "form-action 'none'", "frame-ancestors 'none'"])
    assert.ok(policy.includes(directive), directive)
  assert.doesNotMatch(policy, /unsafe/)
  // The policy would refuse them: nothing inline, nothing from elsewhere.
  assert.doesNotMatch(page.text, /<script(?![^>]*src=)|<style|\son\w+=|https?:/)
})

test('whatever the front page names is there, with its type, and a browser that has it already gets no second copy', async () => {
  const names = [...(await app.call('GET', '/')).text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
    ([, name]) => name,
  )
  assert.ok(names.length > 5)
  const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' }
  for (const name of names as string[]) {
    const file = await app.call('GET', name)
    assert.equal(file.status, 200, name)
    assert.equal(file.headers['content-type'], types[name.split('.').at(-1) as keyof typeof types])
    const again = await app.call('GET', name, undefined, { 'if-none-match': String(file.headers.etag) })
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', file.headers.etag])
  }
})

test('every module is announced in the page, so that none of them waits for another', async () => {
  const modules = (await readdir(join(import.meta.dirname, 'public'))).filter((name) => name.endsWith('.js'))
  const { text } = await app.call('GET', '/')
  for (const name of modules) assert.ok(text.includes(`"/assets/${name}"`), name)
})

test('paths that nobody serves stay a plain 404, however they are spelled', async () => {
  const paths = [
    '/assets',
    '/assets/',
    '/assets/index.html',
    '/assets/welcome.test.ts',
    '/assets/../app.ts',
    '/assets/..%2fapp.ts',
    '/assets/%2e%2e/app.ts',
    '/assets/..%5capp.ts',
    '/assets/%00app.js',
    '/index.html',
    '/contacts',
  ]
  for (const path of paths) {
    const answer = await app.call('GET', path)
    assert.deepEqual([answer.status, answer.body], [404, { detail: 'Not Found' }], path)
  }
})

test('the front page is for reading', async () => {
  const answer = await app.call('POST', '/', {})
  assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'])
  assert.equal((await app.call('HEAD', '/')).status, 200)
})
