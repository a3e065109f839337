import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { afterQuietHours, nextLocalTime } from '../../../platform/local-times.ts'
import { startTestApp } from '../../../testing/app.ts'
import { type Campaigner, campaigner } from '../../../testing/campaigns.ts'
import { until } from '../../../testing/process.ts'
import type { Campaign } from '../schema.ts'

const app = await startTestApp()
await app.listen()
let org: Campaigner

before(async () => {
  org = await campaigner(app)
})

const clockIn = (zone: string, at: string | number | Date) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(new Date(at))
/** A UTC time of day, so many minutes from now. */
const timeIn = (minutes: number) => clockIn('UTC', Date.now() + minutes * 60_000)

const body = (members: object) => ({
  name: 'Timed',
  chat_phone_number_id: org.channelId,
  message_template_id: org.templateId,
  ...members,
})

test('a bad sending time is a located 422', async () => {
  const quiet = { from: '21:00', until: '08:00' }
  const cases: [times: object, loc: string[]][] = [
    [{ local_time: '24:00' }, ['body', 'sending_times', 'local_time']],
    [{ local_time: '9:00' }, ['body', 'sending_times', 'local_time']],
    [{ quiet_hours: { from: '21:00' } }, ['body', 'sending_times', 'quiet_hours', 'until']],
    [{ quiet_hours: { from: '21:00', until: '21:00' } }, ['body', 'sending_times', 'quiet_hours', 'until']],
    [{ local_time: '22:30', quiet_hours: quiet }, ['body', 'sending_times', 'local_time']],
    [{ local_time: '07:59', quiet_hours: quiet }, ['body', 'sending_times', 'local_time']],
    [{}, ['body', 'sending_times']],
  ]
  for (const path of ['campaigns', 'campaigns/preflight'])
    for (const [sending_times, loc] of cases) {
      const answer = await org.call('POST', path, body({ sending_times }))
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(answer.body.detail[0].loc, loc, JSON.stringify(sending_times))
    }
})

test('sending times can be set, changed and removed while the campaign is scheduled', async () => {
  const made = await org.send(null, { scheduled_at: '2100-01-01T00:00:00Z', sending_times: { local_time: '10:00' } })
  assert.deepEqual(made.sending_times, { local_time: '10:00', quiet_hours: null })
  const quiet_hours = { from: '21:00', until: '08:00' }
  const changed = await org.call('PATCH', `campaigns/${made.id}`, { sending_times: { quiet_hours } })
  assert.deepEqual(changed.body.sending_times, { local_time: null, quiet_hours })
  const renamed = await org.call('PATCH', `campaigns/${made.id}`, { name: 'Other' })
  assert.deepEqual(renamed.body.sending_times, { local_time: null, quiet_hours })
  const removed = await org.call('PATCH', `campaigns/${made.id}`, { sending_times: null })
  assert.equal(removed.body.sending_times, null)
  const bad = await org.call('PATCH', `campaigns/${made.id}`, { sending_times: { local_time: 'noon' } })
  assert.equal(bad.status, 422)
})

test('a campaign is sent within business hours only, beside quiet hours', async () => {
  const live = app.as((await app.key(org.scope.organizationId, { mode: 'live' })).secret)
  const now = new Date()
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  // Open on two days, from 10:00 on; recipients have quiet hours on the first until 12:00.
  const hours = [{ from: '10:00', until: '11:00' }]
  const holidays = [
    { date: inDays(1), hours },
    { date: inDays(2), hours: [{ from: '12:30', until: '13:00' }] },
  ]
  const given = { name: 'Openings', time_zone: 'UTC', weekly_hours: {}, holidays }
  const { id: schedule_id } = (await live('POST', 'schedules', given)).body
  const quiet_hours = { from: '09:00', until: '12:00' }
  await org.call('PATCH', 'organization', { time_zone: 'UTC' })
  const [contact = ''] = await org.contacts(1)
  const members = { audience_type: 'manual', audience_contact_ids: [contact] }
  const dueOf = async (sending_times: object) => {
    const preview = await org.call('POST', 'campaigns/preflight', body({ ...members, sending_times }))
    const made = await org.send([contact], { sending_times })
    const [delivery] = await org.deliveries(made.id)
    assert.equal((await org.call('POST', `campaigns/${made.id}/cancel`)).status, 200)
    return [delivery?.next_attempt_at, preview.body.last_message_at?.slice(0, 16)]
  }
  const first = `${inDays(1)}T10:00`
  const second = `${inDays(2)}T12:30`
  assert.deepEqual(await dueOf({ schedule_id }), [`${first}:00.000Z`, first])
  assert.deepEqual(await dueOf({ schedule_id, quiet_hours }), [`${second}:00.000Z`, second])
  assert.equal((await live('DELETE', `schedules/${schedule_id}`)).status, 409)
  const unknown = await org.call('POST', 'campaigns', body({ ...members, sending_times: { schedule_id: newId() } }))
  assert.equal(unknown.status, 400, unknown.text)
})

test('time zones of contacts and of the organization are checked', async () => {
  const [contact = ''] = await org.contacts(1, { time_zone: 'Asia/Tokyo' })
  const bad = await org.call('PATCH', `contacts/${contact}`, { time_zone: 'Mars/Base' })
  assert.equal(bad.status, 422)
  assert.deepEqual(bad.body.detail[0].loc, ['body', 'time_zone'])
  const phone_number = '+4930123456789'
  assert.equal((await org.call('POST', 'contacts', { phone_number, time_zone: '+02:00' })).status, 422)
  assert.equal((await org.call('PATCH', `contacts/${contact}`, { time_zone: null })).body.time_zone, null)
  assert.equal((await org.call('GET', 'organization')).body.time_zone, 'UTC')
  const wrong = await org.call('PATCH', 'organization', { time_zone: 'Mars/Base' })
  assert.deepEqual([wrong.status, wrong.body.detail[0].loc], [422, ['body', 'time_zone']])
  const right = await org.call('PATCH', 'organization', { time_zone: 'America/Los_Angeles' })
  assert.equal(right.body.time_zone, 'America/Los_Angeles')
})

test('each recipient waits for the time in their own zone', async () => {
  await org.call('PATCH', 'organization', { time_zone: 'America/Los_Angeles' })
  const phones = {
    'Asia/Tokyo': '+14155550100',
    'Europe/Berlin': '+4930',
    'America/Jamaica': '+1876555',
    'Asia/Kolkata': '+9198100',
  }
  const zones = new Map<string, string>()
  for (const [i, [zone, prefix]] of Object.entries(phones).entries()) {
    const phone_number = prefix.padEnd(12, String(i + 1)).slice(0, zone === 'Asia/Kolkata' ? 13 : 12)
    const time_zone = zone === 'Asia/Tokyo' ? { time_zone: zone } : {}
    const { status, body: made, text } = await org.call('POST', 'contacts', { phone_number, ...time_zone })
    assert.equal(status, 201, text)
    zones.set(made.id, zone)
  }
  // The United States have several zones, so the organization's counts.
  const [american = ''] = await org.contacts(1)
  zones.set(american, 'America/Los_Angeles')
  const started = Date.now()
  // Not the present minute in any of the zones, which differ by whole and half hours: that recipient would be due.
  const local_time = `10:${String((new Date(started).getUTCMinutes() + 15) % 60).padStart(2, '0')}`
  const { id } = await org.send([...zones.keys()], { sending_times: { local_time }, template_variables: { 1: 'you' } })
  const deliveries = await org.deliveries(id)
  assert.equal(deliveries.length, 5)
  for (const { contact_id, next_attempt_at, status, time_zone } of deliveries) {
    const zone = zones.get(contact_id as string) as string
    assert.equal(time_zone, zone)
    const at = Date.parse(next_attempt_at as string)
    assert.equal(clockIn(zone, at), local_time, zone)
    assert.ok(at > started - 60_000 && at < started + 25 * 3_600_000, `${zone} ${next_attempt_at}`)
    assert.equal(status, 'pending')
  }
  // One of them is due: only that one is sent.
  const due = deliveries.find(({ contact_id }) => contact_id === american)
  await app.database.inTenant(
    org.scope,
    (tx) => tx.run`update deliveries set due_at = now() - interval '1 second' where id = ${due?.id as string}`,
  )
  await org.call('POST', `campaigns/${id}/pause`)
  await org.call('POST', `campaigns/${id}/resume`)
  const sent = await org.until(id, ({ sent_count }) => sent_count > 0)
  assert.deepEqual([sent.status, sent.sent_count, sent.pending_count], ['sending', 1, 4])
  assert.equal((await org.call('POST', `campaigns/${id}/cancel`)).status, 200)
})

test('nothing is sent in quiet hours, also when they begin while the campaign sends', async () => {
  const slow = await campaigner(app, { messagesPerSecond: 1 })
  const waiting = await slow.send(await slow.contacts(2), {
    sending_times: { quiet_hours: { from: timeIn(-60), until: timeIn(120) } },
  })
  // The numbers are American, so the organization's zone counts: UTC.
  for (const { next_attempt_at } of await slow.deliveries(waiting.id))
    assert.equal(
      clockIn('UTC', next_attempt_at as string),
      (waiting.sending_times as { quiet_hours: { until: string } }).quiet_hours.until,
    )
  const { id } = await slow.send(await slow.contacts(8), {
    sending_times: { quiet_hours: { from: timeIn(120), until: timeIn(240) } },
  })
  await slow.until(id, ({ sent_count }) => sent_count > 0)
  const quiet_hours = { from: timeIn(-60), until: timeIn(120) }
  await app.database.inTenant(
    slow.scope,
    (tx) => tx.run`update campaigns set sending_times = ${{ local_time: null, quiet_hours }} where id = ${id}`,
  )
  const isQuiet = ({ sending_count, pending_count }: Campaign) => sending_count === 0 && pending_count > 0
  await until(async () => {
    await slow.until(id, isQuiet)
    const pending = await slow.deliveries(id, '&status=pending')
    return pending.length > 0 && pending.every(({ next_attempt_at: at }) => at && Date.parse(at) > Date.now())
  })
  const [first] = await slow.deliveries(id, '&status=pending')
  assert.equal(clockIn('UTC', first?.next_attempt_at as string), quiet_hours.until)
  assert.equal((await slow.see(waiting.id)).sent_count, 0)
})

test('a preview says when the last message goes out, also across a change of the clocks', async () => {
  const phone_number = '+493012345670'
  const contact = (await org.call('POST', 'contacts', { phone_number, name: 'Ada' })).body.id
  const preview = async (scheduled_at: string, sending_times: object | undefined) => {
    const answer = await org.call(
      'POST',
      'campaigns/preflight',
      body({ scheduled_at, sending_times, audience_type: 'manual', audience_contact_ids: [contact] }),
    )
    assert.equal(answer.status, 200, answer.text)
    return answer.body.last_message_at as string
  }
  const night = { from: '21:00', until: '08:00' }
  const at = '2027-03-27T20:30:00.000Z'
  assert.equal((await preview(at, undefined)).slice(0, 19), at.slice(0, 19))
  // Clocks in Berlin go forward in the night to 28 March 2027.
  assert.match(await preview(at, { local_time: '10:00' }), /^2027-03-28T08:00:00/)
  assert.match(await preview(at, { quiet_hours: night }), /^2027-03-28T06:00:00/)
  assert.match(await preview('2027-10-30T20:30:00Z', { local_time: '10:00' }), /^2027-10-31T09:00:00/)
})

const Times = Type.Object({ next: Type.String(), quiet: Type.String() })

test('the database and the preview agree on local times, around changes of the clocks too', async () => {
  const sql = app.database.forTenant(org.scope)
  const starts = ['2027-03-13T22:00:00Z', '2027-03-27T22:00:00Z', '2027-10-30T22:00:00Z', '2027-11-06T22:00:00Z']
  for (const zone of ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata'])
    for (const start of starts)
      for (let hours = 0; hours < 36; hours += 3) {
        const at = Date.parse(start) + hours * 3_600_000
        const { next, quiet } = await sql.one(Times)`
          select to_char(next_local_time(${new Date(at).toISOString()}::timestamptz, ${zone}, '10:00') at time zone 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as next,
            to_char(after_quiet_hours(${new Date(at).toISOString()}::timestamptz, ${zone}, '21:00', '08:00') at time zone 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as quiet`
        assert.equal(
          next,
          new Date(nextLocalTime(at, zone, '10:00')).toISOString(),
          `${zone} ${new Date(at).toISOString()}`,
        )
        const ends = afterQuietHours(at, zone, { from: '21:00', until: '08:00' })
        assert.equal(quiet, new Date(ends).toISOString(), `${zone} ${new Date(at).toISOString()}`)
      }
})

test('a preview names the time zone of most contacts, by the rules of sending times', async () => {
  const own = await campaigner(app)
  const zoneOf = async (ids: string[]) =>
    (
      await own.call('POST', 'campaigns/preflight', {
        name: 'Zones',
        chat_phone_number_id: own.channelId,
        message_template_id: own.templateId,
        audience_type: 'manual',
        audience_contact_ids: ids,
      })
    ).body.time_zone
  const [american = ''] = await own.contacts(1)
  const [tokyo = ''] = await own.contacts(1, { time_zone: 'Asia/Tokyo' })
  const [berlin = ''] = await own.contacts(1, { phone_number: '+4930901820001' })
  const [bonn = ''] = await own.contacts(1, { phone_number: '+4930901820002' })
  assert.equal(await zoneOf([american, tokyo, berlin, bonn]), 'Europe/Berlin')
  assert.equal(await zoneOf([tokyo]), 'Asia/Tokyo')
  // The country has several zones: that of the organization counts.
  assert.equal(await zoneOf([american]), 'UTC')
  await own.call('PATCH', 'organization', { time_zone: 'America/Chicago' })
  assert.equal(await zoneOf([american]), 'America/Chicago')
})
