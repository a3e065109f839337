import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { totpCode, totpStep } from '../../../../server/features/organizations/second-factors/totp.ts'
import { signInByLink, untilStatus } from '../../../../server/testing/people.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

const phone = { viewport: { width: 390, height: 844 } }

suite('settings', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn, linkFor, open, address } = await startBrowser({
    // No DNS server answers there.
    app: { settings: { DNS_SERVERS: ['127.0.0.1:9'] } },
  })

  test('the organization is renamed; values that only the server sets are not shown', async () => {
    const acme = await organization({ name: 'Acme' })
    const window = await signIn(acme, '/settings')
    const { page } = window
    await page.getByRole('switch', { name: 'Require a second factor' }).waitFor()
    assert.deepEqual(await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents(), [
      'Organization',
      'Sign-in',
    ])
    await window.assertAccessible()
    await picture(page, 'settings-organization')
    await page.getByRole('textbox', { name: 'Name' }).fill('Acme Dental')
    await page.keyboard.press('Enter')
    await page.getByRole('banner').getByText('Acme Dental').waitFor()
    assert.equal((await acme.call('GET', 'organization')).body.name, 'Acme Dental')
    assert.deepEqual(await window.close(), [])
  })

  test('a live channel that WhatsApp has not confirmed says so, and which API version is used', async () => {
    const acme = await organization()
    const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
    const chat = {
      phone_number_id: '106540352242922',
      business_account_id: '102290129340398',
      access_token: 'token',
      app_secret: 'secret',
      verify_token: 'word',
    }
    // The platform of the tests cannot be reached.
    const created = await live('POST', 'channels', { phone_number: '+14155550178', display_name: 'Live', chat })
    assert.equal(created.body.status, 'pending_verification', created.text)
    const window = await signIn(acme, '/settings/channels')
    const { page } = window
    await page.evaluate("sessionStorage.setItem('mode', 'live')")
    await page.goto(`${address}/settings/channels?channel=${created.body.id}`)
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Waiting for WhatsApp to confirm this number').waitFor()
    await drawer.getByText(/v19\.0 requested/).waitFor()
    await window.assertAccessible()
    await page.keyboard.press('Escape')
    await page.getByRole('row').filter({ hasText: 'Live' }).getByText('Verifying').waitFor()
    assert.deepEqual(await window.close(), [])
  })

  test('a channel is added, given its secrets, and deleted', async () => {
    const acme = await organization()
    const agent = (await acme.call('POST', 'agents', { name: 'Juno', agent_type: 'static', timezone: 'UTC' })).body
    const window = await signIn(acme, '/settings/channels')
    const { page } = window
    await page.getByText('Simulated').first().waitFor()
    await window.assertAccessible()
    await page.getByRole('button', { name: 'New channel' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('textbox', { name: 'Phone number' }).fill('12')
    await drawer.getByRole('textbox', { name: 'Name' }).fill('Reception')
    await drawer.getByRole('button', { name: 'Add channel' }).click()
    await drawer.locator('.mantine-InputWrapper-error').first().waitFor()
    // Closing with unsaved input asks first.
    page.once('dialog', (dialog) => void dialog.dismiss())
    await page.keyboard.press('Escape')
    assert.equal(await drawer.getByRole('textbox', { name: 'Name' }).inputValue(), 'Reception')
    await drawer.getByRole('textbox', { name: 'Phone number' }).fill('+1 415 555 0177')
    await drawer.getByRole('combobox', { name: 'Answered by' }).click()
    await page.getByRole('option', { name: 'Juno' }).click()
    await drawer.getByRole('button', { name: 'Add channel' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Reception' })
    await row.getByText('+14155550177').waitFor()
    await row.getByRole('link', { name: 'Juno' }).waitFor()
    const channels = (await acme.call('GET', 'channels')).body.data
    const made = channels.find(({ display_name }: { display_name: string }) => display_name === 'Reception')
    assert.equal(made.agent_id, agent.id)
    await picture(page, 'settings-channels')

    await row.getByRole('link', { name: 'Reception' }).click()
    await page.waitForURL(new RegExp(`channel=${made.id}`))
    await drawer.getByRole('switch', { name: 'Chat' }).check()
    // A change saved elsewhere does not discard local input.
    await acme.call('PATCH', `channels/${made.id}`, { messages_per_second: 20 })
    await drawer.getByRole('textbox', { name: 'Phone number ID' }).fill('106540352242922')
    await drawer.getByRole('textbox', { name: 'Business account ID' }).fill('102290129340398')
    await drawer.getByLabel('Access token').fill('EAAJ-secret')
    await drawer.getByLabel('App secret').fill('0123456789abcdef0123456789abcdef')
    await drawer.getByRole('button', { name: 'Generate a verify token' }).click()
    await window.assertAccessible()
    await picture(page, 'settings-channel')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.waitFor({ state: 'detached' })
    const { chat } = (await acme.call('GET', `channels/${made.id}`)).body
    assert.deepEqual([chat.has_access_token, chat.has_app_secret, chat.has_verify_token], [true, true, true])
    await row.getByRole('link', { name: 'Reception' }).click()
    await drawer.getByText(`${address}${new URL(chat.hook_url, address).pathname}`).waitFor()
    assert.equal(await drawer.getByLabel('Access token').inputValue(), '')
    await drawer.getByText('Stored and not shown').first().waitFor()

    await drawer.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('its campaigns pause').waitFor()
    await page.getByRole('button', { name: 'Delete channel' }).click()
    await row.waitFor({ state: 'detached' })
    assert.equal((await acme.call('GET', `channels/${made.id}`)).status, 404)
    assert.deepEqual(await window.close(), ['422'])
  })

  test('contacts and chats of the WhatsApp Business app are copied', async () => {
    const acme = await organization()
    const [channel] = (await acme.call('GET', 'channels')).body.data
    const window = await signIn(acme, `/settings/channels?channel=${channel.id}`)
    const { page } = window
    const copy = page.getByRole('dialog').getByRole('button', { name: 'Copy contacts and chats' })
    await page.getByRole('switch', { name: 'Also used in the WhatsApp Business app' }).check()
    assert.equal(await copy.count(), 0)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto(new URL(`/settings/channels?channel=${channel.id}`, page.url()).href)
    await copy.click()
    await page.getByText('Contacts requested').waitFor()
    await page.getByText('Chats requested').waitFor()
    await until(async () => (await acme.call('GET', 'inbox/tickets')).body.total === 1)
    await window.assertAccessible()
    await picture(page, 'settings-app-data')
    assert.deepEqual(await window.close(), [])
  })

  test('a member is invited, joins in another window, gets another role and is removed', async () => {
    const acme = await organization({ name: 'Acme' })
    const window = await signIn(acme, '/settings/members')
    const { page } = window
    await page.getByRole('button', { name: 'Invite a member' }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.com')
    await page.getByLabel('Some channels and teams, and what is assigned to the member').check()
    await window.assertAccessible()
    await picture(page, 'settings-invite')
    await page.getByRole('button', { name: 'Create link' }).click()
    const first = await page.locator('[data-secret]').textContent()
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.locator('[data-secret]').waitFor({ state: 'detached' })
    await page.getByText('Pending invitations').waitFor()
    await page.getByRole('button', { name: 'New link' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const secret = page.locator('[data-secret]')
    await secret.waitFor()
    const link = (await secret.textContent()) ?? ''
    assert.notEqual(link, first)
    assert.match(link, /\/#invitation=[\w-]+$/)
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await secret.waitFor({ state: 'detached' })
    await picture(page, 'settings-members')
    await window.assertAccessible()

    await page.getByRole('button', { name: 'Add a domain' }).click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('_frontdesk.example.com').waitFor()
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('There is no TXT record').waitFor()
    await window.assertAccessible()
    await picture(page, 'settings-domains')
    await page.getByRole('button', { name: 'Delete example.com' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('_frontdesk.example.com', { exact: true }).waitFor({ state: 'detached' })

    const hers = await open(phone)
    await hers.page.goto(link.replace(/^https?:\/\/[^/]+/, address))
    await hers.page.getByRole('textbox', { name: 'Your name' }).fill('Grace Hopper')
    await hers.page.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
    await hers.page.getByRole('button', { name: 'Join' }).click()
    await hers.page.getByRole('banner').getByText('Acme').waitFor()
    await hers.page.goto(`${address}/developers/keys`)
    await hers.page.getByText('Not available for your role').waitFor()
    await hers.page.goto(`${address}/settings/members`)
    await hers.page.getByText('Grace Hopper (you)').waitFor()
    assert.equal(await hers.page.getByRole('button', { name: 'Invite a member' }).count(), 0)
    await hers.assertFits()
    await hers.assertAccessible()

    const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' })
    await row.waitFor()
    await page.getByText('Pending invitations').waitFor({ state: 'detached' })
    await row.getByText('Assigned only').waitFor()
    await row.getByRole('combobox', { name: 'Role of Grace Hopper' }).click()
    await page.getByRole('option', { name: 'Admin' }).click()
    await page.getByText('Changed Grace Hopper’s role from Member to Admin').waitFor()
    const { data } = (await acme.call('GET', 'members')).body
    const grace = data.find(({ email }: { email: string }) => email === 'grace@example.com')
    assert.equal(grace.role, 'admin')
    await row.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByText('their tasks become unassigned').waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    await untilStatus(() => acme.call('GET', `members/${grace.id}`), 404)
    assert.deepEqual(await window.close(), ['409'])
    await hers.context.close()
  })

  test('a member changes name, appearance and password, and signs in with it', async () => {
    const acme = await organization({ name: 'Acme' })
    const owner = (await acme.call('GET', 'members')).body.data[0]
    const window = await signIn(acme, '/settings/account', phone)
    const { page } = window
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await acme.call('GET', `members/${owner.id}`)).body.name, 'Ada Lovelace')
    await page.getByText('Dark', { exact: true }).click()
    assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
    await window.assertAccessible()
    await window.assertFits()
    await picture(page, 'settings-account-phone-dark')
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.locator('.mantine-InputWrapper-error').waitFor()
    await page.getByLabel('New password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()
    const sessions = page.getByRole('table')
    await signInByLink(app, owner.id)
    await page.reload()
    await sessions.getByText('This session').waitFor()
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText('Signed out everywhere else').waitFor()
    assert.equal(await sessions.getByRole('row').count(), 2, 'the header and this session')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill(owner.email)
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    for (const name of ['Organization', 'Channels', 'Members', 'Roles']) {
      await page.getByRole('tab', { name, exact: true }).click()
      await page.getByRole('tab', { name, exact: true, selected: true }).waitFor()
      await page.getByRole('table').or(page.getByRole('switch')).first().waitFor()
      await window.assertFits()
      await window.assertAccessible()
    }
    // 401: what the page still asked for while it signed out.
    assert.deepEqual(
      (await window.close()).filter((status) => status !== '401'),
      ['422'],
    )
  })

  test('an organization requires a second factor; a member sets it up and signs in with a code', async () => {
    const acme = await organization({ name: 'Acme' })
    const owner = (await acme.call('GET', 'members')).body.data[0]
    const window = await signIn(acme, '/settings/account')
    const { page } = window
    await page.getByLabel('New password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()
    await page.goto(`${address}/settings`)
    await page.getByRole('switch', { name: 'Require a second factor' }).click()
    await page.getByRole('button', { name: 'Require', exact: true }).click()

    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await window.assertAccessible()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await window.assertAccessible()
    await picture(page, 'second-factor-setup')
    await page.setViewportSize(phone.viewport)
    await window.assertFits()
    await picture(page, 'second-factor-setup-phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
    const newCode = async () => {
      // As if the last code had been used long ago.
      await app.database.forSystem().run`update authenticators set last_step = 0 where user_id = ${owner.id}`
      return totpCode(secret, totpStep(Date.now()))
    }
    await page.getByLabel('Code from the app').fill('000000')
    await page.keyboard.press('Enter')
    await page.locator('.mantine-InputWrapper-error').waitFor()
    await page.getByLabel('Code from the app').fill(await newCode())
    await page.keyboard.press('Enter')
    const codes = ((await page.locator('[data-secret]').textContent()) ?? '').split('\n')
    assert.equal(codes.length, 10)
    await picture(page, 'recovery-codes')
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()

    await page.goto(`${address}/settings/account`)
    await page.getByText('10 unused recovery codes').waitFor()
    await window.assertAccessible()
    await picture(page, 'settings-account')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('textbox', { name: 'Email' }).fill(owner.email)
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await window.assertAccessible()
    await picture(page, 'second-factor-code')
    await page.getByLabel('Code').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('This code is incorrect').waitFor()
    await page.getByLabel('Code').fill(await newCode())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()

    // A link asks for the second factor too, and a recovery code replaces the app.
    const other = await open(phone)
    await other.page.goto(await linkFor(acme))
    await other.page.getByLabel('Code').fill(codes[0] as string)
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('banner').getByText('Acme').waitFor()
    await other.page.goto(`${address}/settings/account`)
    await other.page.getByText('9 unused recovery codes').waitFor()
    await other.assertFits()
    await other.page.getByRole('button', { name: 'Remove' }).click()
    await other.page
      .getByRole('dialog')
      .getByLabel('Code')
      .fill(await newCode())
    await other.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await other.page.getByText('Authenticator app removed').waitFor()
    // 403: what the page still asked for when the second factor became required.
    assert.deepEqual(
      (await window.close()).filter((status) => status !== '403'),
      ['401', '422'],
    )
    await other.context.close()
  })

  test('a member adds a passkey, signs in with it and removes it', async () => {
    const acme = await organization({ name: 'Acme' })
    // Passkeys need a host name: at an IP address browsers refuse them.
    const site = address.replace('127.0.0.1', 'localhost')
    const window = await open({ baseURL: site })
    const { page, context } = window
    const devices = await context.newCDPSession(page)
    await devices.send('WebAuthn.enable')
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto((await linkFor(acme)).replace(address, site))
    await page.getByRole('banner').getByText('Acme').waitFor()
    await page.goto(`${site}/settings/account`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Work laptop')
    await window.assertAccessible()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.locator('[data-secret]').waitFor()
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Work laptop').waitFor()
    await picture(page, 'passkeys')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await window.assertAccessible()
    await picture(page, 'sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.getByText(/^Added .* last used/).waitFor()
    await page.getByRole('button', { name: 'Remove Work laptop' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.locator('#content').getByText('Work laptop').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('Frontdesk does not know this passkey').waitFor()
    await context.close()
  })
})
