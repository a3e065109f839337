import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, startTestApp } from '../../../testing/app.ts'
import { until } from '../../../testing/process.ts'

const app = await startTestApp({ settings: { AGENT_REPLY_DELAY_MS: 0 } })
await app.listen()
const acme = await app.organization()
const strangers = await app.organization()
const reader = app.as((await app.key(acme.id, { scopes: ['inbox:read'] })).secret)
const { id: agent_id } = ok(await acme.call('POST', 'agents', { name: 'Desk' }), 201)
const [channel] = ok(await acme.call('GET', 'channels')).data
ok(await acme.call('PATCH', `channels/${channel.id}`, { agent_id }))

type Found = { id: string; inbox_id: string; actor_type: string; direction: string; feedback: object | null }
ok(
  await acme.call('POST', 'simulator/messages', { from: '+12025557301', name: 'Ines', text: 'Do you sell bikes?' }),
  202,
)
let messages: Found[] = []
await until(async () => {
  const [ticket] = ok(await acme.call('GET', 'inbox/tickets')).inboxes
  messages = ticket ? ok(await acme.call('GET', `inbox/messages/${ticket.id}`)).messages : []
  return messages.some(({ actor_type }) => actor_type === 'ai')
})
const answer = messages.find(({ actor_type }) => actor_type === 'ai') as Found
const question = messages.find(({ direction }) => direction === 'inbound') as Found
const path = (id: string, ticketId = answer.inbox_id) => `inbox/messages/${ticketId}/${id}/feedback`
const updates = async () =>
  ok(await acme.call('GET', 'events?type=message.updated&limit=100')).data.filter(
    ({ data }: { data: { object: Found } }) => data.object.id === answer.id,
  )

test('a member rates an answer, changes the rating and removes it, with an event for each change', async () => {
  assert.equal(answer.feedback, null)
  const down = ok(await acme.call('PUT', path(answer.id), { rating: 'down', reason: ' We do ' }))
  assert.deepEqual(
    [down.id, down.feedback.rating, down.feedback.reason, down.feedback.member_id],
    [answer.id, 'down', 'We do', acme.ownerId],
  )
  ok(await acme.call('PUT', path(answer.id), { rating: 'down', reason: 'We do' }))
  assert.equal((await updates()).length, 1, 'the same rating changes nothing')
  const list = async (rating: string) => ok(await reader('GET', `inbox/feedback?rating=${rating}`))
  assert.deepEqual(
    [(await list('down')).data.map(({ id }: Found) => id), (await list('up')).total_count],
    [[answer.id], 0],
  )
  const up = ok(await acme.call('PUT', path(answer.id), { rating: 'up' }))
  assert.deepEqual([up.feedback.rating, up.feedback.reason], ['up', null])
  const [event] = await updates()
  assert.deepEqual([event.data.object.feedback.rating, event.data.previous.feedback.rating], ['up', 'down'])
  assert.deepEqual([(await list('down')).total_count, (await list('up')).total_count], [0, 1])
  assert.equal(ok(await acme.call('DELETE', path(answer.id))).feedback, null)
  assert.equal((await updates()).length, 3)
})

test('mistakes are refused', async () => {
  const rate = async (id: string, body: object = { rating: 'up' }, call = acme.call) =>
    (await call('PUT', path(id), body)).status
  assert.equal(await rate(question.id), 409)
  assert.equal((await acme.call('DELETE', path(question.id))).status, 409)
  assert.equal(await rate(newId()), 404)
  assert.equal((await acme.call('PUT', path(answer.id, newId()), { rating: 'up' })).status, 404, 'in another ticket')
  assert.equal(await rate(answer.id, { rating: 'up' }, strangers.call), 404)
  assert.equal((await strangers.call('DELETE', path(answer.id))).status, 404)
  assert.equal(ok(await strangers.call('GET', 'inbox/feedback')).total_count, 0)
  for (const body of [{}, { rating: 'good' }, { rating: 'up', reason: 'x'.repeat(1001) }])
    assert.equal(await rate(answer.id, body), 422)
  assert.equal((await acme.call('GET', 'inbox/feedback?rating=good')).status, 422)
  assert.equal(await rate(answer.id, { rating: 'up' }, reader), 403)
  assert.equal((await app.call('GET', 'inbox/feedback')).status, 401)
})
