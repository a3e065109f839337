import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, type Reply, sharedTestApp, type TestOrganization } from '../../testing/app.ts'
import { campaigner } from '../../testing/campaigns.ts'
import { connectChannel, deliver, messagesTo, secondsAgo, textFrom } from '../../testing/hooks.ts'
import { importFile } from '../../testing/imports.ts'
import { until } from '../../testing/process.ts'
import type { Contact } from './schema.ts'

const app = await sharedTestApp()
await app.listen()

let people = 0
const newNumber = () => `+1555071${1000 + ++people}`

const summer = {
  source_type: 'ad',
  source_id: '120210000000000007',
  source_url: 'https://fb.me/summer',
  headline: 'Summer sale',
  body: 'Half price',
  media_type: 'image',
  image_url: 'https://example.com/summer.jpg',
  ctwa_clid: 'ARAk-1',
}
const post = { source_type: 'post', source_id: 'post-1', source_url: 'https://instagram.com/p/1', headline: 'Our team' }

/** An organization whose customers click on ads: each message is delivered by a webhook. */
async function advertiser() {
  const org = await app.organization()
  const channel = await connectChannel(org)
  const clicks = (from: string, referral: object, seconds = 60) =>
    deliver(
      app,
      channel,
      messagesTo(channel, [textFrom(from.slice(1), 'hi', { referral, timestamp: secondsAgo(seconds) })]),
    )
  const contactOf = async (number: string): Promise<Contact> =>
    ok(await org.call('GET', `contacts?search=${encodeURIComponent(number)}`)).data[0]
  return { ...org, channel, clicks, contactOf }
}

const sourceOf = ({ source_type, source_id, source_headline, source_url }: Contact) => [
  source_type,
  source_id,
  source_headline,
  source_url,
]
const fromSummer = ['ad', summer.source_id, 'Summer sale', 'https://fb.me/summer']

test('the earliest ad by the time of its message is the source, in whatever order messages arrive', async () => {
  const org = await advertiser()
  const number = newNumber()
  await org.clicks(number, post, 3600)
  const first = await org.contactOf(number)
  assert.deepEqual(sourceOf(first), ['post', 'post-1', 'Our team', 'https://instagram.com/p/1'])
  const [created] = ok(await org.call('GET', 'events?type=contact.created')).data
  assert.deepEqual(created.data.object, first)

  await org.clicks(number, { ...summer, source_id: 'later' }, 60)
  assert.deepEqual(sourceOf(await org.contactOf(number)), sourceOf(first))
  await org.clicks(number, summer, 7200)
  const earlier = await org.contactOf(number)
  assert.deepEqual(sourceOf(earlier), fromSummer)
  assert.ok((earlier.source_at as string) < (first.source_at as string))
  const [updated] = ok(await org.call('GET', 'events?type=contact.updated')).data
  assert.deepEqual([updated.data.object.source_id, updated.data.previous.source_id], [summer.source_id, 'post-1'])

  const known = ok(await org.call('POST', 'contacts', { phone_number: newNumber(), name: 'Ada' }), 201)
  assert.deepEqual(sourceOf(known), [null, null, null, null])
  await org.clicks(known.phone_number, summer)
  assert.deepEqual(sourceOf(ok(await org.call('GET', `contacts/${known.id}`))), fromSummer)
})

test('two messages of a new person in one webhook: the earlier ad counts', async () => {
  const org = await advertiser()
  const number = newNumber()
  await deliver(
    app,
    org.channel,
    messagesTo(org.channel, [
      textFrom(number.slice(1), 'second', { referral: post, timestamp: secondsAgo(30) }),
      textFrom(number.slice(1), 'first', { referral: summer, timestamp: secondsAgo(90) }),
    ]),
  )
  assert.deepEqual(sourceOf(await org.contactOf(number)), fromSummer)
})

test('a malformed referral is kept with the message and is no source', async () => {
  const org = await advertiser()
  for (const referral of ['x', 7, null, {}, { source_id: 'a b' }, { source_url: 'javascript:alert(1)' }]) {
    const number = newNumber()
    await org.clicks(number, referral as object)
    assert.deepEqual(sourceOf(await org.contactOf(number)), [null, null, null, null], JSON.stringify(referral))
  }
  const number = newNumber()
  await org.clicks(number, { source_type: 'story', headline: ` ${'x'.repeat(300)}`, source_url: 'javascript:1' })
  assert.deepEqual(sourceOf(await org.contactOf(number)), ['ad', null, 'x'.repeat(254), null])
})

test('lists, searches and exports filter by source, with exact totals', async () => {
  const org = await advertiser()
  const numbers = [newNumber(), newNumber(), newNumber(), newNumber()] as [string, string, string, string]
  await org.clicks(numbers[0], summer)
  await org.clicks(numbers[1], summer)
  await org.clicks(numbers[2], post)
  const plain = ok(await org.call('POST', 'contacts', { phone_number: numbers[3], tags: ['vip'] }), 201)
  const ada = await org.contactOf(numbers[0])
  await org.call('PATCH', `contacts/${ada.id}`, { tags: ['vip'], stage: 'engaged' })
  const expected: Record<string, string[]> = {
    'source_type=ad': [numbers[1], numbers[0]],
    'source_type=post': [numbers[2]],
    [`source_id=${summer.source_id}`]: [numbers[1], numbers[0]],
    [`source_id=${summer.source_id}&source_type=post`]: [],
    [`source_id=${summer.source_id}&stage=engaged`]: [numbers[0]],
    'source_type=ad&tag=vip': [numbers[0]],
    'source_type=ad&search=555071': [numbers[1], numbers[0]],
    'search=555071&source_id=post-1': [numbers[2]],
    'source_id=none': [],
    'tag=vip': [plain.phone_number, numbers[0]],
  }
  for (const [query, wanted] of Object.entries(expected)) {
    const { data, total_count } = ok(await org.call('GET', `contacts?${query}`))
    assert.deepEqual(
      [data.map(({ phone_number }: Contact) => phone_number).sort(), total_count],
      [wanted.toSorted(), wanted.length],
      query,
    )
    const { text } = await org.call('GET', `contacts/export?${query}`)
    for (const number of numbers) assert.equal(text.includes(number), wanted.includes(number), query)
  }
  const { text } = await org.call('GET', `contacts/export?source_type=post`)
  assert.match(text, /,post,post-1,Our team,https:\/\/instagram\.com\/p\/1,\d{4}-/)
  // The source is read-only: importing the file elsewhere makes no custom fields of it.
  const elsewhere = await app.organization()
  assert.deepEqual((await importFile(elsewhere.call, text)).errors, [])
  const [copied] = ok(await elsewhere.call('GET', 'contacts')).data
  assert.deepEqual(
    [copied.phone_number, sourceOf(copied), copied.custom_fields],
    [numbers[2], [null, null, null, null], {}],
  )
  for (const query of ['source_type=x', 'source_id=', `source_id=${'x'.repeat(256)}`])
    assert.equal((await org.call('GET', `contacts?${query}`)).status, 422, query)
})

test('the dashboard counts contacts by ad within the last days', async () => {
  const org = await advertiser()
  const sources = async (query = '') => ok(await org.call('GET', `crm/dashboard/sources${query}`))
  assert.deepEqual(await sources(), { total: 0, data: [] })
  const day = 24 * 3600
  await org.clicks(newNumber(), { ...summer, headline: 'Early sale' }, 40 * day)
  await org.clicks(newNumber(), summer, 2 * day)
  await org.clicks(newNumber(), post, 2 * day)
  await org.clicks(newNumber(), summer)
  const ad = (contacts: number) => ({
    source_type: 'ad',
    source_id: summer.source_id,
    source_headline: 'Summer sale',
    source_url: 'https://fb.me/summer',
    contacts,
  })
  const ofPost = {
    source_type: 'post',
    source_id: 'post-1',
    source_headline: 'Our team',
    source_url: 'https://instagram.com/p/1',
    contacts: 1,
  }
  assert.deepEqual(await sources(), { total: 3, data: [ad(2), ofPost] })
  assert.deepEqual(await sources('?days=90&time_zone=Asia/Kathmandu'), { total: 4, data: [ad(3), ofPost] })
  const stranger = await app.organization()
  assert.deepEqual(ok(await stranger.call('GET', 'crm/dashboard/sources')), { total: 0, data: [] })
  for (const query of ['days=0', 'days=366', 'time_zone=Mars/Olympus'])
    assert.equal((await org.call('GET', `crm/dashboard/sources?${query}`)).status, 422, query)
  assert.equal((await app.call('GET', 'crm/dashboard/sources')).status, 401)
  const { secret } = await app.key(org.id, { scopes: ['inbox:read'] })
  assert.equal((await app.as(secret)('GET', 'crm/dashboard/sources')).status, 403)
})

test('merging keeps the earlier source, and the note names the other one', async () => {
  const org = await advertiser()
  const [one, other] = [newNumber(), newNumber()]
  await org.clicks(one, post, 60)
  await org.clicks(other, summer, 3600)
  const [into, from] = [await org.contactOf(one), await org.contactOf(other)]
  const merged = ok(await org.call('POST', `contacts/${into.id}/merge`, { contact_id: from.id }))
  assert.deepEqual([sourceOf(merged), merged.source_at], [fromSummer, from.source_at])
  const third = newNumber()
  await org.clicks(third, post, 30)
  const late = await org.contactOf(third)
  const again = ok(await org.call('POST', `contacts/${into.id}/merge`, { contact_id: late.id }))
  assert.deepEqual([sourceOf(again), again.source_at], [fromSummer, from.source_at])
  const [note] = ok(await org.call('GET', `contacts/${into.id}/activities?type=note_added`)).activities
  assert.equal(note.payload.merged_contact.source_id, 'post-1')
})

/** Waits for the only contact that fits. */
async function contactWhere(org: TestOrganization, fits: (contact: Contact) => boolean): Promise<Contact> {
  let found: Contact | undefined
  await until(async () => {
    found = ok(await org.call('GET', 'contacts?limit=100')).data.find(fits)
    return found !== undefined
  })
  return found as Contact
}

test('a person without a number answers an ad, shows a number, is merged, opts out and stays opted out', async () => {
  const org = await campaigner(app)
  const says = async (body: object) => assert.equal((await org.call('POST', 'simulator/messages', body)).status, 202)
  const [number, next] = [newNumber(), newNumber()]
  const crm = ok(await org.call('POST', 'contacts', { phone_number: number, name: 'Ines Duarte', tags: ['vip'] }), 201)

  await says({
    user_id: 'US.900',
    username: 'ines.k',
    text: 'Is the sale still on?',
    referral: { source_id: summer.source_id, headline: 'Summer sale', source_url: 'https://fb.me/summer' },
  })
  const fresh = await contactWhere(org, ({ whatsapp_user_id }) => whatsapp_user_id === 'US.900')
  assert.deepEqual([fresh.phone_number, fresh.username, sourceOf(fresh)], ['', 'ines.k', fromSummer])
  const [ticket] = ok(await org.call('GET', `inbox/tickets?contact_id=${fresh.id}`)).inboxes
  const [message] = ok(await org.call('GET', `inbox/messages/${ticket.id}`)).messages
  const { referral } = message.payload
  assert.deepEqual([referral.headline, referral.source_type], ['Summer sale', 'ad'])

  // The number is that of a contact of the CRM: the platform proves that both are one person.
  await says({ from: number, user_id: 'US.900', text: 'My number, for the delivery' })
  const merged = await contactWhere(org, ({ id, whatsapp_user_id }) => id === crm.id && whatsapp_user_id === 'US.900')
  assert.deepEqual([merged.phone_number, merged.tags, sourceOf(merged)], [number, ['vip'], fromSummer])
  const gone: Reply = await org.call('GET', `contacts/${fresh.id}`)
  assert.deepEqual([gone.status, gone.body.merged_into], [404, crm.id])

  await says({ from: number, user_id: 'US.900', text: 'STOP' })
  const stopped = await contactWhere(org, ({ id, opted_out_at }) => id === crm.id && opted_out_at !== null)
  const staysOptedOut = async (what: string) => {
    const { opted_out_at, ...contact } = ok(await org.call('GET', `contacts/${crm.id}`))
    assert.deepEqual([opted_out_at, sourceOf(contact)], [stopped.opted_out_at, fromSummer], what)
    const skipped = await org.send([crm.id])
    await org.until(skipped.id, ({ status }) => status === 'completed')
    const [delivery] = await org.deliveries(skipped.id)
    assert.deepEqual([delivery?.status, delivery?.reason], ['skipped', 'opted_out'], what)
  }
  await staysOptedOut('after STOP')

  const arrived = (text: string) =>
    until(async () => {
      const [open] = ok(await org.call('GET', `inbox/tickets?contact_id=${crm.id}`)).inboxes
      const { messages } = ok(await org.call('GET', `inbox/messages/${open.id}`))
      return messages.some(({ body }: { body: string }) => body === text)
    })

  await says({ from: number, user_id: 'US.900', text: 'Another ad', referral: { source_id: 'autumn' } })
  // A message from the old number that arrives after the change would make that number the primary one again.
  await arrived('Another ad')
  const wa_id = next.slice(1)
  await says({ type: 'user_changed_number', from: number, user_id: 'US.900', message: { wa_id, user_id: 'US.901' } })
  await contactWhere(org, ({ id, phone_number }) => id === crm.id && phone_number === next)
  await staysOptedOut('after another ad and a new number')

  const double = ok(await org.call('POST', 'contacts', { phone_number: newNumber(), name: 'Ines D.' }), 201)
  ok(await org.call('POST', `contacts/${crm.id}/merge`, { contact_id: double.id }))
  await staysOptedOut('after a merge by a member')

  await importFile(org.call, `phone,name\n${next},Ines Duarte\n`, { on_conflict: 'update' })
  await says({ user_id: 'US.901', text: 'Still me' })
  await arrived('Still me')
  await staysOptedOut('after an import and another message')
})
