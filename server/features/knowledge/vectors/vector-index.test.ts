import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import Type from 'typebox'
import type { TenantScope, TenantSql, TenantTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import { makeRoles, readMigrations } from '../../../platform/migrate.ts'
import { sqlOver } from '../../../platform/sql.ts'
import { startTestApp } from '../../../testing/app.ts'
import type { VectorIndex, VectorQuery } from './contract.ts'
import { createExactIndex } from './exact-index.ts'
import { createPgvectorIndex } from './pgvector-index.ts'
import { connectAndSetUpPgvector, type OwnerSql, setUpPgvector } from './pgvector-tables.ts'
import { packVectors } from './quantize.ts'

/** A database and handles that see one tenant each. */
interface Ground {
  inTenant<T>(scope: TenantScope, work: (tx: TenantTx) => Promise<T>): Promise<T>
  forTenant(scope: TenantScope): TenantSql
  addOrganization(id: string): Promise<unknown>
}

const model = 'test-model'
const dimensions = 24

/** Pseudo-random numbers, the same every time. */
function* noise(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 31 - 1
  }
}

const numbers = noise(7)
const next = () => numbers.next().value as number
const unit = (vector: Float32Array) => {
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}
const randomVector = (size = dimensions) => unit(Float32Array.from({ length: size }, next))
/** Vectors of about the same direction. */
const near = (vector: Float32Array, distance: number) =>
  unit(vector.map((component) => component + (distance * next()) / Math.sqrt(vector.length)))
const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, component, i) => sum + component * (b[i] as number), 0)

interface Filled {
  id: string
  chunks: Float32Array[][]
}

async function addDocument(
  ground: Ground,
  index: VectorIndex,
  scope: TenantScope,
  chunks: Float32Array[][],
  { status = 'ready', as = model }: { status?: string; as?: string } = {},
): Promise<Filled> {
  const id = newId()
  await ground.inTenant(scope, async (tx) => {
    await tx.run`
      insert into documents (id, document_type, file_name, file_key, size_bytes, sha256, status, chunk_count, lexeme_count,
        embedding_model)
      values (${id}, 'txt', 'a.txt', ${id}, 1, ${id}, ${status}, ${chunks.length}, 1, ${as})`
    for (const [ordinal, children] of chunks.entries()) {
      await tx.run`
        insert into chunks (document_id, ordinal, id, start_offset, end_offset, text, child_lengths)
        values (${id}, ${ordinal}, ${newId()}, 0, 1, 'x', ${children.map(() => 1)})`
      await tx.run`
        insert into chunk_vectors (document_id, model, ordinal, vectors)
        values (${id}, ${as}, ${ordinal}, ${packVectors(children)})`
    }
    if (status === 'ready') await index.add(tx, id, as)
  })
  return { id, chunks }
}

/** What every index must do. */
function behaves(name: string, ground: Ground, index: VectorIndex) {
  describe(name, () => {
    const newScope = async (): Promise<TenantScope> => {
      const organizationId = newId()
      await ground.addOrganization(organizationId)
      return { organizationId, livemode: false }
    }
    const add = (scope: TenantScope, chunks: Float32Array[][], options = {}) =>
      addDocument(ground, index, scope, chunks, options)
    const search = async (scope: TenantScope, query: Partial<VectorQuery> & { vector: Float32Array }) =>
      (await index.search(ground.forTenant(scope), { model, limit: 5, ...query })).hits

    test('the nearest chunks come first, each scored by its best child', async () => {
      const scope = await newScope()
      const chunks = Array.from({ length: 60 }, (_, i) => Array.from({ length: 1 + (i % 3) }, () => randomVector()))
      const { id } = await add(scope, chunks)
      for (let round = 0; round < 5; round++) {
        const vector = randomVector()
        const scores = chunks.map((children) => Math.max(...children.map((child) => cosine(child, vector))))
        const expected = scores.toSorted((a, b) => b - a)
        const hits = await search(scope, { vector })
        assert.equal(hits.length, 5)
        // Signed bytes are precise to two digits: within that, two chunks may swap places.
        for (const [i, hit] of hits.entries()) {
          assert.equal(hit.document_id, id)
          assert.ok(Math.abs((scores[hit.ordinal] as number) - (expected[i] as number)) < 0.01, `place ${i}`)
          assert.ok(Math.abs(hit.score - (scores[hit.ordinal] as number)) < 0.01, `${hit.score}`)
        }
      }
    })

    test('an empty index finds nothing, and results are never more than there are chunks', async () => {
      const scope = await newScope()
      assert.deepEqual(await search(scope, { vector: randomVector() }), [])
      await add(scope, [[randomVector()], [randomVector()]])
      assert.equal((await search(scope, { vector: randomVector(), limit: 50 })).length, 2)
    })

    test('another organization, the other mode and another model never match', async () => {
      const [mine, theirs] = [await newScope(), await newScope()]
      const live = { ...mine, livemode: true }
      const vector = randomVector()
      const own = await add(mine, [[near(vector, 0.8)]])
      await add(theirs, [[vector]])
      await add(live, [[vector]])
      const foreign = await add(mine, [[randomVector(48)]], { as: 'other-model' })
      // Each of them searches first once, so that a leaking cache would hold another tenant's vectors.
      for (const scope of [theirs, live, mine]) assert.equal((await search(scope, { vector })).length, 1)
      assert.deepEqual(
        (await search(mine, { vector })).map((hit) => hit.document_id),
        [own.id],
      )
      assert.deepEqual(
        (await search(mine, { vector: randomVector(48), model: 'other-model' })).map((hit) => hit.document_id),
        [foreign.id],
      )
    })

    test('only the requested documents are searched, and another tenant’s id finds nothing', async () => {
      const [scope, other] = [await newScope(), await newScope()]
      const vector = randomVector()
      const first = await add(scope, [[vector]])
      const second = await add(scope, [[near(vector, 0.5)]])
      const stranger = await add(other, [[vector]])
      const ids = async (documentIds: string[]) =>
        (await search(scope, { vector, documentIds })).map((hit) => hit.document_id)
      assert.deepEqual(await ids([second.id]), [second.id])
      assert.deepEqual(await ids([second.id, first.id]), [first.id, second.id])
      assert.deepEqual(await ids([stranger.id, newId()]), [])
      assert.deepEqual(await ids([]), [])
    })

    test('an added, ready or deleted document shows in the very next search', async () => {
      const scope = await newScope()
      const vector = randomVector()
      const found = async () => (await search(scope, { vector })).map((hit) => hit.document_id)
      const first = await add(scope, [[near(vector, 0.3)]])
      assert.deepEqual(await found(), [first.id])
      const hidden = await add(scope, [[vector]], { status: 'processing' })
      assert.deepEqual(await found(), [first.id])
      await ground.inTenant(scope, async (tx) => {
        await tx.run`update documents set status = 'ready' where id = ${hidden.id}`
        await index.add(tx, hidden.id, model)
      })
      assert.deepEqual(await found(), [hidden.id, first.id])
      await ground.inTenant(scope, (tx) => tx.run`delete from documents where id = ${hidden.id}`)
      assert.deepEqual(await found(), [first.id])
      await ground.inTenant(scope, (tx) => tx.run`delete from documents`)
      assert.deepEqual(await found(), [])
    })
  })
}

const app = await startTestApp({ settings: { ROLE: 'api' } })
const postgres: Ground = {
  ...app.database,
  addOrganization: (id) => app.database.forSystem().run`insert into organizations (id, name) values (${id}, 'Acme')`,
}
behaves('the exact index in memory', postgres, createExactIndex({ maxBytes: 1024 * 1024 }))
behaves('the exact index with too little memory for anything', postgres, createExactIndex({ maxBytes: 1 }))

test('without the extension, choosing pgvector fails with a clear message', async () => {
  const Available = Type.Object({ n: Type.Integer() })
  const { n } = await app.database.forSystem().one(Available)`
    select count(*)::integer as n from pg_available_extensions where name = 'vector'`
  const setUp = connectAndSetUpPgvector(app.connection, { approximateFrom: 1_000_000 })
  if (n === 0) await assert.rejects(setUp, /VECTOR_INDEX=pgvector needs the extension/)
  else await setUp
})

const { lite, owner } = await startPglite()
const everything = { approximateFrom: 1_000_000 }
const graph = { approximateFrom: 1 }

test('pgvector takes over existing vectors', async () => {
  const scope = { organizationId: newId(), livemode: true }
  await lite.addOrganization(scope.organizationId)
  const chunks = Array.from({ length: 5 }, () => [randomVector(), randomVector()])
  const { id } = await addDocument(lite, createExactIndex({ maxBytes: 1 }), scope, chunks)
  await setUpPgvector(owner, everything)
  const vector = chunks[3]?.[1] as Float32Array
  const { hits } = await createPgvectorIndex(everything).search(lite.forTenant(scope), { model, vector, limit: 1 })
  assert.deepEqual([hits[0]?.document_id, hits[0]?.ordinal], [id, 3])
})

behaves('pgvector, comparing everything', lite, createPgvectorIndex(everything))

test('pgvector builds a graph once an organization is large enough', async () => {
  const graphs = async () =>
    (await owner.query(`select indexdef from pg_indexes where indexdef like '%hnsw%' and indexdef like '%${model}%'`))
      .rows
  assert.equal((await graphs()).length, 0)
  await setUpPgvector(owner, graph)
  assert.equal((await graphs()).length, 1)
  await setUpPgvector(owner, graph)
  assert.equal((await graphs()).length, 1)
})

behaves('pgvector, by its graph', lite, createPgvectorIndex(graph))

/** PostgreSQL with the extension, in this process: the server that tests clone from has none. */
async function startPglite(): Promise<{ lite: Ground; owner: OwnerSql }> {
  const db = await PGlite.create({ extensions: { vector, pg_trgm, btree_gin } })
  after(() => db.close())
  await db.exec(makeRoles)
  // Several statements at once run in a transaction, where indexes cannot be built concurrently.
  for (const { text } of await readMigrations()) await db.exec(text.replaceAll('index concurrently', 'index'))
  const inTenant: Ground['inTenant'] = (scope, work) =>
    db.transaction(async (open) => {
      await open.query(
        `select set_config('frontdesk.organization', $1, true), set_config('frontdesk.livemode', $2, true)`,
        [scope.organizationId, scope.livemode ? 'on' : 'off'],
      )
      await open.exec('set local role frontdesk_tenant')
      const send = async ({ text, values }: { text: string; values: readonly unknown[] }) => {
        const { rows, affectedRows = 0 } = await open.query<Record<string, unknown>>(text, [...values])
        return { rows, rowCount: affectedRows, tag: '' }
      }
      return work({ ...sqlOver(send, true), scope } as unknown as TenantTx)
    })
  const alone = (scope: TenantScope) => ({
    ...sqlOver((statement) => inTenant(scope, (tx) => tx.raw(statement.text, statement.values)), true),
    scope,
  })
  return {
    lite: {
      inTenant,
      forTenant: (scope) => alone(scope) as unknown as TenantSql,
      addOrganization: (id) => db.query(`insert into organizations (id, name) values ($1, 'Acme')`, [id]),
    },
    owner: { query: async (text) => (await db.exec(text)).at(-1) as { rows: unknown[] } },
  }
}
