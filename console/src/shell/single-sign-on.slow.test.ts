import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startOpenIdProvider } from '../../../server/testing/openid-provider.ts'
import { picture, skip, startBrowser } from '../../testing/browser.ts'

suite('single sign-on', { skip }, async () => {
  if (skip) return
  const provider = await startOpenIdProvider()
  const { app, address, open } = await startBrowser({
    app: {
      settings: {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: provider.clientId,
        OIDC_CLIENT_SECRET: provider.clientSecret,
        OIDC_NAME: 'Acme ID',
        PUBLIC_URL: 'http://127.0.0.1:3000',
      },
    },
  })
  provider.serviceUrl = address

  test('a member signs in with the identity provider, and each failure is explained on the sign-in page', async () => {
    // Invitations need a live key.
    const acme = await app.organization({ name: 'Acme', mode: 'live' })
    const email = 'sue@corp.example'
    assert.equal((await acme.call('POST', 'invitations', { email, role: 'admin' })).status, 201)
    const window = await open()
    const { page } = window
    const signIn = () => page.getByRole('link', { name: 'Continue with Acme ID' }).click()
    await page.goto(address)
    await signIn()
    await page.getByRole('alert').getByText('did not sign you in').waitFor()
    await window.assertAccessible()
    await picture(page, 'single-sign-on')

    provider.person = { sub: 'stranger', email: 'eve@corp.example', email_verified: true, name: 'Eve' }
    await signIn()
    await page.getByRole('alert').getByText('not a member here').waitFor()
    for (const [reason, words] of [
      ['expired', 'took too long'],
      ['mismatch', 'another browser'],
      ['unavailable', 'does not answer'],
      ['too_many', 'Too many attempts'],
      ['failed', 'look at the log'],
    ] as const) {
      await page.goto(`${address}/#sign-in-error=${reason}`)
      await page.getByRole('alert').getByText(words).waitFor()
    }

    provider.person = { sub: 'sue', email, email_verified: true, name: 'Sue Sso' }
    await signIn()
    await page.getByRole('banner').getByText('Acme').waitFor()
    await page.goto(`${address}/settings/account`)
    await page.getByText('You sign in with your identity provider.').waitFor()
    assert.equal(await page.getByLabel('New password').count(), 0)
    await window.context.close()
  })

  test('the sign-in page fits and is accessible', async () => {
    const window = await open()
    await window.page.goto(`${address}/#sign-in-error=not_admitted`)
    await window.page.getByRole('link', { name: 'Continue with Acme ID' }).waitFor()
    await window.onEachScreen(async (name) => {
      await window.assertFits()
      await window.assertAccessible()
      await picture(window.page, `single-sign-on-${name}`)
    })
    await window.close()
  })
})
