import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { atCarrier, createReceptionist, ended, place, untilCall } from '../../../testing/calls.ts'
import { until } from '../../../testing/process.ts'

const app = await startTestApp({ settings: { CALLS_PER_ORGANIZATION: 2 } })
await app.listen()
const knobs = (change: object) => app.control('PATCH', 'carrier/knobs', change)

let people = 0
const newNumber = (end: string) => `+1415${String(500 + ++people).padStart(3, '0')}${end}`

async function organization(): Promise<{ org: TestOrganization; agent_id: string }> {
  const org = await app.organization()
  return { org, agent_id: await createReceptionist(org) }
}
const system = () => app.database.forSystem()
/** Moves the deadline of a call into the past. */
const overdue = (id: string) =>
  system().run`update calls set deadline_at = now() - interval '1 second' where id = ${id}`

test('no more calls run than there are slots, and each ended call lets the next one start in order', async () => {
  const { org, agent_id } = await organization()
  const ids: string[] = []
  for (let i = 0; i < 4; i++) ids.push((await place(org, { agent_id, to_number: newNumber('0142') })).body.id)
  const states = async () => {
    const { body } = await org.call('GET', 'calls')
    return new Map<string, string>(
      body.data.map((call: { id: string; status: string; telephony_status: string }) => [
        call.id,
        call.status === 'in-progress' ? call.telephony_status : 'ended',
      ]),
    )
  }
  const running = async () => [...(await states())].filter(([, state]) => state !== 'queued' && state !== 'ended')
  await until(async () => (await running()).length === 2)
  for (const id of ids) {
    assert.ok((await running()).length <= 2)
    await until(async () => (await states()).get(id) !== 'queued')
    await org.call('POST', `calls/${id}/end`)
    await until(async () => (await states()).get(id) === 'ended')
  }
  assert.equal((await running()).length, 0)
  const waiting = await org.call('GET', 'calls?status=in-progress')
  assert.equal(waiting.body.total_count, 0)
})

test('a long queue of one organization does not delay another organization', async () => {
  const [many, one] = [await organization(), await organization()]
  const placed = await Promise.all(
    Array.from({ length: 15 }, () => place(many.org, { agent_id: many.agent_id, to_number: newNumber('0112') })),
  )
  const { body } = await place(one.org, { agent_id: one.agent_id, to_number: newNumber('0112') })
  const done = await ended(one.org, body.id)
  assert.equal(done.status, 'busy')
  await Promise.all(placed.map(({ body: { id } }) => ended(many.org, id)))
})

test('if the response of the carrier is lost, the call is not dialed again and its callbacks settle it', async () => {
  const { org, agent_id } = await organization()
  await knobs({ lose_answers: true })
  const to_number = newNumber('0112')
  const { body } = await place(org, { agent_id, to_number })
  const done = await ended(org, body.id)
  await knobs({ lose_answers: false })
  assert.equal(done.status, 'busy')
  const calls = await atCarrier(app, to_number)
  assert.equal(calls.length, 1)
  assert.equal(done.call_id, calls[0].sid)
})

test('if the response and all callbacks are lost, the reaper ends the call without redialing and frees its slot', async () => {
  const { org, agent_id } = await organization()
  await knobs({ lose_answers: true, drop_callbacks: 1 })
  const to_number = newNumber('0112')
  const { body } = await place(org, { agent_id, to_number })
  // The last callback is dropped once the call is over at the carrier.
  await until(async () => (await atCarrier(app, to_number)).some(({ status }) => status === 'busy'))
  await untilCall(org, body.id, ({ telephony_status }) => telephony_status === 'dialing')
  await knobs({ lose_answers: false, drop_callbacks: 0 })
  await overdue(body.id)
  const done = await ended(org, body.id)
  assert.deepEqual([done.status, done.ended_reason], ['failed', 'dial_unknown'])
  assert.equal((await atCarrier(app, to_number)).length, 1)
  const next = await place(org, { agent_id, to_number: newNumber('0112') })
  assert.equal((await ended(org, next.body.id)).status, 'busy')
})

test('if callbacks are lost, the reaper asks the carrier how the call ended', async () => {
  const { org, agent_id } = await organization()
  await knobs({ drop_callbacks: 1 })
  const to_number = newNumber('0112')
  const { body } = await place(org, { agent_id, to_number })
  await untilCall(org, body.id, ({ call_id }) => call_id !== '')
  await until(async () => (await atCarrier(app, to_number)).some(({ status }) => status === 'busy'))
  await overdue(body.id)
  const done = await ended(org, body.id)
  await knobs({ drop_callbacks: 0 })
  assert.deepEqual([done.status, done.telephony_status, done.ended_reason], ['busy', 'busy', 'busy'])
})

test('a call that the carrier refuses fails at once with the carrier’s error', async () => {
  const { org, agent_id } = await organization()
  await knobs({ refuse_with: 21215 })
  const { body } = await place(org, { agent_id, to_number: newNumber('0112') })
  const done = await ended(org, body.id)
  await knobs({ refuse_with: 0 })
  assert.deepEqual([done.status, done.ended_reason, done.error.code], ['failed', 'carrier_refused', '21215'])
})

test('after a rate limit of the carrier the call is retried and dialed once', async () => {
  const { org, agent_id } = await organization()
  await knobs({ refuse_with: 429 })
  const to_number = newNumber('0112')
  const { body } = await place(org, { agent_id, to_number })
  await untilCall(org, body.id, ({ error }) => error?.code === '20429')
  assert.deepEqual(await atCarrier(app, to_number), [])
  await knobs({ refuse_with: 0 })
  const done = await ended(org, body.id)
  assert.deepEqual([done.status, done.error], ['busy', null])
  assert.equal((await atCarrier(app, to_number)).length, 1)
})

test('a call that was queued for too long fails', async () => {
  const { org, agent_id } = await organization()
  const { body } = await place(org, { agent_id, to_number: newNumber('0112') })
  await ended(org, body.id)
  await system().run`update calls set status = 'in-progress', telephony_status = 'queued', ended_at = null,
    call_id = '', due_at = now() + interval '1 hour', analysis = null, deadline_at = now() - interval '1 second' where id = ${body.id}`
  const done = await ended(org, body.id)
  assert.deepEqual([done.status, done.ended_reason], ['failed', 'queued_too_long'])
})

test('the transcript of a lost call is ordered by when each segment was said', async () => {
  const { org, agent_id } = await organization()
  const placed = await Promise.all(['0112', '0112'].map((end) => place(org, { agent_id, to_number: newNumber(end) })))
  const [talked, unheard] = placed.map(({ body }) => body.id) as [string, string]
  for (const id of [talked, unheard]) await ended(org, id)
  // An interrupted agent segment is saved after the caller's segment, once it is known how much of it was played.
  const said = [
    { speaker: 'caller', text: 'One moment.', timestamp: 10.5 },
    { speaker: 'agent', text: 'Hello, this is', timestamp: 9.2, interrupted: true },
  ]
  await app.database.inTenant({ organizationId: org.id, livemode: false }, async (tx) => {
    for (const id of [talked, unheard])
      await tx.run`update calls set status = 'in-progress', telephony_status = 'in-progress', ended_at = null, call_id = '',
        answered_at = now() - interval '30 seconds', carrier_seconds = null, analysis = null,
        audio_at = ${id === talked ? new Date().toISOString() : null},
        holder_id = ${id === talked ? id : null}, deadline_at = now() + interval '1 minute' where id = ${id}`
    for (const [number, segment] of said.entries())
      await tx.run`insert into call_segments (call_id, number, segment) values (${talked}, ${number}, ${segment})`
  })
  await overdue(unheard)
  const lost = await ended(org, talked)
  assert.deepEqual([lost.ended_reason, lost.transcript], ['worker_lost', said.toReversed()])
  assert.equal(lost.duration_seconds, 11, 'until the last words that were written down')
  const silent = await ended(org, unheard)
  assert.deepEqual([silent.ended_reason, silent.duration_seconds, silent.cost], ['no_media', 0, 0])
})

test('two nodes share the queue and dial each call once', async () => {
  const second = await app.node()
  await second.listen()
  const { org, agent_id } = await organization()
  const numbers = Array.from({ length: 12 }, () => newNumber('0112'))
  const placed = await Promise.all(numbers.map((to_number) => place(org, { agent_id, to_number })))
  for (const { body } of placed) assert.equal((await ended(org, body.id)).status, 'busy')
  const dialed = await Promise.all(
    numbers.map(async (number) => (await atCarrier(app, number)).length + (await atCarrier(second, number)).length),
  )
  assert.deepEqual(
    dialed,
    numbers.map(() => 1),
  )
})
