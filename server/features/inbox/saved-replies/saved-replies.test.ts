import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok } from '../../../testing/app.ts'
import { refusal } from '../../../testing/chat-platform.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { filesOf, newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { person, type TestPerson } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { gif, pdf, png } from '../../../testing/sample-files.ts'
import { formOf, upload } from '../../../testing/uploads.ts'
import { sweepFilesJob } from '../../files/jobs.ts'

const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization('olive@acme.example')
const globex = await newOrganization('gus@globex.example')
const { call } = acme
const member = await person(app, acme.id, 'member')
const as =
  ({ call }: TestPerson): typeof acme.call =>
  (method, path, body, headers) =>
    call(method, path, body, { 'x-mode': 'live', ...headers })

let names = 0
const body = 'Hi {{contact.first_name|there}}, we are open.'
const create = async (members: object = {}, by = call) =>
  ok(await by('POST', 'inbox/saved-replies', { name: `Reply ${++names}`, body, ...members }), 201)
const attach = async (id: string, file: Uint8Array<ArrayBuffer>, fileName: string, by = call) => {
  const form = await formOf({ file, fileName })
  return by('PUT', `inbox/saved-replies/${id}/attachment`, form.body, form.headers)
}

const add = (id: string, file: Uint8Array<ArrayBuffer>, fileName: string, by = call) =>
  upload(by, `inbox/saved-replies/${id}/attachments`, { file, fileName })
const namesOf = ({ attachments }: { attachments: { file_name: string }[] }) =>
  attachments.map(({ file_name }) => file_name)

test('a saved reply is created, found, changed and deleted', async () => {
  const reply = await create({ name: ' Opening hours ' })
  const { id, created_at, updated_at, ...members } = reply
  assert.deepEqual(members, {
    organization_id: acme.id,
    name: 'Opening hours',
    body,
    shared: true,
    owner_id: null,
    attachments: [],
    attachment: null,
    use_count: 0,
    last_used_at: null,
    livemode: true,
  })
  assert.deepEqual(ok(await call('GET', `inbox/saved-replies/${id}`)), reply)
  for (const search of ['opening', 'FIRST_NAME']) {
    const { data } = ok(await call('GET', `inbox/saved-replies?search=${search}`))
    assert.ok(
      data.some((each: { id: string }) => each.id === id),
      search,
    )
  }
  assert.deepEqual(ok(await call('GET', 'inbox/saved-replies?search=nothing')).data, [])
  const changed = ok(await call('PATCH', `inbox/saved-replies/${id}`, { body: 'Open until six.' }))
  assert.deepEqual([changed.body, changed.name], ['Open until six.', 'Opening hours'])
  assert.deepEqual(ok(await call('DELETE', `inbox/saved-replies/${id}`)), {
    message: 'Saved reply deleted successfully',
  })
  assert.equal((await call('GET', `inbox/saved-replies/${id}`)).status, 404)
})

test('a private reply exists for its member alone, and leaves with them', async () => {
  const guest = await person(app, acme.id, 'member')
  const mine = await create({ shared: false, name: 'Mine' }, as(guest))
  assert.deepEqual([mine.shared, mine.owner_id], [false, guest.id])
  const [attachment] = ok(await add(mine.id, pdf, 'c.pdf', as(guest)), 201).attachments
  const { ticketId } = await acme.receives({ from: newCustomer() })
  for (const other of [call, as(member)]) {
    const { data } = ok(await other('GET', 'inbox/saved-replies?limit=100'))
    assert.ok(!data.some((each: { id: string }) => each.id === mine.id))
    for (const [method, path, given] of [
      ['GET', `inbox/saved-replies/${mine.id}`],
      ['PATCH', `inbox/saved-replies/${mine.id}`, { body: 'x' }],
      ['DELETE', `inbox/saved-replies/${mine.id}`],
      ['GET', `inbox/saved-replies/${mine.id}/attachment`],
      ['DELETE', `inbox/saved-replies/${mine.id}/attachment`],
      ['GET', `inbox/saved-replies/${mine.id}/attachments/${attachment.id}`],
      ['DELETE', `inbox/saved-replies/${mine.id}/attachments/${attachment.id}`],
    ] as const)
      assert.equal((await other(method, path, given)).status, 404, `${method} ${path}`)
    assert.equal((await add(mine.id, pdf, 'a.pdf', other)).status, 404)
    assert.equal((await attach(mine.id, pdf, 'a.pdf', other)).status, 404)
    const used = await other('POST', `inbox/messages/${ticketId}`, { body: 'x', saved_reply_id: mine.id })
    assert.deepEqual([used.status, used.body.detail[0].loc], [422, ['body', 'saved_reply_id']])
  }
  // The same name may be used by several members, and by a shared one.
  await create({ shared: false, name: 'Mine' }, as(member))
  await create({ name: 'mine' })
  ok(await attach(mine.id, pdf, 'a.pdf', as(guest)))
  const testReply = await guest.call(
    'POST',
    'inbox/saved-replies',
    { name: 'T', body, shared: false },
    { 'x-mode': 'test' },
  )
  const inTest = ok(testReply, 201)
  const form = await formOf({ file: pdf, fileName: 'b.pdf' })
  const path = `inbox/saved-replies/${inTest.id}/attachment`
  ok(await guest.call('PUT', path, form.body, { ...form.headers, 'x-mode': 'test' }))
  const owner = await person(app, acme.id, 'owner')
  ok(await owner.call('DELETE', `members/${guest.id}`))
  const both = [[mine.id, inTest.id]]
  const { rows } = await app.database.pools.system.query(
    `select from saved_replies where id = any($1)
     union all select from saved_reply_attachments where saved_reply_id = any($1)`,
    both,
  )
  assert.equal(rows.length, 0)
})

test('a shared reply that becomes private is the caller’s', async () => {
  const { id } = await create()
  const taken = ok(await as(member)('PATCH', `inbox/saved-replies/${id}`, { shared: false }))
  assert.equal(taken.owner_id, member.id)
  assert.equal((await call('GET', `inbox/saved-replies/${id}`)).status, 404)
  assert.equal(ok(await as(member)('PATCH', `inbox/saved-replies/${id}`, { shared: true })).owner_id, null)
  const key = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  const refused = await key('POST', 'inbox/saved-replies', { name: 'Nobody’s', body, shared: false })
  assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'shared']])
})

test('sending with a saved reply fills the fields and counts the use, once per message', async () => {
  const { id } = await create()
  const { ticketId, contactId } = await acme.receives({ from: newCustomer() })
  ok(await call('PATCH', `contacts/${contactId}`, { first_name: 'Ada' }))
  const headers = { 'idempotency-key': `use ${id}` }
  for (let i = 0; i < 2; i++) {
    const message = ok(await call('POST', `inbox/messages/${ticketId}`, { body, saved_reply_id: id }, headers), 201)
    assert.equal(message.body, 'Hi Ada, we are open.')
  }
  const used = ok(await call('GET', `inbox/saved-replies/${id}`))
  assert.equal(used.use_count, 1)
  assert.ok(used.last_used_at)
  const parts = { file: png, fileName: 'map.png', fields: { saved_reply_id: id, body: 'The way' } }
  ok(await upload(call, `inbox/messages/${ticketId}`, parts), 201)
  assert.equal(ok(await call('GET', `inbox/saved-replies/${id}`)).use_count, 2)
  const sent = platform.sent.length
  for (const saved_reply_id of [newId(), 'x']) {
    const json = await call('POST', `inbox/messages/${ticketId}`, { body: 'x', saved_reply_id })
    assert.deepEqual([json.status, json.body.detail[0].loc], [422, ['body', 'saved_reply_id']], json.text)
    const form = await upload(call, `inbox/messages/${ticketId}`, { ...parts, fields: { saved_reply_id } })
    assert.deepEqual([form.status, form.body.detail[0].loc], [422, ['body', 'saved_reply_id']], form.text)
  }
  assert.equal(platform.sent.length, sent, 'nothing was sent')
  platform.next.push(refusal(131026))
  assert.equal((await call('POST', `inbox/messages/${ticketId}`, { body: 'x', saved_reply_id: id })).status, 502)
})

test('an attachment is stored, served, replaced and removed with its file', async () => {
  const org = await newOrganization('files@acme.example')
  const { id } = ok(await org.call('POST', 'inbox/saved-replies', { name: 'Map', body: 'This way' }), 201)
  const first = ok(await attach(id, pdf, 'plan.pdf', org.call))
  assert.deepEqual(first.attachment, { file_name: 'plan.pdf', mime_type: 'application/pdf', size_bytes: pdf.length })
  const path = `inbox/saved-replies/${id}/attachment`
  const download = await org.call('GET', path)
  assert.deepEqual(
    [download.status, download.headers['content-type'], download.headers['content-length']],
    [200, 'application/pdf', String(pdf.length)],
  )
  ok(await attach(id, png, 'map.png', org.call))
  const sweep = () => app.database.inSystem((tx) => tx.enqueue(sweepFilesJob, {}))
  await sweep()
  await until(async () => (await filesOf(app, org)).length === 1)
  assert.equal((await globex.call('GET', path)).status, 404)
  assert.equal(ok(await org.call('DELETE', path)).attachment, null)
  assert.deepEqual((await org.call('GET', path)).body, { detail: 'Attachment not found' })
  assert.equal((await org.call('DELETE', path)).status, 404)
  const [removal, replacement, attaching] = ok(await org.call('GET', 'events?type=saved_reply.updated')).data
  assert.deepEqual([attaching.data.object, attaching.data.previous], [first, { attachment: null, attachments: [] }])
  const { attachment, attachments } = first
  assert.deepEqual(replacement.data.previous, { attachment, attachments })
  assert.equal(removal.data.object.attachment, null)
  ok(await attach(id, png, 'map.png', org.call))
  ok(await org.call('PATCH', `inbox/saved-replies/${id}`, { body: '' }))
  const needed = await org.call('DELETE', path)
  assert.equal(needed.status, 422)
  ok(await org.call('DELETE', `inbox/saved-replies/${id}`))
  await sweep()
  await until(async () => (await filesOf(app, org)).length === 0)
})

test('several attachments keep their order, are served and removed one by one, ten at most', async () => {
  const org = await newOrganization('several@acme.example')
  const { id } = ok(await org.call('POST', 'inbox/saved-replies', { name: 'Maps', body: 'These ways' }), 201)
  const path = `inbox/saved-replies/${id}`
  ok(await add(id, pdf, 'one.pdf', org.call), 201)
  ok(await add(id, png, 'two.png', org.call), 201)
  const three = ok(await add(id, pdf, 'three.pdf', org.call), 201)
  assert.deepEqual(namesOf(three), ['one.pdf', 'two.png', 'three.pdf'])
  assert.deepEqual(three.attachment, { file_name: 'one.pdf', mime_type: 'application/pdf', size_bytes: pdf.length })
  assert.deepEqual(ok(await org.call('GET', path)), three)
  const [one, two] = three.attachments
  const download = await org.call('GET', `${path}/attachments/${two.id}`)
  assert.deepEqual(
    [download.status, download.headers['content-type'], download.headers['content-length']],
    [200, 'image/png', String(png.length)],
  )
  assert.equal((await globex.call('GET', `${path}/attachments/${two.id}`)).status, 404)
  // The operations of one attachment are about the first.
  assert.deepEqual(namesOf(ok(await attach(id, png, 'new.png', org.call))), ['new.png', 'two.png', 'three.pdf'])
  assert.deepEqual(namesOf(ok(await org.call('DELETE', `${path}/attachment`))), ['two.png', 'three.pdf'])
  assert.equal((await org.call('DELETE', `${path}/attachments/${one.id}`)).status, 404)
  const other = ok(await org.call('POST', 'inbox/saved-replies', { name: 'Other', body: 'x' }), 201)
  for (const method of ['GET', 'DELETE'])
    for (const wrong of [`inbox/saved-replies/${other.id}/attachments/${two.id}`, `${path}/attachments/x`]) {
      assert.equal((await org.call(method, wrong)).status, 404, `${method} ${wrong}`)
    }

  // Ten at once: two of them find the reply full.
  const added = await Promise.all(Array.from({ length: 10 }, (_, n) => add(id, pdf, `${n}.pdf`, org.call)))
  const statuses = added.map(({ status }) => status).sort()
  assert.deepEqual([...new Set(statuses)], [201, 409])
  assert.equal(statuses.filter((status) => status === 409).length, 2)
  assert.match(added.find(({ status }) => status === 409)?.body.detail, /10 attachments/)
  const full = ok(await org.call('GET', path))
  assert.equal(full.attachments.length, 10)
  assert.equal(ok(await attach(id, png, 'still.png', org.call)).attachments.length, 10)

  // Without a text it needs one of them.
  ok(await org.call('PATCH', path, { body: '' }))
  const [last, ...others] = ok(await org.call('GET', path)).attachments
  for (const each of others) ok(await org.call('DELETE', `${path}/attachments/${each.id}`))
  assert.equal((await org.call('DELETE', `${path}/attachments/${last.id}`)).status, 422)
  await app.database.inSystem((tx) => tx.enqueue(sweepFilesJob, {}))
  await until(async () => (await filesOf(app, org)).length === 1)
  ok(await org.call('DELETE', path))
  await app.database.inSystem((tx) => tx.enqueue(sweepFilesJob, {}))
  await until(async () => (await filesOf(app, org)).length === 0)
})

test('files that cannot be sent are refused, and nothing is kept', async () => {
  const { id } = await create()
  const before = (await filesOf(app, acme)).length
  for (const [file, fileName] of [
    [gif, 'moving.gif'],
    [new Uint8Array(0), 'empty.pdf'],
  ] as [Uint8Array<ArrayBuffer>, string][]) {
    const refused = await attach(id, file, fileName)
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'file']], refused.text)
    assert.equal((await add(id, file, fileName)).status, 422)
  }
  assert.equal((await call('POST', `inbox/saved-replies/${id}/attachments`, {})).status, 415)
  assert.equal((await add(newId(), pdf, 'a.pdf')).status, 404)
  assert.equal((await call('PUT', `inbox/saved-replies/${id}/attachment`, {})).status, 415)
  assert.equal((await attach(newId(), pdf, 'a.pdf')).status, 404)
  assert.equal((await filesOf(app, acme)).length, before)
})

test('bad input, taken names and other organizations are refused', async () => {
  const { id, name } = await create()
  for (const [given, loc] of [
    [{ body }, 'name'],
    [{ name: ' ', body }, 'name'],
    [{ name: 'x'.repeat(65), body }, 'name'],
    [{ name: 'x' }, 'body'],
    [{ name: 'x', body: ' ' }, 'body'],
    [{ name: 'x', body: 'x'.repeat(4097) }, 'body'],
    [{ name: 'x', body: 'Hi {{contact.nickname|there}}' }, 'body'],
    [{ name: 'x', body: 'Hi {{1}}' }, 'body'],
    [{ name: 'x', body, shared: 'yes' }, 'shared'],
  ] as [object, string][]) {
    const refused = await call('POST', 'inbox/saved-replies', given)
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', loc]], refused.text)
  }
  assert.equal((await call('PATCH', `inbox/saved-replies/${id}`, {})).status, 422)
  assert.equal((await call('PATCH', `inbox/saved-replies/${id}`, { body: '' })).status, 422)
  const twin = await call('POST', 'inbox/saved-replies', { name: name.toUpperCase(), body })
  assert.equal(twin.status, 409, twin.text)
  const other = await create()
  assert.equal((await call('PATCH', `inbox/saved-replies/${other.id}`, { name })).status, 409)
  for (const path of [`inbox/saved-replies/${id}`, 'inbox/saved-replies/x']) {
    const by = path.endsWith('x') ? call : globex.call
    for (const [method, given] of [['GET'], ['PATCH', { body: 'x' }], ['DELETE']] as const)
      assert.equal((await by(method, path, given)).status, 404, `${method} ${path}`)
  }
  const reader = app.as((await app.key(acme.id, { mode: 'live', scopes: ['inbox:read'] })).secret)
  for (const [method, path, given] of [
    ['POST', 'inbox/saved-replies', { name: 'x', body }],
    ['PATCH', `inbox/saved-replies/${id}`, { body: 'x' }],
    ['DELETE', `inbox/saved-replies/${id}`],
    ['DELETE', `inbox/saved-replies/${id}/attachment`],
    ['DELETE', `inbox/saved-replies/${id}/attachments/${newId()}`],
  ] as const)
    assert.equal((await reader(method, path, given)).status, 403)
  assert.equal((await reader('GET', 'inbox/saved-replies')).status, 200)
})

test('pages follow the cursor, with the total', async () => {
  const org = await newOrganization()
  for (let i = 0; i < 5; i++) ok(await org.call('POST', 'inbox/saved-replies', { name: `R${i}`, body }), 201)
  const first = ok(await org.call('GET', 'inbox/saved-replies?limit=3'))
  const next = ok(await org.call('GET', `inbox/saved-replies?limit=3&starting_after=${first.next_cursor}`))
  assert.deepEqual(
    [first, next].map(({ data, has_more, total_count }) => [
      data.map(({ name }: { name: string }) => name),
      has_more,
      total_count,
    ]),
    [
      [['R4', 'R3', 'R2'], true, 5],
      [['R1', 'R0'], false, 5],
    ],
  )
})

test('the migration moves the file of a reply to a row of its own', async () => {
  const { id } = await create()
  ok(await attach(id, pdf, 'plan.pdf'))
  const owner = await connectOwner(app)
  const files = async () =>
    (
      await owner.query(
        'select file_key, file_name, mime_type, size_bytes, sha256 from saved_reply_attachments where saved_reply_id = $1',
        [id],
      )
    ).rows
  const before = await files()
  assert.equal(before.length, 1)
  const migration = await readFile(
    new URL('../../../migrations/0175_saved_reply_attachments.sql', import.meta.url),
    'utf8',
  )
  await owner.query('begin')
  await owner.query(`
    alter table saved_replies add column file_key text, add column file_name text, add column mime_type text,
      add column size_bytes bigint, add column sha256 text;
    create trigger remove_file after delete on saved_replies for each row execute function remove_file();
    update saved_replies r set file_key = a.file_key, file_name = a.file_name, mime_type = a.mime_type,
      size_bytes = a.size_bytes, sha256 = a.sha256
    from saved_reply_attachments a where a.saved_reply_id = r.id;
    drop table saved_reply_attachments;`)
  await owner.query(migration)
  assert.deepEqual(await files(), before)
  await owner.query('rollback')
})
