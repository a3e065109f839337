import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import Type from 'typebox'
import { personalData } from '../../app.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createPhoneNumbers } from '../../platform/phone-numbers.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { noTracer } from '../../platform/tracing/trace.ts'
import { secretKey } from '../../services/secret-key.ts'
import { startTestApp } from '../../testing/app.ts'
import { connectOwner } from '../../testing/connect-owner.ts'
import {
  connectChannel,
  messagesTo,
  payloadOf,
  post,
  statusesOf,
  statusOf,
  textFrom,
  valueFor,
} from '../../testing/hooks.ts'
import { retryEarlyUpdates } from './early-updates.ts'
import { namedPeople, senderOf } from './payloads/read-message.ts'
import { readPayload } from './payloads/read-payload.ts'
import { processHooks } from './process-hooks.ts'

// This node receives webhooks and processes them only when the test does.
const app = await startTestApp({ settings: { DATABASE_POOL_SIZE: 2, ROLE: 'api' } })
const acme = await app.organization()
const channel = await connectChannel(acme)
const owner = await connectOwner(app)

const phones = createPhoneNumbers(undefined)
const processing = {
  metrics: createMetrics(),
  database: app.database,
  log: pino({ level: 'silent' }),
  phones,
  secrets: createSecretBox(secretKey(app.settings)),
  hooks: { publicUrl: undefined, installationApp: undefined },
  mediaAddress: '',
  tracer: noTracer,
  personalData,
}
const Count = Type.Object({ n: Type.Integer() })
const messages = async () => (await app.database.forSystem().one(Count)`select count(*)::int as n from messages`).n

test('the contacts of a webhook are not scanned again for each message', () => {
  let looks = 0
  const contacts = Array.from({ length: 100 }, (_, i) => ({
    get wa_id() {
      looks++
      return `1415600${2000 + i}`
    },
  }))
  const people = namedPeople(contacts)
  for (let i = 0; i < 200; i++) {
    const from = `1415600${2000 + i}`
    assert.equal(senderOf({ from }, people, phones)?.phoneNumber, `+${from}`)
  }
  assert.equal(looks, contacts.length)
})

test('a large webhook is split into transactions of bounded size', () => {
  const texts = Array.from({ length: 2_500 }, (_, i) => ({ id: `m${i}`, from: '14156003000', type: 'x' }))
  const body = Buffer.from(JSON.stringify(payloadOf(valueFor(channel, { messages: texts, statuses: [] }))))
  const { changes } = readPayload(body, { phones, now: new Date() })
  assert.deepEqual(
    changes.map((change) => change.messages.length),
    [1_000, 1_000, 500],
  )
  assert.equal(
    new Set(changes.flatMap((change) => change.messages.map(({ chatMessageId }) => chatMessageId))).size,
    2_500,
  )
})

test('parallel batches need no system connection besides their own', async () => {
  // Enough for three batches, with as few connections as possible: three.
  const n = 1_300
  for (let i = 0; i < n; i += 100) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, j) =>
        post(app, channel, payloadOf(messagesTo(channel, [textFrom(`1415600${1000 + ((i + j) % 50)}`, 'hi')]))),
      ),
    )
    assert.ok(answers.every(({ status }) => status === 200))
  }
  await Promise.all(Array.from({ length: 3 }, () => processHooks(processing)))
  assert.equal(await messages(), n)
})

test('a claim outlives work that takes longer than the idle timeout of a connection', async () => {
  await owner.query(`
    create table claims_seen (silence text);
    grant insert on claims_seen to frontdesk_system;
    create function see_claim() returns trigger language plpgsql as $$
    begin
      insert into claims_seen values (current_setting('idle_in_transaction_session_timeout'));
      return null;
    end $$;
    create trigger see_claim after delete on incoming_hooks for each statement execute function see_claim()`)
  assert.equal((await post(app, channel, payloadOf(messagesTo(channel, [textFrom('14156009999', 'hi')])))).status, 200)
  await processHooks(processing)
  const { rows } = await owner.query('select distinct silence from claims_seen')
  assert.deepEqual(rows, [{ silence: '0' }])
})

test('early statuses of one organization that cannot be applied delay no other', async () => {
  const others = await Promise.all(Array.from({ length: 3 }, async () => connectChannel(await app.organization())))
  for (const each of [channel, ...others])
    assert.equal((await post(app, each, payloadOf(statusesOf(each, [statusOf('wamid.early', 'read')])))).status, 200)
  await processHooks(processing)
  await owner.query("update early_updates set due_at = now() - interval '1 second'")
  await owner.query(`
    create function refuse_retry() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
    create trigger refuse_retry before update on early_updates for each row
      when (old.organization_id = '${acme.id}') execute function refuse_retry()`)
  await retryEarlyUpdates(processing)
  const { rows } = await owner.query('select attempts from early_updates order by attempts')
  assert.deepEqual(
    rows.map(({ attempts }) => attempts),
    [0, 1, 1, 1],
  )
  await owner.query('drop trigger refuse_retry on early_updates; delete from early_updates')
})

test('an early update that fails for good delays no other of its organization, and is deleted in the end', async () => {
  const org = await app.organization()
  const own = await connectChannel(org)
  const early = ['wamid.one', 'wamid.poison', 'wamid.two']
  const payload = payloadOf(
    statusesOf(
      own,
      early.map((id) => statusOf(id, 'read')),
    ),
  )
  assert.equal((await post(app, own, payload)).status, 200)
  await processHooks(processing)
  const left = async () => {
    const { rows } = await owner.query(
      `select data ->> 'chatMessageId' as id, attempts from early_updates where organization_id = $1 order by id`,
      [org.id],
    )
    return rows.map(({ id, attempts }) => [id, attempts])
  }
  assert.deepEqual(
    await left(),
    early.map((id) => [id, 0]),
  )
  await owner.query(
    `update early_updates set data = data || '{"channelId": "of no channel"}' where data ->> 'chatMessageId' = 'wamid.poison'`,
  )
  const retry = async () => {
    // The column has milliseconds: `now()` could be rounded up.
    await owner.query(`update early_updates set due_at = now() - interval '1 second' where organization_id = $1`, [
      org.id,
    ])
    await retryEarlyUpdates(processing)
  }
  await retry()
  assert.deepEqual(
    await left(),
    early.map((id) => [id, 1]),
  )
  // The others are given up as usual: their messages are not ours.
  for (let n = 0; n < 4; n++) await retry()
  assert.deepEqual(await left(), [['wamid.poison', 5]])
  for (let n = 0; n < 10; n++) await retry()
  assert.deepEqual(await left(), [])
})
