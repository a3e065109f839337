import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newId } from '../../../../server/platform/ids.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('all contacts that match', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn } = await startBrowser()

  test('contacts are sorted by a column, and an action covers all that match', async () => {
    const home = await organization()
    // More than the fifty of a page.
    await app.database.inTenant(
      { organizationId: home.id, livemode: false },
      (tx) => tx.run`
        insert into contacts (id, phone_number, name, tags)
        select id, '+1415556' || lpad(n::text, 4, '0'), 'Contact ' || lpad(n::text, 3, '0'), '{fair}'
        from unnest(${Array.from({ length: 120 }, newId)}::uuid[]) with ordinality made (id, n)`,
    )
    const { page, assertAccessible, close } = await signIn(home, '/contacts?tag=fair')
    const first = page.getByRole('row').nth(1)
    await page.getByRole('button', { name: 'Name' }).click()
    await first.getByRole('link', { name: 'Contact 001' }).waitFor()
    assert.equal(await page.getByText('new contacts').count(), 0)
    await page.getByRole('button', { name: 'Name' }).click()
    await first.getByRole('link', { name: 'Contact 120' }).waitFor()
    await page.getByRole('button', { name: 'Phone' }).click()
    await first.getByRole('link', { name: 'Contact 001' }).waitFor()
    await page.getByRole('button', { name: 'Stage' }).click()
    await page.waitForURL(/sort=stage/)
    await first.getByRole('link', { name: 'Contact 001' }).waitFor()
    await page.getByRole('button', { name: 'Stage' }).click()
    await first.getByRole('link', { name: 'Contact 120' }).waitFor()
    await assertAccessible()

    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    const bar = page.getByRole('toolbar', { name: 'Selected contacts' })
    await bar.getByText('50 selected').waitFor()
    await bar.getByRole('button', { name: 'Select all 120' }).click()
    await bar.getByText('120 selected').waitFor()
    await picture(page, 'contacts-all')
    await bar.getByRole('button', { name: 'Set stage' }).click()
    await page.getByRole('menuitem', { name: 'Customer' }).click()
    await page.getByText('120 contacts processed').waitFor()
    await until(async () => (await home.call('GET', 'contacts?stage=customer&limit=1')).body.total_count === 120)
    assert.deepEqual(await close(), [])
  })
})
