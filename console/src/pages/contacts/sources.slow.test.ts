import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('contacts from ads', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser()

  test('an ad is shown in the conversation, on the contact and on the dashboard, and filters the list', async () => {
    const home = await organization()
    const referral = { source_id: '120210000000000007', headline: 'Summer sale', source_url: 'https://fb.me/summer' }
    await home.call('POST', 'simulator/messages', { from: '+14155550731', name: 'Ines', text: 'Still on?', referral })
    await home.call('POST', 'contacts', { phone_number: '+14155550732', name: 'Bob' })
    await until(async () => (await home.call('GET', 'crm/dashboard/sources')).body.total === 1)
    const { page, assertAccessible, close } = await signIn(home)
    await page.getByRole('heading', { name: 'Contacts from ads, last 30 days' }).waitFor()
    await assertAccessible()
    await page.getByRole('link', { name: 'Summer sale' }).click()
    await page.getByRole('link', { name: 'Ines' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Bob' }).count(), 0)
    await page.getByRole('link', { name: 'Ines' }).click()
    await page.getByText('Source', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Summer sale' }).waitFor()
    await assertAccessible()
    await page.goto(new URL('/campaigns/new', page.url()).href)
    await page.getByLabel('Selected contacts').click()
    await page.getByRole('combobox', { name: 'Ad', exact: true }).click()
    await page.getByRole('option', { name: 'Summer sale (1)' }).click()
    await page.getByRole('button', { name: 'Add all 1 matching' }).click()
    await page.getByText('1 chosen').waitFor()
    await assertAccessible()
    const { inboxes } = (await home.call('GET', 'inbox/tickets')).body
    await page.goto(new URL(`/inbox/${inboxes[0].id}`, page.url()).href)
    const ad = page.getByRole('link', { name: /Summer sale/ })
    await ad.waitFor()
    assert.equal(await ad.getAttribute('href'), 'https://fb.me/summer')
    await assertAccessible()
    assert.deepEqual(await close(), [])
  })

  test('the ad of a contact fits on phones and in dark mode, with a long headline and without one', async () => {
    const home = await organization()
    const headline = 'Spring sale on all indoor plants, pots and soil: up to 40 % off until the end of the month'
    const people: [from: string, referral: object][] = [
      ['+14155550741', { source_id: '120210000000000008', headline, source_url: 'https://fb.me/spring' }],
      ['+14155550742', { source_id: '120210000000000009120210000000000009', headline: '' }],
    ]
    for (const [from, referral] of people)
      await home.call('POST', 'simulator/messages', { from, name: 'Ines', text: 'Still on?', referral })
    await until(async () => (await home.call('GET', 'crm/dashboard/sources')).body.total === 2)
    const contacts = (await home.call('GET', 'contacts')).body.data
    const { page, assertAccessible, assertFits, onEachScreen, close } = await signIn(home, '/')
    await onEachScreen(async (name) => {
      await page.getByRole('link', { name: headline }).scrollIntoViewIfNeeded()
      await assertFits()
      await picture(page, `dashboard-ads-${name}`)
    })
    for (const [number, { id }] of contacts.entries()) {
      await page.goto(new URL(`/contacts/${id}?tab=details`, page.url()).href)
      await onEachScreen(async (name) => {
        await page.getByText('Source', { exact: true }).scrollIntoViewIfNeeded()
        await assertAccessible()
        await assertFits()
        await picture(page, `contact-source-${number}-${name}`)
      })
    }
    const { inboxes } = (await home.call('GET', 'inbox/tickets')).body
    for (const [number, { id }] of inboxes.entries()) {
      await page.goto(new URL(`/inbox/${id}`, page.url()).href)
      await onEachScreen(async (name) => {
        await page.locator('[data-message]').filter({ hasText: 'Still on?' }).first().waitFor()
        await assertFits()
        await picture(page, `ad-message-${number}-${name}`)
      })
    }
    assert.deepEqual(await close(), [])
  })
})
