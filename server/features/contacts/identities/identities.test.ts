import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sharedTestApp } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import {
  connectChannel,
  deliver,
  freshId,
  messageFrom,
  payloadOf,
  post,
  processed,
  secondsAgo,
  statusesOf,
  statusOf,
  textFrom,
  valueFor,
} from '../../../testing/hooks.ts'
import { until } from '../../../testing/process.ts'

const app = await sharedTestApp()
const acme = await app.organization()
const channel = await connectChannel(acme)

let people = 0
const newNumber = () => `1555080${1000 + ++people}`
const newAccount = () => `US.${10_000_000 + ++people}`

interface Writer {
  number?: string
  account?: string
  username?: string
  seconds?: number
}

/** A webhook with one message of this person. */
const message = (text: string, { number, account, username, seconds = 5 }: Writer) =>
  valueFor(channel, {
    contacts: [
      {
        profile: { name: 'Zoe', ...(username && { username }) },
        ...(number && { wa_id: number }),
        ...(account && { user_id: account }),
      },
    ],
    messages: [
      {
        ...textFrom(number ?? '', text, { timestamp: secondsAgo(seconds) }),
        ...(number ? {} : { from: undefined }),
        ...(account && { from_user_id: account }),
      },
    ],
  })
const says = (text: string, writer: Writer) => deliver(app, channel, message(text, writer))

/** System messages have no `contacts`. */
const system = (
  type: string,
  members: Record<string, unknown>,
  { from, seconds = 5 }: { from?: string; seconds?: number },
) =>
  valueFor(channel, {
    messages: [
      messageFrom(from, { type: 'system', timestamp: secondsAgo(seconds), system: { type, body: '…', ...members } }),
    ],
  })
const userIdUpdate = (previous: string, current: string, members: Record<string, unknown> = {}) => ({
  changes: [
    {
      field: 'user_id_update',
      value: {
        metadata: { phone_number_id: channel.phoneNumberId },
        user_id_update: [{ user_id: { previous, current }, timestamp: secondsAgo(5), ...members }],
      },
    },
  ],
})

const read = async (id: string) => {
  const { status, body, text } = await acme.call('GET', `contacts/${id}`)
  assert.equal(status, 200, text)
  return body
}
const find = async (search: string) =>
  (await acme.call('GET', `contacts?search=${encodeURIComponent(search)}`)).body.data
const onlyOne = async (search: string) => {
  const [contact, ...more] = await find(search)
  assert.ok(contact && more.length === 0, search)
  return read(contact.id)
}
const total = async () => (await acme.call('GET', 'contacts')).body.total_count
/** All messages of the contact, whatever their tickets. */
const bodiesOf = async (id: string) => {
  const { inboxes } = (await acme.call('GET', `inbox/tickets?contact_id=${id}`)).body
  const lists = await Promise.all(
    inboxes.map(
      async (ticket: { id: string }) => (await acme.call('GET', `inbox/messages/${ticket.id}`)).body.messages,
    ),
  )
  return lists
    .flat()
    .map(({ body }: { body: string }) => body)
    .sort()
}
type Shown = { kind: string; value: string; primary: boolean; until: string | null }
const shown = (identities: Shown[]) =>
  identities.map(
    ({ kind, value, primary, until: end }) => `${kind} ${value}${primary ? ' primary' : ''}${end ? ' past' : ''}`,
  )

test('a contact shows its identities, and a PATCH of the number keeps the old one as history', async () => {
  const [first, second] = [newNumber(), newNumber()]
  const { body } = await acme.call('POST', 'contacts', { phone_number: `+${first}` })
  assert.deepEqual(shown((await read(body.id)).identities), [`phone +${first} primary`])
  assert.equal((await acme.call('PATCH', `contacts/${body.id}`, { phone_number: `+${second}` })).status, 200)
  const { identities } = await read(body.id)
  assert.deepEqual(shown(identities), [`phone +${second} primary`, `phone +${first} past`])
  for (const { since, until: end } of identities) assert.ok(since <= (end ?? new Date().toISOString()))
  // The old number is free.
  assert.equal((await acme.call('POST', 'contacts', { phone_number: `+${first}` })).status, 201)
  assert.equal((await acme.call('GET', 'contacts?limit=1')).body.data[0].identities, undefined)
})

test('a person without a number gets it when it appears, and the username is kept, shown and searched', async () => {
  const [number, account] = [newNumber(), newAccount()]
  await says('hello', { account, username: '@zoe.first' })
  const contact = await onlyOne('zoe.first')
  assert.deepEqual([contact.phone_number, contact.username], ['', 'zoe.first'])
  assert.equal((await onlyOne('@Zoe.first')).id, contact.id)
  await says('from my number', { number, account, username: 'zoe.second' })
  const after = await onlyOne(number)
  assert.equal(after.id, contact.id)
  assert.deepEqual(shown(after.identities), [
    `phone +${number} primary`,
    'username zoe.second primary',
    `whatsapp_user_id ${account} primary`,
    'username zoe.first past',
  ])
  assert.equal((await find('zoe.first')).length, 0)
  assert.deepEqual(await bodiesOf(contact.id), ['from my number', 'hello'])
})

test('user_changed_number moves number and account, however often and in whatever order it is repeated', async () => {
  const [n1, n2, n3] = [newNumber(), newNumber(), newNumber()]
  const [a1, a2, a3] = [newAccount(), newAccount(), newAccount()]
  await says('one', { number: n1, account: a1, seconds: 100 })
  const { id } = await onlyOne(n1)
  const first = system(
    'user_changed_number',
    { wa_id: n2, user_id: a2, previous_user_id: a1 },
    { from: n1, seconds: 80 },
  )
  const second = system(
    'user_changed_number',
    { wa_id: n3, user_id: a3, previous_user_id: a2 },
    { from: n2, seconds: 60 },
  )
  const before = await total()
  await deliver(app, channel, first, first)
  await deliver(app, channel, second)
  await deliver(app, channel, first)
  await deliver(app, channel, second, first)
  const contact = await read(id)
  assert.deepEqual([contact.phone_number, contact.whatsapp_user_id], [`+${n3}`, a3])
  assert.equal(contact.identities.filter((each: Shown) => each.until === null).length, 2)
  await says('late, from the old number', { number: n1, seconds: 90 })
  await says('late, from the old account', { account: a1, seconds: 90 })
  await says('three', { number: n3, account: a3 })
  assert.equal(await total(), before)
  assert.deepEqual(await bodiesOf(id), ['late, from the old account', 'late, from the old number', 'one', 'three'])
  // Long after, another person has the number.
  await says('I have this number now', { number: n1 })
  assert.equal(await total(), before + 1)
  assert.deepEqual([(await read(id)).phone_number, (await onlyOne(n1)).id === id], [`+${n3}`, false])
})

test('a change that arrives before the one it follows waits for it', async () => {
  const [n1, n2, n3] = [newNumber(), newNumber(), newNumber()]
  await says('one', { number: n1, seconds: 100 })
  const { id } = await onlyOne(n1)
  await deliver(app, channel, system('user_changed_number', { wa_id: n3 }, { from: n2, seconds: 60 }))
  await deliver(app, channel, system('user_changed_number', { wa_id: n2 }, { from: n1, seconds: 80 }))
  await until(async () => (await read(id)).phone_number === `+${n3}`)
})

test('a change of one of several numbers leaves the others, and the opt-out holds for all of them', async () => {
  const [n1, n2, work] = [newNumber(), newNumber(), newNumber()]
  const [a1, a2] = [newAccount(), newAccount()]
  await says('one', { number: n1, account: a1, seconds: 100 })
  await says('STOP', { number: n1, account: a1, seconds: 90 })
  const { body: kept } = await acme.call('POST', 'contacts', { phone_number: `+${work}` })
  const merged = await acme.call('POST', `contacts/${kept.id}/merge`, { contact_id: (await onlyOne(n1)).id })
  assert.deepEqual([merged.status, merged.body.phone_number], [200, `+${work}`])
  const change = system(
    'user_changed_number',
    { wa_id: n2, user_id: a2, previous_user_id: a1 },
    { from: n1, seconds: 80 },
  )
  const identities = [
    `phone +${n2} primary`,
    `phone +${work}`,
    `whatsapp_user_id ${a2} primary`,
    `phone +${n1} past`,
    `whatsapp_user_id ${a1} past`,
  ]
  for (let time = 1; time <= 2; time++) {
    await deliver(app, channel, change)
    assert.deepEqual(shown((await read(kept.id)).identities).sort(), identities.toSorted())
  }
  await says('from work', { number: work })
  assert.equal((await onlyOne(work)).id, kept.id)
  await deliver(app, channel, change)
  for (const number of [work, n2]) assert.ok((await onlyOne(number)).opted_out_at)
  assert.ok((await read(kept.id)).identities.some((each: Shown) => each.value === `+${work}` && !each.until))
})

test('user_changed_user_id and user_id_update move the account, with the old id in a member or in the text', async () => {
  const [a1, a2, a3, a4] = [newAccount(), newAccount(), newAccount(), newAccount()] as const
  const number = newNumber()
  await says('hello', { account: a1, username: `by.${a1}` })
  const { id } = await onlyOne(`by.${a1}`)
  const account = async () => (await read(id)).whatsapp_user_id
  await deliver(app, channel, system('user_changed_user_id', { user_id: a2, previous_user_id: a1 }, { seconds: 80 }))
  assert.equal(await account(), a2)
  const body = `User Zoe changed from ${a2} to ${a3}`
  await deliver(app, channel, system('user_changed_user_id', { user_id: a3, body }, { seconds: 60 }))
  assert.equal(await account(), a3)
  await deliver(app, channel, userIdUpdate(a3, a4, { wa_id: number }))
  assert.equal(await account(), a4)
  assert.equal((await read(id)).phone_number, `+${number}`)
  await deliver(app, channel, system('user_changed_user_id', { user_id: a2, previous_user_id: a1 }, { seconds: 80 }))
  assert.equal(await account(), a4)
})

test('a system message names its person by from_user_id, and a new number by new_wa_id before wa_id', async () => {
  const [n1, n2, n3, a1, a2] = [newNumber(), newNumber(), newNumber(), newAccount(), newAccount()]
  const from = (account: string, type: string, members: object, number?: string) =>
    valueFor(channel, {
      messages: [
        messageFrom(number, { type: 'system', from_user_id: account, system: { type, body: '…', ...members } }),
      ],
    })
  await says('hello', { account: a1, number: n1 })
  const { id } = await onlyOne(n1)
  await deliver(app, channel, from(a1, 'user_changed_user_id', { user_id: a2 }))
  assert.equal((await read(id)).whatsapp_user_id, a2)
  await deliver(app, channel, from(a2, 'user_changed_number', { wa_id: n2 }))
  assert.equal((await read(id)).phone_number, `+${n2}`)
  // The sender may be the new id.
  const a3 = newAccount()
  await deliver(app, channel, from(a3, 'customer_changed_number', { wa_id: n2, new_wa_id: n3, user_id: a3 }, n2))
  const contact = await read(id)
  assert.deepEqual([contact.phone_number, contact.whatsapp_user_id], [`+${n3}`, a3])
  const n4 = newNumber()
  await deliver(app, channel, system('customer_changed_number', { customer: n3, new_wa_id: n4 }, {}))
  assert.equal((await read(id)).phone_number, `+${n4}`)
})

test('a person who wrote with the new identity first is one contact after the change arrives', async () => {
  const [a1, a2, number] = [newAccount(), newAccount(), newNumber()]
  await says('old account', { account: a1, username: `old.${a1}`, seconds: 100 })
  await says('STOP', { account: a2, username: `new.${a2}` })
  const [old, fresh] = [await onlyOne(`old.${a1}`), await onlyOne(`new.${a2}`)]
  await deliver(app, channel, system('user_changed_user_id', { user_id: a2, previous_user_id: a1 }, {}))
  const contact = await read(old.id)
  assert.equal(contact.whatsapp_user_id, a2)
  assert.ok(contact.opted_out_at)
  assert.deepEqual(await bodiesOf(old.id), ['STOP', 'old account'])
  const gone = await acme.call('GET', `contacts/${fresh.id}`)
  assert.deepEqual([gone.status, gone.body.merged_into], [404, old.id])
  // Later a number appears that an import knows: one contact, still opted out.
  const { body: imported } = await acme.call('POST', 'contacts', { phone_number: `+${number}`, tags: ['list'] })
  await says('my number', { number, account: a2 })
  const merged = await read(old.id)
  assert.ok(merged.opted_out_at)
  assert.deepEqual([merged.phone_number, merged.tags], [`+${number}`, ['list']])
  assert.equal((await acme.call('GET', `contacts/${imported.id}`)).body.merged_into, old.id)
})

/** A status that names its recipient by number and account. */
const status = (number: string, account: string, seconds = 3, word = 'delivered') =>
  statusesOf(channel, [
    statusOf(freshId(), word, { recipient_id: number, recipient_user_id: account, timestamp: secondsAgo(seconds) }),
  ])
const prefers = (value: 'stop' | 'resume', account: string, seconds = 2) => ({
  changes: [
    {
      field: 'user_preferences',
      value: {
        metadata: { phone_number_id: channel.phoneNumberId },
        user_preferences: [{ user_id: account, category: 'marketing_messages', value, timestamp: secondsAgo(seconds) }],
      },
    },
  ],
})
const imports = async (number: string, members: object = {}) =>
  (await acme.call('POST', 'contacts', { phone_number: `+${number}`, ...members })).body
const merged = async (id: string) => (await acme.call('GET', `contacts/${id}`)).body.merged_into

test('a status with number and user id links them, so that an opt-out by user id reaches an imported contact', async () => {
  const [number, account] = [newNumber(), newAccount()]
  const { id } = await imports(number)
  const before = await total()
  await deliver(app, channel, status(number, account), status(number, account), status(number, account, 30, 'sent'))
  const [first, second] = [await read(id), await read(id)]
  assert.equal(first.whatsapp_user_id, account)
  assert.deepEqual(shown(first.identities), [`phone +${number} primary`, `whatsapp_user_id ${account} primary`])
  await deliver(app, channel, status(number, account))
  assert.equal((await read(id)).updated_at, second.updated_at)
  await deliver(app, channel, prefers('stop', account))
  assert.ok((await read(id)).opted_out_at)
  assert.equal(await total(), before)
})

test('the contacts of a status webhook link number and user id too, in the notation of the platform', async () => {
  // Brazilian numbers lack their ninth digit on the platform.
  const [local, account] = [String(1000 + ++people), newAccount()]
  const { id } = await imports(`5511987${local}00`)
  const wa_id = `551187${local}00`
  const statuses = [statusOf(freshId(), 'read', { recipient_id: wa_id })]
  const contacts = [
    { profile: { name: 'Zoe', username: `z${account}` }, wa_id, user_id: account },
    { profile: { name: 'Other' }, wa_id: newNumber(), user_id: newAccount() },
  ]
  await deliver(app, channel, valueFor(channel, { contacts, statuses }))
  const contact = await read(id)
  assert.deepEqual(
    [contact.phone_number, contact.whatsapp_user_id, contact.username, contact.name],
    [`+5511987${local}00`, account, `z${account}`, 'Zoe'],
  )
})

for (const optedOut of ['number', 'account'] as const)
  test(`a status merges the contacts of its number and its user id; the opt-out by ${optedOut} stays`, async () => {
    const [number, account] = [newNumber(), newAccount()]
    const imported = await imports(number, { tags: ['list'] })
    if (optedOut === 'number') await acme.call('PATCH', `contacts/${imported.id}`, { opted_out: true })
    await says(optedOut === 'account' ? 'STOP' : 'hello', { account, username: `by.${account}` })
    const writer = await onlyOne(`by.${account}`)
    await deliver(app, channel, status(number, account))
    const contact = await read(imported.id)
    assert.ok(contact.opted_out_at)
    assert.deepEqual(
      [contact.whatsapp_user_id, contact.phone_number, contact.tags, contact.username],
      [account, `+${number}`, ['list'], `by.${account}`],
    )
    assert.equal(await merged(writer.id), imported.id)
    await deliver(app, channel, status(number, account))
    assert.equal((await onlyOne(number)).id, imported.id)
  })

test('an opt-out by user id that arrives before the status that links it waits for it', async () => {
  const [number, account] = [newNumber(), newAccount()]
  const { id } = await imports(number)
  const before = await total()
  await deliver(app, channel, prefers('stop', account))
  assert.equal((await read(id)).opted_out_at, null)
  await deliver(app, channel, status(number, account))
  await until(async () => (await read(id)).opted_out_at !== null)
  assert.equal(await total(), before)
})

test('a status gives a contact without a number its number, and never replaces one', async () => {
  const [number, other, account] = [newNumber(), newNumber(), newAccount()]
  await says('hello', { account, username: `by.${account}` })
  const { id } = await onlyOne(`by.${account}`)
  await deliver(app, channel, status(number, account))
  assert.equal((await read(id)).phone_number, `+${number}`)
  await deliver(app, channel, status(other, account))
  assert.deepEqual(shown((await read(id)).identities), [
    `phone +${number} primary`,
    `username by.${account} primary`,
    `whatsapp_user_id ${account} primary`,
  ])
})

test('statuses from before a change of number and account change nothing, nor do those of strangers and groups', async () => {
  const [n1, n2, a1, a2] = [newNumber(), newNumber(), newAccount(), newAccount()]
  await says('one', { number: n1, account: a1, seconds: 100 })
  const { id } = await onlyOne(n1)
  const change = { wa_id: n2, user_id: a2, previous_user_id: a1 }
  await deliver(app, channel, system('user_changed_number', change, { from: n1, seconds: 60 }))
  const { identities } = await read(id)
  const before = await total()
  const [kept, inGroup] = [newNumber(), newNumber()]
  await says('apart', { number: kept, account: newAccount() })
  await imports(inGroup)
  await deliver(
    app,
    channel,
    status(n1, a1, 80),
    status(n2, a2),
    status(kept, a2),
    status(newNumber(), newAccount()),
    statusesOf(channel, [
      statusOf(freshId(), 'read', { recipient_type: 'group', recipient_id: inGroup, recipient_user_id: newAccount() }),
      statusOf(freshId(), 'read', { recipient_id: { a: 1 }, recipient_user_id: 7 }),
    ]),
  )
  assert.deepEqual((await read(id)).identities, identities)
  assert.notEqual((await onlyOne(kept)).id, id)
  assert.equal((await onlyOne(inGroup)).whatsapp_user_id, null)
  assert.equal(await total(), before + 2)
})

test('a late status or message with an older user id, username or number becomes history and replaces nothing', async () => {
  const [number, former] = [newNumber(), newNumber()]
  const [older, old, current] = [newAccount(), newAccount(), newAccount()] as const
  await says('hello', { number, account: current, username: `new.${current}`, seconds: 3600 })
  const { id } = await onlyOne(number)
  const before = await total()
  await deliver(app, channel, status(number, old, 5400, 'sent'))
  await says('late', { number, account: older, username: `old.${current}`, seconds: 7200 })
  await says('late, from another number', { number: former, account: current, seconds: 7200 })
  const { identities } = await read(id)
  assert.deepEqual(
    shown(identities).sort(),
    [
      `phone +${number} primary`,
      `phone +${former} past`,
      `username new.${current} primary`,
      `username old.${current} past`,
      `whatsapp_user_id ${current} primary`,
      `whatsapp_user_id ${old} past`,
      `whatsapp_user_id ${older} past`,
    ].sort(),
  )
  // Identities are dated by the platform's time.
  const since = identities.find((each: Shown) => each.value === current).since
  assert.ok(since < new Date(Date.now() - 30_000).toISOString(), since)
  // The contact is found by the ids of the past, and a newer fact still replaces.
  await deliver(app, channel, prefers('stop', old))
  assert.ok((await read(id)).opted_out_at)
  const next = newAccount()
  await deliver(app, channel, status(number, next, 1800), status(number, older, 7800))
  assert.equal((await read(id)).whatsapp_user_id, next)
  assert.equal(await total(), before)
})

test('facts of one webhook count by their times, whatever their order in it', async () => {
  const number = newNumber()
  const [a1, a2, a3] = [newAccount(), newAccount(), newAccount()] as const
  const writes = (account: string, seconds: number) =>
    message(`by ${account}`, { number, account, username: `by.${account}`, seconds })
  await deliver(app, channel, writes(a2, 60), writes(a3, 30), writes(a1, 90))
  const contact = await onlyOne(number)
  assert.deepEqual(
    shown(contact.identities).sort(),
    [
      `phone +${number} primary`,
      ...[`username by.${a3}`, `whatsapp_user_id ${a3}`].map((each) => `${each} primary`),
      ...[a1, a2].flatMap((each) => [`username by.${each} past`, `whatsapp_user_id ${each} past`]),
    ].sort(),
  )
  assert.equal((await bodiesOf(contact.id)).length, 3)
})

test('a stranger under two user ids in one webhook is one contact, also if one message has no number', async () => {
  const orders = [
    [30, 90, 60],
    [60, 30, 90],
    [90, 60, 30],
  ] as const
  for (const [both, alone, other] of orders) {
    const [number, a1, a2] = [newNumber(), newAccount(), newAccount()]
    const before = await total()
    await deliver(
      app,
      channel,
      message('one', { number, account: a1, seconds: both }),
      message('two', { account: a2, seconds: alone }),
      message('three', { number, account: a2, seconds: other }),
    )
    assert.equal(await total(), before + 1)
    const contact = await onlyOne(number)
    assert.deepEqual(await bodiesOf(contact.id), ['one', 'three', 'two'])
    const primary = both < Math.min(alone, other) ? a1 : a2
    assert.equal(contact.whatsapp_user_id, primary)
    assert.deepEqual(shown(contact.identities).filter((each) => each.includes('whatsapp_user_id')).length, 2)
  }
})

test('a late change of the user id does not replace a user id that a newer message showed', async () => {
  const [number, a1, a2, a3] = [newNumber(), newAccount(), newAccount(), newAccount()]
  await says('now', { number, account: a3, seconds: 1800 })
  const { id } = await onlyOne(number)
  const change = system('user_changed_user_id', { user_id: a2, previous_user_id: a1 }, { from: number, seconds: 3600 })
  for (let time = 1; time <= 2; time++) {
    await deliver(app, channel, change)
    assert.deepEqual(shown((await read(id)).identities).sort(), [
      `phone +${number} primary`,
      `whatsapp_user_id ${a1} past`,
      `whatsapp_user_id ${a2} past`,
      `whatsapp_user_id ${a3} primary`,
    ])
  }
})

test('a late change of the number does not replace a number that a newer message showed', async () => {
  const [number, changed, current, account] = [newNumber(), newNumber(), newNumber(), newAccount()]
  await says('hello', { number, account, seconds: 7200 })
  const { id } = await onlyOne(number)
  await says('from another phone', { number: current, account, seconds: 1800 })
  const change = system('user_changed_number', { wa_id: changed }, { from: number, seconds: 3600 })
  for (let time = 1; time <= 2; time++) {
    await deliver(app, channel, change)
    const contact = await read(id)
    assert.equal(contact.phone_number, `+${current}`)
    assert.deepEqual(
      shown(contact.identities).sort(),
      [
        `phone +${current} primary`,
        ...[number, changed].map((each) => `phone +${each} past`),
        `whatsapp_user_id ${account} primary`,
      ].sort(),
    )
  }
})

test('a username or account that a person uses again is dated by its return', async () => {
  const [number, first, second] = [newNumber(), newAccount(), newAccount()]
  const names = { first: `first.${first}`, second: `second.${first}` }
  const uses = (account: string, username: string, seconds: number) =>
    says(`by ${account} as ${username}, ${seconds} s ago`, { number, account, username, seconds })
  await uses(first, names.first, 9000)
  const { id } = await onlyOne(number)
  await uses(second, names.second, 7200)
  await uses(first, names.first, 1800)
  // Older than the return, newer than the first use.
  await uses(second, names.second, 3600)
  const { whatsapp_user_id, username, identities } = await read(id)
  assert.deepEqual([whatsapp_user_id, username], [first, names.first])
  assert.deepEqual(
    shown(identities)
      .filter((each) => each.endsWith('past'))
      .sort(),
    [`username ${names.second} past`, `whatsapp_user_id ${second} past`],
  )
})

test('the newest fact of a webhook counts also if the contact has it already', async () => {
  const [number, account, other] = [newNumber(), newAccount(), newAccount()]
  const writes = (user: string, seconds: number) =>
    message(`by ${user}, ${seconds} s ago`, { number, account: user, username: `by.${user}`, seconds })
  await deliver(app, channel, writes(account, 7200))
  const { id } = await onlyOne(number)
  await deliver(app, channel, writes(other, 3600), writes(account, 1800))
  const { whatsapp_user_id, username } = await read(id)
  assert.deepEqual([whatsapp_user_id, username], [account, `by.${account}`])
})

test('a status from before an erasure does not link the erased user id again', async () => {
  const [number, account] = [newNumber(), newAccount()]
  await says('hello', { number, account })
  const erased = await onlyOne(number)
  assert.equal((await acme.call('POST', `contacts/${erased.id}/erase`)).status, 202)
  await until(async () => (await acme.call('GET', `contacts/${erased.id}`)).status === 404)
  const { id } = await imports(number)
  await deliver(app, channel, status(number, account, 30))
  assert.equal((await read(id)).whatsapp_user_id, null)
})

test('an account of its own keeps the contact that has the new number apart', async () => {
  const [n1, n2, a1, a2] = [newNumber(), newNumber(), newAccount(), newAccount()]
  await says('first', { number: n1, account: a1 })
  await says('second', { number: n2, account: a2 })
  const [first, second] = [await onlyOne(n1), await onlyOne(n2)]
  await says('with the other one’s phone', { number: n2, account: a1 })
  assert.deepEqual(await bodiesOf(first.id), ['first', 'with the other one’s phone'])
  assert.equal((await read(second.id)).phone_number, `+${n2}`)
})

test('identity changes that say nothing, and those of strangers, change nothing', async () => {
  const before = await total()
  const events = [
    system('user_changed_number', {}, { from: newNumber() }),
    system('user_changed_number', { wa_id: 'x' }, {}),
    system('user_changed_user_id', {}, {}),
    system('user_changed_user_id', { user_id: newAccount(), previous_user_id: newAccount() }, {}),
    system('user_changed_user_id', { user_id: 7, previous_user_id: { a: 1 }, body: 5 }, {}),
    userIdUpdate('', ''),
    userIdUpdate(newAccount(), newAccount()),
    {
      changes: [
        { field: 'user_id_update', value: { metadata: { phone_number_id: channel.phoneNumberId }, user_id_update: 7 } },
      ],
    },
    { changes: [{ field: 'user_id_update', value: null }] },
  ]
  assert.equal((await post(app, channel, payloadOf(...events))).status, 200)
  await processed(app)
  assert.equal(await total(), before)
})

test('the migration copies the numbers and accounts of existing contacts, also when it runs again', async () => {
  const owner = await connectOwner(app)
  const primaries = async () =>
    (
      await owner.query(`select contact_id, kind, value, is_primary, until from contact_identities
        where is_primary and kind <> 'username' order by 1, 2, 3`)
    ).rows
  const before = await primaries()
  assert.ok(before.length > 10)
  const fill = await readFile(new URL('../../../migrations/0060_fill_identities.sql', import.meta.url), 'utf8')
  await owner.query('delete from contact_identities')
  await owner.query(fill)
  assert.deepEqual(await primaries(), before)
  await owner.query(fill)
  assert.deepEqual(await primaries(), before)
})
