import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { ok, startTestApp } from '../../testing/app.ts'
import { createReceptionist } from '../../testing/calls.ts'
import { holdWrites } from '../../testing/hold-writes.ts'
import { operatorOf } from '../../testing/operators.ts'
import { untilStatus } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'

const app = await startTestApp({ settings: { AGENT_REPLY_DELAY_MS: 0 } })
await app.listen()
const operator = await operatorOf(app)
const Count = Type.Object({ n: Type.Integer() })
const Job = Type.Object({ postponed: Type.Boolean() })

test('an agent that was about to answer waits for the end of the suspension, and then answers once', async () => {
  const acme = await app.organization()
  const agent_id = await createReceptionist(acme)
  const [channel] = ok(await acme.call('GET', 'channels')).data
  ok(await acme.call('PATCH', `channels/${channel.id}`, { agent_id }))
  // The agent waits where it counts its attempt, just before it answers.
  const hold = await holdWrites(app, 'update on messages_to_answer for each row')
  ok(await acme.call('POST', 'simulator/messages', { from: '+12025557301', text: 'When are you open?' }), 202)
  const count = (table: 'answers' | 'waiting') =>
    table === 'waiting'
      ? app.database.forSystem().one(Count)`
          select count(*)::integer as n from messages_to_answer where organization_id = ${acme.id}`
      : app.database.forSystem().one(Count)`
          select count(*)::integer as n from messages where organization_id = ${acme.id} and actor_type = 'ai'`
  await hold.reached()
  ok(await operator.call('POST', `operator/organizations/${acme.id}/suspend`, { reason: 'Abuse' }))
  await hold.release()
  // The job has met the suspension and waits for its end.
  await until(async () => {
    const { postponed } = await app.database.forSystem().one(Job)`
      select exists (select from pgboss.job where name = 'agent-replies.answer' and state = 'created'
        and start_after > now() + interval '5 seconds') as postponed`
    return postponed
  })
  assert.deepEqual([(await count('answers')).n, (await count('waiting')).n], [0, 1])
  ok(await operator.call('POST', `operator/organizations/${acme.id}/lift`))
  await untilStatus(() => acme.call('GET', 'contacts'), 200)
  await until(async () => (await count('answers')).n === 1 && (await count('waiting')).n === 0)
})
