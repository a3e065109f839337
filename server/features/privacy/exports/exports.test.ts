import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { personalData } from '../../../app.ts'
import { newId } from '../../../platform/ids.ts'
import { ok, type Reply, startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { until } from '../../../testing/process.ts'
import { png } from '../../../testing/sample-files.ts'
import { upload } from '../../../testing/uploads.ts'
import { listZip } from '../../knowledge/parsing/zip.ts'
import { expireRecordsJob } from '../job-kinds.ts'

const app = await startTestApp()
const address = await app.listen()
const from = '+12025554001'

async function exported({ call }: TestOrganization, contactId: string): Promise<Reply['body']> {
  const { id } = ok(await call('POST', `contacts/${contactId}/export`), 202)
  let seen: Reply['body']
  await until(async () => {
    seen = ok(await call('GET', `privacy/exports/${id}`))
    return seen.state === 'completed'
  })
  return seen
}

async function download({ key }: TestOrganization, path: string): Promise<Map<string, Buffer>> {
  const answer = await fetch(address + path, { headers: { authorization: `Bearer ${key}` } })
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/zip'])
  const bytes = Buffer.from(await answer.arrayBuffer())
  return new Map(
    listZip(bytes).map(({ name, offset, packed }) => {
      const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
      return [name, inflateRawSync(bytes.subarray(start, start + packed))]
    }),
  )
}

async function conversation(acme: TestOrganization) {
  ok(await acme.call('POST', 'simulator/messages', { from, name: 'Ada', text: 'hello' }), 202)
  await until(async () => ok(await acme.call('GET', 'inbox/tickets')).inboxes.length === 1)
  const [ticket] = ok(await acme.call('GET', 'inbox/tickets')).inboxes
  await upload(acme.call, `inbox/messages/${ticket.id}`, { file: png, fileName: 'cat.png' })
  return ticket
}

test('an export holds every table as JSON, and the files', async () => {
  const acme = await app.organization()
  const ticket = await conversation(acme)
  ok(await acme.call('POST', 'crm/tasks', { contact_id: ticket.contact_id, title: 'Call Ada' }), 201)
  await app.database.inTenant(
    { organizationId: acme.id, livemode: false },
    (tx) => tx.run`
      insert into activities (id, contact_id, type, actor_type)
      select new_id(), ${ticket.contact_id}, 'note_added', 'user' from generate_series(1, 600)`,
  )
  ok(await acme.call('POST', `inbox/tickets/${ticket.id}/notes`, { body: 'Between us: a refund' }), 201)
  const done = await exported(acme, ticket.contact_id)
  assert.deepEqual([done.contact_id, done.error, done.requested_by_type], [ticket.contact_id, null, 'user'])
  const files = await download(acme, done.download_url)
  const read = (name: string) => JSON.parse((files.get(`${name}.json`) as Buffer).toString())
  const tables = personalData.flatMap((table) => ('exempt' in table || 'exempt' in table.export ? [] : [table.table]))
  for (const table of tables) assert.ok(Array.isArray(read(table)), table)
  assert.deepEqual([read('contacts')[0].name, read('contacts')[0].phone_number], ['Ada', from])
  assert.deepEqual(
    read('messages').map(({ body }: { body: string }) => body),
    ['hello', ''],
  )
  assert.equal(read('tasks')[0].title, 'Call Ada')
  assert.ok(read('activities').length > 600)
  // Notes of members to each other stay in the organization.
  for (const [name, bytes] of files) assert.ok(!bytes.includes('Between us'), name)
  assert.ok(!files.has('ticket_notes.json'))
  const [media] = read('message_media')
  assert.deepEqual([media.file_name, media.file_key], ['cat.png', undefined])
  assert.deepEqual(files.get(media.file), Buffer.from(png))
  assert.deepEqual(read('calls'), [])
  const { data } = ok(await acme.call('GET', `audit-log?object_id=${done.id}`))
  assert.deepEqual(
    data.map(({ action }: { action: string }) => action),
    ['person_export.downloaded', 'person_export.created'],
  )
})

test('exports are refused to strangers, other modes and narrow scopes', async () => {
  const [acme, globex] = [await app.organization(), await app.organization()]
  const contact = ok(await acme.call('POST', 'contacts', { phone_number: from }), 201)
  assert.equal((await globex.call('POST', `contacts/${contact.id}/export`)).status, 404)
  assert.equal((await acme.call('POST', `contacts/${newId()}/export`)).status, 404)
  const done = await exported(acme, contact.id)
  const paths = [`privacy/exports/${done.id}`, `privacy/exports/${done.id}/download`]
  const reader = app.as((await app.key(acme.id, { scopes: ['contacts:read', 'contacts:write'] })).secret)
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  for (const path of paths) {
    assert.equal((await app.call('GET', path)).status, 401)
    assert.equal((await reader('GET', path)).status, 403)
    for (const call of [globex.call, live]) assert.equal((await call('GET', path)).status, 404)
  }
  assert.equal((await app.call('POST', `contacts/${contact.id}/export`)).status, 401)
  assert.equal((await reader('POST', `contacts/${contact.id}/export`)).status, 403)
})

test('an export that is not complete cannot be downloaded, an expired one is gone', async () => {
  const acme = await app.organization()
  const contact = ok(await acme.call('POST', 'contacts', { phone_number: from }), 201)
  const id = newId()
  await app.database.inTenant(
    { organizationId: acme.id, livemode: false },
    (tx) => tx.run`
      insert into person_exports (id, contact_id, requested_by_type) values (${id}, ${contact.id}, 'user')`,
  )
  assert.equal((await acme.call('GET', `privacy/exports/${id}/download`)).status, 409)
  const done = await exported(acme, contact.id)
  await app.database.forSystem()
    .run`update person_exports set expires_at = now() - interval '1 second' where id = ${done.id}`
  assert.equal((await acme.call('GET', `privacy/exports/${done.id}`)).status, 404)
  assert.equal((await acme.call('GET', `privacy/exports/${done.id}/download`)).status, 404)
  await app.database.inSystem((tx) => tx.enqueue(expireRecordsJob, {}))
  const left = () => app.database.forSystem().run`select from person_exports where id = ${done.id}`
  await until(async () => (await left()) === 0)
})

test('erasing the contact deletes its exports', async () => {
  const acme = await app.organization()
  const contact = ok(await acme.call('POST', 'contacts', { phone_number: from }), 201)
  const done = await exported(acme, contact.id)
  const { id } = ok(await acme.call('POST', `contacts/${contact.id}/erase`), 202)
  await until(async () => ok(await acme.call('GET', `privacy/erasures/${id}`)).state === 'completed')
  const proof = ok(await acme.call('GET', `privacy/erasures/${id}`))
  assert.deepEqual([proof.counts.person_exports, proof.files_count], [1, 1])
  assert.equal((await acme.call('GET', `privacy/exports/${done.id}`)).status, 404)
})
