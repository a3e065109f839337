import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ok, type TestOrganization } from '../../../../server/testing/app.ts'
import { person } from '../../../../server/testing/people.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

interface Shown {
  title: string
  body: string
  tag: string
  url: string
}

/** Headless browsers show no notifications, play no sounds, and have no tabs in the background. */
const observeDesktop = `
  globalThis.desktop = { shown: [], sounds: 0 }
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) => {
    desktop.shown.push({ title, body, tag, url: data.url })
  }
  HTMLMediaElement.prototype.play = async () => void desktop.sounds++
  globalThis.setVisibility = (state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
    document.dispatchEvent(new Event('visibilitychange'))
  }`

suite('notifications and presence', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn, signInMember, address } = await startBrowser()

  async function customerWrites(org: TestOrganization, from: string, name: string, text: string): Promise<string> {
    assert.equal((await org.call('POST', 'simulator/messages', { from, name, text })).status, 202)
    const ticket = async () =>
      (await org.call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`)).body.inboxes[0]
    await until(async () => (await ticket())?.last_message?.preview === text)
    return (await ticket()).id
  }
  const bell = (page: Page, unread: number) =>
    page.getByRole('button', { name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`, exact: true })
  /** As a member without a mouse gets there. `before` is what had the focus until then. */
  async function tabTo(page: Page, button: Locator): Promise<void> {
    for (let n = 0; n < 200; n++) {
      await page.evaluate('globalThis.before = document.activeElement')
      await page.keyboard.press('Tab')
      if (await button.evaluate((element) => element === element.ownerDocument.activeElement)) return
    }
    assert.fail('Tab does not reach the button')
  }
  const iconOf = (page: Page) => page.locator('link[rel=icon]').getAttribute('href')

  test('a waiting customer is announced, counted in title and icon, listed, and read', async () => {
    const org = await organization()
    const { page, assertAccessible, assertFits, close } = await signIn(org, '/contacts')
    await bell(page, 0).waitFor()
    assert.equal(await iconOf(page), '/favicon.svg')
    // Shown live: the event stream, which alerts come with, has started.
    await page.getByRole('heading', { name: 'No contacts yet' }).waitFor()
    await org.call('POST', 'contacts', { phone_number: '+12025550150', name: 'Ada Lovelace' })
    await page.getByText('Ada Lovelace').waitFor()
    // Alerts close by themselves.
    const [id] = await Promise.all([
      customerWrites(org, '+12025550151', 'Ines Moreau', 'Is it open today?'),
      page.getByRole('alert').getByText('Ines Moreau is waiting').waitFor(),
    ])
    await bell(page, 1).waitFor()
    await until(async () => (await page.title()).startsWith('(1) '))
    assert.match(decodeURIComponent((await iconOf(page)) as string), /^data:image\/svg.*>1<\/text>/)
    await bell(page, 1).click()
    const list = page.getByRole('region', { name: 'Notifications', exact: true })
    await list.getByText('Is it open today?').waitFor()
    await assertAccessible()
    await picture(page, 'notifications')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await assertFits()
    await picture(page, 'notifications-phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await list.getByRole('button', { name: /Ines Moreau is waiting/ }).click()
    await page.waitForURL(`**/inbox/${id}`)
    await bell(page, 0).waitFor()
    await until(async () => !(await page.title()).startsWith('('))
    assert.equal(await iconOf(page), '/favicon.svg')

    // The inbox shows further messages itself.
    await page.goto(`${address}/tasks`)
    await customerWrites(org, '+12025550152', 'Bo Lind', 'Hello')
    await bell(page, 1).click()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await bell(page, 0).waitFor()

    await page.goto(`${address}/settings/notifications`)
    await page.getByRole('heading', { name: 'Notify me about' }).waitFor()
    await page.getByLabel('Unassigned conversations').uncheck()
    await page.getByLabel('Quiet hours').check()
    await page.getByLabel('From').fill('21:30')
    await assertAccessible()
    await picture(page, 'settings-notifications')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await page.getByLabel('From').waitFor()
    assert.equal(await page.getByLabel('From').inputValue(), '21:30')
    assert.equal(await page.getByLabel('Unassigned conversations').isChecked(), false)
    await page.setViewportSize({ width: 390, height: 844 })
    await assertFits()
    await picture(page, 'settings-notifications-phone')
    assert.deepEqual(await close(), [])
  })

  test('tabs in the background show one desktop notification, with a sound; a tab in use shows none', async () => {
    const org = await organization()
    const { page, context, close } = await signIn(org, '/contacts')
    await context.addInitScript(observeDesktop)
    const other = await context.newPage()
    await Promise.all([page.reload(), other.goto(`${address}/tasks`)])
    const tabs = [page, other]
    const setVisible = (tab: Page, isVisible: boolean) =>
      tab.evaluate(`setVisibility(${JSON.stringify(isVisible ? 'visible' : 'hidden')})`)
    const shown = async (): Promise<Shown[]> =>
      (await Promise.all(tabs.map((tab) => tab.evaluate('desktop.shown')))).flat() as Shown[]
    // Shown live: the event stream, which notifications come with, has started.
    await page.getByRole('heading', { name: 'No contacts yet' }).waitFor()
    await org.call('POST', 'contacts', { phone_number: '+12025550160', name: 'Ada Lovelace' })
    await page.getByText('Ada Lovelace').waitFor()
    await bell(other, 0).waitFor()
    for (const tab of tabs) await setVisible(tab, false)
    const claims = tabs.map((tab) => tab.waitForResponse((answer) => answer.url().endsWith('/shown?in_use=false')))
    const id = await customerWrites(org, '+12025550161', 'Ines Moreau', 'Is it open today?')
    await Promise.all(claims)
    await until(async () => (await shown()).length > 0)
    const [{ title, body, tag, url }, ...more] = (await shown()) as [Shown]
    assert.deepEqual(
      [title, body, tag, more],
      ['Ines Moreau is waiting', 'Is it open today?\nAcme', `ticket ${id}`, []],
    )
    const sounds = await Promise.all(tabs.map((tab) => tab.evaluate('desktop.sounds')))
    assert.deepEqual(sounds.sort(), [0, 1])

    await setVisible(page, true)
    // The tab in use claims first, however slow it is.
    const isClaimed = Promise.withResolvers<void>()
    await other.route('**/shown?in_use=false', (route) => isClaimed.promise.then(() => route.continue()))
    const claimed = other.waitForResponse((answer) => answer.url().endsWith('/shown?in_use=false'))
    await Promise.all([
      page.getByRole('alert').getByText('Bo Lind is waiting').waitFor(),
      customerWrites(org, '+12025550162', 'Bo Lind', 'Hello'),
    ])
    isClaimed.resolve()
    assert.deepEqual(await (await claimed).json(), { alert: false })
    assert.equal((await shown()).length, 1)

    // What the service worker sends after a click.
    await page.evaluate(
      `navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { url: ${JSON.stringify(url)} } }))`,
    )
    await page.waitForURL(`**/inbox/${id}`)
    await page.getByRole('log').getByText('Is it open today?').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('a mention shows the note, in the inbox too, and opens its conversation', async () => {
    const org = await organization()
    // First: a job notifies those who are members by then.
    const ben = await person(app, org.id, 'member', { name: 'Ben' })
    const id = await customerWrites(org, '+12025550154', 'Ines Moreau', 'Is it open today?')
    const { page, close } = await signInMember(ben.id, '/inbox?status=all')
    await bell(page, 1).waitFor()
    // Shown live: the event stream, which alerts come with, has started.
    const row = page.locator(`[data-ticket="${id}"]`)
    await row.waitFor()
    await org.call('PATCH', `inbox/tickets/${id}`, { priority: 'urgent' })
    await row.getByText('Urgent').waitFor()
    const mention = async (body: string) => {
      ok(await org.call('POST', `inbox/tickets/${id}/notes`, { body, mentioned_ids: [ben.id] }), 201)
    }
    await mention('Ben, can you check the hours?')
    const alert = page.getByRole('alert').filter({ hasText: 'You were mentioned in Ines Moreau’s conversation' })
    // An alert under the pointer stays.
    await alert.getByText('Ben, can you check the hours?').hover()
    await bell(page, 2).waitFor()
    await mention('And the parking?')
    const latest = alert.filter({ hasText: 'And the parking?' })
    await latest.hover()
    await tabTo(page, latest.getByRole('button', { name: 'View' }))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/inbox/${id}?status=all`)
    // All about the conversation are read with it.
    await bell(page, 0).waitFor()
    await latest.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement === document.body'), false)

    await page.getByRole('log', { name: 'Messages' }).focus()
    await page.keyboard.press('e')
    const closed = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Undo' }) })
    await closed.hover()
    await tabTo(page, closed.getByRole('button', { name: 'Undo' }))
    await page.keyboard.press('Enter')
    await closed.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor()
    assert.equal(await page.evaluate('document.activeElement === before'), true)
    // A toast that is dismissed returns the focus too.
    await page.getByRole('log', { name: 'Messages' }).focus()
    await page.keyboard.press('e')
    await closed.hover()
    await tabTo(page, closed.getByRole('button', { name: 'Dismiss' }))
    await page.keyboard.press('Enter')
    await closed.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement === document.body'), false)
    assert.deepEqual(await close(), [])
  })

  test('members see who is viewing and replying, and a reply that was overtaken is held back once', async () => {
    const org = await organization()
    const id = await customerWrites(org, '+12025550153', 'Ines Moreau', 'Is it open today?')
    const colleague = await person(app, org.id, 'member', { name: 'Ben' })
    const [olive, ben] = [await signIn(org, `/inbox/${id}`), await signInMember(colleague.id, `/inbox/${id}`)]
    // What the member is looking at is read.
    await bell(olive.page, 0).waitFor()
    await olive.page.getByText('Ben is viewing this conversation').waitFor()
    await ben.page.getByText('Olive Owner is viewing this conversation').waitFor()
    await ben.page.getByLabel('Your reply').pressSequentially('Yes')
    await olive.page.getByText('Ben is replying').waitFor()
    await olive.assertAccessible()
    await picture(olive.page, 'inbox-presence')
    await olive.page.getByLabel('Your reply').fill('We are open')
    await ben.page.getByLabel('Your reply').press('Enter')
    const bubble = (text: string) => olive.page.locator('[data-message]').filter({ hasText: text })
    await bubble('Yes').waitFor()
    await olive.page.getByLabel('Your reply').press('Enter')
    await olive.page.getByText('Ben has replied in the meantime').waitFor()
    assert.equal(await olive.page.getByLabel('Your reply').inputValue(), 'We are open')
    await olive.page.getByLabel('Your reply').press('Enter')
    await bubble('We are open').waitFor()
    const { messages } = (await org.call('GET', `inbox/messages/${id}`)).body
    assert.deepEqual(
      messages.map(({ body }: { body: string }) => body),
      ['Is it open today?', 'Yes', 'We are open'],
    )
    assert.deepEqual([await olive.close(), await ben.close()], [[], []])
  })

  test('the console can be installed as an app', async () => {
    const { page, close } = await signIn(await organization(), '/settings/notifications')
    const answer = await page.request.get(`${address}/manifest.webmanifest`)
    const manifest: { display: string; icons: { src: string; type: string }[] } = await answer.json()
    assert.equal(manifest.display, 'standalone')
    // iOS and the notifications of browsers show no SVG.
    const touchIcon = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
    const pictures = [touchIcon as string, '/badge.png', ...manifest.icons.map(({ src }) => src)]
    for (const src of pictures) {
      const { status, type } = await page.request.get(address + src).then((icon) => ({
        ...{ status: icon.status(), type: icon.headers()['content-type'] },
      }))
      assert.deepEqual(
        [src, status, type?.split(';')[0]],
        [src, 200, src.endsWith('.svg') ? 'image/svg+xml' : 'image/png'],
      )
    }
    const scope = await page.evaluate(
      "navigator.serviceWorker.register('/service-worker.js').then(({ scope }) => new URL(scope).pathname)",
    )
    assert.equal(scope, '/')
    assert.deepEqual(await close(), [])
  })
})
