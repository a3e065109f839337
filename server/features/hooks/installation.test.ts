import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import Type from 'typebox'
import { readSettings } from '../../config.ts'
import { newId } from '../../platform/ids.ts'
import { ok, startTestApp, type TestOrganization } from '../../testing/app.ts'
import {
  type ConnectedChannel,
  connectChannel,
  deliver,
  messagesTo,
  payloadOf,
  post,
  processed,
  textFrom,
} from '../../testing/hooks.ts'
import { until } from '../../testing/process.ts'
import { startTemplatePlatform } from '../../testing/template-platform.ts'

const appSecret = 'the-secret-of-the-whole-installation'
const verifyToken = 'the word of the whole installation'
const lines: string[] = []
const platform = await startTemplatePlatform()
const app = await startTestApp({
  settings: {
    GRAPH_API_BASE_URL: platform.url,
    CHAT_APP_SECRET: appSecret,
    CHAT_VERIFY_TOKEN: verifyToken,
    PUBLIC_URL: 'https://localhost',
  },
  log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
})
const installation = { hook: '/hooks/chat', appSecret }
const ownNothing = { app_secret: undefined, verify_token: undefined, access_token: platform.token }
const acme = await app.organization({ mode: 'live' })
const globex = await app.organization({ mode: 'live' })

const numbersOf = async (org: TestOrganization) =>
  (await org.call('GET', 'contacts')).body.data.map(({ phone_number }: { phone_number: string }) => phone_number).sort()
const say = async (
  to: Pick<ConnectedChannel, 'phoneNumberId' | 'businessAccountId'>,
  from: string,
  by = installation,
) => {
  const answer = await post(app, by, payloadOf(messagesTo(to, [textFrom(from, 'hello')])))
  await processed(app)
  return answer.status
}

test('the two settings must be set together', () => {
  for (const env of [{ CHAT_APP_SECRET: 'x' }, { CHAT_VERIFY_TOKEN: 'x' }])
    assert.throws(() => readSettings(env), /CHAT_APP_SECRET and CHAT_VERIFY_TOKEN go together/)
})

test('the hook of the installation answers the handshake', async () => {
  const query = (word: string) => `hub.mode=subscribe&hub.verify_token=${encodeURIComponent(word)}&hub.challenge=42`
  assert.equal((await app.call('GET', `/hooks/chat?${query(verifyToken)}`)).text, '42')
  assert.equal((await app.call('GET', `/hooks/chat?${query('wrong')}`)).status, 403)
})

test('a live channel without an app receives through the hook of the installation', async () => {
  const mine = await connectChannel(acme, ownNothing)
  assert.equal(mine.hook, 'https://localhost/hooks/chat')
  const { chat } = (await acme.call('GET', `channels/${mine.id}`)).body
  assert.equal(chat.has_app_secret, false)
  assert.equal(chat.has_verify_token, false)
  const same = await connectChannel(globex, { app_secret: appSecret, access_token: platform.token })
  assert.equal(same.hook, 'https://localhost/hooks/chat')
  assert.equal(await say(mine, '15550100002'), 200)
  assert.equal(await say(same, '15550100003'), 200)
  assert.deepEqual(await numbersOf(acme), ['+15550100002'])
  assert.deepEqual(await numbersOf(globex), ['+15550100003'])
})

test('an erasure cuts the person out of failed webhooks, and leaves what belongs to other organizations', async () => {
  const [mine, other] = [await connectChannel(acme, ownNothing), await connectChannel(globex, ownNothing)]
  const [erased, neighbour] = ['15550100071', '15550100072']
  assert.equal(await say(mine, erased), 200)
  const sql = app.database.forSystem()
  const keep = (...entries: object[]) => sql.run`
    insert into kept_hooks (id, body, received_at, outcome, reason, attempts)
    values (${newId()}, ${Buffer.from(JSON.stringify(payloadOf(...entries)))}, now(), 'failed', 'no answer', 5)`
  await keep(messagesTo(mine, [textFrom(erased, 'alone')]))
  await keep(
    messagesTo(mine, [textFrom(erased, 'with others')]),
    messagesTo(mine, [textFrom(neighbour, 'neighbour')]),
    messagesTo(other, [textFrom(erased, 'to Globex')]),
  )
  await keep(messagesTo(other, [textFrom(erased, 'again to Globex')]))
  const [contact] = (await acme.call('GET', `contacts?search=${erased}`)).body.data
  const { body } = await acme.call('POST', `contacts/${contact.id}/erase`)
  let counts: Record<string, number> = {}
  await until(async () => {
    const erasure = (await acme.call('GET', `privacy/erasures/${body.id}`)).body
    counts = erasure.counts
    return erasure.state === 'completed'
  })
  assert.equal(counts.kept_hooks, 2)
  const Kept = Type.Object({ body: Type.String() })
  const kept = await sql.all(Kept)`
    select convert_from(body, 'UTF8') as body from kept_hooks where outcome = 'failed' order by id`
  const texts = kept.map(({ body }) => [...body.matchAll(/"text":\{"body":"([^"]*)"/g)].map(([, text]) => text))
  assert.deepEqual(texts, [['neighbour', 'to Globex'], ['again to Globex']])
})

test('an app with only one of its secrets is rejected', async () => {
  for (const [given, missing] of [
    [{ ...ownNothing, app_secret: 'x' }, 'verify_token'],
    [{ ...ownNothing, verify_token: 'x' }, 'app_secret'],
  ] as const) {
    const answer = await acme.call('POST', 'channels', {
      phone_number: '+14155550177',
      chat: { phone_number_id: 'half', business_account_id: 'half', ...given },
    })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.detail[0].loc, ['body', 'chat', missing])
  }
})

test('channels with their own app and test channels ignore the hook of the installation', async () => {
  const own = await connectChannel(acme, { access_token: platform.token })
  const test = await app.organization()
  const simulated = await connectChannel(test, ownNothing)
  const before = await numbersOf(acme)
  assert.equal(await say(own, '15550100010'), 200)
  assert.equal(await say(simulated, '15550100011'), 200)
  assert.deepEqual(await numbersOf(acme), before)
  assert.deepEqual(await numbersOf(test), [])
  assert.match(own.hook, /^https:\/\/localhost\/hooks\/chat\/\w{32}$/)
  const path = own.hook.replace('https://localhost', '')
  assert.equal(await say(own, '15550100012', { hook: path, appSecret }), 403)
  assert.equal(await say(own, '15550100012', { hook: path, appSecret: own.appSecret }), 200)
  assert.ok((await numbersOf(acme)).includes('+15550100012'))
})

test('without the settings a channel needs its own app, and the hook of the installation does not exist', async () => {
  const node = await app.node({ CHAT_APP_SECRET: undefined, CHAT_VERIFY_TOKEN: undefined })
  const answer = await node.as(acme.key)('POST', 'channels', {
    phone_number: '+14155550178',
    chat: { phone_number_id: 'bare', business_account_id: 'bare', access_token: 'x' },
  })
  assert.equal(answer.status, 422)
  assert.deepEqual(
    answer.body.detail.map(({ loc }: { loc: string[] }) => loc.at(-1)),
    ['app_secret', 'verify_token'],
  )
  assert.equal((await post(node, installation, payloadOf())).status, 403)
  const { data } = (await node.as(acme.key)('GET', 'channels')).body
  assert.ok(
    data.some(
      ({ chat }: { chat: { has_app_secret: boolean; hook_url: null } }) =>
        !chat.has_app_secret && chat.hook_url === null,
    ),
  )
  await node.close()
  await deliver(app, { ...installation, id: '', phoneNumberId: 'x', businessAccountId: 'x', verifyToken })
})

test('an older channel that changes to an account does not become the first to claim it', async () => {
  const [before, theirs] = [await connectChannel(acme, ownNothing), await connectChannel(globex, ownNothing)]
  const { body: template } = await globex.call('POST', 'templates', {
    channel_id: theirs.id,
    name: 'pickup_ready',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Your parcel is here.' }],
  })
  const read = async () => (await globex.call('GET', `templates/${template.id}`)).body
  await until(async () => (await read()).remote_template_id !== null)
  const { remote_template_id: message_template_id } = await read()
  ok(
    await acme.call('PATCH', `channels/${before.id}`, {
      chat: { business_account_id: theirs.businessAccountId },
    }),
  )
  const value = { new_quality_score: 'RED', message_template_id, message_template_name: 'pickup_ready' }
  const changes = [
    { field: 'message_template_quality_update', value: { ...value, message_template_language: 'en_US' } },
  ]
  const time = Math.floor(Date.now() / 1000)
  ok(await post(app, installation, payloadOf({ id: theirs.businessAccountId, time, changes })))
  await processed(app)
  assert.equal((await read()).quality_score, 'RED')
})
