import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../testing/app.ts'
import { person, type TestPerson } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import { openStream } from '../../testing/streams.ts'
import type { Event } from '../events/schema.ts'

const app = await sharedTestApp()
const url = await app.listen()
const acme = await app.organization({ mode: 'live' })

const listen = ({ token }: TestPerson) =>
  openStream(`${url}/api/v1/stream?hints=true`, { authorization: `Bearer ${token}`, 'x-mode': 'live' })

const records = [
  ['saved_reply', 'inbox/saved-replies', { name: 'hours', body: 'We open at nine.', shared: false }],
  ['inbox_view', 'inbox/views', { name: 'Urgent', filters: { priority: 'urgent' }, shared: false }],
] as const

for (const [noun, path, record] of records)
  test(`${noun}: a private one reaches its owner alone, a shared one every member`, async () => {
    const [ada, ben] = [await person(app, acme.id, 'member'), await person(app, acme.id, 'owner')]
    const [adas, bens] = [await listen(ada), await listen(ben)]
    const typesOf = ({ events }: typeof adas) =>
      events.map(({ data }) => data.type as string).filter((type) => type.startsWith(`${noun}.`))
    const stored = async (): Promise<Event[]> =>
      ok(await acme.call('GET', `events?type=${noun}.*&limit=100`)).data.reverse()
    const typesStored = async () => (await stored()).map(({ type }) => type)

    const { id } = ok(await ada.call('POST', path, record), 201)
    ok(await ada.call('PATCH', `${path}/${id}`, { name: 'Secret plan' }))
    // Equal hints that are sent together arrive as one.
    await until(async () => typesOf(adas).length > 0)
    assert.deepEqual(new Set(typesOf(adas)), new Set([`${noun}.changed`]))
    const [hint] = adas.events.filter(({ data }) => data.type === `${noun}.changed`)
    assert.deepEqual([hint?.id, hint?.data.data], [undefined, { object: { id } }])
    assert.deepEqual(await typesStored(), [])

    ok(await ada.call('PATCH', `${path}/${id}`, { shared: true, name: 'Shared' }))
    ok(await ben.call('PATCH', `${path}/${id}`, { name: 'Renamed' }))
    ok(await ben.call('PATCH', `${path}/${id}`, { name: 'Renamed' }))
    ok(await ada.call('PATCH', `${path}/${id}`, { shared: false, name: 'Secret again' }))
    ok(await ada.call('DELETE', `${path}/${id}`))
    const other = ok(await ben.call('POST', path, { ...record, shared: true }), 201)
    ok(await ben.call('DELETE', `${path}/${other.id}`))
    const shown = ['created', 'updated', 'deleted', 'created', 'deleted'].map((verb) => `${noun}.${verb}`)
    await until(async () => typesOf(bens).length >= shown.length)
    // Webhooks are sent from the stored events.
    assert.deepEqual([typesOf(bens), await typesStored()], [shown, shown])
    const [created, updated, removed] = await stored()
    assert.deepEqual([created?.data.object.name, created?.data.previous], ['Shared', undefined])
    assert.deepEqual([updated?.data.object.name, updated?.data.previous], ['Renamed', { name: 'Shared' }])
    assert.deepEqual([removed?.data.object.name, removed?.data.object.owner_id], ['Renamed', null])
    assert.doesNotMatch(JSON.stringify([bens.events, await stored()]), /Secret/)
    for (const stream of [adas, bens]) stream.close()
  })
