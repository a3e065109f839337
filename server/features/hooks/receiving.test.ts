import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { createSecretBox } from '../../platform/secrets.ts'
import { ok, startTestApp } from '../../testing/app.ts'
import {
  connectChannel,
  deliver,
  messageFrom,
  messagesTo,
  payloadOf,
  post,
  processed,
  signatureOf,
  textFrom,
} from '../../testing/hooks.ts'
import { until } from '../../testing/process.ts'
import { hookOfChannel } from '../channels/hooks/hook-of-channel.ts'
import { isSignedWith, readSignature } from './check-signature.ts'

const app = await startTestApp()
const acme = await app.organization()
const globex = await app.organization()
const channel = await connectChannel(acme)

const Count = Type.Object({ n: Type.Integer() })
const stored = async () =>
  (
    await app.database.forSystem().one(Count)`
      select ((select count(*) from incoming_hooks) + (select count(*) from kept_hooks)
        + (select count(*) from messages))::int as n`
  ).n
const contactsOf = async (org: typeof acme) => (await org.call('GET', 'contacts')).body.data

test('the handshake answers the bare challenge if the token is right', async () => {
  const ask = (query: string, hook = channel.hook) => app.call('GET', `${hook}?${query}`)
  const word = encodeURIComponent(channel.verifyToken)
  const right = await ask(`hub.mode=subscribe&hub.verify_token=${word}&hub.challenge=1158201444`)
  assert.equal(right.status, 200)
  assert.equal(right.text, '1158201444')
  assert.match(String(right.headers['content-type']), /^text\/plain/)
  assert.equal(right.headers['x-content-type-options'], 'nosniff')
  const page = await ask(`hub.mode=subscribe&hub.verify_token=${word}&hub.challenge=%3Cscript%3E`)
  assert.match(String(page.headers['content-type']), /^text\/plain/)
  for (const wrong of [
    'hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1',
    `hub.mode=unsubscribe&hub.verify_token=${word}&hub.challenge=1`,
    `hub.mode=subscribe&hub.verify_token=${word}`,
    `hub.mode=subscribe&hub.challenge=1`,
    `hub.mode=subscribe&hub.verify_token=${word}&hub.verify_token=${word}&hub.challenge=1`,
    'hub.mode=subscribe&hub.verify_token=&hub.challenge=1',
    '',
  ]) {
    const refused = await ask(wrong)
    assert.equal(refused.status, 403, wrong)
    assert.deepEqual(refused.body, { detail: 'Forbidden' })
  }
  for (const unknown of ['/hooks/chat', `/hooks/chat/${'x'.repeat(32)}`, '/hooks/chat/short'])
    assert.equal((await ask(`hub.mode=subscribe&hub.verify_token=${word}&hub.challenge=1`, unknown)).status, 403)
})

test('the signature matches the published example, with digits in either case', () => {
  const body = Buffer.from('{"object":"whatsapp_business_account","entry":[]}')
  const header = 'sha256=15f5f853c9b72e8d4321bf752419290d8503a489587fd5a5fad64982f2b22abc'
  for (const each of [header, header.toUpperCase().replace('SHA256', 'sha256')])
    assert.ok(isSignedWith('app_secret_demo', body, readSignature(each) as Buffer))
  assert.ok(!isSignedWith('app_secret_demp', body, readSignature(header) as Buffer))
  for (const bad of [
    undefined,
    '',
    'sha256=',
    header.slice(0, -1),
    `${header}0`,
    header.replace('sha256', 'sha1'),
    [header],
  ])
    assert.equal(readSignature(bad), undefined)
})

test('a webhook that is not signed with its hook’s secret changes nothing and learns nothing', async () => {
  const other = await connectChannel(globex)
  const body = JSON.stringify(payloadOf(messagesTo(channel, [textFrom('15550100002', 'hi')])))
  const right = signatureOf(channel.appSecret, body)
  const sha1 = { 'x-hub-signature': 'sha1=0123456789012345678901234567890123456789' }
  const before = await stored()
  const attempts: [string, string, Record<string, string>][] = [
    [channel.hook, body, {}],
    [channel.hook, body, sha1],
    [channel.hook, body, { 'x-hub-signature-256': '' }],
    [channel.hook, body, { 'x-hub-signature-256': right.replace('sha256=', '') }],
    [channel.hook, body, { 'x-hub-signature-256': signatureOf('another secret', body) }],
    [channel.hook, body, { 'x-hub-signature-256': signatureOf(other.appSecret, body) }],
    [channel.hook, body.replace('hi', 'ho'), { 'x-hub-signature-256': right }],
    [channel.hook, `${body} `, { 'x-hub-signature-256': right }],
    [other.hook, body, { 'x-hub-signature-256': right }],
    [`/hooks/chat/${'A'.repeat(32)}`, body, { 'x-hub-signature-256': right }],
    ['/hooks/chat/%00', body, { 'x-hub-signature-256': right }],
    ['/hooks/chat', body, { 'x-hub-signature-256': right }],
  ]
  for (const [hook, bytes, headers] of attempts) {
    const answer = await app.call('POST', hook, bytes, headers)
    assert.equal(answer.status, 403, `${hook} ${JSON.stringify(headers)}`)
    assert.deepEqual(answer.body, { detail: 'Forbidden' })
  }
  assert.equal(await stored(), before)
})

test('a signed webhook is answered with an empty 200, whatever its content type', async () => {
  const person = '15550100003'
  for (const type of [
    'application/json',
    'application/json; charset=UTF-8',
    'text/plain',
    'application/octet-stream',
  ]) {
    // Escapes as the platform writes them: another serializer would write other bytes.
    const body = JSON.stringify(payloadOf(messagesTo(channel, [textFrom(person, `via ${type} é`)]))).replaceAll(
      '/',
      '\\/',
    )
    const answer = await app.call('POST', channel.hook, body, {
      'content-type': type,
      'x-hub-signature-256': signatureOf(channel.appSecret, body),
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.text, '')
  }
  const bare = JSON.stringify(payloadOf(messagesTo(channel, [textFrom(person, 'no content type')])))
  const answer = await app.server.inject({
    method: 'POST',
    url: channel.hook,
    payload: Buffer.from(bare),
    headers: { 'x-hub-signature-256': signatureOf(channel.appSecret, bare) },
  })
  assert.equal(answer.statusCode, 200)
  await processed(app)
  const [contact] = await contactsOf(acme)
  assert.equal(contact.phone_number, '+15550100003')
  const { body: tickets } = await acme.call('GET', `inbox/tickets?contact_id=${contact.id}`)
  const { body: page } = await acme.call('GET', `inbox/messages/${tickets.inboxes[0].id}`)
  assert.deepEqual(page.messages.map(({ body }: { body: string }) => body).sort(), [
    'no content type',
    'via application/json é',
    'via application/json; charset=UTF-8 é',
    'via application/octet-stream é',
    'via text/plain é',
  ])
})

test('three megabytes are accepted, more than four are not', async () => {
  const padded = (bytes: number) => JSON.stringify(payloadOf()).padEnd(bytes, ' ')
  assert.equal((await post(app, channel, padded(3 * 1024 * 1024))).status, 200)
  const tooLarge = await post(app, channel, padded(4 * 1024 * 1024 + 1))
  assert.equal(tooLarge.status, 413)
  assert.ok(tooLarge.body.detail)
  await processed(app)
})

test('another method on a hook is 405', async () => {
  const answer = await app.call('DELETE', channel.hook)
  assert.equal(answer.status, 405)
  assert.equal(answer.headers.allow, 'GET, HEAD, POST')
})

test('two channels of one app share a hook; another app, mode or organization has its own', async () => {
  const twin = await connectChannel(acme, { app_secret: channel.appSecret, verify_token: 'another word' })
  assert.equal(twin.hook, channel.hook)
  for (const word of [channel.verifyToken, 'another word']) {
    const query = `hub.mode=subscribe&hub.verify_token=${encodeURIComponent(word)}&hub.challenge=7`
    assert.equal((await app.call('GET', `${channel.hook}?${query}`)).text, '7')
  }
  const live = await app.key(acme.id, { mode: 'live' })
  const others = [
    await connectChannel(acme),
    await connectChannel({ ...acme, call: app.as(live.secret) }, { app_secret: channel.appSecret }),
    await connectChannel(globex, { app_secret: channel.appSecret }),
  ]
  assert.equal(new Set([channel, ...others].map(({ hook }) => hook)).size, 4)
})

test('many channels of one app created in parallel share one hook', async () => {
  const app_secret = 'a-secret-for-many-at-once'
  const made = await Promise.all(Array.from({ length: 8 }, () => connectChannel(acme, { app_secret })))
  assert.equal(new Set(made.map(({ hook }) => hook)).size, 1)
})

test('a replaced secret keeps its address; the old one is refused at once, on every node', async () => {
  const node = await app.node()
  const mine = await connectChannel(acme)
  const say = (on: typeof app, secret: string) =>
    post(on, { hook: mine.hook, appSecret: secret }, payloadOf(messagesTo(mine, [textFrom('15550100004', 'hello')])))
  assert.equal((await say(app, mine.appSecret)).status, 200)
  assert.equal((await say(node, mine.appSecret)).status, 200)
  const changed = ok(await acme.call('PATCH', `channels/${mine.id}`, { chat: { app_secret: 'renewed-secret' } }))
  assert.equal(changed.chat.hook_url, mine.hook)
  assert.equal((await say(app, mine.appSecret)).status, 403)
  assert.equal((await say(app, 'renewed-secret')).status, 200)
  await until(async () => (await say(node, mine.appSecret)).status === 403)
  assert.equal((await say(node, 'renewed-secret')).status, 200)
  await processed(app)
  await acme.call('DELETE', `channels/${mine.id}`)
  assert.equal((await say(app, 'renewed-secret')).status, 403)
  await until(async () => (await say(node, 'renewed-secret')).status === 403)
  await node.close()
})

test('a new secret on one of two numbers of an app keeps the other one working on the same address', async () => {
  const app_secret = 'shared-by-two'
  const one = await connectChannel(acme, { app_secret })
  const two = await connectChannel(acme, { app_secret })
  await acme.call('PATCH', `channels/${one.id}`, { chat: { app_secret: 'renewed-for-one' } })
  for (const [to, secret, from] of [
    [one, 'renewed-for-one', '15550100031'],
    [two, 'shared-by-two', '15550100032'],
    // The other number's secret opens the address, but not this number.
    [one, 'shared-by-two', '15550100033'],
    [two, 'renewed-for-one', '15550100034'],
  ] as const)
    assert.equal(
      (await post(app, { hook: one.hook, appSecret: secret }, payloadOf(messagesTo(to, [messageFrom(from)])))).status,
      200,
    )
  await processed(app)
  const numbers = (await contactsOf(acme)).map(({ phone_number }: { phone_number: string }) => phone_number)
  assert.ok(numbers.includes('+15550100031') && numbers.includes('+15550100032'))
  assert.ok(!numbers.includes('+15550100033') && !numbers.includes('+15550100034'))
  await acme.call('PATCH', `channels/${two.id}`, { chat: { app_secret: 'renewed-for-one' } })
  assert.equal((await acme.call('GET', `channels/${two.id}`)).body.chat.hook_url, one.hook)
})

test('a webhook of one organization never touches another, whatever number or account it names', async () => {
  const mine = await connectChannel(acme)
  const theirs = await connectChannel(globex)
  const before = (await globex.call('GET', 'events')).body.total_count
  await deliver(
    app,
    mine,
    messagesTo(theirs, [textFrom('15550100009', 'not for you')]),
    { ...messagesTo(theirs, [textFrom('15550100009', 'not for you')]), id: mine.businessAccountId },
    {
      id: theirs.businessAccountId,
      time: 1_767_000_000,
      changes: [{ field: 'message_template_status_update', value: { event: 'APPROVED', message_template_id: 1 } }],
    },
  )
  assert.deepEqual(await contactsOf(globex), [])
  assert.ok(
    !(await contactsOf(acme)).some(({ phone_number }: { phone_number: string }) => phone_number === '+15550100009'),
  )
  assert.equal((await globex.call('GET', 'events')).body.total_count, before)
})

test('a test channel without credentials gets a generated app, whose secrets are not shown', async () => {
  const secrets = createSecretBox(app.settings.SECRET_KEY as string)
  const hookOf = async (org: typeof acme, channelId: string) =>
    hookOfChannel(app.database.forTenant({ organizationId: org.id, livemode: false }), channelId, { secrets })
  const [mine, theirs] = await Promise.all(
    [acme, globex].map(async (org) => {
      const { data } = (await org.call('GET', 'channels')).body
      const bare = data.find(({ chat }: { chat: unknown }) => chat === null)
      return { bare, hook: await hookOf(org, bare.id) }
    }),
  )
  if (!mine || !theirs) throw new Error('both organizations have a test channel')
  assert.deepEqual(await hookOf(acme, mine.bare.id), mine.hook)
  assert.notEqual(mine.hook.hookId, theirs.hook.hookId)
  assert.notEqual(mine.hook.appSecret, theirs.hook.appSecret)
  const hook = `/hooks/chat/${mine.hook.hookId}`
  const say = (appSecret: string, to: typeof mine.hook, from: string) =>
    post(app, { hook, appSecret }, payloadOf(messagesTo(to, [messageFrom(from)])))
  assert.equal((await say(theirs.hook.appSecret, mine.hook, '15550100041')).status, 403)
  assert.equal((await say(mine.hook.appSecret, theirs.hook, '15550100042')).status, 200)
  assert.equal((await say(mine.hook.appSecret, mine.hook, '15550100043')).status, 200)
  await processed(app)
  const numbers = (await contactsOf(acme)).map(({ phone_number }: { phone_number: string }) => phone_number)
  assert.ok(numbers.includes('+15550100043') && !numbers.includes('+15550100042'))
  assert.ok(
    !(await contactsOf(globex)).some(({ phone_number }: { phone_number: string }) => phone_number === '+15550100042'),
  )
  const { chat } = (await acme.call('GET', `channels/${mine.bare.id}`)).body
  assert.equal(chat, null)
})

test('a live channel without an app has no hook of its own', async () => {
  const secrets = createSecretBox(app.settings.SECRET_KEY as string)
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  const { body } = await live('POST', 'channels', { phone_number: '+14155550179' })
  const sql = app.database.forTenant({ organizationId: acme.id, livemode: true })
  await assert.rejects(hookOfChannel(sql, body.id, { secrets }), { status: 409 })
  await assert.rejects(hookOfChannel(sql, channel.id, { secrets }), { status: 404 })
})

test('channels from before hooks existed get one when a node starts', async () => {
  const old = await connectChannel(acme)
  await app.database.forSystem().run`
    update channels set chat_app_hash = null where id = ${old.id}`
  assert.equal((await acme.call('GET', `channels/${old.id}`)).body.chat.hook_url, null)
  const node = await app.node()
  assert.equal((await acme.call('GET', `channels/${old.id}`)).body.chat.hook_url, old.hook)
  await node.close()
})

test('every webhook of a burst is accepted and applied', async () => {
  const people = Array.from({ length: 120 }, (_, i) => `1555020${String(1000 + i)}`)
  const answers = await Promise.all(
    people.map((from) => post(app, channel, payloadOf(messagesTo(channel, [textFrom(from, 'hello')])))),
  )
  assert.ok(answers.every(({ status }) => status === 200))
  await processed(app)
  const { body } = await acme.call('GET', 'contacts?search=1555020')
  assert.equal(body.total_count, people.length)
})
