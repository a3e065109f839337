import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { sharedTestApp, type TestOrganization } from '../../../testing/app.ts'
import { importFile } from '../../../testing/imports.ts'
import { upload } from '../../../testing/uploads.ts'
import type { Contact } from '../schema.ts'

const app = await sharedTestApp()

const contactsOf = async ({ call }: TestOrganization): Promise<Contact[]> =>
  (await call('GET', 'contacts?limit=100')).body.data.toReversed()

/** What a fresh organization has after importing a file. */
async function imported(file: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) {
  const org = await app.organization()
  const report = await importFile(org.call, file, fields)
  return { org, report, contacts: await contactsOf(org) }
}

const counts = (some: Partial<Record<'rows' | 'created' | 'updated' | 'skipped' | 'invalid', number>>) => ({
  rows: 0,
  created: 0,
  updated: 0,
  skipped: 0,
  invalid: 0,
  ...some,
})

test('each row becomes a contact with its first activity and its event', async () => {
  const { org, report, contacts } = await imported(
    'phone,name,tags,notes,stage,ai_handling,City\n' +
      '+1 (415) 555-0100, Ada Lovelace ,"vip; news|a,b,vip","likes ""tea""\nand math",Customers,no,London\n' +
      '+4915112345678,Bob,,,,,\n',
  )
  assert.equal(report.state, 'completed')
  assert.deepEqual(report.counts, counts({ rows: 2, created: 2 }))
  assert.equal(report.progress, 1)
  assert.equal(report.error, null)
  assert.deepEqual([report.errors, report.errors_omitted], [[], 0])
  assert.ok(report.completed_at && report.completed_at >= report.created_at)
  const [ada, bob] = contacts as [Contact, Contact]
  assert.equal(ada.phone_number, '+14155550100')
  assert.equal(ada.name, 'Ada Lovelace')
  assert.deepEqual(ada.tags, ['vip', 'news', 'a', 'b'])
  assert.equal(ada.notes, 'likes "tea"\nand math')
  assert.equal(ada.stage, 'customer')
  assert.equal(ada.ai_handling, false)
  assert.deepEqual(ada.custom_fields, { City: 'London' })
  assert.deepEqual([bob.name, bob.tags, bob.notes, bob.custom_fields], ['Bob', [], '', {}])
  assert.deepEqual([bob.stage, bob.ai_handling, bob.opted_out_at], ['new', true, null])

  const timeline = (await org.call('GET', `contacts/${ada.id}/activities`)).body
  assert.equal(timeline.total, 1)
  const { type, actor_type, actor_id } = timeline.activities[0]
  assert.deepEqual({ type, actor_type, actor_id }, { type: 'contact_created', actor_type: 'system', actor_id: null })
  assert.equal(ada.last_activity_at, timeline.activities[0].created_at)

  const Event = Type.Object({ type: Type.String(), object: Type.Unsafe<Contact>({}) })
  const scope = { organizationId: org.id, livemode: false }
  const events = await app.database.forTenant(scope).all(Event)`
    select type, data -> 'object' as object from events order by id`
  assert.deepEqual(
    events.toSorted((a, b) => a.object.id.localeCompare(b.object.id)),
    [ada, bob].map((object) => ({ type: 'contact.created', object })),
  )
  const tagged = await org.call('GET', 'contacts?tag=news')
  assert.deepEqual([tagged.body.total_count, tagged.body.data[0].id], [1, ada.id])
})

test('columns are recognized by common names in many languages', async () => {
  const headers: [string, string][] = [
    ['Phone Number', 'Full Name'],
    ['PHONE_NUMBER', 'name'],
    ['Mobile', 'Display-Name'],
    ['Tel.', 'Contact name'],
    ['WhatsApp', 'Name'],
    ['Telefonnummer', 'Vollständiger Name'],
    ['Téléphone', 'Nom complet'],
    ['Número de teléfono', 'Nombre completo'],
    ['Telemóvel', 'Nome completo'],
    ['Numero di telefono', 'Nome e cognome'],
    ['Telefoonnummer', 'Naam'],
    ['Номер телефона', 'ФИО'],
    ['رقم الهاتف', 'الاسم'],
    ['手机号', '姓名'],
    ['電話番号', '氏名'],
    ['전화번호', '이름'],
    ['मोबाइल नंबर', 'नाम'],
    ['Phone 1 - Value', 'Name'],
  ]
  const org = await app.organization()
  for (const [index, [phone, name]] of headers.entries()) {
    const number = `+1415555${String(index).padStart(4, '0')}`
    const report = await importFile(org.call, `${name};${phone}\nAda ${index};${number}\n`)
    assert.deepEqual(report.counts, counts({ rows: 1, created: 1 }), `${phone}: ${report.error}`)
    const found = (await org.call('GET', `contacts?search=${encodeURIComponent(number)}`)).body.data[0]
    assert.deepEqual([found.name, found.custom_fields], [`Ada ${index}`, {}], phone)
  }
})

test('first and last name are joined when there is no full name', async () => {
  const { contacts } = await imported('Nachname,Vorname,Handy\nLovelace,Ada,+14155550100\n,Bob,+14155550101\n')
  const namesOf = ({ name, first_name, custom_fields }: Contact) => [name, first_name, custom_fields]
  assert.deepEqual(contacts.map(namesOf), [
    ['Ada Lovelace', 'Ada', {}],
    ['Bob', 'Bob', {}],
  ])
  const both = await imported('name,first name,phone\nAda Lovelace,Ada,+14155550100\n')
  assert.deepEqual(both.contacts.map(namesOf), [['Ada Lovelace', 'Ada', {}]])
  // Alone, such a column may hold whole names.
  const alone = await imported('nombre,phone\nAda Lovelace,+14155550100\n')
  assert.deepEqual(alone.contacts.map(namesOf), [['Ada Lovelace', null, {}]])
})

test('first names and time zones are imported, updated where a row has them, and checked', async () => {
  const org = await app.organization()
  const report = await importFile(
    org.call,
    `phone,name,First Name,Time Zone\n+14155550100,Ada Lovelace,Ada,Europe/London\n+14155550101,Bob,,\n+14155550102,Eve,,Mars/Olympus\n+14155550103,Eve,${'x'.repeat(256)},\n`,
  )
  assert.deepEqual(report.counts, counts({ rows: 4, created: 2, invalid: 2 }))
  assert.deepEqual(
    report.errors.map(({ row, column }) => [row, column]),
    [
      [4, 'Time Zone'],
      [5, 'First Name'],
    ],
  )
  assert.match(report.errors[0]?.message ?? '', /“Mars\/Olympus” is not a time zone/)
  const found = async () =>
    (await org.call('GET', 'contacts')).body.data
      .toReversed()
      .map(({ first_name, time_zone }: Contact) => [first_name, time_zone])
  assert.deepEqual(await found(), [
    ['Ada', 'Europe/London'],
    [null, null],
  ])
  const second = 'phone,name,first_name,time_zone\n+14155550100,Ada,,\n+14155550101,Bob,Bobby,Asia/Tokyo\n'
  const updated = await importFile(org.call, second, { on_conflict: 'update' })
  assert.deepEqual(updated.counts, counts({ rows: 2, updated: 2 }))
  assert.deepEqual(await found(), [
    ['Ada', 'Europe/London'],
    ['Bobby', 'Asia/Tokyo'],
  ])
})

test('of several phone columns the best named counts, the next one where it is empty, and none is lost', async () => {
  const { contacts } = await imported('phone,mobile,name\n+14155550100,+14155550101,Ada\n+14155550102,,Bob\n')
  assert.deepEqual(
    contacts.map(({ phone_number, custom_fields }) => [phone_number, custom_fields]),
    [
      ['+14155550101', { phone: '+14155550100' }],
      ['+14155550102', { phone: '+14155550102' }],
    ],
  )
})

test('unknown columns become custom fields under their own names, also duplicate and nameless ones', async () => {
  const { contacts } = await imported(
    'phone, Plan ,Email,Email,,__proto__,constructor\n+14155550100,gold,a@x.io,b@x.io,bare,p,c\n',
  )
  assert.deepEqual(
    Object.entries(contacts[0]?.custom_fields ?? {}).sort(),
    Object.entries({
      Plan: 'gold',
      Email: 'a@x.io',
      'Email 2': 'b@x.io',
      'column 5': 'bare',
      constructor: 'c',
    })
      .concat([['__proto__', 'p']])
      .sort(),
  )
})

test('common encodings and delimiters are read', async () => {
  const text = 'phone;name\r\n+14155550100;Zoë Müller – 日本\r\n'
  const windows = Buffer.from('phone,name\n+14155550100,Zo\xeb M\xfcller \x80 50\n', 'latin1')
  const cyrillic = Buffer.from('c0edede020cfe5f2f0eee2e0', 'hex')
  const utf16 = Buffer.from(`\ufeff${text.replaceAll(';', '\t')}`, 'utf16le')
  const files: [file: string | Uint8Array<ArrayBuffer>, name: string, encoding: string][] = [
    [text, 'Zoë Müller – 日本', 'utf-8'],
    [`\ufeff${text}`, 'Zoë Müller – 日本', 'utf-8'],
    [`sep=;\r\n${text}`, 'Zoë Müller – 日本', 'utf-8'],
    [utf16, 'Zoë Müller – 日本', 'utf-16le'],
    [Buffer.from(utf16).swap16(), 'Zoë Müller – 日本', 'utf-16be'],
    [windows, 'Zoë Müller € 50', 'windows-1252'],
    [
      Buffer.concat([Buffer.from('phone,name\n+14155550100,'), cyrillic, Buffer.from('\n')]),
      ...(['Анна Петрова', 'windows-1251'] as const),
    ],
  ]
  for (const [file, name, encoding] of files) {
    const { report, contacts } = await imported(file)
    assert.deepEqual(report.counts, counts({ rows: 1, created: 1 }), report.error ?? '')
    assert.deepEqual([contacts[0]?.name, contacts[0]?.custom_fields], [name, {}])
    assert.equal(report.encoding, encoding)
  }
})

test('one damaged character costs its row only', async () => {
  const damaged = Buffer.concat([
    Buffer.from('phone,name\n+14155550100,Zoë\n+14155550101,half '),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from('\n+14155550102,Müller\n+14155550103,Bé\n+14155550104,nu\0l\n'),
  ])
  const { report, contacts } = await imported(damaged)
  assert.deepEqual(report.counts, counts({ rows: 5, created: 3, invalid: 2 }))
  assert.deepEqual(
    report.errors.map(({ row, column }) => [row, column]),
    [
      [3, 'name'],
      [6, 'name'],
    ],
  )
  assert.deepEqual(
    contacts.map(({ name }) => name),
    ['Zoë', 'Müller', 'Bé'],
  )
  const lone = Buffer.from('\ufeffphone,name\n+14155550100,A\n+14155550101,B\n', 'utf16le')
  lone.writeUInt16LE(0xd800, lone.length - 4)
  const second = await imported(lone)
  assert.deepEqual(second.report.counts, counts({ rows: 2, created: 1, invalid: 1 }))
})

test('each bad row is reported with row and column, and does not stop the others', async () => {
  const { report, contacts } = await imported(
    [
      'phone,name,tags,stage,ai handling,opted out at,custom_fields.age:json,custom_fields',
      '+14155550100,good,,,,,,',
      'abc,bad phone,,,,,,',
      ',no phone,,,,,,',
      '1.41556E+10,shortened,,,,,,',
      '4155550101,no country,,,,,,',
      `+14155550102,${'x'.repeat(256)},,,,,,`,
      `+14155550103,many tags,${Array.from({ length: 101 }, (_, i) => `t${i}`).join(';')},,,,,`,
      `+14155550104,long tag,${'x'.repeat(101)},,,,,`,
      '+14155550105,bad stage,,prospect,,,,',
      '+14155550106,bad flag,,,perhaps,,,',
      '+14155550107,bad time,,,,yesterday,,',
      '+14155550108,bad json,,,,,{oops,',
      '+14155550109,nul in json,,,,,"""a\\u0000b""",',
      `+14155550110,deep,,,,,${'['.repeat(100)}${']'.repeat(100)},`,
      '+14155550111,no object,,,,,,"[1]"',
      '+14155550112,too,many,,,,,,cells',
      `+14155550113,"${'x'.repeat(70_000)}",,,,,,`,
      '',
      ' , ,,,,,,',
      '+14155550114,also good,"[""a,b"",""c""]",qualified,off,2026-03-01T09:00:00Z,42,"{""k"":[1]}"',
    ].join('\n'),
  )
  assert.equal(report.state, 'completed')
  assert.deepEqual(report.counts, counts({ rows: 18, created: 2, invalid: 16 }))
  assert.deepEqual(
    report.errors.map(({ row, column }) => [row, column]),
    [
      [3, 'phone'],
      [4, 'phone'],
      [5, 'phone'],
      [6, 'phone'],
      [7, 'name'],
      [8, 'tags'],
      [9, 'tags'],
      [10, 'stage'],
      [11, 'ai handling'],
      [12, 'opted out at'],
      [13, 'custom_fields.age:json'],
      [14, 'custom_fields.age:json'],
      [15, 'custom_fields.age:json'],
      [16, 'custom_fields'],
      [17, ''],
      [18, 'name'],
    ],
  )
  assert.match(report.errors[0]?.message ?? '', /“abc” is not a possible phone number/)
  assert.match(report.errors[1]?.message ?? '', /missing/)
  assert.match(report.errors[2]?.message ?? '', /spreadsheet/)
  const good = contacts[1] as Contact
  assert.deepEqual([good.tags, good.stage, good.ai_handling], [['a,b', 'c'], 'qualified', false])
  assert.deepEqual([good.opted_out_at, good.custom_fields], ['2026-03-01T09:00:00.000Z', { age: 42, k: [1] }])
})

test('the first thousand errors are kept, and the others counted', async () => {
  const rows = Array.from({ length: 2500 }, (_, i) => `bad ${i}`)
  const { report } = await imported(`phone\n${rows.join('\n')}\n+14155550100\n`)
  assert.deepEqual(report.counts, counts({ rows: 2501, created: 1, invalid: 2500 }))
  assert.equal(report.errors.length, 1000)
  assert.deepEqual([report.errors[0]?.row, report.errors[999]?.row], [2, 1001])
  assert.equal(report.errors_omitted, 1500)
})

test('a file without a phone column, or no CSV, fails with a clear message', async () => {
  const cases: [string | Uint8Array<ArrayBuffer>, RegExp][] = [
    ['', /empty/],
    ['\ufeff', /empty/],
    ['\n\n  \n', /empty/],
    ['+14155550100,Ada\n+14155550101,Bob\n', /no header/],
    ['name,city\nAda,London\n', /No column holds phone numbers.*“name”, “city”/],
    [Buffer.from('PK\x03\x04 and so on', 'latin1'), /Excel workbook/],
    [Buffer.from('%PDF-1.7\n', 'latin1'), /PDF/],
    [Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)), /not a text file/],
    [`phone,name\n+14155550100,"${'x\n'.repeat(1_200_000)}`, /Row 2 is longer than/],
    ['x'.repeat(1_500_000), /Row 1 is longer than/],
    [Array.from({ length: 1200 }, (_, i) => `c${i}`).join(','), /more than 1000 columns/],
    [`${'x'.repeat(300)},phone\n`, /too long/],
  ]
  for (const [file, words] of cases) {
    const { report, contacts } = await imported(file)
    assert.equal(report.state, 'failed', String(file.slice(0, 40)))
    assert.match(report.error ?? '', words)
    assert.deepEqual(report.counts, counts({}))
    assert.ok(report.completed_at)
    assert.equal(contacts.length, 0)
  }
  const { report } = await imported('phone,name\n')
  assert.deepEqual([report.state, report.counts], ['completed', counts({})])
})

test('the caller can map columns', async () => {
  const file = 'Kontakt,Wer,Alter,Intern,tags\n+14155550100,Ada,36,secret,vip\n'
  const refused = await imported(file)
  assert.equal(refused.report.state, 'failed')
  assert.match(refused.report.error ?? '', /No column holds phone numbers/)
  const custom = (name: string) => ({ column: name, field: `custom_fields.${name}` })
  assert.deepEqual(refused.report.columns, [
    custom('Kontakt'),
    custom('Wer'),
    custom('Alter'),
    custom('Intern'),
    { column: 'tags', field: 'tags' },
  ])

  const columns = {
    Kontakt: 'phone_number',
    Wer: 'first_name',
    Alter: 'custom_fields.age',
    Intern: null,
    tags: 'notes',
  }
  const { report, contacts } = await imported(file, { columns: JSON.stringify(columns) })
  assert.equal(report.state, 'completed')
  assert.deepEqual(
    report.columns,
    Object.entries(columns).map(([column, field]) => ({ column, field })),
  )
  const [ada] = contacts as [Contact]
  assert.deepEqual(
    [ada.phone_number, ada.name, ada.custom_fields, ada.tags, ada.notes],
    ['+14155550100', 'Ada', { age: '36' }, [], 'vip'],
  )
})

test('an invalid column mapping is refused before anything is imported', async () => {
  const org = await app.organization()
  for (const columns of ['phone', '[]', 'null', '{"a":1}', '{"a":" "}']) {
    const answer = await upload(org.call, 'contacts/imports', { file: 'phone\n+14155550100\n', fields: { columns } })
    const { status, body } = answer
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'columns']], columns)
  }
  assert.equal((await org.call('GET', 'contacts/imports')).body.total_count, 0)
})

test('national numbers are read for the organization’s default country, or the import’s own', async () => {
  const org = await app.organization()
  assert.equal((await org.call('PATCH', 'organization', { default_country: 'US' })).body.default_country, 'US')
  const american = await importFile(org.call, 'phone,name\n(415) 555-0199,Ada\n0049 30 1234567,Bob\n765 4321,Eve\n')
  assert.deepEqual([american.default_country, american.counts], ['US', counts({ rows: 3, created: 2, invalid: 1 })])
  const german = await importFile(org.call, 'phone,name\n030 7654321,Eve\n', { default_country: 'DE' })
  assert.deepEqual([german.default_country, german.counts.created], ['DE', 1])
  assert.deepEqual(
    (await contactsOf(org)).map(({ phone_number }) => phone_number),
    ['+14155550199', '+49301234567', '+49307654321'],
  )
  for (const default_country of ['de', 'ZZ', 'Germany']) {
    const refused = await upload(org.call, 'contacts/imports', {
      file: 'phone\n+14155550100\n',
      fields: { default_country },
    })
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'default_country']], default_country)
  }
  const inQuery = await upload(org.call, 'contacts/imports?default_country=XX', { file: 'phone\n+14155550100\n' })
  assert.equal(inQuery.status, 422)
})
