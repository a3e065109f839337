import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp, type TestOrganization } from '../../../testing/app.ts'

const app = await sharedTestApp()
let people = 0
const create = async ({ call }: TestOrganization, members: object = {}) =>
  ok(await call('POST', 'contacts', { phone_number: `+1415555${String(7000 + ++people)}`, ...members }), 201)
const duplicatesOf = async ({ call }: TestOrganization, id: string): Promise<[string, string[]][]> =>
  ok(await call('GET', `contacts/${id}/duplicates`)).duplicates.map(
    ({ contact, reasons }: { contact: { id: string }; reasons: string[] }) => [contact.id, reasons],
  )
const dismiss = ({ call }: TestOrganization, id: string, contact_id: unknown) =>
  call('POST', `contacts/${id}/duplicates/dismiss`, { contact_id })

test('names, e-mail addresses, numbers in another form and past identities suggest a duplicate, the likeliest first', async () => {
  const [org, stranger] = [await app.organization(), await app.organization()]
  const own = await create(org, { name: 'Ada Lovelace', custom_fields: { Email: ' Ada@Example.com' } })
  const named = await create(org, { name: 'ada lovelace' })
  const both = await create(org, { name: 'ADA LOVELACE', custom_fields: { 'e-mail': 'ada@example.com' } })
  await create(org, { name: 'Ada' })
  await create(org, { name: 'Grace Hopper', custom_fields: { email: 'none', other: 'ada@example.com' } })
  await create(stranger, { name: 'Ada Lovelace', custom_fields: { email: 'ada@example.com' } })
  assert.deepEqual(await duplicatesOf(org, own.id), [
    [both.id, ['email', 'name']],
    [named.id, ['name']],
  ])
  const { duplicates } = ok(await org.call('GET', `contacts/${own.id}/duplicates`))
  assert.deepEqual(
    duplicates[0].contact,
    ok(await org.call('GET', 'contacts')).data.find(({ id }: { id: string }) => id === both.id),
  )

  // A single word is too little of a name.
  const [one, two] = [await create(org, { name: 'Bo' }), await create(org, { name: 'Bo' })]
  assert.deepEqual([await duplicatesOf(org, one.id), await duplicatesOf(org, two.id)], [[], []])

  const renumber = ({ id }: { id: string }, number: string) =>
    app.database.inTenant(
      { organizationId: org.id, livemode: false },
      (tx) => tx.run`update contacts set phone_number = ${number} where id = ${id}`,
    )
  for (const [long, short] of [
    ['+5215512345678', '+525512345678'],
    ['+5511987654321', '+551187654321'],
  ] as const) {
    const [a, b] = [await create(org), await create(org, { phone_number: short })]
    // WhatsApp still uses the long form in Mexico, which the API no longer takes.
    await renumber(a, long)
    assert.deepEqual(await duplicatesOf(org, a.id), [[b.id, ['number']]], long)
    assert.deepEqual(await duplicatesOf(org, b.id), [[a.id, ['number']]], short)
  }

  // The number moved from one contact to another.
  const former = await create(org)
  ok(await org.call('PATCH', `contacts/${former.id}`, { phone_number: '+14155556999' }))
  const present = await create(org, { phone_number: former.phone_number })
  assert.deepEqual(await duplicatesOf(org, present.id), [[former.id, ['identity']]])
  assert.deepEqual(await duplicatesOf(org, former.id), [[present.id, ['identity']]])
})

test('a dismissed pair is suggested to neither, also after a merge', async () => {
  const org = await app.organization()
  const [father, son, third] = [
    await create(org, { name: 'Juan Perez' }),
    await create(org, { name: 'Juan Perez' }),
    await create(org, { name: 'Juan Perez' }),
  ]
  const { duplicates } = ok(await dismiss(org, son.id, father.id))
  assert.deepEqual(
    duplicates.map(({ contact }: { contact: { id: string } }) => contact.id),
    [third.id],
  )
  ok(await dismiss(org, father.id, son.id))
  assert.deepEqual(await duplicatesOf(org, father.id), [[third.id, ['name']]])
  // The third contact becomes the father, who is not the son.
  ok(await org.call('POST', `contacts/${third.id}/merge`, { contact_id: father.id }))
  assert.deepEqual([await duplicatesOf(org, third.id), await duplicatesOf(org, son.id)], [[], []])
  ok(await org.call('DELETE', `contacts/${son.id}`))
})

test('missing contacts, those of others, itself and keys without the scope are refused', async () => {
  const [org, stranger] = [await app.organization(), await app.organization()]
  const [own, other, theirs] = [await create(org), await create(org), await create(stranger)]
  for (const id of [newId(), theirs.id, 'x']) {
    assert.equal((await org.call('GET', `contacts/${id}/duplicates`)).status, 404)
    assert.equal((await dismiss(org, id, other.id)).status, 404)
  }
  for (const id of [newId(), theirs.id]) assert.equal((await dismiss(org, own.id, id)).status, 404)
  for (const id of [own.id, 'x', null, undefined]) {
    const { status, body } = await dismiss(org, own.id, id)
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'contact_id']])
  }
  const reader = app.as((await app.key(org.id, { scopes: ['contacts:read'] })).secret)
  assert.equal((await reader('GET', `contacts/${own.id}/duplicates`)).status, 200)
  assert.equal((await reader('POST', `contacts/${own.id}/duplicates/dismiss`, { contact_id: other.id })).status, 403)
  const inbox = app.as((await app.key(org.id, { scopes: ['inbox:read'] })).secret)
  assert.equal((await inbox('GET', `contacts/${own.id}/duplicates`)).status, 403)
  assert.equal((await app.call('GET', `contacts/${own.id}/duplicates`)).status, 401)
})
