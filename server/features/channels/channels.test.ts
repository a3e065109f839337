import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { ok, startTestApp } from '../../testing/app.ts'
import { createDefaultTestChannel } from './create-default-test-channel.ts'
import { findStoredChannel } from './queries.ts'
import { openChat, openVoice } from './sides.ts'

const app = await startTestApp()
const acme = await app.organization()
const globex = await app.organization()
const secrets = createSecretBox(app.settings.SECRET_KEY as string)

let numbers = 0
const freshNumber = () => `+1415555${String(1000 + ++numbers)}`
const chat = () => ({
  phone_number_id: `chat-${++numbers}`,
  business_account_id: '102290129340398',
  access_token: 'EAAJ-access-token-that-nobody-may-see',
  app_secret: 'app-secret-that-nobody-may-see',
  verify_token: 'verify token that nobody may see',
})
const voice = () => ({
  provider: 'twilio',
  account_sid: 'AC00000000000000000000000000000000',
  auth_token: 'auth-token-that-nobody-may-see',
  phone_number_id: `PN${++numbers}`,
})
const scopeOf = (organization: { id: string }) => ({ organizationId: organization.id, livemode: false })
async function opened(organization: { id: string }, id: string) {
  const scope = scopeOf(organization)
  const channel = await findStoredChannel(app.database.forTenant(scope), id)
  if (!channel) throw notFound('Channel')
  return { chat: openChat(secrets, scope, channel), voice: openVoice(secrets, scope, channel) }
}
const eventsOf = (organization: { id: string }, id: string) =>
  app.database.forTenant(scopeOf(organization)).all(Type.Unsafe<{ type: string; data: Record<string, unknown> }>({}))`
    select type, data from events where data -> 'object' ->> 'id' = ${id} order by id`

test('a new organization has one test channel and no live channel', async () => {
  const organization = await app.organization()
  const { body } = await organization.call('GET', 'channels')
  assert.equal(body.total_count, 1)
  const [channel] = body.data
  assert.equal(channel.phone_number, '+18005550199')
  assert.equal(channel.livemode, false)
  assert.equal(channel.chat, null)
  const live = await app.key(organization.id, { mode: 'live' })
  assert.equal((await app.as(live.secret)('GET', 'channels')).body.total_count, 0)
})

test('the default test channel is created once, and not again after it was deleted', async () => {
  const organization = await app.organization()
  const [channel] = (await organization.call('GET', 'channels')).body.data
  await organization.call('DELETE', `channels/${channel.id}`)
  await app.database.inSystem((tx) => createDefaultTestChannel(tx, organization.id))
  assert.equal((await organization.call('GET', 'channels')).body.total_count, 0)
})

test('a phone number is enough to create a channel in either mode', async () => {
  const live = await app.organization({ mode: 'live' })
  for (const organization of [acme, live]) {
    const created = ok(await organization.call('POST', 'channels', { phone_number: '+1 (415) 555-0177' }), 201)
    const { id, created_at, updated_at, ...rest } = created
    assert.deepEqual(rest, {
      organization_id: organization.id,
      phone_number: '+14155550177',
      display_name: '',
      agent_id: null,
      messages_per_second: 80,
      coexistence: false,
      marketing_messages: false,
      asks_for_rating: false,
      chat: null,
      voice: null,
      status: 'active',
      status_reason: null,
      health: null,
      livemode: organization === live,
    })
    assert.equal(created_at, updated_at)
    assert.deepEqual((await organization.call('GET', `channels/${id}`)).body, created)
  }
})

test('a channel shows its sides without their secrets, which are stored encrypted', async () => {
  const given = { chat: { ...chat(), account_id: '215589313241560' }, voice: voice() }
  const created = await acme.call('POST', 'channels', {
    phone_number: freshNumber(),
    display_name: '  Reception ',
    messages_per_second: 1000,
    ...given,
  })
  assert.equal(created.status, 201, created.text)
  assert.equal(created.body.display_name, 'Reception')
  assert.equal(created.body.messages_per_second, 1000)
  assert.deepEqual(created.body.chat, {
    phone_number_id: given.chat.phone_number_id,
    business_account_id: '102290129340398',
    account_id: '215589313241560',
    app_id: null,
    has_access_token: true,
    has_app_secret: true,
    has_verify_token: true,
    hook_url: created.body.chat.hook_url,
  })
  assert.match(created.body.chat.hook_url, /^\/hooks\/chat\/[0-9A-Za-z]{32}$/)
  assert.deepEqual(created.body.voice, {
    provider: 'twilio',
    account_sid: 'AC00000000000000000000000000000000',
    phone_number_id: given.voice.phone_number_id,
    has_auth_token: true,
  })
  assert.deepEqual(await opened(acme, created.body.id), { ...given, chat: { ...given.chat, app_id: null } })
  const stored = await app.database.forSystem().one(Type.Unsafe<{ sealed_bytes: number }>({}))`
    select length(sealed_chat) + length(sealed_voice) as sealed_bytes, encode(sealed_chat, 'escape') as sealed_chat_text,
      encode(sealed_voice, 'escape') as sealed_voice_text, to_jsonb(channels) as whole
    from channels where id = ${created.body.id}`
  assert.ok(stored.sealed_bytes > 100)

  const everything = [created.text, JSON.stringify(stored), (await acme.call('GET', 'channels')).text]
  everything.push((await acme.call('GET', `channels/${created.body.id}`)).text)
  everything.push((await acme.call('PATCH', `channels/${created.body.id}`, { display_name: 'Desk' })).text)
  everything.push((await acme.call('DELETE', `channels/${created.body.id}`)).text)
  const events = await eventsOf(acme, created.body.id)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['channel.created', 'channel.updated', 'channel.deleted'],
  )
  everything.push(JSON.stringify(events))
  for (const text of everything) assert.doesNotMatch(text, /nobody.may.see/)
})

test('an idempotent retry returns the same channel and never its secrets', async () => {
  const body = { phone_number: freshNumber(), chat: chat() }
  const headers = { 'idempotency-key': 'channel once' }
  const first = await acme.call('POST', 'channels', body, headers)
  const again = await acme.call('POST', 'channels', body, headers)
  assert.equal(again.status, 201)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.deepEqual(again.body, first.body)
  const other = await acme.call('POST', 'channels', { ...body, display_name: 'Other' }, headers)
  assert.equal(other.status, 409)
  const kept = await app.database.forSystem().all(Type.Unsafe<object>({}))`select body from idempotency_keys`
  assert.doesNotMatch(JSON.stringify(kept), /nobody.may.see/)
})

test('a sealed secret can be opened only for its own channel, organization and side', async () => {
  const one = (await acme.call('POST', 'channels', { phone_number: freshNumber(), chat: chat() })).body
  const two = (await acme.call('POST', 'channels', { phone_number: freshNumber(), chat: chat() })).body
  await app.database.forSystem().run`
    update channels set sealed_chat = (select sealed_chat from channels where id = ${one.id}) where id = ${two.id}`
  await assert.rejects(opened(acme, two.id))
  const { voice: both } = (await acme.call('PATCH', `channels/${one.id}`, { voice: voice() })).body
  assert.ok(both)
  await app.database.forSystem().run`update channels set sealed_voice = sealed_chat where id = ${one.id}`
  await assert.rejects(opened(acme, one.id))
  await assert.rejects(opened(globex, one.id), { status: 404 })
})

test('a number belongs to one channel: a second one is refused with the id of the first', async () => {
  const first = { phone_number: freshNumber(), chat: chat(), voice: voice() }
  const { id } = (await acme.call('POST', 'channels', first)).body
  for (const [clash, word] of [
    [{ phone_number: first.phone_number }, first.phone_number],
    [{ chat: { ...chat(), phone_number_id: first.chat.phone_number_id } }, 'chat.phone_number_id'],
    [{ voice: { ...voice(), phone_number_id: first.voice.phone_number_id } }, 'voice.phone_number_id'],
  ] as const) {
    const created = await acme.call('POST', 'channels', { phone_number: freshNumber(), ...clash })
    assert.equal(created.status, 409, created.text)
    assert.equal(created.body.existing_id, id)
    assert.match(created.body.detail, new RegExp(word.replace('+', '\\+')))
    const other = (await acme.call('POST', 'channels', { phone_number: freshNumber() })).body
    const changed = await acme.call('PATCH', `channels/${other.id}`, clash)
    assert.equal(changed.status, 409, changed.text)
    assert.equal(changed.body.existing_id, id)
    assert.deepEqual((await acme.call('GET', `channels/${other.id}`)).body, other)
  }
  assert.equal((await globex.call('POST', 'channels', first)).status, 201)
  const live = await app.key(acme.id, { mode: 'live' })
  assert.equal((await app.as(live.secret)('POST', 'channels', first)).status, 201)
})

test('of twenty concurrent requests for one number, one creates the channel and the others get its id', async () => {
  const phone_number = freshNumber()
  const answers = await Promise.all(Array.from({ length: 20 }, () => acme.call('POST', 'channels', { phone_number })))
  const [created, ...more] = answers.filter(({ status }) => status === 201)
  assert.equal(more.length, 0)
  const refused = answers.filter(({ status }) => status === 409)
  assert.equal(refused.length, 19)
  for (const { body } of refused) assert.equal(body.existing_id, created?.body.id)
})

test('of two channels that are changed to one number concurrently, one gets it', async () => {
  const phone_number = freshNumber()
  const ids = await Promise.all(
    Array.from(
      { length: 6 },
      async () => (await acme.call('POST', 'channels', { phone_number: freshNumber() })).body.id,
    ),
  )
  const answers = await Promise.all(ids.map((id) => acme.call('PATCH', `channels/${id}`, { phone_number })))
  const winner = answers.find(({ status }) => status === 200)
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409])
  for (const { body, status } of answers) if (status === 409) assert.equal(body.existing_id, winner?.body.id)
})

test('an update changes only the given members, also within a side', async () => {
  const given = { phone_number: freshNumber(), display_name: 'Desk', chat: chat(), voice: voice() }
  const created = (await acme.call('POST', 'channels', given)).body
  const path = `channels/${created.id}`
  const renewed = ok(await acme.call('PATCH', path, { chat: { access_token: 'renewed', unknown: 1 } }))
  assert.deepEqual({ ...renewed, updated_at: 0 }, { ...created, updated_at: 0 })
  assert.deepEqual(await opened(acme, created.id), {
    chat: { ...given.chat, account_id: null, app_id: null, access_token: 'renewed' },
    voice: given.voice,
  })

  const moved = ok(
    await acme.call('PATCH', path, {
      phone_number: '+1 415 555 0188',
      display_name: 'Front',
      messages_per_second: 1,
      chat: { account_id: '7' },
      voice: null,
    }),
  )
  assert.equal(moved.phone_number, '+14155550188')
  assert.equal(moved.chat.account_id, '7')
  assert.equal(moved.chat.phone_number_id, given.chat.phone_number_id)
  assert.equal(moved.voice, null)
  assert.equal((await opened(acme, created.id)).voice, null)

  const cleared = await acme.call('PATCH', path, { chat: null })
  assert.equal(cleared.body.chat, null)
  assert.deepEqual(await opened(acme, created.id), { chat: null, voice: null })
  const events = await eventsOf(acme, created.id)
  assert.deepEqual(
    events.map(({ data }) => Object.keys((data.previous as object) ?? {}).sort()),
    [[], [], ['chat', 'display_name', 'messages_per_second', 'phone_number', 'voice'], ['chat']],
  )
})

test('an update to the same values changes nothing and emits no event', async () => {
  const given = { phone_number: freshNumber(), chat: chat() }
  const created = (await acme.call('POST', 'channels', given)).body
  for (const same of [{}, given, { chat: {} }, { voice: null, agent_id: null }]) {
    const answer = ok(await acme.call('PATCH', `channels/${created.id}`, same))
    assert.deepEqual(answer, created)
  }
  assert.equal((await eventsOf(acme, created.id)).length, 1)
})

test('a new side must be given completely', async () => {
  const { id } = (await acme.call('POST', 'channels', { phone_number: freshNumber() })).body
  const partial = await acme.call('PATCH', `channels/${id}`, { chat: { access_token: 'x' }, voice: voice() })
  assert.equal(partial.status, 422)
  assert.deepEqual(
    partial.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')),
    ['phone_number_id', 'business_account_id', 'app_secret', 'verify_token'].map((name) => `body.chat.${name}`),
  )
  assert.equal((await acme.call('GET', `channels/${id}`)).body.voice, null)
  ok(await acme.call('PATCH', `channels/${id}`, { chat: chat() }))
})

test('an invalid body is rejected with its location and changes nothing', async () => {
  const { total_count } = (await acme.call('GET', 'channels')).body
  const phone_number = freshNumber()
  const { access_token, ...tokenless } = chat()
  for (const [body, ...locs] of [
    [{}, 'phone_number'],
    [{ phone_number: 'hello' }, 'phone_number'],
    [{ phone_number: '415 555 0100' }, 'phone_number'],
    [{ phone_number: 5 }, 'phone_number'],
    [{ phone_number, display_name: 'x'.repeat(256), messages_per_second: 0 }, 'display_name', 'messages_per_second'],
    [{ phone_number, messages_per_second: 1001 }, 'messages_per_second'],
    [{ phone_number, messages_per_second: 1.5 }, 'messages_per_second'],
    [{ phone_number, agent_id: 'x' }, 'agent_id'],
    [{ phone_number, chat: tokenless }, 'chat.access_token'],
    [{ phone_number, chat: { ...chat(), access_token: 'two words' } }, 'chat.access_token'],
    [{ phone_number, chat: { ...chat(), verify_token: '' } }, 'chat.verify_token'],
    [{ phone_number, chat: 'x' }, 'chat'],
    [{ phone_number, voice: { ...voice(), provider: 'other' } }, 'voice.provider'],
  ] as [object, ...string[]][]) {
    const answer = await acme.call('POST', 'channels', body)
    assert.equal(answer.status, 422, JSON.stringify(body))
    assert.deepEqual(
      answer.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')),
      locs.map((loc) => `body.${loc}`),
    )
    assert.doesNotMatch(answer.text, /nobody.may.see|two words/)
  }
  const { id } = (await acme.call('POST', 'channels', { phone_number })).body
  for (const body of [{ phone_number: null }, { display_name: null }, { chat: { access_token: null } }, { chat: 1 }])
    assert.equal((await acme.call('PATCH', `channels/${id}`, body)).status, 422, JSON.stringify(body))
  assert.equal((await acme.call('GET', 'channels')).body.total_count, total_count + 1)
})

test('null for an optional member is the same as omitting it', async () => {
  const created = ok(
    await acme.call('POST', 'channels', {
      phone_number: freshNumber(),
      display_name: null,
      agent_id: null,
      messages_per_second: null,
      chat: { ...chat(), account_id: null },
      voice: null,
    }),
    201,
  )
  assert.equal(created.messages_per_second, 80)
  assert.equal(created.chat.account_id, null)
})

test('a channel cannot be given an agent that does not exist', async () => {
  const created = await acme.call('POST', 'channels', { phone_number: freshNumber(), agent_id: newId() })
  assert.equal(created.status, 404)
  assert.deepEqual(created.body, { detail: 'Agent not found' })
  const { id } = (await acme.call('POST', 'channels', { phone_number: freshNumber() })).body
  const changed = await acme.call('PATCH', `channels/${id}`, { agent_id: newId() })
  assert.equal(changed.status, 404)
  assert.deepEqual(changed.body, { detail: 'Agent not found' })
})

test('a deleted channel is hidden everywhere, but its row and number are kept', async () => {
  const given = { phone_number: freshNumber(), chat: chat(), voice: voice() }
  const { id } = (await acme.call('POST', 'channels', given)).body
  const deleted = ok(await acme.call('DELETE', `channels/${id}`))
  assert.deepEqual(deleted, { message: 'Channel deleted successfully' })
  for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as [string, object?][]) {
    const answer = await acme.call(method, `channels/${id}`, body)
    assert.equal(answer.status, 404)
    assert.deepEqual(answer.body, { detail: 'Channel not found' })
  }
  await assert.rejects(opened(acme, id), { status: 404 })
  const { data } = (await acme.call('GET', 'channels', undefined)).body
  assert.ok(!data.some((each: { id: string }) => each.id === id))
  const [row] = await app.database
    .forSystem()
    .all(Type.Unsafe<{ deleted_at: string; sealed_chat: null; sealed_voice: null }>({}))`
    select deleted_at, sealed_chat, sealed_voice from channels where id = ${id}`
  assert.ok(row?.deleted_at)
  assert.equal(row.sealed_chat ?? row.sealed_voice, null)
  const again = ok(await acme.call('POST', 'channels', given), 201)
  assert.notEqual(again.id, id)
})

test('a channel of another organization or mode is 404', async () => {
  const { id } = (await acme.call('POST', 'channels', { phone_number: freshNumber(), chat: chat() })).body
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  for (const call of [globex.call, live])
    for (const path of [`channels/${id}`, `channels/${newId()}`, 'channels/nonsense'])
      for (const [method, body] of [['GET'], ['PATCH', { display_name: 'Mine' }], ['DELETE']] as [string, object?][]) {
        const answer = await call(method, path, body)
        assert.equal(answer.status, 404, `${method} ${path}`)
        assert.deepEqual(answer.body, { detail: 'Channel not found' })
      }
  assert.equal((await acme.call('GET', `channels/${id}`)).body.display_name, '')
})

test('channels are listed newest first, in pages', async () => {
  const organization = await app.organization()
  const ids: string[] = []
  for (let i = 0; i < 4; i++)
    ids.unshift((await organization.call('POST', 'channels', { phone_number: freshNumber() })).body.id)
  const seen: string[] = []
  let cursor = ''
  for (let page = 1; page <= 3; page++) {
    const { body } = await organization.call('GET', `channels?limit=2${cursor && `&starting_after=${cursor}`}`)
    assert.equal(body.total_count, 5)
    assert.equal(body.has_more, page < 3)
    assert.equal(body.next_cursor, body.data.at(-1).id)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor
  }
  assert.deepEqual(seen.slice(0, 4), ids)
  assert.equal(new Set(seen).size, 5)
  const beyond = await organization.call('GET', `channels?starting_after=${cursor}`)
  assert.deepEqual(beyond.body, { data: [], has_more: false, next_cursor: null, total_count: 5 })
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'starting_after=x'])
    assert.equal((await organization.call('GET', `channels?${query}`)).status, 422, query)
})

test('reading needs campaigns:manage, writing needs full access', async () => {
  const { id } = (await acme.call('POST', 'channels', { phone_number: freshNumber() })).body
  const manager = app.as((await app.key(acme.id, { scopes: ['campaigns:manage'] })).secret)
  const reader = app.as((await app.key(acme.id, { scopes: ['contacts:read'] })).secret)
  const operations: [string, string, object?][] = [
    ['GET', 'channels'],
    ['GET', `channels/${id}`],
    ['POST', 'channels', { phone_number: freshNumber() }],
    ['PATCH', `channels/${id}`, { display_name: 'x' }],
    ['DELETE', `channels/${id}`],
  ]
  for (const [method, path, body] of operations) {
    const isRead = method === 'GET'
    assert.equal((await app.call(method, path, body)).status, 401)
    assert.equal((await manager(method, path, body)).status, isRead ? 200 : 403, `${method} ${path}`)
    const refused = await reader(method, path, body)
    assert.equal(refused.status, 403)
    assert.equal(refused.body.error.required_scope, isRead ? 'campaigns:manage' : 'full_access')
  }
})
