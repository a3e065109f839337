import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personalData, personalMentions, retention } from '../../../app.ts'
import { newId } from '../../../platform/ids.ts'
import { ok, startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { campaigner, countsOf } from '../../../testing/campaigns.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { connectChannel, deliver, messageFrom, messagesTo, processed, textFrom } from '../../../testing/hooks.ts'
import { importFile } from '../../../testing/imports.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { png } from '../../../testing/sample-files.ts'
import { upload } from '../../../testing/uploads.ts'
import { makeWebhook, receiver, seeDeliveries } from '../../../testing/webhook-receivers.ts'
import type { Erasure } from '../schema.ts'

const app = await startTestApp({ settings: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
await app.listen()
const owner = await connectOwner(app)

let numbers = 0
const newNumber = () => `+1202555${3000 + ++numbers}`

async function erase({ call }: TestOrganization, contactId: string): Promise<Erasure> {
  const { id } = ok(await call('POST', `contacts/${contactId}/erase`), 202)
  let erasure: Erasure | undefined
  await until(async () => {
    erasure = ok(await call('GET', `privacy/erasures/${id}`))
    return erasure?.state === 'completed'
  })
  return erasure as Erasure
}

/** Every table with a row that contains one of these texts, also as bytes. */
async function tablesWith(texts: string[]): Promise<string[]> {
  const { rows: tables } = await owner.query(
    `select c.oid::regclass::text as name from pg_class c
     where relnamespace::regnamespace::text in ('public', 'pgboss') and relkind in ('r', 'p') and not relispartition
       -- It stands for the platform, which keeps its own records.
       and relname <> 'simulator_records'`,
  )
  await owner.query('set role frontdesk_system')
  const wanted = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')])
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await owner
      .query(`select exists (select from ${name} r where r::text like any ($1)) as found`, [
        wanted.map((text) => `%${text}%`),
      ])
      .catch(() => ({ rows: [] }))
    if (rows[0]?.found) found.push(name)
  }
  await owner.query('reset role')
  return found
}

test('an erasure reaches every table and file, proves it, and keeps all counts exact', async () => {
  const acme = await campaigner(app)
  const { call } = acme
  const webhook = await makeWebhook(call, (await receiver()).url)
  const [from, name] = [newNumber(), 'Zebulon Quux']
  const secret = 'my-very-own-secret'
  ok(await call('POST', 'simulator/messages', { from, name, text: secret }), 202)
  let ticket: { id: string; contact_id: string } | undefined
  await until(async () => {
    ticket = ok(await call('GET', 'inbox/tickets')).inboxes[0]
    return ticket !== undefined
  })
  const { id: ticketId, contact_id: contactId } = ticket as { id: string; contact_id: string }
  const { body: sent } = await upload(call, `inbox/messages/${ticketId}`, { file: png, fileName: `${secret}.png` })
  const path = `contacts/${contactId}`
  ok(await call('PATCH', path, { name, tags: ['vip'], notes: secret, custom_fields: { pet: secret } }))
  ok(
    await call(
      'POST',
      `${path}/activities`,
      { type: 'note_added', payload: { note: secret } },
      { 'idempotency-key': 'n' },
    ),
    201,
  )
  ok(await call('POST', 'crm/tasks', { contact_id: contactId, title: secret }), 201)
  const later = { body: secret, send_at: new Date(Date.now() + 3_600_000).toISOString() }
  ok(await call('POST', `inbox/tickets/${ticketId}/scheduled-messages`, later), 201)
  const callId = newId()
  await app.database.inTenant(
    acme.scope,
    (tx) => tx.run`
      insert into calls (id, medium, direction, status, ended_at, deadline_at, contact_id, from_number, transcript, summary,
        call_id, cost)
      values (${callId}, 'phone', 'inbound', 'completed', now(), now(), ${contactId}, ${from},
        ${JSON.stringify([{ speaker: 'caller', text: secret, timestamp: 1 }])}::jsonb, ${secret}, ${`CA-${secret}`}, 0.25)`,
  )
  const [other = ''] = await acme.contacts(1)
  const campaign = await acme.send([contactId, other])
  const counts = countsOf(
    await acme.until(campaign.id, ({ status, read_count }) => status === 'completed' && read_count === 2),
  )
  // A receipt has the number of the contact: none may arrive during the search for it.
  await until(async () => {
    const { messages } = ok(await call('GET', `inbox/messages/${ticketId}?limit=100`))
    return messages.some(({ id, status }: { id: string; status: string }) => id === sent.id && status === 'read')
  })
  await until(async () => {
    const { data: happened } = ok(await call('GET', `events?limit=100&created_after=${webhook.created_at}`))
    const deliveries = await seeDeliveries(call, webhook.id, '&status=succeeded')
    const succeeded = new Set(deliveries.map(({ id }) => id))
    return happened.every(({ id }: { id: string }) => succeeded.has(id))
  })
  ok(await call('GET', `contacts/export?search=${encodeURIComponent(from)}`))

  const edits: string[] = []
  for (const search of [name.toUpperCase(), from])
    edits.push(ok(await call('POST', 'contact-bulk-edits', { filter: { search }, add_tags: ['seen'] }), 202).id)
  const readEdits = () => Promise.all(edits.map(async (id) => ok(await call('GET', `contact-bulk-edits/${id}`))))
  await until(async () => (await readEdits()).every(({ state }) => state === 'completed'))

  // Other rows of this import stay.
  const spaced = from.replace(/^\+(.)(...)(...)/, '$1 ($2) $3-')
  const imported = await importFile(call, Buffer.from(`phone\nask ${spaced}\ncall ${from}\nask ${spaced}7\n`))
  assert.equal(imported.errors.length, 3)

  const erasure = await erase(acme, contactId)

  const { contacts, activities, tasks, messages, message_media, tickets, calls, deliveries, events } = erasure.counts
  assert.deepEqual(
    { contacts, tasks, messages, message_media, tickets, calls, deliveries },
    { contacts: 1, tasks: 1, messages: 3, message_media: 1, tickets: 1, calls: 1, deliveries: 1 },
  )
  assert.ok(Number(activities) > 3 && Number(events) > 5 && Number(erasure.counts.webhook_deliveries) > 5)
  assert.deepEqual([erasure.files_count, erasure.error, erasure.address_digests.length], [1, null, 1])
  assert.ok(erasure.erased_at && erasure.completed_at && erasure.completed_at >= erasure.erased_at)
  assert.equal(erasure.requested_by_type, 'user')

  const digits = from.slice(1)
  assert.deepEqual(await tablesWith([secret, name, name.toUpperCase(), digits]), [])
  assert.deepEqual(
    (await readEdits()).map(({ filter, processed }) => [filter, processed]),
    edits.map(() => [{}, 1]),
  )
  const { errors } = ok(await call('GET', `contacts/imports/${imported.id}`))
  assert.deepEqual(
    errors.map(({ row }: { row: number }) => row),
    [4],
  )
  assert.equal((await call('GET', path)).status, 404)
  assert.equal((await call('GET', new URL(sent.media_url).pathname)).status, 404)
  const log = ok(await call('GET', `calls/${callId}`))
  assert.deepEqual([log.contact_id, log.from_number, log.transcript, log.summary, log.cost], [null, '', [], '', 0.25])
  assert.deepEqual(countsOf(await acme.see(campaign.id)), counts)
  const listed = ok(await call('GET', 'events?limit=100'))
  assert.equal(listed.total_count, listed.data.length)
  const erased = listed.data.filter(({ type }: { type: string }) => type === 'contact.erased')
  assert.deepEqual(
    erased.map(({ data }: { data: object }) => data),
    [{ object: { id: contactId, erasure_id: erasure.id, erased_at: erasure.erased_at } }],
  )
  assert.equal(ok(await call('GET', 'contacts')).total_count, 1)
  assert.equal(ok(await call('GET', 'inbox/tickets')).total, 0)
  assert.equal(ok(await call('GET', 'crm/tasks')).total_count, 0)
  assert.deepEqual(ok(await call('GET', 'contacts/tags')), { tags: [] })
  await until(async () => (await seeDeliveries(call, webhook.id)).some(({ id }) => id === erased[0].id))
  const deliveryLog = ok(await call('GET', `webhooks/${webhook.id}/deliveries?limit=100`))
  assert.equal(deliveryLog.total_count, deliveryLog.data.length)
  const audit = ok(await call('GET', `audit-log?object_id=${erasure.id}`))
  assert.deepEqual([audit.data[0].action, audit.data[0].current], ['erasure.created', { contact_id: contactId }])
})

test('asked again, it is the same erasure; the list has it once', async () => {
  const acme = await app.organization()
  const contact = ok(await acme.call('POST', 'contacts', { phone_number: newNumber() }), 201)
  const [one, two] = await Promise.all([1, 2].map(() => acme.call('POST', `contacts/${contact.id}/erase`)))
  assert.deepEqual([one?.status, two?.status, one?.body.id === two?.body.id], [202, 202, true])
  const done = await erase(acme, contact.id)
  assert.equal(done.id, one?.body.id)
  const page = ok(await acme.call('GET', 'privacy/erasures'))
  assert.deepEqual([page.data, page.total_count, page.has_more], [[done], 1, false])
})

test('unknown contacts, other tenants, modes and scopes are refused', async () => {
  const [acme, globex] = [await app.organization(), await app.organization()]
  const contact = ok(await acme.call('POST', 'contacts', { phone_number: newNumber() }), 201)
  const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
  for (const call of [globex.call, live]) assert.equal((await call('POST', `contacts/${contact.id}/erase`)).status, 404)
  assert.equal((await acme.call('POST', `contacts/${newId()}/erase`)).status, 404)
  assert.equal((await acme.call('POST', 'contacts/nobody/erase')).status, 404)
  const writer = app.as((await app.key(acme.id, { scopes: ['contacts:write'] })).secret)
  const member = await person(app, acme.id, 'member')
  for (const call of [writer, member.call]) {
    assert.equal((await call('POST', `contacts/${contact.id}/erase`)).status, 403)
    assert.equal((await call('GET', 'privacy/erasures')).status, 403)
    assert.equal((await call('GET', `privacy/erasures/${newId()}`)).status, 403)
  }
  for (const [method, path] of [
    ['POST', `contacts/${contact.id}/erase`],
    ['GET', 'privacy/erasures'],
    ['GET', `privacy/erasures/${newId()}`],
  ] as const)
    assert.equal((await app.call(method, path)).status, 401)
  const { id } = await erase(acme, contact.id)
  assert.equal((await globex.call('GET', `privacy/erasures/${id}`)).status, 404)
  assert.equal((await acme.call('GET', 'privacy/erasures?starting_after=x')).status, 422)
  assert.equal(ok(await globex.call('GET', 'privacy/erasures')).total_count, 0)
})

test('a running call is in the way: 409, and nothing is erased', async () => {
  const acme = await app.organization()
  const scope = { organizationId: acme.id, livemode: false }
  const contact = ok(await acme.call('POST', 'contacts', { phone_number: newNumber() }), 201)
  const callId = newId()
  await app.database.inTenant(
    scope,
    (tx) => tx.run`
      insert into calls (id, medium, direction, deadline_at, contact_id)
      values (${callId}, 'phone', 'inbound', now() + interval '1 hour', ${contact.id})`,
  )
  const refused = await acme.call('POST', `contacts/${contact.id}/erase`)
  assert.deepEqual([refused.status, /in progress/.test(refused.body.detail)], [409, true])
  assert.equal((await acme.call('GET', `contacts/${contact.id}`)).status, 200)
})

test('a message from before the erasure that arrives late is dropped; a later one is a new contact', async () => {
  const acme = await app.organization()
  const channel = await connectChannel(acme)
  const number = newNumber().slice(1)
  const now = Math.floor(Date.now() / 1000)
  const says = (text: string, timestamp: number) =>
    deliver(app, channel, messagesTo(channel, [textFrom(number, text, { timestamp: String(timestamp) })]))
  await says('hello', now - 100)
  const [contact] = ok(await acme.call('GET', 'contacts')).data
  const { erased_at } = await erase(acme, contact.id)
  await says('sent before', now - 50)
  assert.equal(ok(await acme.call('GET', 'contacts')).total_count, 0)
  assert.equal(ok(await acme.call('GET', 'inbox/tickets')).total, 0)
  await until(async () => Math.floor(Date.now() / 1000) * 1000 > Date.parse(erased_at as string))
  await says('I am back', Math.floor(Date.now() / 1000))
  const { data } = ok(await acme.call('GET', 'contacts'))
  assert.equal(data.length, 1)
  assert.notEqual(data[0].id, contact.id)
})

test('a change of number that arrives late stores no erased number again', async () => {
  const acme = await app.organization()
  const channel = await connectChannel(acme)
  const [erased, second, third] = [newNumber(), newNumber(), newNumber()].map((number) => number.slice(1)) as [
    string,
    string,
    string,
  ]
  const now = Math.floor(Date.now() / 1000)
  const at = (seconds: number) => ({ timestamp: String(seconds) })
  const moves = (from: string, wa_id: string, seconds: number) =>
    deliver(
      app,
      channel,
      messagesTo(
        channel,
        [
          messageFrom(from, {
            ...at(seconds),
            type: 'system',
            system: { type: 'user_changed_number', wa_id, body: '…' },
          }),
        ],
        'Pat',
      ),
    )
  for (const number of [erased, second, third])
    await deliver(app, channel, messagesTo(channel, [textFrom(number, 'hello', at(now - 100))], 'Pat'))
  const [contact] = ok(await acme.call('GET', `contacts?search=${erased}`)).data
  const { erased_at } = await erase(acme, contact.id)
  await moves(erased, second, now - 50)
  await moves(third, erased, now - 50)
  await until(async () => Math.floor(Date.now() / 1000) * 1000 > Date.parse(erased_at as string))
  await moves(erased, second, Math.floor(Date.now() / 1000))
  assert.deepEqual(await tablesWith([erased]), [])
  const { data } = ok(await acme.call('GET', 'contacts'))
  assert.deepEqual(data.map(({ phone_number }: { phone_number: string }) => phone_number).sort(), [
    `+${second}`,
    `+${third}`,
  ])
})

test('messages that race with the erasure leave nothing behind', async () => {
  const acme = await app.organization()
  const channel = await connectChannel(acme)
  for (let round = 0; round < 5; round++) {
    const number = newNumber().slice(1)
    const timestamp = String(Math.floor(Date.now() / 1000) - 5)
    const says = (text: string) => deliver(app, channel, messagesTo(channel, [textFrom(number, text, { timestamp })]))
    await says('first')
    const [contact] = ok(await acme.call('GET', `contacts?search=${number}`)).data
    await Promise.all([erase(acme, contact.id), ...Array.from({ length: 6 }, (_, n) => says(`racing ${n}`))])
    await processed(app)
    assert.deepEqual(await tablesWith([number]), [])
  }
})

test('a longer number that begins with the erased one is another person’s', async () => {
  const acme = await app.organization()
  const { body: one } = await acme.call('POST', 'contacts', { phone_number: '+493012345' })
  const { body: other } = await acme.call('POST', 'contacts', { phone_number: '+49301234567' })
  assert.ok(one.id && other.id)
  await erase(acme, one.id)
  const { text } = await acme.call('GET', 'events?type=contact.created')
  assert.ok(text.includes(other.id) && !text.includes(one.id), text)
})

test('what was unlinked by an earlier deletion is erased by its number', async () => {
  const acme = await campaigner(app)
  const phone_number = newNumber()
  const first = ok(await acme.call('POST', 'contacts', { phone_number, name: 'First' }), 201)
  const campaign = await acme.send([first.id])
  await acme.until(campaign.id, ({ status, read_count }) => status === 'completed' && read_count === 1)
  ok(await acme.call('DELETE', `contacts/${first.id}`))
  const again = ok(await acme.call('POST', 'contacts', { phone_number }), 201)
  const { counts } = await erase(acme, again.id)
  assert.equal(counts.deliveries, 1)
  assert.deepEqual(await tablesWith([phone_number.slice(1)]), [])
})

/** Columns whose name says that they may hold something about a person. */
const personal =
  /contact|phone_number$|from_number|to_number|whatsapp|^body$|^data$|^payload$|transcript|^segment$|^bytes$|response_body/

test('every table that refers to a person, by a key or by a column, is declared', async () => {
  const { rows } = await owner.query<{ name: string; columns: string[]; targets: string[] }>(`
    select c.oid::regclass::text as name, array(select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      array(select confrelid::regclass::text from pg_constraint where conrelid = c.oid and contype = 'f') as targets
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  const reaching = new Set(['contacts'])
  for (let size = 0; size !== reaching.size; ) {
    size = reaching.size
    for (const { name, targets } of rows) if (targets.some((target) => reaching.has(target))) reaching.add(name)
  }
  const others = {
    channels: 'the numbers of the organization',
    chat_number_claims: 'the numbers of the organization',
    contact_counts: 'figures',
    contact_tag_counts: 'figures',
    contact_imports: 'progress of an import',
    simulator_records: 'the side of the simulated platform, in test mode',
    spent_refresh_tokens: 'sessions of members',
  }
  const declared = new Set([...personalData, ...personalMentions].map(({ table }) => table))
  const missing = rows
    .filter(
      ({ name, columns }) =>
        reaching.has(name) || columns.some((column) => personal.test(column)) || /contact/.test(name),
    )
    .map(({ name }) => name)
    .filter((name) => !declared.has(name) && !(name in others))
  assert.deepEqual(missing, [], 'declare these in `personalData` or `personalMentions` of their feature')
  const expiring = new Set(retention.map(({ table }) => table))
  for (const table of personalData)
    if (!('exempt' in table))
      assert.ok(
        expiring.has(table.table) !== (table.kept !== undefined),
        `${table.table} needs a retention rule, or a reason to be kept`,
      )
  const known = new Set(rows.map(({ name }) => name))
  for (const table of [...declared, ...retention.map(({ table }) => table)]) assert.ok(known.has(table), table)
})
