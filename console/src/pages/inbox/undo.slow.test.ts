import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, type Reply, type TestOrganization } from '../../../../server/testing/app.ts'
import { person } from '../../../../server/testing/people.ts'
import { until } from '../../../../server/testing/process.ts'
import { sampleMedia } from '../../../../simulator/sample-media.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('undo for messages', { skip }, async () => {
  if (skip) return
  const { app, address, organization, signIn } = await startBrowser()

  async function receive({ call }: TestOrganization, text: string, name = 'Ines'): Promise<string> {
    await call('POST', 'simulator/messages', { from: name === 'Ines' ? '+12025550163' : '+12025550164', name, text })
    let id: string | undefined
    await until(async () => {
      id = (await call('GET', `inbox/tickets?search=${name}`)).body.inboxes[0]?.id
      return id !== undefined
    })
    return id as string
  }
  async function addTemplate(
    { call }: TestOrganization,
    body: object = { text: 'Your order is ready.' },
  ): Promise<void> {
    const made = ok(
      await call('POST', 'templates', {
        channel_id: (await call('GET', 'channels')).body.data[0].id,
        name: 'order_ready',
        language: 'en_US',
        category: 'UTILITY',
        components: [{ type: 'BODY', ...body }],
      }),
      201,
    )
    await until(async () => (await call('GET', `templates/${made.id}`)).body.platform_status === 'APPROVED')
  }
  const textsOf = async ({ call }: TestOrganization, id: string): Promise<string[]> => {
    const { messages } = (await call('GET', `inbox/messages/${id}?order=asc`)).body
    return messages.map(({ body }: Reply['body']) => body)
  }
  /** Longer than any test runs: what is not taken back is sent only when the page is left. */
  const waitLong = (page: Page) => page.evaluate("localStorage.setItem('undo-seconds', '600')")
  const undo = (page: Page) => page.getByRole('log', { name: 'Messages' }).getByRole('button', { name: 'Undo' })

  test('a reply is taken back into the composer, however it was sent', async () => {
    const org = await organization()
    await addTemplate(org, { text: 'Hello {{1}}, your order {{2}} is ready.', example: { body_text: [['Ada', '12']] } })
    const id = await receive(org, 'Is it ready?')
    const { page, assertAccessible, assertFits, close } = await signIn(org, `/inbox/${id}`)
    await waitLong(page)
    const reply = page.getByLabel('Your reply')

    // With Enter. What was written since stays below.
    await reply.fill('Wrong customer')
    await reply.press('Enter')
    await undo(page).waitFor()
    assert.equal(await reply.inputValue(), '')
    await assertAccessible()
    for (const [name, screen] of screens) {
      await page.setViewportSize(screen.viewport)
      await page.emulateMedia({ colorScheme: screen.colorScheme })
      await assertFits()
      await picture(page, `inbox-undo-${name}`)
    }
    await page.setViewportSize(screens[0][1].viewport)
    await reply.fill('Next text')
    await undo(page).click()
    await until(async () => (await reply.inputValue()) === 'Wrong customer\nNext text')
    await undo(page).waitFor({ state: 'detached' })

    // Files and their text come back together.
    await page
      .locator('form input[type=file]')
      .first()
      .setInputFiles([
        { name: 'map.png', mimeType: 'image/png', buffer: sampleMedia('image').bytes },
        { name: 'prices.txt', mimeType: 'text/plain', buffer: Buffer.alloc(2500, 'x') },
      ])
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await undo(page).click()
    await page.getByRole('list', { name: 'Attached files' }).getByText('prices.txt').waitFor()
    assert.equal(await page.getByRole('list', { name: 'Attached files' }).getByRole('listitem').count(), 2)
    await until(async () => (await reply.inputValue()) === 'Wrong customer\nNext text')
    await page.getByRole('button', { name: 'Remove map.png' }).click()
    await page.getByRole('button', { name: 'Remove prices.txt' }).click()
    await reply.fill('')

    // Buttons come back into their form, and wait above the composer if it is closed.
    await page.getByRole('button', { name: 'Add buttons' }).click()
    const builder = page.getByRole('dialog', { name: 'Message with buttons' })
    const inBuilder = (name: string) => builder.getByRole('textbox', { name })
    await inBuilder('Text').fill('Which day?')
    await inBuilder('Button 1').fill('Monday')
    await inBuilder('Button 2').fill('Friday')
    await inBuilder('Footer').fill('Closed on Sundays')
    await builder.getByRole('button', { name: 'Send' }).click()
    await undo(page).click()
    await inBuilder('Button 2').waitFor()
    for (const [name, value] of [
      ['Text', 'Which day?'],
      ['Button 1', 'Monday'],
      ['Button 2', 'Friday'],
      ['Footer', 'Closed on Sundays'],
    ] as const)
      assert.equal(await inBuilder(name).inputValue(), value)
    await page.keyboard.press('Escape')
    await builder.waitFor({ state: 'detached' })
    const taken = page.getByRole('list', { name: 'Unsent messages' }).getByRole('listitem')
    await taken.getByText('Which day?').waitFor()
    await taken.getByRole('button', { name: 'Send' }).click()
    await taken.waitFor({ state: 'detached' })
    await undo(page).click()
    await inBuilder('Button 2').fill('Saturday')
    await builder.getByRole('button', { name: 'Send' }).click()
    await undo(page).click()
    assert.equal(await inBuilder('Button 2').inputValue(), 'Saturday')
    await page.keyboard.press('Escape')
    await builder.waitFor({ state: 'detached' })

    // So does a template, with its values.
    await page.getByRole('button', { name: 'Send a template' }).click()
    const template = page.getByRole('dialog', { name: 'Send a template to Ines' })
    await template.getByLabel('{{2}}').fill('five')
    await template.getByRole('button', { name: 'Send template' }).click()
    await undo(page).click()
    await template.getByText('Hello Ines, your order five is ready.').waitFor()
    await template.getByRole('button', { name: 'Close' }).click()
    await template.waitFor({ state: 'detached' })
    await taken.getByText('Hello Ines, your order five is ready.').waitFor()
    assert.equal(await taken.count(), 2)
    await assertAccessible()
    for (const [name, screen] of screens) {
      await page.setViewportSize(screen.viewport)
      await page.emulateMedia({ colorScheme: screen.colorScheme })
      await assertFits()
      await picture(page, `inbox-taken-back-${name}`)
    }
    await page.setViewportSize(screens[0][1].viewport)
    await taken.getByRole('button', { name: 'Discard this message' }).first().click()
    await taken.getByText('Which day?').waitFor({ state: 'detached' })
    assert.deepEqual(await textsOf(org, id), ['Is it ready?'])
    assert.deepEqual(await close(), [])
  })

  test('a message that is not taken back is sent after its time, and at once when the page is left', async () => {
    const org = await organization()
    const id = await receive(org, 'Is it ready?')
    const { page, close } = await signIn(org, '/settings/account')
    await page.getByRole('radiogroup', { name: 'Undo for messages' }).getByText('20 seconds').click()
    await page.goto(`${address}/inbox/${id}`)
    const reply = page.getByLabel('Your reply')
    await reply.fill('Yes, it is.')
    await reply.press('Enter')
    await undo(page).waitFor()
    await page.locator('[data-message]').getByText('Yes, it is.').waitFor()
    await undo(page).waitFor({ state: 'detached' })

    await waitLong(page)
    await reply.fill('Come at five.')
    await reply.press('Enter')
    await undo(page).waitFor()
    await page.goto(`${address}/tasks`)
    await until(async () => (await textsOf(org, id)).length === 3)
    assert.deepEqual(await textsOf(org, id), ['Is it ready?', 'Yes, it is.', 'Come at five.'])
    assert.deepEqual(await close(), [])
  })

  test('a template asks first too if a colleague has just replied', async () => {
    const org = await organization()
    const ben = await person(app, org.id, 'member', { name: 'Ben' })
    await addTemplate(org)
    const id = await receive(org, 'Is it ready?')
    const { page, close } = await signIn(org, `/inbox/${id}`)
    await page.locator('[data-message]').getByText('Is it ready?').waitFor()
    await page.getByRole('button', { name: 'Send a template' }).click()
    const send = page.getByRole('button', { name: 'Send template' })
    await send.waitFor()
    const reply = { body: 'Ready at six.' }
    ok(await ben.call('POST', `inbox/messages/${id}`, reply, { 'x-mode': 'test' }), 201)
    await page.locator('[data-message]').getByText('Ready at six.').waitFor()
    await send.click()
    // The names of members may still be loading.
    const notice = page.getByText(/^(Ben|A colleague) has replied in the meantime/)
    await notice.waitFor()
    assert.equal((await textsOf(org, id)).length, 2)
    await send.click()
    await until(async () => (await textsOf(org, id)).length === 3)

    // A reply that arrives while a message is held takes it back.
    await page.locator('[data-message]').getByText('Your order is ready.').waitFor()
    await waitLong(page)
    const field = page.getByLabel('Your reply')
    await field.fill('Ready at eight.')
    await field.press('Enter')
    await undo(page).waitFor()
    await ben.call('POST', `inbox/messages/${id}`, { body: 'Ready at seven.' }, { 'x-mode': 'test' })
    await until(async () => (await field.inputValue()) === 'Ready at eight.')
    await undo(page).waitFor({ state: 'detached' })
    await notice.last().waitFor()
    assert.deepEqual((await textsOf(org, id)).slice(-1), ['Ready at seven.'])
    assert.deepEqual(await close(), [])
  })

  test('signing out sends what is held first', async () => {
    const org = await organization()
    const id = await receive(org, 'Is it ready?')
    const { page, close } = await signIn(org, `/inbox/${id}`)
    await waitLong(page)
    const reply = page.getByLabel('Your reply')
    await reply.fill('Yes, it is.')
    await reply.press('Enter')
    await undo(page).waitFor()
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const { messages } = (await org.call('GET', `inbox/messages/${id}?order=asc`)).body
    assert.deepEqual(
      messages.slice(1).map(({ body, actor_id }: Reply['body']) => [body, actor_id]),
      [['Yes, it is.', org.ownerId]],
    )
    // A request may have been on its way when the session ended.
    await close()
  })

  test('a conversation is handed off and closed after its messages were sent', async () => {
    const org = await organization()
    const id = await receive(org, 'Is it ready?')
    const { page, close } = await signIn(org, `/inbox/${id}`)
    await waitLong(page)
    await page.getByRole('button', { name: 'Take over' }).click()
    await page.getByRole('button', { name: 'Hand off to AI' }).waitFor()
    const ticket = async () => (await org.call('GET', `inbox/tickets/${id}`)).body
    const reply = page.getByLabel('Your reply')
    const hold = async (text: string) => {
      await reply.fill(text)
      await reply.press('Enter')
      await undo(page).waitFor()
    }
    // Also taken back with the keyboard.
    await hold('Yes, it is.')
    await reply.press('ControlOrMeta+z')
    await until(async () => (await reply.inputValue()) === 'Yes, it is.')
    await hold('Yes, it is.')
    await page.getByRole('button', { name: 'Hand off to AI' }).click()
    await page.getByRole('button', { name: 'Take over' }).waitFor()
    await until(async () => (await ticket()).ai_handling)
    assert.deepEqual((await textsOf(org, id)).slice(1), ['Yes, it is.'])

    // Also from the contact's page.
    await page.getByRole('button', { name: 'Take over' }).click()
    await page.getByRole('button', { name: 'Hand off to AI' }).waitFor()
    await hold('At noon.')
    await page.getByRole('link', { name: 'Open contact' }).click()
    await page.getByRole('heading', { name: 'Ines', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Hand off to AI' }).click()
    await page.getByText('Handed off to AI').first().waitFor()
    await page.getByRole('button', { name: 'Take over' }).waitFor()
    assert.equal((await ticket()).ai_handling, true)
    assert.deepEqual((await textsOf(org, id)).slice(1), ['Yes, it is.', 'At noon.'])
    await page.goBack()

    await hold('Bye!')
    await reply.press('Escape')
    await page.keyboard.press('e')
    await page.getByText('Closed the conversation with Ines').waitFor()
    assert.equal((await ticket()).status, 'closed')
    assert.deepEqual((await textsOf(org, id)).slice(1), ['Yes, it is.', 'At noon.', 'Bye!'])
    assert.deepEqual(await close(), [])
  })

  test('a message that fails while another conversation is open is reported', async () => {
    const org = await organization()
    const id = await receive(org, 'Is it ready?')
    const other = await receive(org, 'Good morning', 'Omar')
    const { page, close } = await signIn(org, `/inbox/${id}`)
    await page.clock.install()
    await waitLong(page)
    await page.route(`**/inbox/messages/${id}`, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 422, json: { title: 'Unprocessable', status: 422, detail: 'Not like this.' } })
        : route.continue(),
    )
    const reply = page.getByLabel('Your reply')
    await reply.fill('Yes, it is.')
    await reply.press('Enter')
    await undo(page).waitFor()
    await page.locator(`a[href*="${other}"]`).first().click()
    await page.locator('[data-message]').getByText('Good morning').waitFor()
    // Releases it, like the end of its time.
    await page.evaluate("dispatchEvent(new Event('pagehide'))")
    const fault = page.getByRole('alert').filter({ hasText: 'Message not sent' })
    await fault.getByText('Not like this.').waitFor()
    // A toast stays while it has the focus. The second step lets one that is leaving end its transition.
    await fault.getByRole('button', { name: 'Open conversation' }).focus()
    await page.clock.fastForward('00:30')
    await page.clock.fastForward('00:01')
    assert.equal(await fault.count(), 1)
    await fault.getByRole('button', { name: 'Open conversation' }).click()
    await page.getByRole('log', { name: 'Messages' }).getByText('Not sent.').waitFor()
    assert.deepEqual(await close(), ['422'])
  })
})
