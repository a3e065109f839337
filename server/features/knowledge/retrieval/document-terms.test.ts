import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../../testing/app.ts'
import { addDocument } from '../../../testing/documents.ts'
import { documentTerms } from './document-terms.ts'

const app = await sharedTestApp()
const org = await app.organization()
const sql = app.database.forTenant({ organizationId: org.id, livemode: false })
const text =
  'The boiler is serviced by Jansen Heating every year. Ask for Siobhan, or for Jansen Heating in Galway. Dogs are welcome. We like Siobhan.'
const house = await addDocument(org.call, text, 'house.txt')
await addDocument(org.call, 'It runs on Zephyr, our Zephyr.', 'other.txt')

test('names that the documents use more than once are their terms, the most frequent first', async () => {
  assert.deepEqual(await documentTerms(sql, undefined), ['Jansen Heating', 'Siobhan', 'Zephyr'])
  assert.deepEqual(await documentTerms(sql, [house.id]), ['Jansen Heating', 'Siobhan'])
  assert.deepEqual(await documentTerms(sql, []), [])
  const other = app.database.forTenant({ organizationId: (await app.organization()).id, livemode: false })
  assert.deepEqual(await documentTerms(other, undefined), [])
})
