import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { campaigner } from '../../../testing/campaigns.ts'
import { connectChannel, deliver, messageFrom, secondsAgo, textFrom, valueFor } from '../../../testing/hooks.ts'
import { until } from '../../../testing/process.ts'

const app = await sharedTestApp()
await app.listen()
const acme = await campaigner(app)
const { call } = acme
const channel = await connectChannel(acme)

let people = 0

/**
 * The webhooks of one person: a reply to an ad without a number, a message that shows the number, STOP, a new account, a
 * new number, and a last message. The organization has the number already, from an import.
 */
async function newPerson() {
  const n = 1000 + ++people
  const name = `Ines ${n}`
  const [first, second] = [`1555091${n}`, `1555092${n}`]
  const [before, after] = [`US.7000${n}`, `US.8000${n}`]
  const writes = (body: string, seconds: number, who: { account: string; number?: string }, more: object = {}) =>
    valueFor(channel, {
      contacts: [{ profile: { name }, user_id: who.account, ...(who.number && { wa_id: who.number }) }],
      messages: [
        {
          ...textFrom('', body, { timestamp: secondsAgo(seconds), ...more }),
          from: who.number,
          from_user_id: who.account,
        },
      ],
    })
  const changes = (type: string, seconds: number, from: string | undefined, system: object) =>
    valueFor(channel, {
      messages: [
        messageFrom(from, { type: 'system', timestamp: secondsAgo(seconds), system: { type, body: '…', ...system } }),
      ],
    })
  const { id } = ok(await call('POST', 'contacts', { phone_number: `+${first}`, tags: ['imported'] }), 201)
  return {
    importedId: id as string,
    name,
    second,
    after,
    webhooks: [
      writes(
        'Still on?',
        600,
        { account: before },
        { referral: { source_type: 'ad', source_id: `99${n}`, headline: 'Summer sale' } },
      ),
      writes('This is my number', 500, { account: before, number: first }),
      writes('STOP', 400, { account: before }),
      changes('user_changed_user_id', 300, undefined, { user_id: after, previous_user_id: before }),
      changes('user_changed_number', 200, first, { wa_id: second }),
      writes('One more question', 100, { account: after }),
    ],
    source: `99${n}`,
  }
}

/** The one contact that is left, if all that is known of the person is in it. */
async function settled({ importedId, name, second, source }: Awaited<ReturnType<typeof newPerson>>) {
  const remaining = await call('GET', `contacts/${importedId}`)
  const id = remaining.status === 404 ? remaining.body.merged_into : importedId
  const contact = ok(await call('GET', `contacts/${id}`))
  const found = await Promise.all(
    [`search=${second}`, `search=${encodeURIComponent(name)}`, `source_id=${source}`].map(async (query) =>
      ok(await call('GET', `contacts?${query}`)).data.map((each: { id: string }) => each.id),
    ),
  )
  const { inboxes } = ok(await call('GET', `inbox/tickets?contact_id=${id}`))
  const messages = await Promise.all(
    inboxes.map(async (ticket: { id: string }) => ok(await call('GET', `inbox/messages/${ticket.id}`)).messages),
  )
  return {
    contact,
    facts: {
      number: contact.phone_number,
      account: contact.whatsapp_user_id,
      tags: contact.tags,
      source: contact.source_id,
      isOptedOut: contact.opted_out_at !== null,
      found: found.map((ids) => ids.join()),
      bodies: messages
        .flat()
        .map(({ body }: { body: string }) => body)
        .sort(),
    },
  }
}

/** Repeatable: a failure names the order. */
function shuffled<T>(list: T[], seed: number): T[] {
  const rest = [...list]
  let state = seed
  return list.map(() => {
    state = (state * 1103515245 + 12345) % 2147483648
    return rest.splice(state % rest.length, 1)[0] as T
  })
}

const orders: [name: string, order: (webhooks: object[]) => object[]][] = [
  ['in order', (list) => list],
  ['each twice', (list) => list.flatMap((each) => [each, each])],
  ['all of them again', (list) => [...list, ...list]],
  ['backwards', (list) => list.toReversed()],
  ...[1, 2, 3].map((seed): (typeof orders)[number] => [
    `shuffled with the seed ${seed}`,
    (list) => shuffled(list, seed),
  ]),
  ['shuffled, and again in another order', (list) => [...shuffled(list, 4), ...shuffled(list, 5)]],
]

for (const [name, order] of orders)
  test(`an ad reply without a number becomes one contact that stays opted out: webhooks ${name}`, async () => {
    const person = await newPerson()
    for (const webhook of order(person.webhooks)) await deliver(app, channel, webhook)
    const expected = {
      number: `+${person.second}`,
      account: person.after,
      tags: ['imported'],
      source: person.source,
      isOptedOut: true,
      bodies: ['One more question', 'STOP', 'Still on?', 'This is my number'],
    }
    let last: Awaited<ReturnType<typeof settled>> | undefined
    await until(async () => {
      last = await settled(person)
      const { found, ...facts } = last.facts
      return JSON.stringify(facts) === JSON.stringify(expected)
    }).catch(() => {})
    const { contact, facts } = last as NonNullable<typeof last>
    assert.deepEqual(facts, { ...expected, found: [contact.id, contact.id, contact.id] })

    const { skipped, recipients } = ok(
      await call('POST', 'campaigns/preflight', {
        name: 'News',
        chat_phone_number_id: acme.channelId,
        message_template_id: acme.templateId,
        audience_type: 'manual',
        audience_contact_ids: [contact.id],
      }),
    )
    assert.deepEqual([skipped.opted_out, recipients], [1, 0])
  })
