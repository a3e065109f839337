import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { ok, startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { importFile } from '../../../testing/imports.ts'
import { until } from '../../../testing/process.ts'
import type { Contact } from '../schema.ts'

const app = await startTestApp()
let lastNumber = 0

const create = async ({ call }: TestOrganization, input: object = {}): Promise<Contact> => {
  const number = `+1415555${String(++lastNumber).padStart(4, '0')}`
  return ok(await call('POST', 'contacts', { phone_number: number, ...input }), 201)
}

/** The rows as an independent parser reads them, each cell under its column's name. */
async function exported({ call }: TestOrganization, query = ''): Promise<Record<string, string>[]> {
  const answer = await call('GET', `contacts/export${query}`)
  assert.equal(answer.status, 200, answer.text)
  return parse(answer.text, { columns: true, relax_column_count: false })
}

const contactsOf = async ({ call }: TestOrganization): Promise<Contact[]> =>
  (await call('GET', 'contacts?limit=100')).body.data.toReversed()

test('the export is a named CSV file with a header and a row per contact, oldest first', async () => {
  const org = await app.organization()
  const ada = await create(org, { name: 'Ada "the first" Lovelace', tags: ['vip', 'news'], notes: 'two\nlines, here' })
  const bob = await create(org, { stage: 'lost', ai_handling: false, first_name: 'Bob', time_zone: 'Asia/Tokyo' })
  const answer = await org.call('GET', 'contacts/export')
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  const today = new Date().toISOString().slice(0, 10)
  assert.equal(answer.headers['content-disposition'], `attachment; filename="contacts-${today}.csv"`)
  assert.equal(
    answer.text.split('\r\n')[0],
    'id,phone_number,name,tags,notes,stage,ai_handling,opted_out_at,last_activity_at,created_at,first_name,time_zone,source_type,source_id,source_headline,source_url,source_at,custom_fields',
  )
  const row = (contact: Contact, tags: string) => ({
    id: contact.id,
    phone_number: contact.phone_number,
    name: contact.name,
    tags,
    notes: contact.notes,
    stage: contact.stage,
    ai_handling: String(contact.ai_handling),
    opted_out_at: '',
    last_activity_at: contact.last_activity_at,
    created_at: contact.created_at,
    first_name: contact.first_name ?? '',
    time_zone: contact.time_zone ?? '',
    source_type: '',
    source_id: '',
    source_headline: '',
    source_url: '',
    source_at: '',
    custom_fields: '',
  })
  assert.deepEqual(await exported(org), [row(ada, 'vip; news'), row(bob, '')])
  const empty = await app.organization()
  assert.deepEqual(await exported(empty), [])
})

test('the filters are those of the list', async () => {
  const org = await app.organization()
  await create(org, { name: 'a', tags: ['vip'], stage: 'customer' })
  await create(org, { name: 'b 100%', tags: ['vip', 'x'], ai_handling: false })
  const { id } = await create(org, { name: 'c', tags: ['x'], stage: 'customer' })
  await app.database.forSystem().run`update contacts set opted_out_at = now() where id = ${id}`
  const expected: Record<string, string[]> = {
    '?tag=vip': ['a', 'b 100%'],
    '?stage=customers': ['a', 'c'],
    '?ai_handling=false': ['b 100%'],
    '?opted_out=true': ['c'],
    '?opted_out=false&tag=vip&stage=customer': ['a'],
    '?search=B': ['b 100%'],
    '?search=%25': ['b 100%'],
    '?search=415-555&tag=x': ['b 100%', 'c'],
    '?search=nobody': [],
  }
  for (const [query, names] of Object.entries(expected))
    assert.deepEqual(
      (await exported(org, query)).map(({ name }) => name),
      names,
      query,
    )
  for (const query of ['stage=x', 'ai_handling=x', 'opted_out=x', `search=${'x'.repeat(201)}`, 'tag=%00'])
    assert.equal((await org.call('GET', `contacts/export?${query}`)).status, 422, query)
})

test('it contains the caller’s own contacts only', async () => {
  const [org, other] = [await app.organization(), await app.organization()]
  await create(org, { custom_fields: { secret: 'x' } })
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  for (const call of [other.call, live]) assert.doesNotMatch((await call('GET', 'contacts/export')).text, /\+1|secret/)
  assert.equal((await app.call('GET', 'contacts/export')).status, 401)
})

test('custom fields have their own columns, as JSON where a value is not plain text', async () => {
  const org = await app.organization()
  await create(org, { custom_fields: { plan: 'gold', age: 36, name: 'nick', ' odd ': 'kept' } })
  await create(org, { custom_fields: { plan: 'free', age: '40', ok: 'yes' } })
  const [first, second] = await exported(org)
  assert.deepEqual(Object.keys(first ?? {}).slice(17), [
    'custom_fields.age:json',
    'custom_fields.name',
    'ok',
    'plan',
    'custom_fields',
  ])
  const cells = (row = {} as Record<string, string>) => Object.values(row).slice(17)
  assert.deepEqual(cells(first), ['36', 'nick', '', 'gold', '{" odd ":"kept"}'])
  assert.deepEqual(cells(second), ['"40"', '', 'yes', 'free', ''])
})

test('no cell is a formula to a spreadsheet, and numbers stay numbers', async () => {
  const org = await app.organization()
  const evil = ['=1+1', '+SUM(A1)', '-2+3', '@cmd', '\t=1', '\r=1', "'=1", '＝1', '=HYPERLINK("http://x","y")']
  for (const name of evil)
    await create(org, { name: `x${name}`, notes: name, tags: [name], custom_fields: { [name]: name } })
  await create(org, { notes: '-12.5', custom_fields: { plain: "it's" } })
  const { text } = await org.call('GET', 'contacts/export')
  const rows = parse(text) as string[][]
  for (const cell of rows.flat()) assert.ok(!/^[=+\-@\t\r＝]/.test(cell) || /^[+-][\d.]+$/.test(cell), cell)
  assert.ok(rows.some((row) => row[1] === `+1415555${String(lastNumber).padStart(4, '0')}`))
})

test('an exported contact imports unchanged into another organization', async () => {
  const org = await app.organization()
  const texts = [
    '=1+1',
    "'quoted",
    "''=x",
    '-5',
    '+49 170',
    'a;b',
    'a|b',
    '"',
    'zwei\r\nZeilen',
    ' spaces ',
    '😀',
    '[',
    '[1]',
  ]
  for (const text of texts)
    await create(org, {
      name: `N ${text}`.trim(),
      notes: text,
      tags: [...new Set([text.trim(), 'second'])],
      custom_fields: { text, [text]: 'as key' },
    })
  await create(org, {
    name: 'types',
    stage: 'qualified',
    ai_handling: false,
    custom_fields: {
      number: 1.5,
      negative: -7,
      yes: true,
      nothing: null,
      empty: '',
      blank: ' ',
      list: [1, { a: 'b,c' }],
      'a:json': 'x',
      'custom_fields.b': 'y',
      custom_fields: 'z',
      phone: 'p',
      id: 'i',
      created_at: 'c',
      'First Name': 'f',
      constructor: 'd',
    },
  })
  const { id } = await create(org, { name: 'bare' })
  await app.database.forSystem().run`
    update contacts set opted_out_at = '2026-02-03T04:05:06.789Z' where id = ${id}`
  const { text } = await org.call('GET', 'contacts/export')

  const other = await app.organization()
  const report = await importFile(other.call, text)
  assert.deepEqual([report.error, report.errors], [null, []])
  assert.equal(report.counts.created, texts.length + 2)
  const kept = ({ phone_number, name, tags, notes, custom_fields, stage, ai_handling, opted_out_at }: Contact) => ({
    phone_number,
    name,
    tags,
    notes,
    custom_fields,
    stage,
    ai_handling,
    opted_out_at,
  })
  assert.deepEqual((await contactsOf(other)).map(kept), (await contactsOf(org)).map(kept))
  const back = (await other.call('GET', 'contacts/export')).text
  const without = (csv: string) =>
    (parse(csv) as string[][]).map((row) => row.filter((_, column) => ![0, 8, 9].includes(column)))
  assert.deepEqual(without(back), without(text))
})

test('it contains all pages, each contact once', async () => {
  const org = await app.organization()
  const numbers = Array.from({ length: 3500 }, (_, i) => `+1202555${String(i).padStart(4, '0')}`)
  await importFile(org.call, `phone,tags\n${numbers.map((number, i) => `${number},${i % 2 ? 'odd' : ''}`).join('\n')}`)
  const rows = await exported(org)
  assert.deepEqual(
    rows.map(({ phone_number }) => phone_number),
    numbers,
  )
  assert.equal((await exported(org, '?tag=odd')).length, 1750)
  assert.equal((await exported(org, '?search=2025551')).length, 1000)
})

test('a slow client makes the export wait, and one that leaves ends it', async () => {
  const org = await app.organization()
  const numbers = Array.from({ length: 9000 }, (_, i) => `+1202555${String(i).padStart(4, '0')}`)
  const long = 'x'.repeat(1000)
  await importFile(org.call, `phone,notes\n${numbers.map((number) => `${number},${long}`).join('\n')}`)
  const address = await app.listen()
  let statements = 0
  app.database.pools.tenant.on('acquire', () => statements++)
  const response = await new Promise<import('node:http').IncomingMessage>((resolve) =>
    get(`${address}/api/v1/contacts/export`, { headers: { authorization: `Bearer ${org.key}` } }, resolve),
  )
  await new Promise((resolve) => response.once('readable', resolve))
  // It reads no further than the buffers between it and the client hold.
  let seen = -1
  await until(async () => {
    const before = seen
    seen = statements
    await new Promise((resolve) => setTimeout(resolve, 200))
    return before === statements
  })
  assert.ok(statements < 10, `${statements} statements`)
  response.destroy()
  const connections = () =>
    new Promise<number>((resolve) => app.server.server.getConnections((_, count) => resolve(count)))
  await until(async () => (await connections()) === 0)
  assert.ok(statements < 10, `${statements} statements`)
})
