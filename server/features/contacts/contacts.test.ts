import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../testing/app.ts'

const app = await startTestApp()
const acme = await app.organization()
const globex = await app.organization()

test('a contact is created with its defaults, a first activity and an event', async () => {
  const created = await acme.call('POST', 'contacts', { phone_number: '+1 415 555 0100', name: ' Ada ' })
  assert.equal(created.status, 201, created.text)
  assert.equal(created.body.phone_number, '+14155550100')
  const timeline = await acme.call('GET', `contacts/${created.body.id}/activities`)
  assert.deepEqual(
    timeline.body.activities.map((each: { type: string }) => each.type),
    ['contact_created'],
  )
  assert.equal(timeline.body.total, 1)
})

test('a contact is invisible to other tenants', async () => {
  const { body } = await acme.call('POST', 'contacts', { phone_number: '+14155550101' })
  const answer = await globex.call('GET', `contacts/${body.id}`)
  assert.equal(answer.status, 404)
  assert.deepEqual(answer.body, { detail: 'Contact not found' })
})
