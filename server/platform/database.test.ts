import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import pg from 'pg'
import Type from 'typebox'
import { until } from '../testing/process.ts'
import { cloneDatabase, serverVariable } from '../testing/server.ts'
import { createDatabase } from './create-database.ts'
import { type Database, type TenantScope, type TenantTx, TryAgain } from './database.ts'
import { newId, timeOfId } from './ids.ts'

/**
 * Tests of our own implementation of PostgreSQL's protocol: with faults at every point, no tenant ever sees another
 * tenant's rows.
 */

const { connection, tenantConnection, drop } = await cloneDatabase(JSON.parse(process.env[serverVariable] ?? 'null'))
const owner = new pg.Client(connection)
await owner.connect()
// A role can see and terminate its own sessions; an owner who is not a superuser cannot.
const tenantLogin = new pg.Client(tenantConnection)
await tenantLogin.connect()
const opened: Database[] = []
after(async () => {
  await Promise.all(opened.map((database) => database.close()))
  await owner.end()
  await tenantLogin.end()
  await drop()
})

function open(poolSize: number, options: { statementTimeoutMs?: number; checkRows?: boolean } = {}): Database {
  const database = createDatabase({ connection, tenantConnection, poolSize, checkRows: true, ...options })
  opened.push(database)
  return database
}

const database = open(2)
const tenants: TenantScope[] = []
for (let n = 0; n < 6; n++) {
  const organizationId = newId()
  await database.forSystem().run`insert into organizations (id, name) values (${organizationId}, ${`Tenant ${n}`})`
  tenants.push({ organizationId, livemode: n % 2 === 0 })
}
const [acme, globex] = tenants as [TenantScope, TenantScope]

const Owned = Type.Object({ organization_id: Type.String(), livemode: Type.Boolean(), name: Type.String() })
const Counted = Type.Object({ n: Type.Integer() })
const Answer = Type.Object({ answer: Type.Integer() })

const add = (tx: Pick<TenantTx, 'run'>, name: string) =>
  tx.run`insert into contacts (id, name) values (${newId()}, ${name})`
const countOf = async (name: string) =>
  (await database.forSystem().one(Counted)`select count(*) as n from contacts where name = ${name}`).n

/** Every connection is back in the pool and outside any transaction. */
async function assertAtRest({ pools }: Database): Promise<void> {
  for (const pool of [pools.tenant, pools.system]) {
    assert.equal(pool.totalCount, pool.idleCount)
    assert.equal(pool.waitingCount, 0)
  }
  // The server may notice a closed connection late. Autovacuum may run in this database at any time.
  for (const watcher of [owner, tenantLogin])
    await until(async () => {
      const { rows } = await watcher.query(`select from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
          and state <> 'idle'`)
      return rows.length === 0
    })
}

test('ids that the database makes are in the order of the statements, and of version 7', async () => {
  const ids: string[] = []
  for (let n = 0; n < 200; n++) ids.push((await owner.query('select new_id() as id')).rows[0].id)
  assert.deepEqual(ids.toSorted(), ids)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(Math.abs(timeOfId(ids[0] as string) - Date.now()) < 60_000)
})

test('a failed statement rolls back the other statements of the same tick', async () => {
  const failing = database.inTenant(acme, (tx) =>
    Promise.all([add(tx, 'before'), tx.run`select 1 / ${0}::integer`, add(tx, 'after')]),
  )
  await assert.rejects(failing, { code: '22012' })
  assert.equal((await countOf('before')) + (await countOf('after')), 0)
  // The server skipped these statements; they are prepared at the next use.
  await database.inTenant(acme, (tx) => Promise.all([add(tx, 'again'), tx.run`select 1 / ${1}::integer`]))
  assert.equal(await countOf('again'), 1)
  await assertAtRest(database)
})

test('each statement of a tick gets its own rows', async () => {
  const answers = await database.inTenant(acme, (tx) =>
    Promise.all([1, 2, 3, 4].map((n) => tx.one(Answer)`select ${n}::integer as answer`)),
  )
  assert.deepEqual(
    answers.map(({ answer }) => answer),
    [1, 2, 3, 4],
  )
})

test('a value that cannot be encoded fails its own statement only', async () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  for (let n = 0; n < 3; n++) {
    await assert.rejects(database.forTenant(acme).run`select ${circular}::jsonb`, TypeError)
    await assert.rejects(
      database.inTenant(acme, (tx) => Promise.all([add(tx, 'unsent'), tx.run`select ${circular}::jsonb`])),
      TypeError,
    )
    assert.equal((await database.forTenant(acme).one(Answer)`select ${7}::integer as answer`).answer, 7)
  }
  assert.equal(await countOf('unsent'), 0)
  await assertAtRest(database)
})

test('work that swallows a failed statement is still rejected, because its transaction was rolled back', async () => {
  const swallowing = database.inTenant(acme, async (tx) => {
    await add(tx, 'swallowed')
    await tx.run`select 1 / ${0}::integer`.catch(() => {})
    return 'fine'
  })
  await assert.rejects(swallowing, /rolled back/)
  const last = database.inTenant(acme, async (tx) => {
    await add(tx, 'swallowed')
    await tx.last.run`select 1 / ${0}::integer`.catch(() => {})
  })
  await assert.rejects(last, /rolled back/)
  assert.equal(await countOf('swallowed'), 0)
  await assertAtRest(database)
})

test('when the work fails, its other branches cannot write afterwards', async () => {
  for (const inTransaction of [
    (work: (tx: Pick<TenantTx, 'run'>) => Promise<unknown>) => database.inTenant(acme, work),
    (work: (tx: Pick<TenantTx, 'run'>) => Promise<unknown>) => database.inSystem(work),
  ]) {
    const stragglers: Promise<unknown>[] = []
    const straggle = async (tx: Pick<TenantTx, 'run'>, ticks: number) => {
      await tx.run`select ${ticks}::integer`
      for (let n = 0; n < ticks; n++) await nextTick()
      await tx.run`insert into organizations (id, name) values (${newId()}, 'late')`
    }
    const failing = inTransaction((tx) => {
      for (let ticks = 0; ticks < 8; ticks++) stragglers.push(straggle(tx, ticks))
      const fails = tx.run`select 1`.then(() => {
        throw new Error('this branch fails')
      })
      return Promise.all([fails, ...stragglers])
    })
    await assert.rejects(failing, /this branch fails|has ended|permission denied/)
    // Statements in flight are rolled back; later ones are refused.
    await Promise.allSettled(stragglers)
    await assert.rejects(stragglers.at(-1) as Promise<unknown>, /has ended/)
    const { n } = await database.forSystem().one(Counted)`select count(*) as n from organizations where name = 'late'`
    assert.equal(n, 0)
    await assertAtRest(database)
  }
})

test('a transaction that is used after its end reaches no rows', async () => {
  let kept: TenantTx | undefined
  await database.inTenant(acme, async (tx) => {
    kept = tx
    await add(tx, 'kept')
  })
  await assert.rejects(async () => add(kept as TenantTx, 'beyond'), /has ended/)
  await assert.rejects(async () => add((kept as TenantTx).last, 'beyond'), /has ended/)
  await database.inTenant(globex, async () => {
    await assert.rejects(async () => add(kept as TenantTx, 'beyond'), /has ended/)
  })
  assert.equal(await countOf('beyond'), 0)
})

test('the last statement commits by itself; what follows it runs in a new transaction', async () => {
  await database.inTenant(acme, (tx) => add(tx.last, 'alone'))
  await database.inTenant(acme, async (tx) => {
    await add(tx, 'first')
    await add(tx.last, 'second')
  })
  const failing = database.inTenant(acme, async (tx) => {
    await add(tx.last, 'committed')
    await add(tx, 'undone')
    throw new Error('too late')
  })
  await assert.rejects(failing, /too late/)
  assert.deepEqual(await Promise.all(['alone', 'first', 'second', 'committed', 'undone'].map(countOf)), [1, 1, 1, 1, 0])
  const recovering = await database.inTenant(acme, async (tx) => {
    await tx.last.run`select 1 / ${0}::integer`.catch(() => {})
    await add(tx, 'recovered')
    return tx.one(Owned)`select organization_id, livemode, name from contacts where name = 'recovered'`
  })
  assert.equal(recovering.organization_id, acme.organizationId)
  assert.equal(await countOf('recovered'), 1)
  await assertAtRest(database)
})

test('a last statement waits for the others of its tick, and each gets its own rows', async () => {
  const [first, last, second] = await database.inTenant(acme, (tx) =>
    Promise.all([
      tx.one(Answer)`select ${1}::integer as answer`,
      tx.last.one(Answer)`select ${2}::integer as answer`,
      tx.one(Answer)`select ${3}::integer as answer`,
    ]),
  )
  assert.deepEqual([first.answer, last.answer, second.answer], [1, 2, 3])
  await assertAtRest(database)
})

test('work that lost a race runs again from the start and sends its signals once', async () => {
  const heard: string[] = []
  const signalling = createDatabase({
    connection,
    tenantConnection,
    poolSize: 2,
    signal: (channel) => heard.push(channel),
  })
  opened.push(signalling)
  let attempts = 0
  await signalling.inTenant(acme, async (tx) => {
    tx.signal('happened')
    await add(tx, 'raced')
    if (++attempts < 3) throw new TryAgain(new Error('lost'))
  })
  assert.deepEqual([attempts, heard, await countOf('raced')], [3, ['happened'], 1])
  const losing = signalling.inTenant(acme, async (tx) => {
    tx.signal('never')
    throw new TryAgain(new Error('lost'))
  })
  await assert.rejects(losing, TryAgain)
  assert.deepEqual(heard, ['happened'])
})

test('a statement that exceeds its timeout is cancelled, and its connection stays usable', async () => {
  // Long enough for other statements on a slow machine.
  const hasty = open(2, { statementTimeoutMs: 2_000 })
  await assert.rejects(hasty.forTenant(acme).run`select pg_sleep(60)`, { code: '57014' })
  await assert.rejects(
    hasty.inTenant(acme, (tx) => Promise.all([add(tx, 'slow'), tx.run`select pg_sleep(60)`])),
    { code: '57014' },
  )
  assert.equal((await hasty.forTenant(acme).one(Answer)`select 1 as answer`).answer, 1)
  assert.equal(await countOf('slow'), 0)
  await assertAtRest(hasty)
})

test('a server that stops responding costs its connection and nothing else', async () => {
  const sockets: Socket[] = []
  const stream = () => {
    const socket = new Socket()
    sockets.push(socket)
    return socket
  }
  const deaf = createDatabase({
    connection: { ...connection, stream },
    tenantConnection: { ...tenantConnection, stream },
    poolSize: 2,
    statementTimeoutMs: 1_000,
  })
  opened.push(deaf)
  const ask = () => deaf.forTenant(acme).one(Answer)`select 1 as answer`
  const askInTransaction = () => deaf.inTenant(acme, (tx) => tx.one(Answer)`select 1 as answer`)
  for (const question of [ask, askInTransaction]) {
    await question()
    for (const socket of sockets) socket.pause()
    await assert.rejects(question(), /no answer/)
    assert.equal((await question()).answer, 1)
  }
})

test('a prepared statement whose table was altered works again on the next attempt', async () => {
  const Row = Type.Object({ a: Type.Integer() })
  await owner.query('create table altered (a integer); insert into altered values (1); grant all on altered to public')
  const small = open(2)
  const read = () => small.forTenant(acme).all(Row)`select * from altered`
  await read()
  await owner.query('alter table altered add column b integer')
  await read().catch((error) => assert.equal(error.code, '0A000'))
  assert.deepEqual(await read(), [{ a: 1, b: null }])
  const inTransaction = () => small.inTenant(acme, (tx) => tx.all(Row)`select * from altered`)
  await owner.query('alter table altered add column c integer')
  await inTransaction().catch((error) => assert.equal(error.code, '0A000'))
  assert.deepEqual(await inTransaction(), [{ a: 1, b: null, c: null }])
})

const CurrentUser = Type.Object({ current_user: Type.String() })

for (const isPooled of [false, true])
  test(`a limited member's statements run as frontdesk_limited, ${isPooled ? 'behind a pooler' : 'directly'}`, async () => {
    const own = createDatabase({ connection, tenantConnection, poolSize: 1, isPooled })
    opened.push(own)
    const role = async (sql: Pick<TenantTx, 'one'>) => (await sql.one(CurrentUser)`select current_user`).current_user
    const limited = { ...acme, limitedTo: newId() }
    for (let round = 0; round < 2; round++) {
      assert.equal(await role(own.forTenant(limited)), 'frontdesk_limited')
      assert.equal(await role(own.forTenant(acme)), 'frontdesk_tenant')
      await own.inTenant(limited, async (tx) => {
        assert.deepEqual([tx.scope, tx.isLimited], [acme, true])
        assert.equal(await role(tx), 'frontdesk_limited')
        await tx.liftLimit()
        assert.equal(await role(tx), 'frontdesk_tenant')
      })
      await own.inTenant(acme, async (tx) => assert.equal(await role(tx), 'frontdesk_tenant'))
    }
  })

/** Errors that a caller may see when its connection is cut or its statement cancelled. Any other error is a bug. */
const expected =
  /Connection terminated|terminating connection|not queryable|canceling statement|on purpose|by zero|ECONNRESET|EPIPE/

test('an organization with many requests delays another by one connection, not by all of them', async () => {
  const small = open(1)
  const gate = Promise.withResolvers<void>()
  const order: string[] = []
  const holding = small.inTenant(acme, async (tx) => {
    await tx.one(Answer)`select 1 as answer`
    await gate.promise
  })
  const ask = async (scope: TenantScope, name: string) => {
    await small.forTenant(scope).one(Answer)`select 1 as answer`
    order.push(name)
  }
  const asked = [...Array.from({ length: 20 }, () => ask(acme, 'acme')), ask(globex, 'globex')]
  await until(async () => small.waitingTenants === 21)
  gate.resolve()
  await Promise.all([holding, ...asked])
  assert.deepEqual([order.length, order.indexOf('globex'), small.waitingTenants], [21, 1, 0])
  await assertAtRest(small)
})

test('with a small pool, random failures and killed connections, no tenant ever sees another tenant’s row', async () => {
  const small = open(3, { checkRows: false })
  const stored = new Map<string, number>()
  let reads = 0
  const check = (scope: TenantScope, rows: { organization_id: string; livemode: boolean }[]) => {
    reads++
    for (const { organization_id, livemode } of rows)
      assert.deepEqual([organization_id, livemode], [scope.organizationId, scope.livemode])
  }
  const listOwn = (sql: Pick<TenantTx, 'all'>) =>
    sql.all(Owned)`select organization_id, livemode, name from contacts order by id desc limit 20`

  async function request(scope: TenantScope): Promise<void> {
    const name = `stress ${newId()}`
    switch (randomInt(7)) {
      case 0:
        return check(scope, await listOwn(small.forTenant(scope)))
      case 1:
        await small.forTenant(scope).run`select 1 / ${0}::integer`
        return
      case 2:
        await small.inTenant(scope, async (tx) => {
          const [, rows] = await Promise.all([add(tx, name), listOwn(tx)])
          check(scope, rows)
        })
        stored.set(name, 1)
        return
      case 3:
        await small.inTenant(scope, (tx) => add(tx.last, name))
        stored.set(name, 1)
        return
      case 4:
        stored.set(name, 0)
        return small.inTenant(scope, async (tx) => {
          await Promise.all([add(tx, name), listOwn(tx)])
          throw new Error('on purpose')
        })
      case 5:
        stored.set(name, 0)
        await small.inTenant(scope, (tx) =>
          Promise.all([add(tx, name), tx.run`select 1 / ${0}::integer`, listOwn(tx).then(() => add(tx, name))]),
        )
        return
      default:
        return small.inTenant(scope, async (tx) => {
          check(scope, await listOwn(tx))
          await nextTick()
          check(scope, await listOwn(tx))
        })
    }
  }

  let going = true
  after(() => {
    going = false
  })
  const faults: unknown[] = []
  const client = async (n: number) => {
    while (going) {
      await request(tenants[n % tenants.length] as TenantScope).catch((error) => {
        if (error instanceof assert.AssertionError || !expected.test(String(error?.message))) faults.push(error)
      })
    }
  }
  const clients = Array.from({ length: 12 }, (_, n) => client(n))
  // The last one is terminated: a cancellation can arrive late and hit what follows.
  for (let kill = 0; kill < 41; kill++) {
    // By reads and not by time: a busy machine has fewer of them in a second.
    const next = reads + randomInt(2, 9)
    await until(async () => reads >= next || faults.length > 0)
    // Termination waits until the backend has exited: one that is slow to die would break a read at the end.
    const how = kill % 3 === 0 ? 'pg_cancel_backend(pid)' : 'pg_terminate_backend(pid, 10000)'
    await tenantLogin.query(`select ${how} from (select pid from pg_stat_activity
      where datname = current_database() and application_name = 'frontdesk frontdesk_tenant' and pid <> pg_backend_pid()
      order by random() limit 1) victim`)
  }
  going = false
  await Promise.all(clients)
  assert.deepEqual(faults, [])
  // The pool recovers by itself, and every acknowledged row exists exactly once.
  for (const scope of tenants) check(scope, await listOwn(small.forTenant(scope)))
  for (const [name, count] of stored) assert.equal(await countOf(name), count, name)
  const bare = await small.pools.tenant.query('select from contacts')
  assert.equal(bare.rowCount, 0)
  await assertAtRest(small)
})
