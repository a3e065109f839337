import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('merging contacts', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser()

  test('two contacts are merged, and the page shows the identities of both', async () => {
    const home = await organization()
    const make = async (members: object) => (await home.call('POST', 'contacts', members)).body
    const ada = await make({
      phone_number: '+14155550190',
      name: 'Ada Lovelace',
      tags: ['vip'],
      custom_fields: { plan: 'gold' },
    })
    const other = await make({
      phone_number: '+14155550191',
      name: 'A. L.',
      stage: 'customer',
      tags: ['newsletter'],
      custom_fields: { plan: 'silver', city: 'London' },
    })
    await home.call('PATCH', `contacts/${other.id}`, { opted_out: true })
    await home.call('PATCH', `contacts/${other.id}`, { phone_number: '+14155550192' })
    const phone = screens[1][1]
    {
      const { page, assertAccessible, assertFits, onEachScreen, close } = await signIn(
        home,
        `/contacts/${ada.id}`,
        phone,
      )
      const dialog = page.getByRole('dialog')
      const choose = async () => {
        await page.getByRole('button', { name: 'More', exact: true }).click()
        await page.getByRole('menuitem', { name: 'Merge with another contact' }).click()
        await dialog.getByLabel('Other contact').first().fill('0192')
        await page.getByRole('option', { name: /A\. L\./ }).click()
        await dialog.getByRole('row', { name: /^plan gold silver/ }).waitFor()
        await dialog.getByRole('row', { name: /^Marketing Opted out/ }).waitFor()
      }
      await choose()
      await onEachScreen(async (name) => {
        await assertAccessible()
        await assertFits()
        await picture(page, `merge-${name}`)
      })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      await choose()
      await dialog.getByRole('button', { name: 'Merge contacts' }).click()
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual(await close(), [])
    }
    assert.equal((await home.call('GET', `contacts/${other.id}`)).body.merged_into, ada.id)

    // An old link leads to the merged contact.
    const { page, assertAccessible, assertFits, onEachScreen, close } = await signIn(
      home,
      `/contacts/${other.id}?tab=details`,
    )
    await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor()
    await onEachScreen(async (name) => {
      if (name === 'phone-dark') await page.getByRole('tab', { name: 'Details' }).click()
      const card = page.getByRole('region', { name: 'Identities' })
      for (const number of ['+14155550190', '+14155550192', '+14155550191']) await card.getByText(number).waitFor()
      await card.getByText('Primary').waitFor()
      await card.scrollIntoViewIfNeeded()
      await assertAccessible()
      await assertFits()
      await picture(page, `identities-${name}`)
    })
    assert.deepEqual(await close(), ['404'])
  })

  test('likely duplicates are merged, or dismissed and not suggested again', async () => {
    const home = await organization()
    const make = async (phone_number: string, email?: string) =>
      (
        await home.call('POST', 'contacts', {
          phone_number,
          name: 'Ada Lovelace',
          ...(email && { custom_fields: { email } }),
        })
      ).body
    const ada = await make('+14155550190', 'ada@example.com')
    const same = await make('+14155550191', 'Ada@example.com')
    await make('+14155550192')
    for (const [name, options] of screens) {
      const { page, assertAccessible, assertFits, close } = await signIn(home, `/contacts/${ada.id}`, options)
      if (name.startsWith('phone')) await page.getByRole('tab', { name: 'Details' }).click()
      const card = page.getByRole('region', { name: 'Likely duplicates' })
      await card.getByText('Same email address and same name').waitFor()
      await card.scrollIntoViewIfNeeded()
      await assertAccessible()
      await assertFits()
      await picture(page, `duplicates-${name}`)
      if (name.startsWith('desktop')) {
        await card.getByRole('button', { name: 'Not the same as Ada Lovelace +14155550192' }).click()
        await card.getByText('+14155550192').waitFor({ state: 'detached' })
        await page.reload()
        await card.getByText('+14155550191').waitFor()
        assert.equal(await card.getByText('+14155550192').count(), 0)
      } else {
        await card.getByRole('button', { name: 'Merge Ada Lovelace +14155550191' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Merge contacts' }).click()
        await card.waitFor({ state: 'detached' })
      }
      assert.deepEqual(await close(), [])
    }
    assert.equal((await home.call('GET', `contacts/${same.id}`)).body.merged_into, ada.id)
  })
})
