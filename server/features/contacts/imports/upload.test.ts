import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { ok, startTestApp } from '../../../testing/app.ts'
import { endOfImport, importFile } from '../../../testing/imports.ts'
import { until } from '../../../testing/process.ts'
import { encodeForm, formOf, upload } from '../../../testing/uploads.ts'
import { discardAbandonedUploads } from './queries.ts'

const app = await startTestApp({ settings: { MAX_IMPORT_BYTES: 1024 * 1024 } })
const acme = await app.organization()
const globex = await app.organization()
const address = new URL(await app.server.listen({ host: '127.0.0.1', port: 0 }))
const file = 'phone,name\n+14155550100,Ada\n'

const chunksLeft = async () =>
  (
    await app.database
      .forSystem()
      .one(Type.Object({ n: Type.Integer() }))`select count(*) as n from contact_import_chunks`
  ).n

test('an upload answers 202 with the queued import, which can be listed and read', async () => {
  const org = await app.organization()
  const { id, created_at, ...rest } = ok(
    await upload(org.call, 'contacts/imports?on_conflict=update&dry_run=true', { file }),
    202,
  )
  assert.deepEqual(rest, {
    organization_id: org.id,
    state: 'queued',
    counts: { rows: 0, created: 0, updated: 0, skipped: 0, invalid: 0 },
    progress: 0,
    dry_run: true,
    on_conflict: 'update',
    default_country: null,
    file_name: 'contacts.csv',
    encoding: 'utf-8',
    error: null,
    livemode: false,
    completed_at: null,
  })
  assert.ok(created_at)
  const fields = { dry_run: 'false', on_conflict: 'skip' }
  const second = await upload(org.call, 'contacts/imports?on_conflict=update&dry_run=true', { file, fields })
  assert.deepEqual([second.body.dry_run, second.body.on_conflict], [false, 'skip'], 'the form goes before the query')
  const report = await endOfImport(org.call, second.body.id)
  await endOfImport(org.call, id)

  const list = (await org.call('GET', 'contacts/imports')).body
  assert.deepEqual([list.total_count, list.has_more, list.next_cursor], [2, false, id])
  const { errors, errors_omitted, columns, ...shown } = report
  assert.deepEqual(list.data[0], shown)
  assert.deepEqual([errors, errors_omitted], [[], 0])
  assert.deepEqual(columns, [
    { column: 'phone', field: 'phone_number' },
    { column: 'name', field: 'name' },
  ])
  const page = (await org.call('GET', `contacts/imports?limit=1&starting_after=${second.body.id}`)).body
  assert.deepEqual([page.data.length, page.data[0].id, page.has_more], [1, id, false])
  assert.deepEqual((await globex.call('GET', 'contacts/imports')).body.data, [])
})

test('an unknown import, or one of another organization or mode, is not found', async () => {
  const { id } = await importFile(acme.call, file)
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  for (const call of [globex.call, live]) assert.equal((await call('GET', `contacts/imports/${id}`)).status, 404)
  for (const unknown of [newId(), 'nonsense', '%00'])
    assert.deepEqual((await acme.call('GET', `contacts/imports/${unknown}`)).body.detail?.[0]?.msg ?? 404, 404)
  const cursor = (await globex.call('GET', `contacts/imports?starting_after=${id}`)).body
  assert.deepEqual([cursor.data, cursor.total_count], [[], 0])
  for (const bad of ['limit=0', 'limit=101', 'limit=abc', 'starting_after=x'])
    assert.equal((await acme.call('GET', `contacts/imports?${bad}`)).status, 422, bad)
})

test('importing needs contacts:write, reading the report contacts:read', async () => {
  const { id } = await importFile(acme.call, file)
  const reader = app.as((await app.key(acme.id, { scopes: ['contacts:read'] })).secret)
  const writer = app.as((await app.key(acme.id, { scopes: ['contacts:write'] })).secret)
  assert.equal((await upload(reader, 'contacts/imports', { file })).status, 403)
  assert.equal((await reader('GET', `contacts/imports/${id}`)).status, 200)
  assert.equal((await writer('GET', 'contacts/imports')).status, 403)
  assert.equal((await upload(app.call, 'contacts/imports', { file })).status, 401)
})

test('a form without exactly one file is refused, and nothing of it is kept', async () => {
  await importFile(acme.call, file)
  const total = (await acme.call('GET', 'contacts/imports')).body.total_count
  const refused = async (
    answer: Promise<{ status: number; body: { detail: unknown } }>,
    status: number,
    loc?: string[],
  ) => {
    const { status: actual, body } = await answer
    assert.equal(actual, status, JSON.stringify(body))
    if (loc) assert.deepEqual((body.detail as { loc: string[] }[])[0]?.loc, loc)
    else assert.equal(typeof body.detail, 'string')
  }
  await refused(acme.call('POST', 'contacts/imports', { file }), 415)
  await refused(acme.call('POST', 'contacts/imports', '{oops'), 415)
  await refused(acme.call('POST', 'contacts/imports', file, { 'content-type': 'text/csv' }), 415)
  await refused(acme.call('POST', 'contacts/imports'), 422, ['body', 'file'])
  await refused(acme.call('POST', 'contacts/imports', 'x', { 'content-type': 'multipart/form-data' }), 400)
  await refused(
    acme.call('POST', 'contacts/imports', '--b\r\nnonsense', { 'content-type': 'multipart/form-data; boundary=b' }),
    400,
  )
  await refused(upload(acme.call, 'contacts/imports', { fields: { dry_run: 'true' } }), 422, ['body', 'file'])
  await refused(upload(acme.call, 'contacts/imports', { fields: { file } }), 422, ['body', 'file'])
  for (const [name, value] of Object.entries({ dry_run: 'perhaps', on_conflict: 'merge' })) {
    await refused(upload(acme.call, 'contacts/imports', { file, fields: { [name]: value } }), 422, ['body', name])
    await refused(upload(acme.call, `contacts/imports?${name}=${value}`, { file }), 422, ['query', name])
  }
  for (const names of [['file', 'file'], ['file', 'other'], ['other']]) {
    const form = new FormData()
    for (const name of names) form.append(name, new Blob([file]), 'contacts.csv')
    const { body, headers } = await encodeForm(form)
    await refused(acme.call('POST', 'contacts/imports', body, headers), 422, ['body', 'file'])
  }
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`field${i}`, 'x']))
  await refused(upload(acme.call, 'contacts/imports', { file, fields: many }), 413)
  const long = { dry_run: 'x'.repeat(100_000) }
  await refused(upload(acme.call, 'contacts/imports', { file, fields: long }), 422, ['body', 'dry_run'])
  await refused(upload(acme.call, 'contacts/imports', { file }, { 'idempotency-key': '' }), 400)
  assert.equal((await acme.call('GET', 'contacts/imports')).body.total_count, total)
  assert.equal(await chunksLeft(), 0)
})

test('forms are refused where JSON is expected', async () => {
  const { body, headers } = await formOf({ file })
  assert.equal((await acme.call('POST', 'contacts', body, headers)).status, 415)
})

test('a file over the limit is refused, with or without Content-Length', async () => {
  const post = async (bytes: number, isChunked: boolean) => {
    const { body, headers } = await formOf({ file: 'phone\n'.padEnd(bytes, 'x') })
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(body)
        controller.close()
      },
    })
    return fetch(new URL('/api/v1/contacts/imports', address), {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${acme.key}` },
      ...(isChunked ? { body: stream, duplex: 'half' } : { body }),
    } as RequestInit)
  }
  for (const isChunked of [false, true])
    for (const bytes of [1024 * 1024 + 1, 12 * 1024 * 1024]) {
      const answer = await post(bytes, isChunked)
      assert.equal(answer.status, 413)
      assert.match(((await answer.json()) as { detail: string }).detail, /larger than 1,048,576 bytes/)
    }
  assert.equal(await chunksLeft(), 0)
  const accepted = await post(1024 * 1024, true)
  assert.equal(accepted.status, 202)
  // Until it ends, its chunks would count as those of the next test.
  await endOfImport(acme.call, ((await accepted.json()) as { id: string }).id)
})

test('a client that disconnects leaves nothing behind', async () => {
  const { body, headers } = await formOf({ file: 'phone,name\n'.padEnd(900_000, '+14155550100,Ada\n') })
  const leaving = request(new URL('/api/v1/contacts/imports', address), {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${acme.key}`, 'content-length': body.length },
  })
  leaving.on('error', () => {})
  leaving.write(body.subarray(0, 700_000))
  await until(async () => (await chunksLeft()) > 0)
  leaving.destroy()
  await until(async () => (await chunksLeft()) === 0)
})

test('chunks left by a killed node are swept, those of running uploads and imports are not', async () => {
  const system = app.database.forSystem()
  const leave = (age: string) => system.run`
    insert into contact_import_chunks (organization_id, livemode, import_id, number, bytes, created_at)
    values (${acme.id}, false, ${newId()}, 0, 'x', now() - ${age}::interval)`
  await leave('2 hours')
  await leave('10 minutes')
  await discardAbandonedUploads(system)
  assert.equal(await chunksLeft(), 1)
  await system.run`delete from contact_import_chunks`
})

test('the same key and file make one import, also in parallel', async () => {
  const org = await app.organization()
  const headers = { 'idempotency-key': 'import once' }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => upload(org.call, 'contacts/imports', { file }, headers)),
  )
  const accepted = answers.filter(({ status }) => status === 202)
  assert.ok(accepted.length >= 1)
  assert.equal(new Set(accepted.map(({ body }) => body.id)).size, 1)
  assert.ok(answers.every(({ status }) => status === 202 || status === 409))
  assert.equal(answers.filter(({ status, headers }) => status === 202 && !headers['idempotent-replayed']).length, 1)
  const again = await upload(org.call, 'contacts/imports', { file }, headers)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [202, 'true'])
  assert.deepEqual(again.body, accepted[0]?.body)
  for (const other of [{ file: `${file} ` }, { file, fileName: 'other.csv' }, { file, fields: { dry_run: 'true' } }])
    assert.equal((await upload(org.call, 'contacts/imports', other, headers)).status, 409)
  await endOfImport(org.call, again.body.id)
  assert.equal((await org.call('GET', 'contacts/imports')).body.total_count, 1)
  assert.equal(await chunksLeft(), 0)
})

test('a file name is stored without folders and characters that cannot be stored', async () => {
  const answer = await upload(acme.call, 'contacts/imports', { file, fileName: 'C:\\Users\\Zoë/списки/übung.csv' })
  assert.equal(answer.body.file_name, 'übung.csv')
})
