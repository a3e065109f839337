import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../platform/ids.ts'
import { sharedTestApp, type TestOrganization } from '../../testing/app.ts'
import { addDocument, endOfDocument } from '../../testing/documents.ts'
import { upload } from '../../testing/uploads.ts'

const app = await sharedTestApp()
const text = 'The night shift starts at ten and ends at six. '.repeat(60)

/** An organization with a document in test mode; created all at once, because each takes a while. */
const prepared = await Promise.all(
  Array.from({ length: 5 }, async () => {
    const org = await app.organization()
    return { org, source: await addDocument(org.call, text, 'shifts.txt') }
  }),
)
const next = () => prepared.pop() as (typeof prepared)[0]

const liveOf = async (org: TestOrganization) => app.as((await app.key(org.id, { mode: 'live' })).secret)
const promote = (call: TestOrganization['call'], id: string, headers = {}) =>
  call('POST', `knowledge-base/${id}/promote`, undefined, headers)

test('a ready test document is copied into live mode, complete, with its own id', async () => {
  const { org, source } = next()
  const live = await liveOf(org)
  const { status, body } = await promote(live, source.id)
  assert.equal(status, 201)
  assert.notEqual(body.id, source.id)
  const { id: _, uploaded_at: _u, updated_at: _c, livemode: __, ...same } = source
  const { id: copy, uploaded_at: _v, updated_at: _d, livemode, ...copied } = body
  assert.deepEqual([livemode, copied], [true, same])
  assert.deepEqual((await live('GET', 'knowledge-base')).body.documents, [body])
  const search = async (call: TestOrganization['call'], mode: string) => {
    const answer = await call('POST', 'knowledge-base/search', { query: 'When does the night shift begin?', mode })
    return answer.body.results.map(({ text, start_offset, score }: Record<string, unknown>) => [
      text,
      start_offset,
      score,
    ])
  }
  for (const mode of ['hybrid', 'keyword', 'vector']) {
    const found = await search(live, mode)
    assert.ok(found.length > 0)
    assert.deepEqual(found, await search(org.call, mode), mode)
  }
  const chunkIds = async (call: TestOrganization['call']) =>
    (await call('POST', 'knowledge-base/search', { query: 'shift', top_k: 50 })).body.results.map(
      (each: { chunk_id: string }) => each.chunk_id,
    )
  const own = new Set(await chunkIds(org.call))
  for (const id of await chunkIds(live)) assert.ok(!own.has(id))
  // Each has its own file: the copy stays when the original is deleted.
  await org.call('DELETE', `knowledge-base/${source.id}`)
  assert.equal((await live('GET', `knowledge-base/${copy}/download`)).text, text)
  assert.ok((await search(live, 'hybrid')).length > 0)
  const types = (await live('GET', 'events')).body.data.map((event: { type: string }) => event.type)
  assert.deepEqual(types, ['document.ready', 'document.created'])
})

test('a document that live mode already has is answered with 200 and not copied again, also in parallel', async () => {
  const { org, source } = next()
  const live = await liveOf(org)
  const answers = await Promise.all(Array.from({ length: 5 }, () => promote(live, source.id)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 201])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  assert.equal((await live('GET', 'knowledge-base')).body.documents.length, 1)
  const Count = Type.Object({ n: Type.Integer() })
  const announced = await app.database.forSystem().one(Count)`
    select count(*)::integer as n from removed_files
    where organization_id = ${org.id} and created_at > now() + interval '30 minutes'`
  assert.equal(announced.n, 0)
})

test('Idempotency-Key replays the answer', async () => {
  const { org, source } = next()
  const live = await liveOf(org)
  const headers = { 'idempotency-key': 'once' }
  const first = await promote(live, source.id, headers)
  await live('DELETE', `knowledge-base/${first.body.id}`)
  const replay = await promote(live, source.id, headers)
  assert.deepEqual([replay.status, replay.body, replay.headers['idempotent-replayed']], [201, first.body, 'true'])
})

test('only a live credential promotes, only ready documents, and only its own', async () => {
  const { org, source } = next()
  const other = await app.organization()
  const [live, strangers] = [await liveOf(org), await liveOf(other)]
  const inTest = await promote(org.call, source.id)
  assert.deepEqual([inTest.status, inTest.body], [400, { detail: 'Promoting needs a live credential' }])
  for (const id of [newId(), 'nonsense']) assert.equal((await promote(live, id)).status, 404)
  assert.equal((await promote(strangers, source.id)).status, 404)
  const { body: empty } = await upload(org.call, 'knowledge-base/upload', { file: '', fileName: 'empty.txt' })
  await endOfDocument(org.call, empty.id)
  const failed = await promote(live, empty.id)
  assert.equal(failed.status, 409)
  assert.match(failed.body.detail, /failed/)
  const { body: copy } = await promote(live, source.id)
  // A live document is not a test document.
  assert.equal((await promote(live, copy.id)).status, 404)
  const reader = app.as((await app.key(org.id, { mode: 'live', scopes: ['knowledge:read'] })).secret)
  assert.equal((await promote(reader, source.id)).status, 403)
  for (const call of [strangers, app.as((await app.key(other.id)).secret)])
    assert.deepEqual((await call('GET', 'knowledge-base')).body.documents, [])
})

test('the SQL function copies from the caller’s own test mode only, for a live caller only', async () => {
  const { org, source } = next()
  const other = await app.organization()
  const { id, chunk_count } = source
  const Copied = Type.Object({ copied: Type.Boolean() })
  const copy = (organizationId: string, livemode: boolean) =>
    app.database.inTenant(
      { organizationId, livemode },
      (tx) =>
        tx.one(
          Copied,
        )`select promote_document(${id}, ${newId()}, 'x', ${Array.from({ length: chunk_count }, newId)}) as copied`,
    )
  assert.deepEqual(await copy(other.id, true), { copied: false })
  await assert.rejects(copy(org.id, false), /live caller/)
  await assert.rejects(copy(other.id, false), /live caller/)
})
