import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { mailServer } from '../../../server/testing/mail-server.ts'
import { picture, skip, startBrowser } from '../../testing/browser.ts'

suite('password reset', { skip }, async () => {
  if (skip) return
  const mail = await mailServer()
  // The port is not known yet, so the links are relative.
  const { address, organization, open } = await startBrowser({
    app: { settings: { ...mail.settings, PUBLIC_URL: undefined } },
  })

  test('a member who forgot the password chooses a new one with the link of an email', async () => {
    const acme = await organization({ name: 'Acme' })
    const { email } = (await acme.call('GET', 'members')).body.data[0]
    const window = await open({ viewport: { width: 390, height: 844 } })
    const { page } = window
    await page.goto(address)
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email').fill(email)
    await window.assertAccessible()
    await picture(page, 'password-reset')
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('a link is on its way').waitFor()

    const { content } = await mail.mailTo(email)
    await page.goto(`${address}/${/#reset-password=\w+/.exec(content)?.[0]}`)
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.locator('.mantine-InputWrapper-error').waitFor()
    await window.assertAccessible()
    await window.assertFits()
    await picture(page, 'password-reset-new')
    await page.getByLabel('New password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('banner').getByText('Acme').waitFor()
    assert.deepEqual(await window.close(), ['401'])
  })
})
