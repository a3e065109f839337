import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp, type TestOrganization } from '../../../testing/app.ts'
import type { Contact } from '../schema.ts'

const app = await sharedTestApp()
let lastNumber = 0
const newNumber = () => `+1415555${String(++lastNumber).padStart(4, '0')}`

const create = async ({ call }: TestOrganization, input: object = {}): Promise<Contact> => {
  return ok(await call('POST', 'contacts', { phone_number: newNumber(), ...input }), 201)
}

const list = async ({ call }: TestOrganization, query = '') => {
  return ok(await call('GET', `contacts${query}`))
}

const names = async (org: TestOrganization, query: string) =>
  (await list(org, query)).data.map(({ name }: Contact) => name).sort()

test('the list is newest first, twenty per page, with its total', async () => {
  const org = await app.organization()
  assert.deepEqual(await list(org), { data: [], has_more: false, next_cursor: null, total_count: 0 })
  const made: Contact[] = []
  for (let i = 0; i < 25; i++) made.unshift(await create(org, { name: `n${i}` }))
  const first = await list(org)
  assert.deepEqual(first.data, made.slice(0, 20))
  assert.deepEqual([first.has_more, first.next_cursor, first.total_count], [true, made[19]?.id, 25])
  const second = await list(org, `?starting_after=${first.next_cursor}`)
  assert.deepEqual(second.data, made.slice(20))
  assert.deepEqual([second.has_more, second.next_cursor, second.total_count], [false, made[24]?.id, 25])
  const beyond = await list(org, `?starting_after=${second.next_cursor}`)
  assert.deepEqual(beyond, { data: [], has_more: false, next_cursor: null, total_count: 25 })
  assert.equal((await list(org, '?limit=25')).has_more, false)
  assert.equal((await list(org, '?limit=100')).data.length, 25)
})

test('invalid bounds and cursors are refused with their location', async () => {
  const org = await app.organization()
  const cases: Record<string, string> = {
    'limit=0': 'limit',
    'limit=101': 'limit',
    'limit=-1': 'limit',
    'limit=abc': 'limit',
    'limit=1.5': 'limit',
    'limit=': 'limit',
    'limit=1&limit=2': 'limit',
    'starting_after=x': 'starting_after',
    'starting_after=': 'starting_after',
    'stage=unknown': 'stage',
    'ai_handling=perhaps': 'ai_handling',
    'opted_out=2': 'opted_out',
    [`tag=${'x'.repeat(101)}`]: 'tag',
    [`search=${'x'.repeat(201)}`]: 'search',
    'search=%00': 'search',
    'tag=a%00b': 'tag',
  }
  for (const [query, name] of Object.entries(cases)) {
    const answer = await org.call('GET', `contacts?${query}`)
    assert.equal(answer.status, 422, `${query}: ${answer.text}`)
    assert.deepEqual(answer.body.detail[0].loc.slice(0, 2), ['query', name])
    for (const fault of answer.body.detail) assert.deepEqual(Object.keys(fault).sort(), ['loc', 'msg', 'type'])
  }
})

test('a cursor stays valid when rows, even its own, come and go, and another tenant’s cursor reveals nothing', async () => {
  const org = await app.organization()
  const made: Contact[] = []
  for (let i = 0; i < 9; i++) made.unshift(await create(org))
  const seen: string[] = []
  let cursor = ''
  for (let page = 0; ; page++) {
    const { data, next_cursor, has_more } = await list(org, `?limit=2${cursor && `&starting_after=${cursor}`}`)
    seen.push(...data.map(({ id }: Contact) => id))
    if (!has_more) break
    cursor = next_cursor
    await create(org)
    if (page === 1) await org.call('DELETE', `contacts/${cursor}`)
  }
  assert.deepEqual(
    seen,
    made.map(({ id }) => id),
  )
  const unknown = await list(org, `?starting_after=${newId()}`)
  assert.equal(unknown.data.length, unknown.total_count, 'an id that never was is a place like any other')
  const other = await app.organization()
  await create(other)
  const foreign = await list(other, `?starting_after=${made[0]?.id}`)
  assert.deepEqual([foreign.data, foreign.total_count], [[], 1])
})

test('filters narrow the page and its total, alone and together', async () => {
  const org = await app.organization()
  await create(org, { name: 'a', tags: ['vip', 'x'], stage: 'customer' })
  await create(org, { name: 'b', tags: ['vip'], stage: 'customer', ai_handling: false })
  await create(org, { name: 'c', tags: ['VIP'], stage: 'lost', ai_handling: false })
  const { id } = await create(org, { name: 'd', tags: ['vip', "it's 50% _odd_"] })
  await app.database.forSystem().run`update contacts set opted_out_at = now() where id = ${id}`
  const expected: Record<string, string[]> = {
    '?tag=vip': ['a', 'b', 'd'],
    '?tag=VIP': ['c'],
    '?tag=vi': [],
    [`?tag=${encodeURIComponent("it's 50% _odd_")}`]: ['d'],
    '?stage=customer': ['a', 'b'],
    '?stage=customers': ['a', 'b'],
    '?stage=engaged': [],
    '?ai_handling=true': ['a', 'd'],
    '?ai_handling=false': ['b', 'c'],
    '?opted_out=true': ['d'],
    '?opted_out=false': ['a', 'b', 'c'],
    '?tag=vip&stage=customer': ['a', 'b'],
    '?tag=vip&ai_handling=false&stage=customer': ['b'],
    '?tag=vip&opted_out=true': ['d'],
    '?stage=lost&ai_handling=true': [],
    '?search=a&stage=customer&tag=vip&ai_handling=true&opted_out=false': ['a'],
    '?search=d&opted_out=true': ['d'],
    '?search=d&tag=x': [],
  }
  for (const [query, wanted] of Object.entries(expected)) {
    assert.deepEqual(await names(org, query), wanted, query)
    const { total_count, has_more } = await list(org, `${query}&limit=1`)
    assert.deepEqual([total_count, has_more], [wanted.length, wanted.length > 1], query)
  }
})

test('a name is found as it is written, also in alphabets with their own capitals', async () => {
  const org = await app.organization()
  for (const [i, name] of ['İbrahim Çelik', 'ΣΟΦΟΣ', 'Жанна', '张伟'].entries()) {
    await create(org, { name, phone_number: `+1415555010${i}` })
    assert.deepEqual(await names(org, `?search=${encodeURIComponent(name)}`), [name])
  }
})

test('search finds parts of names in any case and parts of numbers in any notation', async () => {
  const org = await app.organization()
  await create(org, { name: 'Ada Lovelace', phone_number: '+14155550100' })
  await create(org, { name: 'Änne 100% O_Neil \\ Co', phone_number: '+4915112345678' })
  await create(org, { name: 'Bob', phone_number: '+442071838750' })
  const expected: Record<string, string[]> = {
    ada: ['Ada Lovelace'],
    'A LOVE': ['Ada Lovelace'],
    lace: ['Ada Lovelace'],
    ' ada ': ['Ada Lovelace'],
    äNNE: ['Änne 100% O_Neil \\ Co'],
    '+1 (415) 555-0100': ['Ada Lovelace'],
    '415-555': ['Ada Lovelace'],
    '555 01': ['Ada Lovelace'],
    '+4420': ['Bob'],
    '71.83': ['Bob'],
    '%': ['Änne 100% O_Neil \\ Co'],
    _: ['Änne 100% O_Neil \\ Co'],
    '\\': ['Änne 100% O_Neil \\ Co'],
    '0%': ['Änne 100% O_Neil \\ Co'],
    o_n: ['Änne 100% O_Neil \\ Co'],
    'a%e': [],
    a_a: [],
    "' or true --": [],
    '999': [],
    '': ['Ada Lovelace', 'Bob', 'Änne 100% O_Neil \\ Co'],
  }
  for (const [search, wanted] of Object.entries(expected)) {
    const query = `?search=${encodeURIComponent(search)}`
    assert.deepEqual(await names(org, query), wanted, search)
    assert.equal((await list(org, query)).total_count, wanted.length, search)
  }
  const page = await list(org, '?search=o&limit=1')
  assert.deepEqual([page.data[0].name, page.has_more, page.total_count], ['Bob', true, 3])
  const next = await list(org, `?search=o&limit=1&starting_after=${page.next_cursor}`)
  assert.deepEqual([next.data.length, next.has_more], [1, true])
  const other = await app.organization()
  assert.equal((await list(other, '?search=ada')).total_count, 0)
})

test('tags can be listed, the most used first', async () => {
  const org = await app.organization()
  const tagsOf = async (query = '') => (await org.call('GET', `contacts/tags${query}`)).body.tags
  assert.deepEqual(await tagsOf(), [])
  await create(org, { tags: ['vip', 'News'] })
  const other = await create(org, { tags: ['vip'] })
  assert.deepEqual(await tagsOf(), [
    { tag: 'vip', contacts: 2 },
    { tag: 'News', contacts: 1 },
  ])
  assert.deepEqual(await tagsOf('?search=new'), [{ tag: 'News', contacts: 1 }])
  assert.deepEqual(await tagsOf('?limit=1'), [{ tag: 'vip', contacts: 2 }])
  await org.call('DELETE', `contacts/${other.id}`)
  assert.deepEqual(await tagsOf('?search=VIP'), [{ tag: 'vip', contacts: 1 }])
  assert.deepEqual((await (await app.organization()).call('GET', 'contacts/tags')).body.tags, [])
})

test('contacts are sorted by name, phone, stage, activity and creation, in both directions and across pages', async () => {
  const org = await app.organization()
  const names = ['Cleo', 'ada', '', 'Bob', 'Ada']
  const ids: string[] = []
  for (const [n, name] of names.entries())
    ids.push(
      (await org.call('POST', 'contacts', { phone_number: `+1415555077${n}`, name, tags: n % 2 ? ['odd'] : [] })).body
        .id,
    )
  const pages = async (query: string) => {
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const { status, body } = await org.call(
        'GET',
        `contacts?limit=2&${query}${cursor && `&starting_after=${cursor}`}`,
      )
      assert.equal(status, 200)
      found.push(...body.data.map(({ id }: { id: string }) => id))
      if (!body.has_more) return found.map((id) => ids.indexOf(id))
      cursor = body.next_cursor
    }
  }
  assert.deepEqual(await pages('sort=name'), [2, 1, 4, 3, 0])
  assert.deepEqual(await pages('sort=-name'), [0, 3, 4, 1, 2])
  assert.deepEqual(await pages('sort=created_at'), [0, 1, 2, 3, 4])
  assert.deepEqual(await pages('sort=-created_at'), [4, 3, 2, 1, 0])
  assert.deepEqual(await pages('sort=name&tag=odd'), [1, 3])
  await org.call('POST', `contacts/${ids[1]}/activities`, { note: 'Called' })
  assert.equal((await pages('sort=-last_activity_at'))[0], 1)
  assert.equal((await pages('sort=last_activity_at')).at(-1), 1)
  const { body } = await org.call('GET', 'contacts?sort=name&tag=odd&limit=1')
  assert.deepEqual([body.total_count, body.has_more], [2, true])
  // The lowest number belongs to the newest contact.
  const newest = (await org.call('POST', 'contacts', { phone_number: '+12025550199', name: 'Zoe' })).body.id
  ids.push(newest)
  assert.deepEqual(await pages('sort=phone_number'), [5, 0, 1, 2, 3, 4])
  assert.deepEqual(await pages('sort=-phone_number'), [4, 3, 2, 1, 0, 5])
  for (const [n, stage] of [
    [0, 'lost'],
    [1, 'customer'],
    [3, 'engaged'],
    [4, 'customer'],
  ] as const)
    await org.call('PATCH', `contacts/${ids[n]}`, { stage })
  assert.deepEqual(await pages('sort=stage'), [2, 5, 3, 1, 4, 0])
  assert.deepEqual(await pages('sort=-stage'), [0, 4, 1, 3, 5, 2])
  assert.deepEqual(await pages('sort=stage&tag=odd'), [3, 1])
  assert.deepEqual(await pages('sort=-stage&stage=customer'), [4, 1])
  assert.deepEqual(await pages('sort=stage&source_type=ad'), [])
  assert.equal((await org.call('GET', 'contacts?sort=stage&source_type=ad')).body.total_count, 0)
  // The contact at which the next page starts moved on: the page goes on behind its new place.
  const { body: first } = await org.call('GET', 'contacts?sort=stage&limit=1')
  assert.equal(first.next_cursor, ids[2])
  await org.call('PATCH', `contacts/${ids[2]}`, { stage: 'engaged' })
  const { body: next } = await org.call('GET', `contacts?sort=stage&limit=2&starting_after=${first.next_cursor}`)
  assert.deepEqual(
    next.data.map(({ id }: { id: string }) => ids.indexOf(id)),
    [3, 1],
  )
  for (const query of ['sort=phone', 'sort=name&search=ada']) {
    const refused = await org.call('GET', `contacts?${query}`)
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['query', 'sort']])
  }
})
