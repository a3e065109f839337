import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as openRequest } from 'node:http'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import type { TenantTx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { type CallAs, ok, startTestApp } from '../../testing/app.ts'
import { person } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import { openStream } from '../../testing/streams.ts'

const app = await startTestApp({ settings: { STREAM_HEARTBEAT_SECONDS: 0.3 } })
const url = await app.listen()

let people = 0
const newContact = async (call: CallAs) => {
  return ok(await call('POST', 'contacts', { phone_number: `+1415556${String(1000 + ++people)}` }), 201)
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

test('a stream sends events as the list shows them, and none from before it opened', async () => {
  const org = await app.organization()
  await newContact(org.call)
  // Until no older transaction runs, in other tests too, the event is not settled as one from before.
  const earlier = await openStream(
    `${url}/api/v1/stream?last_event_id=00000000-0000-0000-0000-000000000000`,
    bearer(org.key),
  )
  await until(async () => earlier.events.length === 1)
  earlier.close()
  const stream = await openStream(`${url}/api/v1/stream`, bearer(org.key))
  assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8')
  const contact = await newContact(org.call)
  await org.call('PATCH', `contacts/${contact.id}`, { name: 'Ada' })
  await until(async () => stream.events.length === 2)
  const [changed, created] = (await org.call('GET', 'events?limit=2')).body.data
  assert.deepEqual(
    stream.events.map(({ data }) => data),
    [created, changed],
  )
  assert.deepEqual(
    stream.events.map(({ id }) => id),
    [created.id, changed.id],
  )
  stream.close()
})

test('a client that was cut off resumes after the last event it saw, by header or by query', async () => {
  const org = await app.organization()
  for (let n = 0; n < 5; n++) await newContact(org.call)
  const ids: string[] = (await org.call('GET', 'events')).body.data.map(({ id }: { id: string }) => id).reverse()
  const ways: [string, Record<string, string>][] = [
    ['', { 'last-event-id': ids[1] as string }],
    [`?last_event_id=${ids[1]}`, {}],
    [`?last_event_id=${ids[4]}`, { 'last-event-id': ids[1] as string }],
    [`?last_event_id=${ids[1]}&type=contact.created`, { 'last-event-id': '' }],
  ]
  for (const [query, headers] of ways) {
    const stream = await openStream(`${url}/api/v1/stream${query}`, { ...bearer(org.key), ...headers })
    await until(async () => stream.events.length >= 3)
    assert.deepEqual(
      stream.events.map(({ id }) => id),
      ids.slice(2),
    )
    stream.close()
  }
  // An event past its retention, or one that never existed, stands for its time.
  const all = await openStream(
    `${url}/api/v1/stream?last_event_id=01890000-0000-7000-8000-000000000000`,
    bearer(org.key),
  )
  await until(async () => all.events.length === 5)
  all.close()
  const future = await openStream(`${url}/api/v1/stream?last_event_id=${newId()}`, bearer(org.key))
  const next = await newContact(org.call)
  await until(async () => future.events.length > 0)
  assert.deepEqual(future.events[0]?.data.data.object, next)
  future.close()
})

test('a client that is cut off before the first event resumes from where the stream began', async () => {
  const [org, quiet] = [await app.organization(), await app.organization()]
  await newContact(org.call)
  const scope = ({ id }: { id: string }) => ({ organizationId: id, livemode: false })
  await app.database.forTenant(scope(quiet)).run`delete from events`
  for (const { id, key, call } of [org, quiet]) {
    // A change whose transaction began before the stream and commits after it: its event is older than the stream but
    // new to it.
    const [written, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const early = newId()
    const changing = app.database.inTenant(scope({ id }), async (tx) => {
      await tx.run`insert into events (id, type, data) values (${early}, 'contact.updated', '{"object": {}}')`
      written.resolve()
      await committed.promise
    })
    await written.promise
    const stream = await openStream(`${url}/api/v1/stream?type=contact.*`, bearer(key))
    const [, begun = ''] = /^id: (.*)\n/.exec(stream.text()) ?? []
    assert.notEqual(begun, '')
    stream.close()
    const contact = await newContact(call)
    committed.resolve()
    await changing
    const again = await openStream(`${url}/api/v1/stream?type=contact.*`, { ...bearer(key), 'last-event-id': begun })
    await until(async () => again.events.at(-1)?.data.data.object.id === contact.id)
    const [first, second] = again.events.slice(-2)
    assert.equal(first?.id, early)
    assert.deepEqual(second?.data.data.object, contact)
    // The client knows its position, so no id is sent at opening.
    assert.ok(again.text().startsWith('retry: '))
    again.close()
  }
})

test('malformed requests are refused before anything is streamed', async () => {
  const org = await app.organization()
  const get = async (path: string, headers = {}) => {
    const answer = await fetch(`${url}/api/v1/${path}`, { headers: { ...bearer(org.key), ...headers } })
    return [answer.status, (await answer.json()) as { detail: { loc: string[] }[] }] as const
  }
  assert.equal((await get('stream', { 'last-event-id': 'yesterday' }))[0], 400)
  for (const query of ['last_event_id=x', 'type=NO', 'type=contact.']) {
    const [status, { detail }] = await get(`stream?${query}`)
    assert.equal(status, 422)
    assert.deepEqual(detail[0]?.loc, ['query', query.split('=')[0]])
  }
  assert.equal((await get('stream', { authorization: 'Bearer svc_sk_test_nobody' }))[0], 401)
  assert.equal((await fetch(`${url}/api/v1/stream`)).status, 401)
})

test('a stream shows what the scopes cover, of one organization and one mode', async () => {
  const org = await app.organization()
  const live = await app.key(org.id, { mode: 'live' })
  const limited = await app.key(org.id, { scopes: ['campaigns:manage'] })
  const stranger = await app.organization()
  const streams = await Promise.all(
    [org.key, live.secret, limited.secret, stranger.key].map((key) => openStream(`${url}/api/v1/stream`, bearer(key))),
  )
  const narrow = await openStream(`${url}/api/v1/stream?type=task.*`, bearer(org.key))
  const contact = await newContact(org.call)
  await org.call('POST', 'crm/tasks', { contact_id: contact.id, title: 'Call back' })
  await org.call('POST', 'channels', { phone_number: '+14155550177' })
  await newContact(app.as(live.secret))
  await newContact(stranger.call)
  const types = () => [...streams, narrow].map(({ events }) => events.map(({ data }) => data.type))
  const expected = [
    ['contact.created', 'task.created', 'channel.created'],
    ['contact.created'],
    ['channel.created'],
    ['contact.created'],
    ['task.created'],
  ]
  await until(async () => types().flat().length === expected.flat().length)
  assert.deepEqual(types(), expected)
  assert.equal(streams[1]?.events[0]?.data.livemode, true)
  for (const stream of [...streams, narrow]) stream.close()
})

test('no event is lost or repeated between history and live, whatever the order of commits', async () => {
  const org = await app.organization()
  const scope = { organizationId: org.id, livemode: false }
  const total = 600
  let written = 0
  // Overlapping transactions: ids are created early, and rows become visible long after.
  const write = async () => {
    while (written < total) {
      written++
      const id = newId()
      await app.database.inTenant(scope, async (tx) => {
        await tx.run`insert into events (id, type, data) values (${id}, 'contact.updated', '{"object": {}}')`
        if (Math.random() < 0.3) await sleep(Math.random() * 30)
        tx.signal('events')
      })
    }
  }
  const writing = Promise.all(Array.from({ length: 4 }, write))
  // Clients that disconnect at random positions and resume from there.
  const read = async (): Promise<string[]> => {
    const seen: string[] = []
    let last = '01890000-0000-7000-8000-000000000000'
    while (seen.length < total) {
      const stream = await openStream(`${url}/api/v1/stream`, { ...bearer(org.key), 'last-event-id': last })
      const enough = 1 + Math.floor(Math.random() * 60)
      await until(async () => stream.events.length >= enough || seen.length + stream.events.length >= total)
      stream.close()
      for (const { id } of stream.events) {
        seen.push(id)
        last = id
      }
    }
    return seen
  }
  const readers = await Promise.all([read(), read(), read()])
  await writing
  const Row = Type.Object({ id: Type.String() })
  const rows = await app.database.forTenant(scope).all(Row)`select id from events order by transaction_id, id`
  for (const seen of readers)
    assert.deepEqual(
      seen,
      rows.map(({ id }) => id),
    )
})

test('an event on another node arrives here, also when its notification is lost', async () => {
  const org = await app.organization()
  const other = await app.node()
  const stream = await openStream(`${url}/api/v1/stream`, bearer(org.key))
  const contact = (await other.as(org.key)('POST', 'contacts', { phone_number: '+14155560001' })).body
  await until(async () => stream.events.length === 1)
  assert.deepEqual(stream.events[0]?.data.data.object, contact)
  // Written without a notification.
  await app.database.inTenant(
    { organizationId: org.id, livemode: false },
    (tx) => tx.run`insert into events (id, type, data) values (${newId()}, 'contact.updated', '{"object": {}}')`,
  )
  await until(async () => stream.events.length === 2)
  stream.close()
  await other.close()
})

test('a quiet stream sends heartbeats', async () => {
  const org = await app.organization()
  const stream = await openStream(`${url}/api/v1/stream`, bearer(org.key))
  await until(async () => stream.text().split(': still here\n\n').length > 3)
  assert.match(stream.text(), /^id: .*\nretry: \d+\n\n/)
  stream.close()
})

test('a stream ends when its key is revoked or expires', async () => {
  const org = await app.organization()
  const revoked = await app.key(org.id)
  const lasting = await openStream(`${url}/api/v1/stream`, bearer(org.key))
  const ofRevoked = await openStream(`${url}/api/v1/stream`, bearer(revoked.secret))
  // A busy machine may take longer to open the stream than the first keys are valid.
  const openExpiring = async (ms: number): ReturnType<typeof openStream> => {
    const { secret } = await app.key(org.id, { expiresAt: new Date(Date.now() + ms).toISOString() })
    return openStream(`${url}/api/v1/stream`, bearer(secret)).catch((error) => {
      if (ms > 60_000) throw error
      return openExpiring(ms * 2)
    })
  }
  const ofExpiring = await openExpiring(1_000)
  assert.equal((await org.call('DELETE', `keys/${revoked.id}`)).status, 200)
  await Promise.all([ofRevoked.ended, ofExpiring.ended])
  assert.equal(lasting.isOpen(), true)
  lasting.close()
})

test('a page listens by cookie, filters by query, and receives nothing after signing out', async () => {
  const [org, second] = [await app.organization(), await app.organization()]
  const pat = await person(app, [org.id, second.id], 'member')
  const cookie = { cookie: `frontdesk_token=${pat.token}` }
  const refused = await fetch(`${url}/api/v1/stream?mode=test`, { headers: cookie })
  assert.equal(refused.status, 400)
  await refused.body?.cancel()
  const stream = await openStream(`${url}/api/v1/stream?mode=test&organization_id=${org.id}`, cookie)
  const livestream = await openStream(`${url}/api/v1/stream?organization_id=${org.id}`, cookie)
  await newContact(second.call)
  const contact = await newContact(org.call)
  await until(async () => stream.events.length === 1)
  assert.deepEqual(stream.events[0]?.data.data.object, contact)
  assert.equal(livestream.events.length, 0)
  ok(await pat.call('POST', 'auth/logout', {}))
  await Promise.all([stream.ended, livestream.ended])
})

test('a removed member receives nothing more, and one demoted to member receives less', async () => {
  const org = await app.organization()
  const owner = await person(app, org.id, 'owner')
  const [removed, demoted] = [await person(app, org.id, 'member'), await person(app, org.id, 'admin')]
  const headers = ({ token }: { token: string }) => ({ ...bearer(token), 'x-mode': 'test' })
  const [first, second] = await Promise.all(
    [removed, demoted].map((each) => openStream(`${url}/api/v1/stream`, headers(each))),
  )
  assert.equal((await owner.call('DELETE', `members/${removed.id}`)).status, 200)
  await first?.ended
  assert.equal((await owner.call('PATCH', `members/${demoted.id}`, { role: 'member' })).status, 200)
  const write = (type: string) =>
    app.database.inTenant({ organizationId: org.id, livemode: false }, async (tx) => {
      tx.signal('events')
      await tx.run`insert into events (id, type, data) values (${newId()}, ${type}, '{"object": {}}')`
    })
  // Events that the member may no longer see are left out as soon as this node knows of the change.
  const heard = (type: string) => second?.events.filter(({ data }) => data.type === type).length ?? 0
  await until(async () => {
    const seen = heard('webhook.disabled')
    const before = heard('contact.updated')
    await write('webhook.disabled')
    await write('contact.updated')
    await until(async () => heard('contact.updated') > before)
    return heard('webhook.disabled') === seen
  })
  second?.close()
})

test('a client that reads nothing blocks no other, is disconnected, and resumes where it stopped', async () => {
  const org = await app.organization()
  const scope = { organizationId: org.id, livemode: false }
  await newContact(org.call)
  const before = (await org.call('GET', 'events')).body.data[0].id
  // More than all buffers between the two ends hold.
  const text = 'x'.repeat(50_000)
  const count = 800
  const { hostname, port } = new URL(url)
  const accepted = once(app.server.server, 'connection')
  const lazy = connect(Number(port), hostname)
  after(() => lazy.destroy())
  lazy.on('error', () => {})
  lazy.pause()
  lazy.write(
    `GET /api/v1/stream HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${org.key}\r\nLast-Event-ID: ${before}\r\n\r\n`,
  )
  const [served] = await accepted
  const cutOff = new Promise((resolve) => served.once('close', resolve))
  const quick = await openStream(`${url}/api/v1/stream`, bearer(org.key))
  for (let n = 0; n < count; n += 50)
    await app.database.inTenant(
      scope,
      (tx) => tx.run`
        insert into events (id, type, data)
        select new_id(), 'contact.updated', jsonb_build_object('object', jsonb_build_object('text', ${text}::text))
        from generate_series(1, 50)`,
    )
  // An event from before may arrive while an older transaction runs, possibly of another test: it was not settled yet.
  const added = (stream: typeof quick) => stream.events.filter(({ data }) => data.type === 'contact.updated')
  await until(async () => added(quick).length === count)
  await cutOff
  const back = await openStream(`${url}/api/v1/stream`, { ...bearer(org.key), 'last-event-id': before })
  await until(async () => back.events.length === count)
  assert.deepEqual(
    back.events.map(({ id }) => id),
    added(quick).map(({ id }) => id),
  )
  for (const stream of [quick, back]) stream.close()
})

test('a client that hangs up leaves nothing behind', async () => {
  const org = await app.organization()
  const request = openRequest(`${url}/api/v1/stream`, { headers: bearer(org.key) })
  request.on('error', () => {})
  request.end()
  await new Promise((resolve) => request.once('response', resolve))
  request.destroy()
  // The per-credential limit of streams would be reached if ended streams still counted.
  // The node may not have noticed the end of the last ones yet.
  for (let n = 0; n < 120; n++)
    await until(async () => {
      const stream = await openStream(`${url}/api/v1/stream`, bearer(org.key)).catch(() => undefined)
      stream?.close()
      return stream !== undefined
    })
})

test('a node that stops ends its streams', async () => {
  const org = await app.organization()
  const node = await app.node()
  const stream = await openStream(`${await node.listen()}/api/v1/stream`, bearer(org.key))
  await node.close()
  await stream.ended
})

test('resuming after an unsettled event repeats nothing and still delivers earlier events that commit late', async (t) => {
  const org = await app.organization()
  const holding = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  // An older transaction that has written and still runs: nothing younger is settled until it ends.
  const late = newId()
  const older = app.database.inTenant({ organizationId: org.id, livemode: false }, async (tx) => {
    await tx.run`insert into events (id, type, data) values (${late}, 'contact.updated', '{"object": {"id": "late"}}')`
    begun.resolve()
    await holding.promise
  })
  await begun.promise
  const [first, second] = [await newContact(org.call), await newContact(org.call)]
  assert.ok(first && second)
  const ids: string[] = (await org.call('GET', 'events')).body.data.map(({ id }: { id: string }) => id).reverse()
  const stream = await openStream(`${url}/api/v1/stream`, { ...bearer(org.key), 'last-event-id': ids[0] as string })
  t.after(() => stream.close())
  holding.resolve()
  await older
  const third = await newContact(org.call)
  await until(async () => stream.events.some(({ data }) => data.data.object.id === third.id))
  assert.deepEqual(
    stream.events.map(({ data }) => data.data.object.id),
    ['late', second.id, third.id],
  )
})

test('resuming after an event past its retention misses no later event, in whatever order they were created', async (t) => {
  const org = await app.organization()
  const scope = { organizationId: org.id, livemode: false }
  const [small, large, largest] = [newId(), newId(), newId()]
  const insert = (tx: TenantTx, id: string, type = 'contact.updated') =>
    tx.run`insert into events (id, type, data) values (${id}, ${type}, '{"object": {}}')`
  await app.database.inTenant(scope, (tx) => insert(tx, large))
  const [written, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = app.database.inTenant(scope, async (tx) => {
    await insert(tx, largest)
    written.resolve()
    await release.promise
  })
  await written.promise
  // Of another type: two transactions may share the counter of a type, and this one must not wait for the slow one.
  await app.database.inTenant(scope, (tx) => insert(tx, small, 'contact.created'))
  const stream = await openStream(`${url}/api/v1/stream`, {
    ...bearer(org.key),
    'last-event-id': '01890000-0000-7000-8000-000000000000',
  })
  t.after(() => stream.close())
  release.resolve()
  await slow
  await until(async () => stream.events.some(({ id }) => id === small))
  assert.deepEqual(
    stream.events.map(({ id }) => id),
    [large, largest, small],
  )
})
