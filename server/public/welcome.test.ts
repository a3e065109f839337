import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, suite, test } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { createSignInLink } from '../features/organizations/create-sign-in-link.ts'
import { startTestApp, type TestOrganization } from '../testing/app.ts'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const skip = existsSync(executablePath)
  ? false
  : `there is no Chromium at ${executablePath}: install it, or say where it is with CHROMIUM_PATH`

const hostileName = '<img src=x onerror=alert(1)>'

suite('the front page in a browser', { skip }, async () => {
  if (skip) return
  const app = await startTestApp({ settings: { RATE_LIMIT_LOGINS_PER_MINUTE: 1000 } })
  const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
  // Chromium's sandbox does not run as root, which is who containers often run tests as.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser: Browser = await chromium.launch({ executablePath, args })
  after(() => browser.close())

  /** A window of its own. Whatever it does, it stays with us and says no unexpected word in the console. */
  async function openWindow(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const complaints: string[] = []
    const refusals: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('dialog', (dialog) => complaints.push(`a dialog: ${dialog.message()}`))
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return
      const [, refusal] = /^Failed to load resource: .*?(\d{3}|net::\w+)/.exec(message.text()) ?? []
      if (refusal) refusals.push(refusal)
      else complaints.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(`${address}/`)) complaints.push(`a request to ${request.url()}`)
    })
    /** Closes it, and says which refusals and failures it met on the way. */
    const close = async () => {
      await context.close()
      assert.deepEqual(complaints, [])
      return [...new Set(refusals)].sort()
    }
    return { context, page, close }
  }

  const linkFor = async ({ ownerId }: TestOrganization) =>
    `${address}/#sign-in=${await app.database.inSystem((tx) => createSignInLink(tx, ownerId as string))}`

  let people = 0
  const newOrganization = (options: { name?: string; owner?: string } = {}) =>
    app.organization({ owner: `owner-${++people}@example.com`, ...options })

  async function signIn(organization: TestOrganization, options?: BrowserContextOptions) {
    const window = await openWindow(options)
    await window.page.goto(await linkFor(organization))
    await heading(window.page, 'Overview')
    return window
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
  const toast = (page: Page, text: string) => page.locator('#toast').getByText(text).waitFor()

  test('a sign-in link opens the app once and leaves the address bar', async () => {
    const organization = await newOrganization({ name: 'Juniper Dental' })
    const link = await linkFor(organization)
    const first = await openWindow()
    await first.page.goto(link)
    await first.page.getByText('Juniper Dental').waitFor()
    await first.page.getByText('Test mode: nothing leaves this machine').waitFor()
    assert.equal(first.page.url(), `${address}/`)
    assert.deepEqual(await first.close(), [])

    const second = await openWindow()
    await second.page.goto(link)
    await second.page.getByText('was used already or has expired').waitFor()
    await second.page.getByText('npx frontdesk sign-in-link').waitFor()
    assert.equal(second.page.url(), `${address}/`)
    assert.deepEqual(await second.close(), ['401'])
  })

  test('a contact is added, found, noted, changed, given a task and deleted', async () => {
    const organization = await newOrganization()
    const { page, close } = await signIn(organization)
    const panel = page.getByRole('complementary')
    await page.getByRole('link', { name: 'Add the first contact' }).click()
    await panel.getByLabel('Name').fill('Ada Lovelace')
    await panel.getByLabel('Phone number').fill('+1 415 555 0100')
    await panel.getByLabel('Tags').fill('vip, newsletter')
    await page.keyboard.press('Enter')
    await toast(page, 'Added Ada Lovelace')
    await heading(page, 'Ada Lovelace')

    await page.getByLabel('Search contacts').fill('nobody')
    await page.getByText('No contact matches these filters').waitFor()
    await page.getByLabel('Search contacts').fill('love')
    await page.getByRole('cell', { name: 'Ada Lovelace' }).waitFor()
    assert.match(page.url(), /search=love/)

    await panel.getByLabel('New note').fill('Asked for an offer\nand for a call')
    await panel.getByRole('button', { name: 'Add note' }).click()
    await panel.getByRole('listitem').filter({ hasText: 'Asked for an offer' }).getByText('by you').waitFor()

    await panel.getByLabel('Stage').selectOption('qualified')
    await panel.getByLabel('Handled by').selectOption('people')
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('Stage changed from new to qualified').waitFor()
    await panel.getByText('Handed to people').waitFor()
    await page.getByRole('row', { name: /Ada Lovelace.*qualified/ }).waitFor()

    await panel.getByRole('textbox', { name: 'New task' }).fill('Send the offer')
    await panel.getByLabel('Due').fill('2031-05-06T07:08')
    await panel.getByRole('button', { name: 'Add task' }).click()
    await panel.getByLabel('Send the offer').check()
    await panel.getByText('Task completed: Send the offer').waitFor()

    const { body: contacts } = await organization.call('GET', 'contacts')
    const [contact] = contacts.data
    assert.deepEqual(
      [contact.name, contact.phone_number, contact.tags, contact.stage, contact.ai_handling],
      ['Ada Lovelace', '+14155550100', ['vip', 'newsletter'], 'qualified', false],
    )
    const { body: told } = await organization.call('GET', `contacts/${contact.id}/activities?type=note_added`)
    assert.equal(told.activities[0].payload.note, 'Asked for an offer\nand for a call')
    assert.equal((await organization.call('GET', 'crm/tasks')).body.data[0].status, 'completed')

    await panel.getByRole('button', { name: 'Delete contact' }).click()
    await page.getByRole('dialog').getByText('cannot be undone').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click()
    await toast(page, 'Deleted Ada Lovelace')
    await page.getByText('No contact matches these filters').waitFor()
    assert.equal((await organization.call('GET', 'contacts')).body.total_count, 0)
    assert.deepEqual(await close(), [])
  })

  test('a task is completed in the list of tasks, and not after all', async () => {
    const organization = await newOrganization()
    const { body: contact } = await organization.call('POST', 'contacts', {
      phone_number: '+14155550101',
      name: 'Grace',
    })
    const due_at = new Date(Date.now() - 3 * 24 * 3_600_000).toISOString()
    const task = { contact_id: contact.id, title: 'Call back', due_at }
    const { body: created } = await organization.call('POST', 'crm/tasks', task)
    const { page, close } = await signIn(organization)
    await page.getByRole('link', { name: '1 overdue' }).click()
    await heading(page, 'Tasks')
    await page.getByText('overdue, due 3 days ago').waitFor()
    const status = async () => (await organization.call('GET', `crm/tasks/${created.id}`)).body.status
    await page.getByLabel('Call back').check()
    await toast(page, 'Completed “Call back”')
    assert.equal(await status(), 'completed')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('overdue, due 3 days ago').waitFor()
    assert.equal(await status(), 'pending')
    assert.deepEqual(await close(), [])
  })

  test('what people typed is shown as they typed it, never as markup', async () => {
    const organization = await newOrganization({ name: hostileName })
    const { body: contact } = await organization.call('POST', 'contacts', {
      phone_number: '+14155550102',
      name: hostileName,
      tags: [hostileName],
      notes: `</textarea>${hostileName}`,
      custom_fields: { [hostileName]: hostileName },
    })
    await organization.call('POST', `contacts/${contact.id}/activities`, { note: hostileName })
    await organization.call('POST', 'crm/tasks', { contact_id: contact.id, title: hostileName })
    const { page, close } = await signIn(organization)
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await page.getByRole('cell', { name: hostileName }).first().getByRole('link').click()
    await heading(page, hostileName)
    await page.getByLabel(hostileName).check()
    await toast(page, `Completed “${hostileName}”`)
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.getByRole('link', { name: 'Completed' }).click()
    await page.getByLabel(hostileName).waitFor()
    assert.equal(await page.locator('img:not([src="/assets/favicon.svg"])').count(), 0)
    assert.deepEqual(await close(), [])
  })

  test('a mistake is shown where it was made, and a number that is taken leads to its contact', async () => {
    const organization = await newOrganization()
    await organization.call('POST', 'contacts', { phone_number: '+14155550103', name: 'Grace Hopper' })
    const { page, close } = await signIn(organization)
    await page.goto(`${address}/#/contacts/new`)
    const panel = page.getByRole('complementary')
    const phone = panel.getByLabel('Phone number')
    await phone.fill('12')
    await page.keyboard.press('Enter')
    await panel.getByText('Not a possible phone number').waitFor()
    assert.equal(await phone.getAttribute('aria-invalid'), 'true')
    assert.equal(await phone.evaluate((element) => element === element.ownerDocument.activeElement), true)
    await phone.fill('+14155550103')
    await page.keyboard.press('Enter')
    await panel.getByText('exists already').waitFor()
    assert.equal(await phone.getAttribute('aria-invalid'), null)

    await panel.getByRole('link', { name: 'Open it' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await phone.inputValue(), '+14155550103')
    await panel.getByRole('link', { name: 'Open it' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await heading(page, 'Grace Hopper')
    await page.keyboard.press('Escape')
    await page.locator('td a:focus', { hasText: 'Grace Hopper' }).waitFor()
    assert.deepEqual(await close(), ['409', '422'])
  })

  test('a person sets a password, outlives an access token, signs out and signs in again', async () => {
    const organization = await newOrganization({ owner: 'olive@example.com' })
    const { context, page, close } = await signIn(organization)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Set or change password' }).click()
    await page.getByLabel('New password').fill('short')
    await page.keyboard.press('Enter')
    await page.getByText('new_password must have at least 12 characters').waitFor()
    await page.getByLabel('New password').fill('a long enough password')
    await page.keyboard.press('Enter')
    await toast(page, 'Your password is saved')

    await context.clearCookies({ name: 'frontdesk_token' })
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await page.getByText('There are none in test mode yet').waitFor()

    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    assert.deepEqual(await context.cookies(), [])
    await page.goto(`${address}/#/tasks`)
    await heading(page, 'Sign in')
    await page.getByLabel('E-mail').fill('olive@example.com')
    await page.getByLabel('Password').fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByText('do not go together').waitFor()
    await page.getByLabel('Password').fill('a long enough password')
    await page.keyboard.press('Enter')
    await heading(page, 'Tasks')

    await app.database.forSystem().run`delete from sessions`
    await context.clearCookies({ name: 'frontdesk_token' })
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await page.getByText('Your session has ended').waitFor()
    assert.deepEqual(await close(), ['401', '422'])
  })

  test('a colleague is invited and joins', async () => {
    const organization = await newOrganization({ name: 'Cedar Clinic' })
    const owner = await signIn(organization)
    await owner.page.getByRole('button', { name: 'Invite a colleague' }).click()
    await owner.page.getByLabel('E-mail').fill('grace@example.com')
    await owner.page.keyboard.press('Enter')
    const link = await owner.page.getByRole('dialog').locator('code').textContent()
    assert.deepEqual(await owner.close(), [])

    const { page, close } = await openWindow()
    await page.goto(new URL(new URL(link as string).hash, address).href)
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Password').fill('a long enough password')
    assert.equal(page.url(), `${address}/`)
    await page.keyboard.press('Enter')
    await page.getByText('Cedar Clinic').waitFor()
    await heading(page, 'Overview')
    // Keys and people are the business of owners and admins.
    assert.equal(await page.getByRole('button', { name: 'Invite a colleague' }).count(), 0)
    assert.deepEqual(await close(), [])
  })

  test('modes and organizations are worlds apart, and a reload stays in the chosen one', async () => {
    const owner = 'both@example.com'
    const north = await newOrganization({ name: 'North', owner })
    const south = await newOrganization({ name: 'South', owner })
    await north.call('POST', 'contacts', { phone_number: '+14155550104', name: 'Nora' })
    await south.call('POST', 'contacts', { phone_number: '+14155550105', name: 'Sol' })
    const { page, close } = await signIn(north)
    const chosen = page.getByLabel('Organization')
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await chosen.selectOption('North')
    await page.getByRole('link', { name: 'Nora' }).waitFor()
    await chosen.selectOption('South')
    await page.getByRole('link', { name: 'Sol' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Nora' }).count(), 0)
    await page.getByText('Live', { exact: true }).click()
    await page.getByText('There are none in live mode yet').waitFor()
    assert.equal(await page.getByText('nothing leaves this machine').count(), 0)
    await page.reload()
    await page.getByText('There are none in live mode yet').waitFor()
    assert.equal(await chosen.locator('option:checked').textContent(), 'South')
    // Only the first question, before an organization was chosen, was refused.
    assert.deepEqual(await close(), ['400'])
  })

  test('what fails can be tried again', async () => {
    const { page, close } = await signIn(await newOrganization())
    await page.route('**/api/v1/crm/tasks*', (route) => route.abort())
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.getByText('Frontdesk cannot be reached').waitFor()
    await page.unroute('**/api/v1/crm/tasks*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Nothing is waiting to be done').waitFor()
    assert.deepEqual(await close(), ['net::ERR_FAILED'])
  })

  test('a long list says how long it is and grows on demand', async () => {
    const organization = await newOrganization()
    for (let n = 0; n < 60; n++)
      await organization.call('POST', 'contacts', { phone_number: `+1415555${1000 + n}`, name: `Person ${n}` })
    const { page, close } = await signIn(organization)
    await page.getByRole('link', { name: '60 in all' }).click()
    await page.getByText('50 of 60').waitFor()
    await page.getByRole('button', { name: 'Load more' }).click()
    await page.getByRole('link', { name: 'Person 0', exact: true }).waitFor()
    assert.equal(await page.locator('tbody tr').count(), 60)
    assert.deepEqual(await close(), [])
  })

  test('on a phone nothing is wider than the screen, and a contact takes the whole of it', async () => {
    const organization = await newOrganization({ name: 'A very long name of an organization that goes on and on' })
    const { body: contact } = await organization.call('POST', 'contacts', {
      phone_number: '+14155550106',
      name: 'A'.repeat(200),
      tags: ['t'.repeat(90)],
    })
    const { page, close } = await signIn(organization, { viewport: { width: 390, height: 844 }, hasTouch: true })
    for (const place of ['', 'contacts', `contacts/${contact.id}`, 'contacts/new', 'tasks']) {
      await page.goto(`${address}/#/${place}`)
      await page.waitForLoadState('networkidle')
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, place)
    }
    await page.goto(`${address}/#/contacts/${contact.id}`)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByLabel('Search contacts').waitFor()
    assert.deepEqual(await close(), [])
  })
})
