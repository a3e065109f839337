import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Request } from 'playwright-core'
import { signInByLink } from '../../../server/testing/people.ts'
import { picture, skip, startBrowser } from '../../testing/browser.ts'

const password = 'a password for the browser'

suite('sign-in and frame', { skip }, async () => {
  if (skip) return
  const { app, organization, linkFor, open, signIn, address } = await startBrowser()

  test('a sign-in link opens the console once and leaves the address bar', async () => {
    const link = await linkFor(await organization({ name: 'Juniper Dental' }))
    const first = await open()
    await first.page.goto(link)
    await first.page.getByText('Juniper Dental').waitFor()
    await first.page.getByText('Test mode: messages and calls stay on this machine').waitFor()
    await first.page.getByRole('heading', { name: 'First steps' }).waitFor()
    assert.equal(first.page.url(), `${address}/`)
    await first.assertAccessible()
    await picture(first.page, 'dashboard')
    assert.deepEqual(await first.close(), [])

    const second = await open()
    await second.page.goto(link)
    await second.page.getByText('was already used or has expired').waitFor()
    await second.page.getByText('npx frontdesk sign-in-link').waitFor()
    await second.assertAccessible()
    assert.equal(second.page.url(), `${address}/`)
    assert.deepEqual(await second.close(), ['401'])
  })

  test('an invited member chooses a password, signs out, and signs in again to the requested page', async () => {
    const { ownerId } = await organization({ name: 'Harbour Vets' })
    const owner = await signInByLink(app, ownerId as string)
    const { body } = await owner.call('POST', 'invitations', { email: 'carla@example.com', role: 'member' })
    const { page, close, assertAccessible } = await open()
    await page.goto(body.link.replace(/^.*?(?=\/#)/, address))
    await page.getByLabel('Your name').fill('Carla Colleague')
    await page.getByRole('textbox', { name: 'Password' }).fill('short')
    await page.getByRole('button', { name: 'Join' }).click()
    await page
      .getByText(/at least 12|fewer than 12/i)
      .last()
      .waitFor()
    await assertAccessible()
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('Harbour Vets').waitFor()

    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByText('Carla Colleague').waitFor()
    await page.evaluate("sessionStorage.setItem('a draft of Carla', 'x')")
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await page.evaluate("sessionStorage.getItem('a draft of Carla')"), null)

    await page.goto(`${address}/contacts`)
    await page.getByLabel('Email').fill('carla@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('not this one at all')
    await page.keyboard.press('Enter')
    await page.getByText('Incorrect email or password.').waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    assert.equal(page.url(), `${address}/contacts`)
    assert.deepEqual(await close(), ['401', '422'])
  })

  test('test and live records are separate, and a reload keeps the mode', async () => {
    const home = await organization()
    await home.call('POST', 'contacts', { phone_number: '+14155550150', name: 'Only a test' })
    const { page, close } = await signIn(home)
    const contacts = page.getByRole('link', { name: /^Contacts\s*\d/ })
    await contacts.getByText('1', { exact: true }).waitFor()
    await page.getByText('Live', { exact: true }).click()
    await contacts.getByText('0', { exact: true }).waitFor()
    assert.equal(await page.getByText('Test mode: messages and calls stay on this machine').count(), 0)
    await page.reload()
    await contacts.getByText('0', { exact: true }).waitFor()
    await page.getByText('Test', { exact: true }).click()
    await contacts.getByText('1', { exact: true }).waitFor()
    assert.deepEqual(await close(), [])
  })

  test('a member of two organizations switches between them', async () => {
    const [first, second] = [await organization({ name: 'First House' }), await organization({ name: 'Second House' })]
    await app.database.forSystem().run`
      insert into members (organization_id, user_id, role) values (${second.id}, ${first.ownerId}, 'admin')`
    const { page, close } = await signIn(first)
    await page.getByRole('button', { name: /House/ }).click()
    await page.getByRole('menuitem', { name: 'Second House' }).click()
    await page.getByRole('button', { name: 'Second House' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Second House' }).waitFor()
    await close()
  })

  test('a removed member is signed out at the next request', async () => {
    const home = await organization()
    const { page, close } = await signIn(home)
    await app.database.forSystem().run`delete from members where user_id = ${home.ownerId}`
    const contacts = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts' })
    // The next request may also be one that the page makes by itself: then the link is gone.
    contacts.click().catch(() => {})
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await close()
  })

  test('pages that cache the same records in different shapes do not break each other', async () => {
    const { page, close } = await signIn(await organization(), '/tasks')
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'Calls' }).click()
    await page.getByText('No calls yet').waitFor()
    await menu.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'Channels' }).click()
    await page.getByText('Simulated').first().waitFor()
    await page.getByRole('tab', { name: 'Members' }).click()
    await page.getByText('(you)').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('search finds records and pages by keyboard', async () => {
    const home = await organization()
    await home.call('POST', 'contacts', { phone_number: '+14155550151', name: 'Søren Kierkegaard' })
    const { page, close } = await signIn(home)
    // With the first figures, the page also listens to keys.
    await page.getByRole('link', { name: /^Contacts\s*1/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search everything').fill('kierke')
    await page.getByText('Søren Kierkegaard').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/contacts\/[0-9a-f-]{36}$/)
    await page.getByLabel('Search everything').waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search everything').fill('settings')
    await page.getByRole('button', { name: 'Settings' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/settings/)
    assert.deepEqual(await close(), [])
  })

  test('in dark mode and on a phone the page is accessible and fits', async () => {
    const home = await organization()
    const { page, close, assertAccessible, assertFits } = await signIn(home, '/', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await page.getByRole('heading', { name: 'Contacts by stage' }).waitFor()
    await assertAccessible()
    await picture(page, 'dashboard-phone-dark')
    await assertFits()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tasks' }).click()
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    assert.deepEqual(await close(), [])
  })

  test('first loads stay under 300 kB and under 25 files, with the data of the page', async () => {
    const home = await organization()
    const contacts = Array.from({ length: 50 }, (_, i) => ({
      phone_number: `+1415555${1000 + i}`,
      name: `Person ${i}`,
    }))
    for (const contact of contacts) await home.call('POST', 'contacts', contact)
    const { context, close: leave } = await signIn(home)
    const storageState = await context.storageState()
    await leave()
    for (const [path, shown, mostBytes] of [
      ['/', 'Contacts by stage', 255_000],
      ['/contacts', 'Person 49', 290_000],
      ['/inbox', 'Your inbox is empty', 275_000],
    ] as const) {
      const { page, close } = await open({ storageState })
      const finished: Request[] = []
      page.on('requestfinished', (request) => finished.push(request))
      await page.goto(address + path)
      await page.getByText(shown).first().waitFor()
      await page.waitForLoadState('load')
      // A request that ends while the window closes has no size.
      const sizes = await Promise.all([...finished].map((request) => request.sizes()))
      const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
      const files = finished.filter((request) => request.url().includes('/assets/')).length
      assert.ok(bytes > 50_000 && bytes < mostBytes, `${path}: ${bytes} bytes`)
      assert.ok(files < 25, `${path}: ${files} files`)
      await close()
    }
  })

  test('a skeleton in the chosen colours is shown before the script arrives, and leaves with it', async () => {
    const home = await organization()
    const { context, close: leave } = await signIn(home)
    const { cookies } = await context.storageState()
    await leave()
    const localStorage = [{ name: 'mantine-color-scheme-value', value: 'dark' }]
    const storageState = { cookies, origins: [{ origin: address, localStorage }] }
    const { page, close } = await open({ storageState, colorScheme: 'light' })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${address}/contacts`, { waitUntil: 'commit' })
    const skeleton = page.locator('#skeleton')
    await skeleton.waitFor()
    const colour = await page.evaluate<string>('getComputedStyle(document.querySelector("#skeleton")).backgroundColor')
    assert.equal(colour, 'rgb(36, 36, 36)')
    assert.equal(await page.getByRole('status').textContent(), 'Loading')
    release()
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    assert.equal(await skeleton.count(), 0)
    assert.deepEqual(await close(), [])
  })
})

suite('served files', async () => {
  const { startTestApp } = await import('../../../server/testing/app.ts')
  const { call } = await startTestApp()

  test('every page is the same document, with a content security policy for our own files only', async () => {
    for (const path of ['/', '/inbox', '/contacts/01890000-0000-7000-8000-000000000000', '/settings/members']) {
      const { status, headers, text } = await call('GET', path)
      assert.deepEqual(
        [status, headers['content-type'], headers['cache-control']],
        [200, 'text/html; charset=utf-8', 'no-cache'],
      )
      const policy = String(headers['content-security-policy'])
      for (const directive of [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ])
        assert.ok(policy.includes(directive), directive)
      assert.doesNotMatch(text, /<script(?![^>]*src=)|<style|\son\w+=|https?:/)
    }
  })

  test('files are cached by name, compressed for clients that accept it, and revalidated by their tag', async () => {
    const { text } = await call('GET', '/')
    const names = [...text.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, name]) => name as string)
    assert.ok(names.some((name) => name.endsWith('.js')) && names.some((name) => name.endsWith('.css')))
    for (const name of names) {
      const plain = await call('GET', name)
      assert.equal(plain.status, 200, name)
      const isPicture = name.endsWith('.png')
      assert.match(String(plain.headers['content-type']), isPicture ? /^image\/png$/ : /; charset=utf-8$/, name)
      assert.equal(plain.headers['content-encoding'], undefined)
      if (name.startsWith('/assets/')) assert.match(String(plain.headers['cache-control']), /immutable/)
      const pressed = await call('GET', name, undefined, { 'accept-encoding': 'gzip, br' })
      // A picture is compressed already.
      assert.equal(pressed.headers['content-encoding'], isPicture ? undefined : 'br', name)
      const again = await call('GET', name, undefined, { 'if-none-match': String(plain.headers.etag) })
      assert.deepEqual([again.status, again.text], [304, ''])
    }
  })

  test('unknown paths stay a plain 404, however they are spelled', async () => {
    const paths = [
      '/assets',
      '/assets/',
      '/index.html',
      '/nowhere',
      '/assets/..%2findex.html',
      '/assets/%2e%2e/index.html',
      '/contactsx',
    ]
    for (const path of paths) {
      const { status, body } = await call('GET', path)
      assert.deepEqual([status, body], [404, { detail: 'Not Found' }], path)
    }
    const { status, headers } = await call('POST', '/', {})
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'])
  })
})
