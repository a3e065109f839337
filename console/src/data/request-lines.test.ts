import assert from 'node:assert/strict'
import { test } from 'node:test'
import { curlOf, docsAddressOf, sdkOf } from './request-lines.ts'

const origin = 'https://desk.example.com'
const id = '0190a0b0-0000-7000-8000-000000000001'

test('a request is shown as curl and as an SDK call', () => {
  const one = { method: 'GET', path: `/contacts/${id}` }
  assert.equal(
    curlOf(one, origin),
    `curl '${origin}/api/v1/contacts/${id}' \\\n  -H "Authorization: Bearer $FRONTDESK_KEY"`,
  )
  assert.equal(sdkOf(one), `await frontdesk.contacts.get('${id}')`)
  assert.equal(docsAddressOf(one), '/docs#tag/contacts/GET/api/v1/contacts/{contact_id}')

  const list = { method: 'GET', path: '/contacts?search=O%27Hara&limit=20&opted_out=false' }
  assert.match(curlOf(list, origin), /^curl 'https:\/\/desk\.example\.com\/api\/v1\/contacts\?search=O%27Hara&limit=20/)
  assert.equal(
    sdkOf(list),
    String.raw`await frontdesk.contacts.list({ search: 'O\'Hara', limit: 20, opted_out: false })`,
  )

  const change = { method: 'PATCH', path: `/contacts/${id}`, body: { name: "Ann O'Hara", tags: ['vip'] } }
  assert.match(curlOf(change, origin), /^curl -X PATCH [\s\S]* -d '\{"name":"Ann O'\\''Hara","tags":\["vip"\]\}'$/)
  assert.equal(
    sdkOf(change),
    String.raw`await frontdesk.contacts.update('${id}', { name: 'Ann O\'Hara', tags: ['vip'] })`,
  )
})

test('fixed paths are not IDs, forms are sent as forms, and unknown requests are shown as curl', () => {
  assert.equal(sdkOf({ method: 'GET', path: '/contacts/export' }), 'await frontdesk.contacts.export()')
  const upload = { method: 'POST', path: '/knowledge-base/upload', body: { file: '@menu.pdf' } }
  assert.match(curlOf(upload, origin), / -F 'file=@menu\.pdf'$/)
  assert.equal(sdkOf({ method: 'GET', path: '/nowhere' }), undefined)
  assert.equal(docsAddressOf({ method: 'GET', path: '/nowhere' }), '/docs')
})
