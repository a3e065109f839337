import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok, startTestApp } from '../../testing/app.ts'
import { failedJob } from '../../testing/demo-records.ts'
import { operatorOf } from '../../testing/operators.ts'
import { person, untilStatus } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import { totpCode, totpStep } from '../organizations/second-factors/totp.ts'

const app = await startTestApp({ settings: { RATE_LIMIT_PER_MINUTE: 100_000, CALLS_PER_ORGANIZATION: 7 } })
const operator = await operatorOf(app)
const acme = await app.organization({ name: 'Acme', mode: 'live' })
const owner = await person(app, acme.id, 'owner')

const operations = [
  ['GET', 'operator/installation'],
  ['GET', 'operator/organizations'],
  ['GET', `operator/organizations/${acme.id}`],
  ['PATCH', `operator/organizations/${acme.id}`, { calls_at_once: 1 }],
  ['POST', `operator/organizations/${acme.id}/suspend`, { reason: 'x' }],
  ['POST', `operator/organizations/${acme.id}/lift`],
  ['GET', `operator/organizations/${acme.id}/usage`],
  ['GET', 'operator/actions'],
  ['GET', 'operator/jobs'],
  ['POST', `operator/jobs/${newId()}/retry`],
] as const

test('only operators reach these operations: no role and no key of an organization does', async () => {
  for (const [method, path, body] of operations) {
    const refused = await owner.call(method, path, body)
    assert.deepEqual([refused.status, refused.body.error.required_scope], [403, 'operator'], path)
    assert.equal((await acme.call(method, path, body)).status, 401, `${path} with a key`)
    assert.equal((await app.call(method, path, body)).status, 401, `${path} without a credential`)
  }
  assert.equal((await acme.call('GET', 'organization')).status, 200)
  assert.equal((await owner.call('GET', 'me')).body.is_operator, false)
  assert.equal((await operator.call('GET', 'me')).body.is_operator, true)
})

test('a person without any organization can operate, and one who is removed no longer can', async () => {
  const other = await person(app, [], 'member')
  assert.equal((await other.call('GET', 'operator/installation')).status, 403)
  await app.database.forSystem().run`insert into operators (user_id) values (${other.id})`
  assert.equal((await other.call('GET', 'operator/installation')).status, 200)
  await app.database.forSystem().run`delete from operators where user_id = ${other.id}`
  assert.equal((await other.call('GET', 'operator/installation')).status, 403)
})

test('operators need a second factor from the second organization on, or as the setting says', async () => {
  const strict = await app.node({ OPERATOR_SECOND_FACTOR: 'auto' })
  const other = await person(app, operator.home.id, 'member')
  await app.database.forSystem().run`insert into operators (user_id) values (${other.id})`
  const call = strict.as(other.token)
  const refused = await call('GET', 'operator/installation')
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'second_factor_setup_required'], refused.text)
  assert.equal((await call('GET', 'me')).body.operator_needs_second_factor, true)
  assert.equal((await other.call('GET', 'me')).body.operator_needs_second_factor, false, 'the setting is never')
  const { secret } = (await call('POST', 'auth/authenticator', {})).body
  const code = totpCode(secret, totpStep(Date.now()))
  assert.equal((await call('POST', 'auth/authenticator/confirm', { code })).status, 200)
  assert.equal((await call('GET', 'operator/installation')).status, 200)
  assert.equal((await call('GET', 'me')).body.operator_needs_second_factor, false)
})

test('organizations are listed, searched and paged', async () => {
  const listed = ok(await operator.call('GET', 'operator/organizations?search=ACM'))
  const [found] = listed.data
  assert.deepEqual([found.id, found.members_count, found.status, listed.total_count], [acme.id, 1, 'active', 1])
  assert.deepEqual((await operator.call('GET', `operator/organizations?search=${acme.id}`)).body.data, [found])
  assert.deepEqual((await operator.call('GET', `operator/organizations/${acme.id}`)).body, found)
  const first = (await operator.call('GET', 'operator/organizations?limit=1')).body
  assert.deepEqual([first.has_more, first.total_count >= 2], [true, true])
  const next = (await operator.call('GET', `operator/organizations?limit=1&starting_after=${first.next_cursor}`)).body
  assert.notEqual(next.data[0].id, first.data[0].id)
  assert.equal((await operator.call('GET', 'operator/organizations?status=suspended')).body.total_count, 0)
  assert.equal((await operator.call('GET', 'operator/organizations?status=odd')).status, 422)
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', {}],
    ['POST', '/suspend', { reason: 'x' }],
    ['POST', '/lift', undefined],
    ['GET', '/usage', undefined],
  ] as const) {
    const missing = await operator.call(method, `operator/organizations/${newId()}${path}`, body)
    assert.deepEqual([missing.status, missing.body], [404, { detail: 'Organization not found' }], path)
  }
})

test('limits of one organization replace the settings there and nowhere else, and are in its audit log', async () => {
  const globex = await app.organization({ mode: 'live' })
  const limited = await operator.call('PATCH', `operator/organizations/${globex.id}`, {
    requests_per_minute: 3,
    calls_at_once: 2,
  })
  assert.deepEqual([limited.body.requests_per_minute, limited.body.calls_at_once], [3, 2], limited.text)
  const { limits } = (await globex.call('GET', 'organization')).body
  assert.deepEqual([limits.requests_per_minute, limits.calls_at_once], [3, 2])
  await untilStatus(() => globex.call('GET', 'contacts'), 429)
  assert.equal((await globex.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' })).status, 429)
  assert.equal((await acme.call('GET', 'contacts')).status, 200)
  const lifted = await operator.call('PATCH', `operator/organizations/${globex.id}`, { requests_per_minute: null })
  assert.deepEqual([lifted.body.requests_per_minute, lifted.body.calls_at_once], [null, 2])
  const reader = await person(app, globex.id, 'owner')
  const { data } = (await reader.call('GET', `audit-log?object_id=${globex.id}`)).body
  assert.deepEqual(
    data.map(({ action, actor_name, previous, current }: Record<string, unknown>) => ({
      action,
      actor_name,
      previous,
      current,
    })),
    [
      {
        action: 'organization.updated',
        actor_name: 'Operator of this installation',
        previous: { requests_per_minute: 3 },
        current: { requests_per_minute: null },
      },
      {
        action: 'organization.updated',
        actor_name: 'Operator of this installation',
        previous: { requests_per_minute: null, calls_at_once: null },
        current: { requests_per_minute: 3, calls_at_once: 2 },
      },
    ],
  )
  assert.deepEqual([data[0].actor_type, data[0].actor_id, data[0].ip_address], ['system', null, null])
  const actions = await operator.call('GET', `operator/actions?organization_id=${globex.id}&limit=1`)
  assert.deepEqual([actions.status, actions.body.total_count, actions.body.has_more], [200, 2, true], actions.text)
  const [last] = actions.body.data
  assert.deepEqual(
    [
      last.actor_id,
      last.actor_name,
      last.ip_address,
      last.organization_name === last.object_name,
      last.current,
      last.request_id,
    ],
    [operator.id, 'Olga Operator', '127.0.0.1', true, { requests_per_minute: null }, data[0].request_id],
  )
  const older = await operator.call('GET', `operator/actions?organization_id=${globex.id}&starting_after=${last.id}`)
  assert.deepEqual([older.body.data.length, older.body.data[0].current.calls_at_once], [1, 2])
  assert.equal((await operator.call('GET', 'operator/actions?organization_id=odd')).status, 422)
  for (const body of [{ requests_per_minute: 0 }, { calls_at_once: -1 }, { calls_at_once: 'many' }])
    assert.equal((await operator.call('PATCH', `operator/organizations/${globex.id}`, body)).status, 422)
})

test('an organization cannot change its limits or its suspension itself', async () => {
  const tenant = app.database.forTenant({ organizationId: acme.id, livemode: true })
  await assert.rejects(() => tenant.run`update organizations set requests_per_minute = 1000000`)
  await assert.rejects(() => tenant.run`update organizations set suspended_at = null`)
  await assert.rejects(() => tenant.run`select from operators`)
})

test('usage counts messages, calls, minutes, cost and tokens of a month and a mode', async () => {
  const hooli = await app.organization()
  await app.database.inTenant({ organizationId: hooli.id, livemode: false }, async (tx) => {
    await tx.run`
      insert into calls (id, medium, direction, status, telephony_status, call_id, from_number, to_number, variables, metadata,
        duration_seconds, cost, cost_breakdown, usage, deadline_at, ended_at)
      select new_id(), 'web', 'inbound', 'completed', 'completed', 'C' || n, '+1', '+2', '{}', '{}', 90, 0.25,
        '{"telephony": 0, "transcription": 0.15, "voice": 0, "llm": 0.1, "own_keys": 0.1}',
        '{"model": {"inputTokens": 1000, "outputTokens": 10}}', now(), now() from generate_series(1, 2) n`
    await tx.run`
      insert into chat_tokens (month, input_tokens, output_tokens, own_key_input_tokens, own_key_output_tokens)
      values (date_trunc('month', now() at time zone 'UTC'), 2000000, 500000, 1000000, 0)`
  })
  const [month, before] = ok(
    await operator.call('GET', `operator/organizations/${hooli.id}/usage?mode=test&months=2`),
  ).data
  assert.deepEqual(
    { ...month, month: '' },
    {
      month: '',
      messages_received: 0,
      messages_sent: 0,
      calls: 2,
      call_minutes: 3,
      call_cost: 0.5,
      call_own_key_cost: 0.2,
      call_input_tokens: 2000,
      call_output_tokens: 20,
      chat_input_tokens: 2_000_000,
      chat_output_tokens: 500_000,
      chat_own_key_input_tokens: 1_000_000,
      chat_own_key_output_tokens: 0,
      // At the default rates of 0.25 and 2 USD per million.
      chat_cost: 1.5,
      chat_own_key_cost: 0.25,
    },
  )
  assert.ok(before.month < month.month)
  assert.deepEqual([before.calls, before.chat_cost], [0, 0])
  const live = await operator.call('GET', `operator/organizations/${hooli.id}/usage`)
  assert.deepEqual([live.body.mode, live.body.data.length, live.body.data[0].calls], ['live', 6, 0])
  assert.equal((await operator.call('GET', `operator/organizations/${hooli.id}/usage?months=25`)).status, 422)
})

test('the installation shows version, health and queues; a failed job is listed and retried once', async () => {
  const state = (await operator.call('GET', 'operator/installation')).body
  assert.equal(state.is_healthy, true, JSON.stringify(state.checks))
  assert.match(state.version, /^\d+\.\d+/)
  for (const name of ['inbound webhooks', 'webhook endpoints', 'campaign messages', 'calls']) {
    const queue = state.queues.find((each: { name: string }) => each.name === name)
    assert.deepEqual([queue?.waiting, queue?.oldest_seconds], [0, null], name)
  }

  const jobId = await failedJob(app, {
    organizationId: acme.id,
    livemode: true,
    ticketId: newId(),
    messageId: newId(),
  })
  const listed = (await operator.call('GET', 'operator/jobs')).body.data
  const job = listed.find(({ id }: { id: string }) => id === jobId)
  assert.deepEqual(
    [job.name, job.state, job.organization_id, job.error],
    ['agent-replies.answer', 'failed', acme.id, 'no answer'],
  )
  assert.equal((await operator.call('POST', `operator/jobs/${jobId}/retry`)).status, 200)
  await until(async () => !(await operator.call('GET', 'operator/jobs')).text.includes(jobId))
  assert.equal((await operator.call('POST', `operator/jobs/${jobId}/retry`)).status, 409)
  assert.equal((await operator.call('POST', `operator/jobs/${newId()}/retry`)).status, 404)
  const [entry] = (await owner.call('GET', `audit-log?object_id=${jobId}`)).body.data
  assert.deepEqual([entry.action, entry.actor_name], ['job.retried', 'Operator of this installation'])
})
