import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Type from 'typebox'
import { startTestApp } from '../testing/app.ts'
import { connectOwner } from '../testing/connect-owner.ts'
import { until } from '../testing/process.ts'
import { createReceivedEvents, receivedBy, storingSubscription } from '../testing/received-events.ts'
import type { SystemTx, TenantTx } from './database.ts'
import { defineEvent, emit, emitMany, type StoredEvent } from './events.ts'

const Happening = Type.Object({ n: Type.Integer() })
const kind = (name: string) => defineEvent(`${name}.happened`, 'any', Happening)

const app = await startTestApp()
await createReceivedEvents(app)
const organizations = await Promise.all([app.organization(), app.organization({ mode: 'live' })])
const [acme] = organizations
const scope = { organizationId: acme.id, livemode: false }
const inAcme = <T>(work: (tx: TenantTx) => Promise<T>) => app.database.inTenant(scope, work)
const numbersReceived = async (name: string) => (await receivedBy(app.database, name)).map(({ n }) => n)
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

/** A node with one subscriber named after the test, whose handler the test can make fail or wait. */
async function listen(name: string, disturb?: (events: StoredEvent[], tx: SystemTx) => Promise<void> | void) {
  const listener = storingSubscription(name, [kind(name).type])
  return app.node({}, [
    {
      ...listener,
      async react(events, tx) {
        await listener.react(events, tx)
        await disturb?.(events, tx)
      },
    },
  ])
}

const Order = Type.Object({ id: Type.String() })
const writtenOrder = async (type: string) =>
  (
    await app.database
      .forSystem()
      .all(Order)`select id from events where type = ${type} order by transaction_id, events.id`
  ).map(({ id }) => id)

const Certain = Type.Object({ certain: Type.Boolean() })

/** A transaction that has written this event and commits when it is released. */
async function writeLate(name: string, n: number) {
  const [written, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = inAcme(async (tx) => {
    await emit(tx, kind(name), { n })
    written.resolve()
    await released.promise
  })
  await written.promise
  return {
    async release() {
      released.resolve()
      await done
    },
  }
}

test('with many concurrent writers that commit in any order, each event is delivered once and in one order', async () => {
  await listen('crowd')
  const events = Array.from({ length: 60 }, (_, n) => n)
  await Promise.all(
    events.map((n) => {
      const { id } = organizations[n % 2] as (typeof organizations)[0]
      return app.database.inTenant({ organizationId: id, livemode: n % 3 === 0 }, async (tx) => {
        await emit(tx, kind('crowd'), { n })
        await tx.run`select pg_sleep(${Math.random() * 0.05})`
        await emit(tx, kind('crowd'), { n: n + 1000 })
      })
    }),
  )
  await until(async () => (await receivedBy(app.database, 'crowd')).length >= 120)
  const received = await receivedBy(app.database, 'crowd')
  assert.deepEqual(
    received.map(({ event_id }) => event_id),
    await writtenOrder('crowd.happened'),
  )
  // Both events of a transaction are delivered together.
  for (const [position, { n }] of received.entries()) if (n < 1000) assert.equal(received[position + 1]?.n, n + 1000)
})

test('changes of one record are delivered in the order in which they happened', async () => {
  await listen('queue')
  const { body } = await acme.call('POST', 'contacts', { phone_number: '+14155550100' })
  let n = 0
  const change = () =>
    inAcme(async (tx) => {
      await tx.run`select from contacts where id = ${body.id} for update`
      await emit(tx, kind('queue'), { n: n++ })
    })
  // A few at once: the last of many would wait too long for a connection on a busy machine.
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 8 }, change))
  await until(async () => (await numbersReceived('queue')).length >= 40)
  assert.deepEqual(await numbersReceived('queue'), upTo(40))
})

test('an event that commits late is neither overtaken nor lost', async () => {
  await listen('slow')
  const first = await writeLate('slow', 0)
  const second = await writeLate('slow', 1)
  await inAcme((tx) => emit(tx, kind('slow'), { n: 2 }))
  await first.release()
  // The reader gets as far as the second, which the third has to wait for.
  await until(async () => (await numbersReceived('slow')).length >= 1)
  assert.deepEqual(await numbersReceived('slow'), [0])
  await second.release()
  await until(async () => (await numbersReceived('slow')).length >= 3)
  assert.deepEqual(await numbersReceived('slow'), [0, 1, 2])
})

test('an event that was rolled back is never delivered', async () => {
  await listen('undone')
  const undone = inAcme(async (tx) => {
    await emit(tx, kind('undone'), { n: 0 })
    throw new Error('changed my mind')
  })
  await assert.rejects(undone, /changed my mind/)
  await inAcme((tx) => emit(tx, kind('undone'), { n: 1 }))
  await until(async () => (await numbersReceived('undone')).length >= 1)
  assert.deepEqual(await numbersReceived('undone'), [1])
})

test('a subscriber gets the events of its own types from its start on, however many there are', async () => {
  const past = kind('plenty')
  await inAcme((tx) => emit(tx, past, { n: -1 }))
  // Older transactions, of other tests too, must have ended before it is certain that this event came earlier.
  await until(
    async () =>
      (
        await app.database.forSystem().one(Certain)`
          select transaction_id < pg_snapshot_xmin(pg_current_snapshot()) as certain from events where type = ${past.type}`
      ).certain,
  )
  await listen('plenty')
  await inAcme(async (tx) => {
    await emitMany(tx, kind('foreign'), [{ n: -2 }])
    await emitMany(
      tx,
      past,
      upTo(1_100).map((n) => ({ n })),
    )
  })
  await until(async () => (await numbersReceived('plenty')).length >= 1_100)
  assert.deepEqual(await numbersReceived('plenty'), upTo(1_100))
})

test('a subscriber that fails is retried, loses no event and applies none twice', async () => {
  let failures = 0
  await listen('clumsy', (events) => {
    if (failures < 3 && events.some(({ data }) => (data.object as { n: number }).n === 5)) {
      failures++
      throw new Error('dropped it')
    }
  })
  for (const n of upTo(10)) await inAcme((tx) => emit(tx, kind('clumsy'), { n }))
  await until(async () => (await numbersReceived('clumsy')).length >= 10)
  assert.equal(failures, 3)
  assert.deepEqual(await numbersReceived('clumsy'), upTo(10))
})

test('a failing subscriber does not delay the others', async () => {
  let failed = false
  const broken = storingSubscription('broken', [kind('shared').type])
  await app.node({}, [
    {
      ...broken,
      react: async () => {
        failed = true
        throw new Error('always')
      },
    },
    storingSubscription('healthy', [kind('shared').type]),
  ])
  await inAcme((tx) => emit(tx, kind('shared'), { n: 1 }))
  await until(async () => failed && (await numbersReceived('healthy')).length >= 1)
  assert.deepEqual(await numbersReceived('broken'), [])
})

test('two nodes with one subscriber process each event once', async () => {
  const nodes = [await listen('pair'), await listen('pair')]
  await Promise.all(
    upTo(100).map((n) =>
      (nodes[n % 2] as (typeof nodes)[0]).database.inTenant(scope, (tx) => emit(tx, kind('pair'), { n })),
    ),
  )
  await until(async () => (await receivedBy(app.database, 'pair')).length >= 100)
  const [first] = nodes
  await first?.close()
  for (const n of [100, 101]) {
    await inAcme((tx) => emit(tx, kind('pair'), { n }))
    await until(async () => (await numbersReceived('pair')).includes(n))
  }
  const received = await receivedBy(app.database, 'pair')
  assert.deepEqual(
    received.map(({ n }) => n).sort((a, b) => a - b),
    upTo(102),
  )
  assert.deepEqual(
    received.map(({ event_id }) => event_id),
    await writtenOrder('pair.happened'),
  )
})

test('a subscriber resumes where it stopped and gets what happened in between', async () => {
  const first = await listen('resumed')
  await inAcme((tx) => emit(tx, kind('resumed'), { n: 0 }))
  await until(async () => (await numbersReceived('resumed')).length >= 1)
  await first.close()
  await inAcme((tx) => emit(tx, kind('resumed'), { n: 1 }))
  await listen('resumed')
  await until(async () => (await numbersReceived('resumed')).length >= 2)
  assert.deepEqual(await numbersReceived('resumed'), [0, 1])
})

test('a reader whose connection breaks in the middle gets every event once', async () => {
  const owner = await connectOwner(app)
  let broken = false
  await listen('severed', async (_, tx) => {
    if (broken) return
    broken = true
    const Pid = Type.Object({ pid: Type.Integer() })
    const { pid } = await tx.one(Pid)`select pg_backend_pid() as pid`
    await owner.query('select pg_terminate_backend($1)', [pid])
  })
  for (const n of upTo(5)) await inAcme((tx) => emit(tx, kind('severed'), { n }))
  await until(async () => (await numbersReceived('severed')).length >= 5)
  assert.ok(broken)
  assert.deepEqual(await numbersReceived('severed'), upTo(5))
})

test('when a node is killed while reading, another one resumes at its position', async () => {
  const program = join(import.meta.dirname, '../testing/doomed-reader.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(app.connection), 'killed', kind('killed').type, '3'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const [said] = await Promise.race([once(child.stdout, 'data'), exited])
  assert.ok(Buffer.isBuffer(said), 'the reader ended before it was ready')
  for (const n of upTo(3)) await inAcme((tx) => emit(tx, kind('killed'), { n }))
  await until(async () => (await numbersReceived('killed')).length >= 3)
  await inAcme((tx) => emit(tx, kind('killed'), { n: 3 }))
  const [, signal] = await exited
  assert.equal(signal, 'SIGKILL')
  await inAcme((tx) => emit(tx, kind('killed'), { n: 4 }))
  assert.deepEqual(await numbersReceived('killed'), upTo(3))
  await listen('killed')
  await until(async () => (await numbersReceived('killed')).length >= 5)
  assert.deepEqual(await numbersReceived('killed'), upTo(5))
})
