import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '../../../server/testing/process.ts'
import { skip, startBrowser } from '../../testing/browser.ts'

suite('tabs', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn, address } = await startBrowser()
  const join = (house: { id: string }, { ownerId }: { ownerId: string | null }) =>
    app.database.forSystem().run`
      insert into members (organization_id, user_id, role) values (${house.id}, ${ownerId}, 'admin')`

  test('each tab keeps its mode and organization, and a new tab starts with the last choice', async () => {
    const [first, second] = [await organization({ name: 'First House' }), await organization({ name: 'Second House' })]
    await join(second, first)
    await first.call('POST', 'contacts', { phone_number: '+14155550170', name: 'Of the first' })
    const { page, context, close } = await signIn(first, '/contacts')
    await page.getByText('Of the first').waitFor()

    const other = await context.newPage()
    await other.goto(`${address}/contacts`)
    await other.getByRole('button', { name: 'First House' }).click()
    await other.getByRole('menuitem', { name: 'Second House' }).click()
    await other.getByRole('heading', { name: 'No contacts yet' }).waitFor()
    await other.getByText('Live', { exact: true }).click()
    await other.getByText('Test mode: messages and calls stay on this machine').waitFor({ state: 'detached' })

    // The export and a reload of this tab still use the first organization.
    await page.getByRole('button', { name: 'Import and export' }).click()
    const exported = await page.getByRole('menuitem', { name: 'Export all contacts as CSV' }).getAttribute('href')
    const { searchParams } = new URL(exported as string, address)
    assert.deepEqual([searchParams.get('organization_id'), searchParams.get('mode')], [first.id, 'test'])
    await page.reload()
    await page.getByText('Of the first').waitFor()
    await page.getByRole('button', { name: 'First House' }).waitFor()

    const third = await context.newPage()
    await third.goto(`${address}/contacts`)
    await third.getByRole('button', { name: 'Second House' }).waitFor()
    assert.equal(await third.getByText('Test mode: messages and calls stay on this machine').count(), 0)
    assert.deepEqual(await close(), [])
  })

  test('two tabs whose access token has ended refresh at the same moment, and both stay signed in', async () => {
    const home = await organization()
    await home.call('POST', 'contacts', { phone_number: '+14155550172', name: 'Still Here' })
    const { page, context, close } = await signIn(home, '/contacts')
    const other = await context.newPage()
    await other.goto(`${address}/contacts`)
    const refreshToken = async () =>
      (await context.cookies(`${address}/api/v1/auth`)).find(({ name }) => name === 'frontdesk_refresh')?.value
    for (let round = 0; round < 3; round++) {
      const before = await refreshToken()
      await context.clearCookies({ name: 'frontdesk_token' })
      await Promise.all([page.reload(), other.reload()])
      await Promise.all([page, other].map((tab) => tab.getByText('Still Here').waitFor()))
      assert.notEqual(await refreshToken(), before)
    }
    assert.deepEqual(new Set(await close()), new Set(['401']))
  })

  test('switching the mode leaves an open record for its list, and a link to the other mode offers to switch', async () => {
    const home = await organization()
    const { body } = await home.call('POST', 'contacts', { phone_number: '+14155550171', name: 'Tessa Test' })
    const { page, close } = await signIn(home, `/contacts/${body.id}`)
    await page.getByRole('heading', { name: 'Tessa Test' }).waitFor()
    await page.getByText('Live', { exact: true }).click()
    await page.getByRole('heading', { name: 'No contacts yet' }).waitFor()
    assert.equal(page.url(), `${address}/contacts`)
    await page.goto(`${address}/contacts/${body.id}`)
    await page.getByRole('button', { name: 'Switch to test mode' }).click()
    await page.getByRole('heading', { name: 'Tessa Test' }).waitFor()
    assert.deepEqual(await close(), ['404'])
  })

  test('leaving a page with unsaved changes asks first, whichever way it is left', async () => {
    const home = await organization()
    const { page, close } = await signIn(home, '/tasks')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('button', { name: 'New contact' }).first().click()
    const questions: string[] = []
    let answer = false
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      return answer ? dialog.accept() : dialog.dismiss()
    })
    // In one task: the form is left before the page has rendered again.
    await page.getByLabel('Name', { exact: true }).focus()
    await page.evaluate("document.execCommand('insertText', false, 'Half written'); history.back()")
    await until(async () => questions.length === 1)
    // Behind the drawer, reachable by keyboard and screen reader.
    await page.locator('[aria-label="Mode"] input[value="live"]').dispatchEvent('click')
    await until(async () => questions.length === 2)
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half written')
    assert.equal(await page.getByText('Test mode: messages and calls stay on this machine').count(), 1)
    answer = true
    await page.goBack()
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    assert.match(questions[0] as string, /Leave without saving/)
    assert.equal(questions.length, 3)

    // The task form opens on any page and closes when the page is left.
    await page.getByRole('button', { name: 'New task' }).first().click()
    await page.getByLabel('Title').fill('Half a task')
    await page.goForward()
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    await page.getByLabel('Title').waitFor({ state: 'detached' })
    assert.equal(questions.length, 4)
    assert.deepEqual(await close(), [])
  })

  test('on a phone a long organization name leaves room for the mode switch', async () => {
    const home = await organization({ name: 'The Extraordinarily Long-Named Practice of Upper and Lower Wherever' })
    const other = await organization({ name: 'Other' })
    for (const isOfTwo of [false, true]) {
      if (isOfTwo) await join(other, home)
      const { page, assertFits, close } = await signIn(home, '/', { viewport: { width: 390, height: 844 } })
      const live = page.getByText('Live', { exact: true })
      const { x, width } = (await live.boundingBox()) as { x: number; width: number }
      const account = (await page.getByRole('button', { name: 'Your account' }).boundingBox()) as { x: number }
      assert.ok(width > 20 && x + width <= account.x, `Live stands at ${x} and is ${width} wide`)
      await live.click()
      await page.getByText('Test mode: messages and calls stay on this machine').waitFor({ state: 'detached' })
      await assertFits()
      await close()
    }
  })

  test('a short outage does not sign the member out', async () => {
    const home = await organization()
    const { page, assertAccessible, close } = await signIn(home, '/contacts')
    let isAway = true
    await page.route('**/api/v1/me', (route) =>
      isAway ? route.fulfill({ status: 503, json: { detail: 'Coming up' } }) : route.continue(),
    )
    await page.reload()
    await page.getByText('Could not load this').waitFor()
    assert.equal(await page.getByLabel('Password').count(), 0)
    isAway = false
    await page.getByRole('button', { name: 'Try again' }).click()
    // With its records, the page also listens to keys.
    await page.getByRole('heading', { name: 'No contacts yet' }).waitFor()

    await page.route('**/api/v1/campaigns?**', (route) => route.fulfill({ status: 400, json: { detail: 'Not today' } }))
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search everything').fill('nobody of that name')
    await page.getByText('Search failed. Not today').waitFor()
    await assertAccessible()
    assert.deepEqual(await close(), ['400', '503'])
  })

  test('copy and undo work over plain HTTP', async () => {
    const home = await organization()
    const { body } = await home.call('POST', 'contacts', { phone_number: '+14155550173', name: 'Plain Jane' })
    const { page, close } = await signIn(home)
    await page.addInitScript(() => {
      Reflect.deleteProperty(Crypto.prototype, 'randomUUID')
      Reflect.deleteProperty(Navigator.prototype, 'clipboard')
    })
    await page.goto(`${address}/contacts/${body.id}`)
    await page.getByRole('button', { name: 'Take over' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Take over' }).waitFor()
    await page.getByRole('button', { name: 'Copy ID' }).click()
    await page.getByLabel('Note', { exact: true }).click()
    await page.keyboard.press('Control+V')
    assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), body.id)
    await page.getByLabel('Note', { exact: true }).fill('')
    assert.deepEqual(await close(), [])
  })
})
