import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }

suite('privacy', { skip }, async () => {
  if (skip) return
  const { organization, signIn, address } = await startBrowser()

  test('retention and masking are set, and shown on a phone', async () => {
    const acme = await organization()
    const window = await signIn(acme, '/settings/privacy')
    const { page } = window
    await page.getByRole('textbox', { name: 'Messages', exact: true }).fill('365')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('switch', { name: 'Card numbers' }).click()
    await page.getByRole('textbox', { name: 'Your own numbers' }).fill('AB-######')
    await page.getByRole('button', { name: 'Save' }).last().click()
    // The confirmation of the first form may still be shown.
    await until(async () => (await acme.call('GET', 'privacy')).body.masking.card_numbers)
    await window.assertAccessible()
    await picture(page, 'settings-privacy')
    const { retention, masking } = (await acme.call('GET', 'privacy')).body
    assert.deepEqual(
      [retention.messages, retention.media, masking],
      [365, null, { card_numbers: true, patterns: ['AB-######'] }],
    )
    assert.deepEqual(await window.close(), [])
    const small = await signIn(acme, '/settings/privacy', phone)
    await small.page.getByRole('textbox', { name: 'Messages', exact: true }).waitFor()
    await small.assertFits()
    await small.assertAccessible()
    await picture(small.page, 'settings-privacy-phone-dark')
    assert.deepEqual(await small.close(), [])
  })

  test('a contact’s consents are shown, its data is exported, and then erased with a proof', async () => {
    const acme = await organization()
    const contact = (await acme.call('POST', 'contacts', { phone_number: '+12025550142', name: 'Grace Hopper' })).body
    await acme.call('PATCH', `contacts/${contact.id}`, { opted_out: true })
    const window = await signIn(acme, `/contacts/${contact.id}?tab=consent`)
    const { page } = window
    await page.getByText('Withdrew marketing on all channels').waitFor()
    await window.assertAccessible()
    await picture(page, 'contact-consent')
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Export personal data')
    const link = page.getByRole('link', { name: /Download ZIP/ })
    await link.waitFor()
    await picture(page, 'contact-export')
    const download = page.waitForEvent('download')
    await link.click()
    assert.equal((await download).suggestedFilename(), `contact-${contact.id}.zip`)
    await page.keyboard.press('Escape')
    await choose('Erase personal data')
    await page.getByLabel('Type erase to confirm').fill('erase')
    await picture(page, 'contact-erase')
    await page.getByRole('button', { name: 'Erase contact' }).click()
    await page.waitForURL(`${address}/contacts`)
    await page.goto(`${address}/settings/privacy`)
    await page.getByRole('row').filter({ hasText: 'Completed' }).waitFor()
    await page.getByRole('button', { name: `Proof for ${contact.id}` }).click()
    await page.getByText('activities').waitFor()
    await window.assertAccessible()
    await picture(page, 'settings-erasures')
    assert.equal((await acme.call('GET', `contacts/${contact.id}`)).status, 404)
    await window.context.close()
  })
})
