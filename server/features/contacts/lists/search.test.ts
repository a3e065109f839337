import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from '../../../platform/migrate.ts'
import { ok, sharedTestApp, type TestOrganization } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import type { Contact } from '../schema.ts'

const app = await sharedTestApp()
let lastNumber = 0

const create = async ({ call }: TestOrganization, name: string): Promise<Contact> => {
  const phone_number = `+1415555${String(++lastNumber).padStart(4, '0')}`
  return ok(await call('POST', 'contacts', { phone_number, name }), 201)
}

const found = async ({ call }: TestOrganization, search: string): Promise<string[]> => {
  const answer = ok(await call('GET', `contacts?search=${encodeURIComponent(search)}`))
  assert.equal(answer.total_count, answer.data.length)
  return answer.data.map(({ name }: Contact) => name).reverse()
}

/** Each name is found by every spelling beside it, and each spelling finds that name only. */
const spellings: [name: string, ...searches: string[]][] = [
  ['José Ibáñez', 'jose', 'JOSÉ', 'jose ibanez', 'ibañez', 'jose\u0301'],
  ['Jürgen Groß', 'jurgen', 'JÜRGEN', 'gross', 'groß'],
  ['Søren Ødegård', 'soren', 'sören', 'odegard', 'ØDEGÅRD'],
  ['Łukasz Żółć', 'lukasz', 'zolc'],
  ['Nguyễn Thị Đường', 'nguyen thi duong', 'Đuong'],
  ['İbrahim Işık', 'ibrahim', 'isik', 'IŞIK'],
  ['Þórdís Æsa', 'thordis', 'aesa'],
  ['Γιώργος ΣΟΦΟΣ', 'γιωργος', 'σοφός'],
  ['Фёдор Андре\u0439', 'федор', 'андрей', 'Андре\u0438\u0306'],
  ['مُحَمَّد', 'محمد', 'محـــمد', 'مُحَمّد'],
  ['أحـمد', 'احمد', 'أحمد'],
  ['ज़ाकिर', 'जाकिर', 'ज\u093cाकिर', '\u095bाकिर'],
  ['שָׁלוֹם', 'שלום'],
  ['Ｗｉｄｅ １００％', 'wide', '100%', 'ｗｉｄｅ'],
  ['한국', '한국', '한국'.normalize('NFD')],
  ['がく', 'がく', 'か\u3099く'],
]

test('a contact is found with and without the accents of its name', async () => {
  const org = await app.organization()
  for (const [name] of spellings) await create(org, name)
  for (const [name, ...searches] of spellings)
    for (const search of [name, ...searches]) assert.deepEqual(await found(org, search), [name], search)
})

test('letters and vowel signs that spell another name stay distinct', async () => {
  const org = await app.organization()
  for (const name of ['Андре\u0439', 'Їжак', 'कमल', 'ป้า', 'がく', '한']) await create(org, name)
  for (const search of ['Андре\u0438', 'Іжак', 'किमल', 'कामल', 'ปา', 'かく', '하', '％', '％%', '_'])
    assert.deepEqual(await found(org, search), [], search)
})

test('a changed name is found by its new letters only, in the list and in the export', async () => {
  const org = await app.organization()
  const { id } = await create(org, 'Zoë')
  await create(org, 'Chloé')
  assert.equal((await org.call('PATCH', `contacts/${id}`, { name: 'Renée' })).status, 200)
  assert.deepEqual(await found(org, 'zoe'), [])
  assert.deepEqual(await found(org, 'renee'), ['Renée'])
  const exported = await org.call('GET', 'contacts/export?search=RENEE')
  assert.match(exported.text, /Renée/)
  assert.doesNotMatch(exported.text, /Chloé/)
  const other = await app.organization()
  assert.deepEqual(await found(other, 'renee'), [])
})

test('the migration folds existing names, and the copies in tickets', async () => {
  const org = await app.organization()
  const jose = await create(org, 'José')
  const ada = await create(org, 'Ada')
  await org.call('POST', 'inbox/tickets', { contact_id: jose.id })
  const owner = await connectOwner(app)
  try {
    await owner.query('alter table contacts disable trigger write_search_text')
    await owner.query('set role frontdesk_system')
    await owner.query(`update contacts set search_text = lower(name) || ' ' || phone_number`)
    await owner.query('reset role; alter table contacts enable always trigger write_search_text')
    const tickets = async (search: string) => (await org.call('GET', `inbox/tickets?search=${search}`)).body.total
    assert.deepEqual([await found(org, 'jose'), await tickets('jose')], [[], 0])
    const migration = (await readMigrations()).find(({ name }) => name === 'fold_existing_names')
    await owner.query(migration?.text as string)
    assert.deepEqual([await found(org, 'jose'), await tickets('jose')], [['José'], 1])
    assert.deepEqual(await found(org, 'ada'), [ada.name])
  } finally {
    await owner.query('reset role; alter table contacts enable always trigger write_search_text')
  }
})
