import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('national numbers', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser()

  test('the default country is chosen in the settings, and again for an import', async () => {
    const acme = await organization()
    const { page, close } = await signIn(acme, '/settings')
    await page.getByRole('combobox', { name: 'Default country' }).fill('united st')
    await page.getByRole('option', { name: 'United States', exact: true }).click()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await acme.call('GET', 'organization')).body.default_country, 'US')
    await page.goto(new URL('/contacts/import', page.url()).href)
    const country = page.getByRole('combobox', { name: 'Country of phone numbers without +' })
    await until(async () => (await country.inputValue()) === 'United States')
    await page.locator('input[type=file]').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('phone,name\n(415) 555-0199,Ada\n0049 30 1234567,Bob\n'),
    })
    await page.getByText('read as numbers of United States').waitFor()
    await page.getByRole('button', { name: 'Import 2 contacts' }).click()
    await page.getByRole('link', { name: 'View contacts' }).waitFor()
    const { data } = (await acme.call('GET', 'contacts')).body
    assert.deepEqual(data.map(({ phone_number }: { phone_number: string }) => phone_number).sort(), [
      '+14155550199',
      '+49301234567',
    ])
    assert.deepEqual(await close(), [])
  })

  test('the pages fit and are accessible', async () => {
    const acme = await organization()
    await acme.call('PATCH', 'organization', { default_country: 'US' })
    const [channel] = (await acme.call('GET', 'channels')).body.data
    const window = await signIn(acme, '/settings')
    const { page } = window
    await page.getByRole('combobox', { name: 'Default country' }).waitFor()
    const check = (what: string) =>
      window.onEachScreen(async (name) => {
        await window.assertAccessible()
        await window.assertFits()
        await picture(page, `${what}-${name}`)
      })
    await check('country-settings')
    await page.goto(new URL('/contacts/import', page.url()).href)
    await page.getByRole('combobox', { name: 'Country of phone numbers without +' }).waitFor()
    await check('country-import')
    await page.goto(new URL(`/settings/channels?channel=${channel.id}`, page.url()).href)
    await page.getByRole('switch', { name: 'Marketing Messages API' }).scrollIntoViewIfNeeded()
    await check('channel-switches')
    assert.deepEqual(await window.close(), [])
  })
})
