import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { ok, sharedTestApp } from '../../testing/app.ts'
import { type Campaigner, campaigner, countsOf } from '../../testing/campaigns.ts'
import { eventTypesOf } from '../../testing/events-of.ts'
import { connectChannel } from '../../testing/hooks.ts'
import { until } from '../../testing/process.ts'

const app = await sharedTestApp()
await app.listen()
let org: Campaigner
let other: Campaigner

before(async () => {
  org = await campaigner(app)
  other = await campaigner(app)
})

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
const body = (members: object = {}) => ({
  name: 'Spring news',
  chat_phone_number_id: org.channelId,
  message_template_id: org.templateId,
  ...members,
})
const create = (members: object = {}, headers = {}) => org.call('POST', 'campaigns', body(members), headers)
/** This node does not send. */
const schedule = async (members: object = {}) => {
  return ok(await create({ scheduled_at: tomorrow(), ...members }), 201)
}
const nothing = {
  total_contacts_count: 0,
  sent_count: 0,
  delivered_count: 0,
  read_count: 0,
  failed_count: 0,
  skipped_count: 0,
  unknown_count: 0,
  pending_count: 0,
  sending_count: 0,
}

test('a campaign for later is scheduled, and its counts are zero', async () => {
  const at = '2035-03-01T09:30:00+02:00'
  const campaign = await schedule({ name: '  Spring news ', scheduled_at: at, template_variables: { 1: 'Hi' } })
  const { id, created_at, updated_at, ...rest } = campaign
  assert.deepEqual(rest, {
    organization_id: org.id,
    name: 'Spring news',
    status: 'scheduled',
    chat_phone_number_id: org.channelId,
    message_template_id: org.templateId,
    template_variables: { 1: 'Hi' },
    audience_type: 'all',
    audience_tags: null,
    audience_contact_ids: null,
    scheduled_at: '2035-03-01T07:30:00.000Z',
    sending_times: null,
    ...nothing,
    replied_count: 0,
    pause_reason: null,
    pause_detail: null,
    failure_reason: null,
    waiting_until: null,
    waiting_reason: null,
    started_at: null,
    frozen_at: null,
    completed_at: null,
    livemode: false,
  })
  assert.equal(updated_at, created_at)
  assert.deepEqual((await org.call('GET', `campaigns/${id}`)).body, campaign)
})

test('a campaign for now is sending, and the response has the exact number of recipients', async () => {
  const ids = await org.contacts(3)
  const campaign = await org.send(ids)
  assert.equal(campaign.status, 'sending')
  assert.deepEqual(campaign.audience_contact_ids, ids)
  assert.deepEqual(countsOf(campaign), { ...nothing, total_contacts_count: 3, pending_count: 3 })
  const past = await org.send(ids, { scheduled_at: '2020-01-01T00:00:00Z' })
  assert.equal(past.status, 'sending')
  assert.equal(past.scheduled_at, '2020-01-01T00:00:00.000Z')
})

test('an audience is all contacts, contacts with any of the tags, or the contacts listed', async () => {
  const own = await campaigner(app)
  const [one, two] = await own.contacts(2, { tags: ['vip', 'news'] })
  await own.contacts(1, { tags: ['news'] })
  await own.contacts(1)
  const total = async (members: object) => (await own.send(null, members)).total_contacts_count
  assert.equal(await total({}), 4)
  assert.equal(await total({ audience_type: 'tags', audience_tags: ['vip'] }), 2)
  assert.equal(await total({ audience_type: 'tags', audience_tags: [' vip ', 'vip'] }), 2)
  assert.equal(await total({ audience_type: 'tags', audience_tags: ['vip', 'news'] }), 3)
  assert.equal(await total({ audience_type: 'tags', audience_tags: ['nobody'] }), 0)
  assert.equal(await total({ audience_type: 'manual', audience_contact_ids: [one, two, one] }), 2)
})

test('an invalid field is refused, and the error names it', async () => {
  const [contact] = await org.contacts(1)
  const wrong: [object, string[]][] = [
    [{ name: undefined }, ['body', 'name']],
    [{ name: '  ' }, ['body', 'name']],
    [{ name: 'x'.repeat(256) }, ['body', 'name']],
    [{ chat_phone_number_id: undefined }, ['body', 'chat_phone_number_id']],
    [{ chat_phone_number_id: 'x' }, ['body', 'chat_phone_number_id']],
    [{ message_template_id: 7 }, ['body', 'message_template_id']],
    [{ audience_type: 'some' }, ['body', 'audience_type']],
    [{ audience_type: 'tags' }, ['body', 'audience_tags']],
    [{ audience_type: 'tags', audience_tags: [] }, ['body', 'audience_tags']],
    [{ audience_type: 'tags', audience_tags: [' '] }, ['body', 'audience_tags']],
    [{ audience_type: 'manual' }, ['body', 'audience_contact_ids']],
    [{ audience_type: 'manual', audience_contact_ids: [] }, ['body', 'audience_contact_ids']],
    [{ audience_type: 'manual', audience_contact_ids: [contact, 'x'] }, ['body', 'audience_contact_ids', '1']],
    [{ scheduled_at: 'tomorrow' }, ['body', 'scheduled_at']],
    [{ template_variables: { 1: 2 } }, ['body', 'template_variables', '1']],
    [{ template_variables: { 1: ' ' } }, ['body', 'template_variables', '1']],
    [{ template_variables: { 2: 'Hi {{contact.secret}}' } }, ['body', 'template_variables', '2']],
    [{ template_variables: { 2: 'Hi {{contact.name' } }, ['body', 'template_variables', '2']],
  ]
  const before = (await org.call('GET', 'campaigns')).body.total_count
  for (const [members, loc] of wrong)
    for (const path of ['campaigns', 'campaigns/preflight']) {
      const answer = await org.call('POST', path, body(members))
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(answer.body.detail[0].loc, loc)
    }
  assert.equal((await org.call('GET', 'campaigns')).body.total_count, before)
})

test('a channel, template or contact that does not exist or belongs to another organization is refused', async () => {
  const pending = await org.call('POST', 'templates', {
    channel_id: org.channelId,
    name: 'not_yet_reviewed',
    language: 'en_US',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: '{{1}} starts with a variable, which the platform refuses {{2}}' }],
  })
  await until(async () => (await org.call('GET', `templates/${pending.body.id}`)).body.status === 'REJECTED')
  const elsewhere = await connectChannel(org)
  const [own] = await org.contacts(1)
  const [foreign] = await other.contacts(1)
  const unknownId = newId()
  const wrong: [object, RegExp][] = [
    [{ chat_phone_number_id: unknownId }, /channel or phone number was not found/],
    [{ chat_phone_number_id: other.channelId }, /channel or phone number was not found/],
    [{ message_template_id: unknownId }, /template was not found/],
    [{ message_template_id: other.templateId }, /template was not found/],
    [{ message_template_id: pending.body.id }, /not approved: its status is REJECTED/],
    [{ chat_phone_number_id: elsewhere.id }, /another business account/],
    [{ audience_type: 'manual', audience_contact_ids: [own, foreign] }, new RegExp(`not found: ${foreign}$`)],
    [
      { audience_type: 'manual', audience_contact_ids: Array.from({ length: 25 }, () => newId()) },
      /not found: .* and 5 more$/,
    ],
  ]
  for (const [members, detail] of wrong)
    for (const path of ['campaigns', 'campaigns/preflight']) {
      const answer = await org.call('POST', path, body(members))
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.detail, detail)
    }
})

test('in live mode a channel without a connection cannot send', async () => {
  const live = await app.organization({ mode: 'live' })
  const channel = await live.call('POST', 'channels', { phone_number: '+14155550177' })
  const answer = await live.call('POST', 'campaigns', { name: 'News', chat_phone_number_id: channel.body.id })
  assert.equal(answer.status, 409, answer.text)
  assert.match(answer.body.detail, /not connected to the chat platform/)
})

test('campaigns need a credential with the scope', async () => {
  assert.equal((await app.call('POST', 'campaigns', body())).status, 401)
  const { secret } = await app.key(org.id, { scopes: ['contacts:read'] })
  for (const [method, path] of [
    ['GET', 'campaigns'],
    ['POST', 'campaigns'],
    ['POST', 'campaigns/preflight'],
    ['GET', `campaigns/${newId()}`],
    ['PATCH', `campaigns/${newId()}`],
    ['DELETE', `campaigns/${newId()}`],
    ['POST', `campaigns/${newId()}/pause`],
    ['GET', `campaigns/${newId()}/deliveries`],
  ] as const)
    assert.equal(
      (await app.as(secret)(method, path, method === 'GET' ? undefined : {})).status,
      403,
      `${method} ${path}`,
    )
  const { secret: enough } = await app.key(org.id, { scopes: ['campaigns:manage'] })
  assert.equal((await app.as(enough)('GET', 'campaigns')).status, 200)
})

test('creating campaigns is rate-limited per credential, and the response says how long to wait', async () => {
  const strict = await app.node({ RATE_LIMIT_CAMPAIGNS_PER_MINUTE: 2, ROLE: 'api' })
  const call = strict.as((await app.key(org.id)).secret)
  const statuses: number[] = []
  let last = await call('POST', 'campaigns', body({ scheduled_at: tomorrow() }))
  for (let i = 0; i < 3; i++) {
    statuses.push(last.status)
    last = await call('POST', 'campaigns', body({ scheduled_at: tomorrow() }))
  }
  assert.deepEqual(statuses, [201, 201, 429])
  assert.equal(last.body.error, 'rate_limit_exceeded')
  assert.ok(last.body.retry_after >= 1 && last.body.retry_after <= 60)
  assert.equal((await call('POST', 'campaigns/preflight', body())).status, 200)
})

test('a body with 100,000 contact ids is accepted, one above 8 MiB is not', async () => {
  const [contact] = await org.contacts(1)
  const audience_contact_ids = Array.from({ length: 100_000 }, () => contact)
  const members = { audience_type: 'manual', audience_contact_ids }
  const answer = await org.call('POST', 'campaigns/preflight', body(members))
  assert.equal(answer.status, 200, answer.text.slice(0, 500))
  assert.equal(answer.body.recipients, 1)
  const tooMany = await create({ ...members, audience_contact_ids: [...audience_contact_ids, contact] })
  assert.equal(tooMany.status, 422)
  const padding = 'x'.repeat(8 * 1024 * 1024)
  assert.equal((await create({ padding })).status, 413)
  assert.equal((await org.call('POST', 'campaigns/preflight', body({ padding }))).status, 413)
})

test('a repeated POST with the same idempotency key creates one campaign', async () => {
  const before = (await org.call('GET', 'campaigns')).body.total_count
  const key = { 'idempotency-key': 'campaign-once' }
  const members = { scheduled_at: tomorrow() }
  const [one, two] = [await create(members, key), await create(members, key)]
  assert.equal(two.headers['idempotent-replayed'], 'true')
  assert.deepEqual(two.body, one.body)
  assert.equal((await org.call('GET', 'campaigns')).body.total_count, before + 1)
})

test('campaigns are listed newest first, filtered by status, and only those of the organization', async () => {
  const own = await campaigner(app)
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.unshift((await own.send(null, { scheduled_at: tomorrow(), name: `${i}` })).id)
  await own.call('POST', `campaigns/${ids[1]}/cancel`)
  await own.call('POST', `campaigns/${ids[3]}/pause`)
  const list = async (query: string) => {
    const { data, ...page } = ok(await own.call('GET', `campaigns${query}`))
    return { ids: data.map(({ id }: { id: string }) => id), ...page }
  }
  assert.deepEqual(await list(''), { ids, has_more: false, next_cursor: ids[4], total_count: 5 })
  assert.deepEqual(await list('?limit=2'), {
    ids: ids.slice(0, 2),
    has_more: true,
    next_cursor: ids[1],
    total_count: 5,
  })
  assert.deepEqual((await list(`?limit=2&starting_after=${ids[1]}`)).ids, ids.slice(2, 4))
  assert.deepEqual(await list('?status=cancelled'), {
    ids: [ids[1]],
    has_more: false,
    next_cursor: ids[1],
    total_count: 1,
  })
  assert.equal((await list('?status=scheduled')).total_count, 3)
  assert.equal((await list('?status=paused')).total_count, 1)
  await own.call('DELETE', `campaigns/${ids[0]}`)
  assert.equal((await list('?status=scheduled')).total_count, 2)
  assert.deepEqual((await list('')).ids, ids.slice(1))
  for (const query of ['?status=asleep', '?limit=0', '?limit=101', '?starting_after=x'])
    assert.equal((await own.call('GET', `campaigns${query}`)).status, 422, query)
})

test('lists and events leave out long lists of contact ids; the campaign itself has them', async () => {
  const own = await campaigner(app)
  await own.crowd(1_001, 'crowd')
  const { data } = (await own.call('GET', 'contacts?limit=100')).body
  const few = data.map(({ id }: { id: string }) => id)
  const { rows } = await app.database.forTenant(own.scope).raw('select id from contacts', [])
  const many = rows.map(({ id }) => id as string)
  const one = await own.send(few, { scheduled_at: tomorrow() })
  const two = await own.send(many, { scheduled_at: tomorrow() })
  assert.equal(two.audience_contact_ids?.length, 1_001)
  assert.equal((await own.see(two.id)).audience_contact_ids?.length, 1_001)
  const listed = (await own.call('GET', 'campaigns')).body.data
  assert.deepEqual(
    listed.map(({ audience_contact_ids }: { audience_contact_ids: string[] | null }) => audience_contact_ids?.length),
    [undefined, 100],
  )
  const events = (await own.call('GET', 'events?type=campaign.scheduled')).body.data
  assert.deepEqual(
    events.map((event: { data: { object: { id: string } } }) => event.data.object.id),
    [two.id, one.id],
  )
  assert.equal(events[0].data.object.audience_contact_ids, null)
})

test('a campaign that does not exist or belongs to another organization is not found', async () => {
  const { id } = await schedule()
  for (const path of [`campaigns/${newId()}`, 'campaigns/x', `campaigns/${id}`]) {
    const call = path.endsWith(id) ? other.call : org.call
    for (const [method, suffix, payload] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', '', undefined],
      ['POST', '/pause', undefined],
      ['POST', '/resume', undefined],
      ['POST', '/cancel', undefined],
      ['POST', '/retry', { scope: 'failed' }],
      ['GET', '/deliveries', undefined],
    ] as const) {
      const answer = await call(method, path + suffix, payload)
      assert.equal(answer.status, 404, `${method} ${path}${suffix}: ${answer.text}`)
      assert.deepEqual(answer.body, { detail: 'Campaign not found' })
    }
  }
  assert.equal((await org.call('GET', `campaigns/${id}`)).body.name, 'Spring news')
})

test('a scheduled campaign can be changed in every field', async () => {
  const { id } = await schedule()
  const channel = await org.call('POST', 'channels', { phone_number: '+14155550188' })
  const template = await org.template()
  const [contact] = await org.contacts(1)
  const changes = {
    name: 'Summer news',
    chat_phone_number_id: channel.body.id,
    message_template_id: template,
    audience_type: 'manual',
    audience_contact_ids: [contact],
    scheduled_at: '2036-01-01T00:00:00.000Z',
    template_variables: { 1: '{{contact.phone_number}}' },
  }
  const answer = ok(await org.call('PATCH', `campaigns/${id}`, changes))
  for (const [name, value] of Object.entries(changes)) assert.deepEqual(answer[name], value, name)
  assert.equal(answer.status, 'scheduled')
  const cleared = await org.call('PATCH', `campaigns/${id}`, { message_template_id: null, template_variables: null })
  assert.equal(cleared.body.message_template_id, null)
  assert.equal(cleared.body.template_variables, null)
  assert.equal(cleared.body.name, 'Summer news')

  for (const [wrong, status] of [
    [{ name: '' }, 422],
    [{ audience_type: 'tags' }, 422],
    [{ audience_contact_ids: null }, 422],
    [{ template_variables: { 1: '{{x}}' } }, 422],
    [{ chat_phone_number_id: other.channelId }, 400],
    [{ message_template_id: other.templateId }, 400],
    [{ audience_contact_ids: [newId()] }, 400],
  ] as const) {
    const refused = await org.call('PATCH', `campaigns/${id}`, wrong)
    assert.equal(refused.status, status, refused.text)
  }
  const events = (await org.call('GET', 'events?type=campaign.updated')).body.data
  assert.equal(events[0].data.object.id, id)
})

test('a scheduled campaign can be changed although an unchanged field is no longer valid', async () => {
  const [stays, goes] = (await org.contacts(2)) as [string, string]
  const template = await org.template()
  const { id } = await schedule({
    message_template_id: template,
    audience_type: 'manual',
    audience_contact_ids: [stays, goes],
  })
  await org.call('DELETE', `contacts/${goes}`)
  await org.call('POST', `simulator/templates/${template}/events`, { event: 'quality', score: 'RED' })
  await until(async () => (await org.call('GET', `templates/${template}`)).body.platform_status === 'PAUSED')
  const later = { name: 'Later news', scheduled_at: '2036-01-01T00:00:00.000Z' }
  const postponed = ok(await org.call('PATCH', `campaigns/${id}`, later))
  assert.deepEqual([postponed.name, postponed.scheduled_at], [later.name, later.scheduled_at])
  for (const wrong of [
    { audience_contact_ids: [stays, goes] },
    { message_template_id: template },
    { scheduled_at: null },
  ]) {
    const refused = await org.call('PATCH', `campaigns/${id}`, wrong)
    assert.equal(refused.status, 400, refused.text)
  }
  assert.equal((await org.see(id)).status, 'scheduled')
})

test('removing the schedule of a campaign, or setting it to the past, starts it; it can no longer be changed', async () => {
  const contacts = await org.contacts(1)
  for (const scheduled_at of [null, '2020-01-01T00:00:00Z']) {
    const { id } = await schedule({ audience_type: 'manual', audience_contact_ids: contacts })
    const answer = await org.call('PATCH', `campaigns/${id}`, { scheduled_at })
    assert.equal(answer.body.status, 'sending', answer.text)
    const done = await org.until(id, ({ status }) => status === 'completed')
    assert.equal(done.sent_count, 1)
    const late = await org.call('PATCH', `campaigns/${id}`, { name: 'Too late' })
    assert.equal(late.status, 409)
    assert.match(late.body.detail, /this one is completed/)
  }
})

test('deleting a campaign removes its schedule and deliveries; contacts and messages stay', async () => {
  const { id } = await schedule()
  const gone = ok(await org.call('DELETE', `campaigns/${id}`))
  assert.deepEqual(gone, { message: 'Campaign deleted successfully' })
  assert.equal((await org.call('GET', `campaigns/${id}`)).status, 404)

  const [contact] = await org.contacts(1)
  const sent = await org.send([contact as string])
  await org.until(sent.id, ({ status }) => status === 'completed')
  await org.call('DELETE', `campaigns/${sent.id}`)
  const left = async (table: string, id: string) =>
    (await app.database.forTenant(org.scope).raw(`select from ${table} where ${id} = $1`, [sent.id])).rowCount
  await until(async () => (await left('campaigns', 'id')) === 0)
  assert.equal(await left('deliveries', 'campaign_id'), 0)
  assert.equal(await left('delivery_counts', 'campaign_id'), 0)
  const { activities } = (await org.call('GET', `contacts/${contact}/activities?type=message_outbound`)).body
  assert.equal(activities.length, 1)
  const types = (await org.call('GET', 'events?type=campaign.deleted')).body.data
  assert.equal(types[0].data.object.id, sent.id)
})

test('which actions are allowed depends on the status', async () => {
  const wrongly = async (id: string, verb: string, payload?: object) => {
    const answer = await org.call('POST', `campaigns/${id}/${verb}`, payload)
    assert.equal(answer.status, 409, `${verb}: ${answer.text}`)
    return answer.body.detail
  }
  const rightly = async (id: string, verb: string, payload?: object) => {
    const answer = await org.call('POST', `campaigns/${id}/${verb}`, payload)
    assert.equal(answer.status, 200, `${verb}: ${answer.text}`)
    return answer.body.status
  }
  const { id } = await schedule()
  assert.match(await wrongly(id, 'resume'), /scheduled cannot be resumed/)
  assert.match(await wrongly(id, 'retry', { scope: 'failed' }), /scheduled cannot be tried again/)
  assert.equal(await rightly(id, 'pause'), 'paused')
  assert.equal(await rightly(id, 'pause'), 'paused')
  assert.equal((await org.see(id)).pause_reason, 'user')
  assert.equal(await rightly(id, 'resume'), 'scheduled')
  assert.equal((await org.see(id)).pause_reason, null)
  assert.equal(await rightly(id, 'cancel'), 'cancelled')
  assert.equal(await rightly(id, 'cancel'), 'cancelled')
  for (const verb of ['pause', 'resume']) assert.match(await wrongly(id, verb), /that is cancelled cannot be/)
  assert.equal((await org.call('PATCH', `campaigns/${id}`, { name: 'x' })).status, 409)

  const done = await org.send(await org.contacts(1))
  await org.until(done.id, ({ status }) => status === 'completed')
  for (const verb of ['pause', 'resume', 'cancel']) assert.match(await wrongly(done.id, verb), /completed cannot be/)
  assert.equal((await org.call('POST', `campaigns/${done.id}/retry`, {})).status, 422)
  assert.equal((await org.call('POST', `campaigns/${done.id}/retry`, { scope: 'sent' })).status, 422)
  const nothingToDo = await org.call('POST', `campaigns/${done.id}/retry`, { scope: 'failed' })
  assert.equal(nothingToDo.body.retried_count, 0)
  assert.equal(nothingToDo.body.status, 'completed')
  assert.deepEqual(await eventTypesOf(org.call, id), [
    'campaign.scheduled',
    'campaign.paused',
    'campaign.scheduled',
    'campaign.cancelled',
  ])
})

test('a preflight reports what would be sent and writes nothing', async () => {
  const own = await campaigner(app, {
    text: 'Hello {{1}}, we are glad to tell you that your {{2}} is ready, and that our doors open at {{3}} today.',
    messagesPerSecond: 2,
  })
  await own.contacts(3, { custom_fields: { 2: 'parcel', 3: 'nine' } })
  await own.contacts(1, { custom_fields: { 2: 'parcel' } })
  await own.contacts(1, { name: ' ', custom_fields: { 2: { not: 'text' }, 3: '' } })
  const [out] = await own.contacts(1, { custom_fields: { 2: 'parcel', 3: 'nine' } })
  await own.call('PATCH', `contacts/${out}`, { opted_out: true })
  const [blocked] = await own.contacts(1, { custom_fields: { 2: 'parcel', 3: 'nine' } })
  await own.call('PATCH', `contacts/${blocked}`, { blocked: true })
  await app.database.inTenant(
    own.scope,
    (tx) =>
      tx.run`insert into contacts (id, name, custom_fields) values (${newId()}, 'Nobody', '{"2": "x", "3": "y"}')`,
  )
  const order = { name: 'News', chat_phone_number_id: own.channelId, message_template_id: own.templateId }
  const preflight = async (members: object = {}) => {
    return ok(await own.call('POST', 'campaigns/preflight', { ...order, ...members }))
  }
  const { last_message_at, ...preview } = await preflight()
  assert.ok(Date.parse(last_message_at) > Date.now() - 60_000)
  assert.deepEqual(preview, {
    total_contacts_count: 8,
    recipients: 3,
    skipped: { opted_out: 1, no_address: 1, blocked: 1 },
    missing_variable: 2,
    unresolved_variables: [
      { variable: '1', contacts: 1 },
      { variable: '2', contacts: 1 },
      { variable: '3', contacts: 2 },
    ],
    messages_per_second: 2,
    minutes: 0.03,
    time_zone: 'UTC',
    daily_limit: null,
    warnings: [],
  })
  const filled = await preflight({ template_variables: { 1: 'you', 2: 'thing', 3: '9' } })
  assert.equal(filled.recipients, 5)
  assert.equal(filled.missing_variable, 0)
  const otherwise = {
    1: '{{contact.name|friend}}',
    2: '{{contact.custom_fields.2| thing }}',
    3: 'at {{contact.custom_fields.3|9}}',
  }
  const kind = await preflight({ template_variables: otherwise })
  assert.equal(kind.recipients, 5)
  const without = await preflight({ message_template_id: undefined })
  assert.equal(without.recipients, 6)
  assert.equal(without.warnings.length, 1)
  assert.equal((await own.call('GET', 'campaigns')).body.total_count, 0)
  // The campaign then does what the preflight reported.
  const { pending_count, skipped_count, failed_count, total_contacts_count } = await own.send(null)
  assert.deepEqual([total_contacts_count, pending_count, skipped_count, failed_count], [8, 3, 3, 2])
})

test('a fallback text replaces a missing contact field', async () => {
  const own = await campaigner(app, { text: 'Hello {{1}}, we look forward to seeing you in {{2}} soon.' })
  const [ada = '', unnamed = ''] = [
    ...(await own.contacts(1, { name: 'Ada', custom_fields: { city: 'Bath' } })),
    ...(await own.contacts(1, { name: '' })),
  ]
  const template_variables = { 1: 'dear {{contact.name | friend}}', 2: '{{contact.custom_fields.city|your town}}' }
  const { id } = await own.send([ada, unnamed], { template_variables })
  const deliveries = await own.deliveries(id)
  const variablesOf = (contactId: string) => deliveries.find(({ contact_id }) => contact_id === contactId)?.variables
  assert.deepEqual(variablesOf(ada), { 1: 'dear Ada', 2: 'Bath' })
  assert.deepEqual(variablesOf(unnamed), { 1: 'dear friend', 2: 'your town' })
  for (const value of ['{{contact.name|}}', '{{contact.name|a|b}}', '{{contact.age|9}}']) {
    const { status } = await create({ template_variables: { 1: value } })
    assert.equal(status, 422, value)
  }
})

test('campaigns are found by part of their name, with or without a status filter', async () => {
  const own = await campaigner(app)
  const make = async (name: string, members: object = {}) =>
    (await own.send([], { name, audience_type: 'all', scheduled_at: tomorrow(), ...members })).id
  const spring = await make('Spring 100% news')
  await make('Autumn_news')
  const list = async (query: string) => (await own.call('GET', `campaigns?${query}`)).body
  const found = await list('search=%20SPRING')
  assert.deepEqual([found.total_count, found.data.map(({ id }: { id: string }) => id)], [1, [spring]])
  assert.equal((await list('search=news&limit=1')).total_count, 2)
  assert.equal((await list('search=news&limit=1')).has_more, true)
  assert.equal((await list('search=news&status=sending')).total_count, 0)
  assert.equal((await list('search=0%25')).total_count, 1)
  assert.equal((await list('search=s_n')).total_count, 0)
})

test('deliveries are listed by status, in pages, with exact totals', async () => {
  const own = await campaigner(app)
  const [stopped] = await own.contacts(1)
  await own.call('PATCH', `contacts/${stopped}`, { opted_out: true })
  await own.crowd(30, 'crowd')
  const campaign = await own.send(null)
  const list = async (query: string) => {
    return ok(await own.call('GET', `campaigns/${campaign.id}/deliveries${query}`))
  }
  const first = await list('?limit=20')
  const second = await list(`?limit=20&starting_after=${first.next_cursor}`)
  assert.equal(first.total_count, 31)
  assert.deepEqual([first.has_more, second.has_more], [true, false])
  const all = [...first.data, ...second.data].map(({ id }) => id)
  assert.equal(new Set(all).size, 31)
  assert.deepEqual(all, all.toSorted().toReversed())
  const skipped = await list('?status=skipped')
  assert.equal(skipped.total_count, 1)
  assert.equal(skipped.data[0].contact_id, stopped)
  assert.equal(skipped.data[0].reason, 'opted_out')
  assert.deepEqual(await list('?status=unknown'), { data: [], has_more: false, next_cursor: null, total_count: 0 })
  for (const query of ['?status=lost', '?limit=1000', '?starting_after=1'])
    assert.equal((await own.call('GET', `campaigns/${campaign.id}/deliveries${query}`)).status, 422, query)
})

test('deleting a contact keeps its delivery and the counts, without the link', async () => {
  const own = await campaigner(app)
  const [contact, stays] = (await own.contacts(2)) as [string, string]
  const campaign = await own.send([contact, stays])
  await own.until(campaign.id, ({ status }) => status === 'completed')
  assert.equal((await own.call('DELETE', `contacts/${contact}`)).status, 200)
  const deliveries = await own.deliveries(campaign.id)
  assert.deepEqual(
    deliveries.map(({ contact_id }) => contact_id).toSorted((a, b) => Number(a === null) - Number(b === null)),
    [stays, null],
  )
  assert.ok(deliveries.every(({ phone_number }) => phone_number !== ''))
  assert.equal((await own.see(campaign.id)).total_contacts_count, 2)
})
