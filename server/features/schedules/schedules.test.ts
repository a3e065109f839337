import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok, sharedTestApp } from '../../testing/app.ts'
import { person } from '../../testing/people.ts'
import { weekdays } from './schema.ts'

const app = await sharedTestApp()
const acme = await app.organization({ mode: 'live', owner: 'olga@hours.example' })
const globex = await app.organization({ mode: 'live' })
const { call } = acme

let schedules = 0
const create = async (members: object) =>
  ok(
    await call('POST', 'schedules', { name: `Hours ${++schedules}`, time_zone: 'UTC', weekly_hours: {}, ...members }),
    201,
  )

const daily = (...hours: { from: string; until: string }[]) => Object.fromEntries(weekdays.map((day) => [day, hours]))

/** The state at each of these times, as `[is_open, opens_at or closes_at, due_at]`. */
async function states(
  time_zone: string,
  weekly_hours: object,
  asked: [at: string, minutes?: number][],
  holidays: object[] = [],
) {
  const { id } = await create({ time_zone, weekly_hours, holidays })
  const answers = []
  for (const [at, minutes = 0] of asked) {
    const state = ok(await call('GET', `schedules/${id}/state?at=${encodeURIComponent(at)}&minutes=${minutes}`))
    assert.equal(state.is_open ? state.opens_at : state.closes_at, null)
    const short = (instant: string | null) => instant?.replace(':00.000Z', 'Z')
    answers.push([state.is_open, short(state.opens_at ?? state.closes_at), short(state.due_at)])
  }
  return answers
}

test('business hours are created, changed, listed and deleted', async () => {
  const created = await create({
    name: ' Office ',
    time_zone: 'Europe/Berlin',
    weekly_hours: { friday: [{ from: '09:00', until: '12:00' }] },
    holidays: [{ date: '2026-12-25' }],
  })
  const { id, created_at, updated_at, ...members } = created
  assert.deepEqual(members, {
    organization_id: acme.id,
    name: 'Office',
    time_zone: 'Europe/Berlin',
    weekly_hours: { ...daily(), friday: [{ from: '09:00', until: '12:00' }] },
    holidays: [{ date: '2026-12-25', name: '', hours: [] }],
  })
  assert.equal(updated_at, created_at)
  assert.deepEqual(ok(await call('GET', `schedules/${id}`)), created)
  const changed = ok(await call('PATCH', `schedules/${id}`, { time_zone: 'Asia/Kolkata' }))
  assert.deepEqual({ ...changed, updated_at }, { ...created, time_zone: 'Asia/Kolkata' })
  const page = ok(await call('GET', 'schedules?limit=1'))
  assert.deepEqual([page.data[0].id, page.total_count >= 1], [id, true])
  const { data } = ok(await call('GET', `audit-log?object_id=${id}`))
  assert.deepEqual(
    data.map(({ action, mode }: { action: string; mode: null }) => [action, mode]),
    [
      ['schedule.updated', null],
      ['schedule.created', null],
    ],
  )
  assert.deepEqual(ok(await call('DELETE', `schedules/${id}`)), { message: 'Schedule deleted successfully' })
  assert.equal((await call('GET', `schedules/${id}`)).status, 404)
})

test('faulty hours are refused with their location', async () => {
  const span = (from: string, until: string) => ({ from, until })
  for (const [members, loc] of [
    [{ time_zone: 'Mars/Olympus' }, ['time_zone']],
    [{ time_zone: '+02:00' }, ['time_zone']],
    [{ name: ' ' }, ['name']],
    [{ weekly_hours: { monday: [span('9:00', '17:00')] } }, ['weekly_hours', 'monday', '0', 'from']],
    [{ weekly_hours: { monday: [span('09:00', '25:00')] } }, ['weekly_hours', 'monday', '0', 'until']],
    [{ weekly_hours: { monday: [span('09:00', '09:00')] } }, ['weekly_hours', 'monday', '0', 'until']],
    [{ weekly_hours: { monday: [span('09:00', '13:00'), span('12:59', '17:00')] } }, ['weekly_hours', 'monday', '1']],
    [
      { weekly_hours: { sunday: [span('22:00', '06:00')], monday: [span('05:59', '09:00')] } },
      ['weekly_hours', 'sunday', '0', 'until'],
    ],
    [{ holidays: [{ date: '2026-02-30' }] }, ['holidays', '0', 'date']],
    [{ holidays: [{ date: '2026-02-03' }, { date: '2026-02-03' }] }, ['holidays', '1', 'date']],
  ] as const) {
    const given = { name: 'Wrong', time_zone: 'UTC', weekly_hours: {}, ...members }
    const answer = await call('POST', 'schedules', given)
    assert.deepEqual([answer.status, answer.body.detail?.[0]?.loc], [422, ['body', ...loc]], answer.text)
  }
})

test('a name is used once, and the hours of another organization are 404', async () => {
  const { id, name } = await create({})
  assert.equal(
    (await call('POST', 'schedules', { name: name.toUpperCase(), time_zone: 'UTC', weekly_hours: {} })).status,
    409,
  )
  const other = await create({})
  assert.equal((await call('PATCH', `schedules/${other.id}`, { name })).status, 409)
  for (const [as, of] of [
    [globex.call, id],
    [call, newId()],
    [call, 'x'],
  ] as const)
    for (const [method, path, body] of [
      ['GET', `schedules/${of}`],
      ['GET', `schedules/${of}/state`],
      ['PATCH', `schedules/${of}`, {}],
      ['DELETE', `schedules/${of}`],
    ] as const) {
      const answer = await as(method, path, body)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Schedule not found' }], `${method} ${path}`)
    }
})

test('members read business hours; only full access or members:manage changes them, and no test key does', async () => {
  const { id } = await create({})
  const { call: asMember } = await person(app, acme.id, 'member')
  const { call: asSupervisor } = await person(app, acme.id, 'supervisor')
  assert.equal((await asMember('GET', `schedules/${id}`)).status, 200)
  assert.equal((await asMember('PATCH', `schedules/${id}`, {})).status, 403)
  assert.equal((await asSupervisor('PATCH', `schedules/${id}`, {})).status, 200)
  assert.equal((await app.call('GET', 'schedules')).status, 401)
  const asTest = app.as((await app.key(acme.id, { mode: 'test' })).secret)
  assert.equal((await asTest('GET', `schedules/${id}`)).status, 200)
  const given = { name: 'By test', time_zone: 'UTC', weekly_hours: {} }
  for (const [method, path, body] of [
    ['POST', 'schedules', given],
    ['PATCH', `schedules/${id}`, {}],
    ['DELETE', `schedules/${id}`],
  ] as const)
    assert.equal((await asTest(method, path, body)).status, 403, method)
})

test('several spans a day, over midnight, with holidays', async () => {
  const hours = daily({ from: '09:00', until: '12:00' }, { from: '13:00', until: '17:00' })
  assert.deepEqual(
    await states(
      'UTC',
      { ...hours, friday: [{ from: '22:00', until: '02:00' }], saturday: [], sunday: [] },
      [
        // Thursday.
        ['2026-07-02T08:59:00Z', 180],
        ['2026-07-02T09:00:00Z', 180],
        ['2026-07-02T11:00:00Z', 61],
        ['2026-07-02T12:00:00Z'],
        ['2026-07-02T16:00:00Z', 120],
        // Friday night belongs to Friday; Monday the 6th is a holiday.
        ['2026-07-04T01:59:00Z', 2],
        ['2026-07-04T02:00:00Z'],
      ],
      [{ date: '2026-07-06', name: 'Outing', hours: [{ from: '16:30', until: '16:45' }] }],
    ),
    [
      [false, '2026-07-02T09:00Z', '2026-07-02T12:00Z'],
      [true, '2026-07-02T12:00Z', '2026-07-02T12:00Z'],
      [true, '2026-07-02T12:00Z', '2026-07-02T13:01Z'],
      [false, '2026-07-02T13:00Z', '2026-07-02T13:00Z'],
      [true, '2026-07-02T17:00Z', '2026-07-03T23:00Z'],
      [true, '2026-07-04T02:00Z', '2026-07-06T16:31Z'],
      [false, '2026-07-06T16:30Z', '2026-07-06T16:30Z'],
    ],
  )
})

test('spans that touch count as one, and hours without spans never open', async () => {
  const { id } = await create({ weekly_hours: daily({ from: '00:00', until: '24:00' }) })
  const always = ok(await call('GET', `schedules/${id}/state?minutes=1440&at=2026-07-02T12:00:00Z`))
  assert.deepEqual([always.is_open, always.closes_at, always.due_at], [true, null, '2026-07-03T12:00:00.000Z'])
  assert.deepEqual(
    await states('UTC', { monday: [{ from: '20:00', until: '24:00' }], tuesday: [{ from: '00:00', until: '01:00' }] }, [
      ['2026-07-06T23:00:00Z', 120],
    ]),
    [[true, '2026-07-07T01:00Z', '2026-07-07T01:00Z']],
  )
  const never = await create({})
  const state = ok(await call('GET', `schedules/${never.id}/state?minutes=1`))
  assert.deepEqual([state.is_open, state.opens_at, state.closes_at, state.due_at], [false, null, null, null])
})

test('clocks that go forward within a span make it shorter, and open it at the change', async () => {
  // In Berlin 02:00 becomes 03:00 on 29 March 2026, at 01:00 UTC.
  assert.deepEqual(
    await states('Europe/Berlin', daily({ from: '01:00', until: '05:00' }), [
      ['2026-03-29T00:00:00Z', 180],
      ['2026-03-28T00:00:00Z', 240],
    ]),
    [
      [true, '2026-03-29T03:00Z', '2026-03-29T03:00Z'],
      [true, '2026-03-28T04:00Z', '2026-03-28T04:00Z'],
    ],
  )
  assert.deepEqual(
    await states('Europe/Berlin', { sunday: [{ from: '02:30', until: '05:00' }] }, [
      ['2026-03-29T00:59:00Z', 120],
      ['2026-03-29T01:00:00Z', 120],
    ]),
    [
      [false, '2026-03-29T01:00Z', '2026-03-29T03:00Z'],
      [true, '2026-03-29T03:00Z', '2026-03-29T03:00Z'],
    ],
  )
  // A span that the change leaves out does not open.
  assert.deepEqual(
    await states('Europe/Berlin', { sunday: [{ from: '02:10', until: '02:50' }] }, [['2026-03-29T00:30:00Z', 1]]),
    [[false, '2026-04-05T00:10Z', '2026-04-05T00:11Z']],
  )
  // In Havana midnight becomes 01:00 on 8 March 2026, at 05:00 UTC.
  assert.deepEqual(
    await states('America/Havana', { sunday: [{ from: '00:00', until: '02:00' }] }, [['2026-03-08T04:59:00Z', 60]]),
    [[false, '2026-03-08T05:00Z', '2026-03-08T06:00Z']],
  )
})

test('clocks that go back within a span make it longer, without closing it in between', async () => {
  // In Berlin 03:00 becomes 02:00 on 25 October 2026, at 01:00 UTC: 02:30 comes at 00:30 and at 01:30 UTC.
  assert.deepEqual(
    await states('Europe/Berlin', { sunday: [{ from: '02:30', until: '04:00' }] }, [
      ['2026-10-25T00:29:00Z', 150],
      ['2026-10-25T01:10:00Z', 110],
    ]),
    [
      [false, '2026-10-25T00:30Z', '2026-10-25T03:00Z'],
      [true, '2026-10-25T03:00Z', '2026-10-25T03:00Z'],
    ],
  )
  // A span from the evening before, over the change.
  assert.deepEqual(
    await states('Europe/Berlin', { saturday: [{ from: '22:00', until: '06:00' }] }, [['2026-10-24T20:00:00Z', 540]]),
    [[true, '2026-10-25T05:00Z', '2026-10-25T05:00Z']],
  )
})

test('zones with half hours, and a change of the clocks by half an hour', async () => {
  assert.deepEqual(
    await states('Asia/Kolkata', daily({ from: '09:00', until: '17:00' }), [['2026-07-02T03:29:00Z', 480]]),
    [[false, '2026-07-02T03:30Z', '2026-07-02T11:30Z']],
  )
  // On Lord Howe Island 02:00 becomes 02:30 on 4 October 2026, at 15:30 UTC of the day before.
  assert.deepEqual(
    await states('Australia/Lord_Howe', { sunday: [{ from: '02:00', until: '03:00' }] }, [
      ['2026-10-03T15:29:00Z', 30],
      ['2026-10-03T15:30:00Z', 30],
    ]),
    [
      [false, '2026-10-03T15:30Z', '2026-10-03T16:00Z'],
      [true, '2026-10-03T16:00Z', '2026-10-03T16:00Z'],
    ],
  )
})
