import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { eventsOf } from '../../../testing/events-of.ts'
import {
  connectChannel,
  deliver,
  messageFrom,
  messagesTo,
  secondsAgo,
  textFrom,
  valueFor,
} from '../../../testing/hooks.ts'
import { consentIn } from './consent-words.ts'

const app = await sharedTestApp()
const acme = await app.organization()
const channel = await connectChannel(acme)

let people = 0
/** A new contact, by its number without the plus sign. */
async function person() {
  const number = `1555070${String(1000 + ++people)}`
  const { body } = await acme.call('POST', 'contacts', { phone_number: `+${number}`, name: `Person ${people}` })
  const read = async () => (await acme.call('GET', `contacts/${body.id}`)).body
  return { id: body.id as string, number, read, isOut: async () => (await read()).opted_out_at !== null }
}
const says = (number: string, text: string, seconds = 5) =>
  deliver(app, channel, messagesTo(channel, [textFrom(number, text, { timestamp: secondsAgo(seconds) })]))

test('only a whole message opts out, in many languages and spellings', () => {
  for (const stop of [
    'STOP',
    ' stop. ',
    'Stop!!!',
    '„Stop“',
    'ＳＴＯＰ',
    '🛑 stop 🛑',
    'Unsubscribe',
    'STOPALL',
    'stop all',
    'Cancel',
    'END',
    'quit',
    'Stop promotions',
    'Baja',
    'PARAR',
    'salir',
    'Arrêt',
    'ARRE\u0302T',
    'Stopp',
    'ABMELDEN',
    '停止',
    'СТОП',
    'توقف',
    'İptal',
    'रोकें',
    '수신거부',
    'stop\n',
  ])
    assert.equal(consentIn(stop), 'stop', stop)
  for (const start of ['START', 'unstop', 'Start.', 'ALTA', 'anmelden', 'СТАРТ', '开始'])
    assert.equal(consentIn(start), 'start', start)
  for (const neither of [
    '',
    ' ',
    '!!!',
    'please stop by tomorrow',
    'stop it',
    'don’t stop',
    'the bus stop',
    'yes',
    'no',
    'unstoppable',
    'st op',
    'stop '.repeat(10_000),
  ])
    assert.equal(consentIn(neither), undefined, neither.slice(0, 40))
})

test('STOP opts a contact out once; START opts it in again', async () => {
  const { id, number, read } = await person()
  await says(number, 'please stop by tomorrow', 60)
  assert.equal((await read()).opted_out_at, null)
  const at = secondsAgo(50)
  await deliver(app, channel, messagesTo(channel, [textFrom(number, 'Stop.', { timestamp: at })]))
  await says(number, 'STOP', 40)
  const out = await read()
  assert.equal(out.opted_out_at, new Date(Number(at) * 1000).toISOString())
  const [told, ...more] = await eventsOf(acme.call, id, 'contact.opted_out')
  assert.equal(more.length, 0)
  assert.deepEqual(told.data.object.opt_out, { source: 'message', reason: 'Stop.' })
  assert.deepEqual(told.data.previous, { opted_out_at: null })
  assert.equal((await acme.call('GET', 'contacts?opted_out=true')).body.total_count, 1)
  await says(number, 'start', 30)
  assert.equal((await read()).opted_out_at, null)
  assert.equal((await acme.call('GET', 'contacts?opted_out=true')).body.total_count, 0)
  const updated = (await eventsOf(acme.call, id, 'contact.updated')).at(-1)
  assert.deepEqual(updated.data.previous, { opted_out_at: out.opted_out_at })
  assert.equal((await eventsOf(acme.call, id, 'contact.opted_out')).length, 1)
})

test('the latest statement counts, in whatever order they arrive', async () => {
  const first = await person()
  await says(first.number, 'START', 10)
  await says(first.number, 'STOP', 20)
  assert.equal(await first.isOut(), false)
  const second = await person()
  await says(second.number, 'STOP', 40)
  await says(second.number, 'STOP', 10)
  await says(second.number, 'START', 20)
  assert.equal(await second.isOut(), true)
  const third = await person()
  await deliver(
    app,
    channel,
    messagesTo(channel, [
      textFrom(third.number, 'START', { timestamp: secondsAgo(10) }),
      textFrom(third.number, 'STOP', { timestamp: secondsAgo(20) }),
    ]),
  )
  assert.equal(await third.isOut(), false)
})

test('a tap on the opt-out button of a marketing template counts; a caption does not', async () => {
  const tapper = await person()
  const button = { type: 'button', button: { payload: 'x', text: 'Stop promotions' } }
  await deliver(app, channel, messagesTo(channel, [messageFrom(tapper.number, button)]))
  assert.equal(await tapper.isOut(), true)
  const painter = await person()
  const image = { type: 'image', image: { id: '1', mime_type: 'image/png', caption: 'stop' } }
  await deliver(app, channel, messagesTo(channel, [messageFrom(painter.number, image)]))
  assert.equal(await painter.isOut(), false)
})

test('the platform’s own setting opts out and in; unknown people are not stored', async () => {
  const { id, number, isOut } = await person()
  const prefer = (wa_id: string, value: string, seconds: number) => ({
    ...valueFor(channel, {}),
    changes: [
      {
        field: 'user_preferences',
        value: {
          messaging_product: 'whatsapp',
          metadata: { phone_number_id: channel.phoneNumberId },
          contacts: [{ wa_id, profile: { name: 'x' } }],
          user_preferences: [
            { wa_id, category: 'marketing_messages', value, detail: '…', timestamp: Number(secondsAgo(seconds)) },
          ],
        },
      },
    ],
  })
  await deliver(app, channel, prefer(number, 'stop', 50), prefer('15550709999', 'stop', 50))
  assert.equal(await isOut(), true)
  assert.equal((await eventsOf(acme.call, id, 'contact.opted_out')).at(-1).data.object.opt_out.source, 'platform')
  await deliver(app, channel, prefer(number, 'resume', 60))
  assert.equal(await isOut(), true)
  await deliver(app, channel, prefer(number, 'resume', 40))
  assert.equal(await isOut(), false)
  assert.equal((await acme.call('GET', 'contacts?search=15550709999')).body.total_count, 0)
})

test('a member can enter it by PATCH; repeating it changes nothing', async () => {
  const { id, isOut } = await person()
  const out = ok(await acme.call('PATCH', `contacts/${id}`, { opted_out: true, name: 'Renamed' }))
  assert.ok(out.opted_out_at)
  assert.equal(out.name, 'Renamed')
  assert.deepEqual((await acme.call('PATCH', `contacts/${id}`, { opted_out: true })).body, out)
  const [told, ...more] = await eventsOf(acme.call, id, 'contact.opted_out')
  assert.equal(more.length, 0)
  assert.deepEqual(told.data.object.opt_out, { source: 'user', reason: 'Entered by hand' })
  assert.equal((await acme.call('PATCH', `contacts/${id}`, { opted_out: false })).body.opted_out_at, null)
  assert.equal(await isOut(), false)
  assert.equal((await acme.call('PATCH', `contacts/${id}`, { opted_out: 'yes' })).status, 422)
  await acme.call('PUT', `contacts/${id}`, { opted_out: true })
  assert.equal(await isOut(), false)
})
