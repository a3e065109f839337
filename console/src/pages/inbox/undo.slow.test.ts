import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Reply, TestOrganization } from '../../../../server/testing/app.ts'
import { person } from '../../../../server/testing/people.ts'
import { until } from '../../../../server/testing/process.ts'
import { sampleMedia } from '../../../../simulator/sample-media.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('undo for messages', { skip }, async () => {
  if (skip) return
  const { app, address, organization, signIn } = await startBrowser()

  async function receive({ call }: TestOrganization, text: string): Promise<string> {
    await call('POST', 'simulator/messages', { from: '+12025550163', name: 'Ines', text })
    let id: string | undefined
    await until(async () => {
      id = (await call('GET', 'inbox/tickets')).body.inboxes[0]?.id
      return id !== undefined
    })
    return id as string
  }
  async function addTemplate({ call }: TestOrganization): Promise<void> {
    const made = await call('POST', 'templates', {
      channel_id: (await call('GET', 'channels')).body.data[0].id,
      name: 'order_ready',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Your order is ready.' }],
    })
    assert.equal(made.status, 201, made.text)
    await until(async () => (await call('GET', `templates/${made.body.id}`)).body.platform_status === 'APPROVED')
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
    await addTemplate(org)
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

    // Buttons, and a template.
    await page.getByRole('button', { name: 'Add buttons' }).click()
    const builder = page.getByRole('dialog', { name: 'Message with buttons' })
    await builder.getByRole('textbox', { name: 'Text' }).fill('Which day?')
    await builder.getByRole('textbox', { name: 'Button 1' }).fill('Monday')
    await builder.getByRole('button', { name: 'Send' }).click()
    await undo(page).click()
    await until(async () => (await reply.inputValue()) === 'Which day?')
    await page.getByRole('button', { name: 'Send a template' }).click()
    await page.getByRole('button', { name: 'Send template' }).click()
    await undo(page).click()
    await undo(page).waitFor({ state: 'detached' })
    assert.equal(await reply.inputValue(), 'Which day?')
    assert.deepEqual(await textsOf(org, id), ['Is it ready?'])
    assert.deepEqual(await close(), [])
  })

  test('a message that is not taken back is sent after its time, and at once when the page is left', async () => {
    const org = await organization()
    const id = await receive(org, 'Is it ready?')
    const { page, close } = await signIn(org, '/settings/account')
    await page.getByRole('radiogroup', { name: 'Undo for messages' }).getByText('5 seconds').click()
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
    const replied = await ben.call('POST', `inbox/messages/${id}`, reply, { 'x-mode': 'test' })
    assert.equal(replied.status, 201, replied.text)
    await page.locator('[data-message]').getByText('Ready at six.').waitFor()
    await send.click()
    await page.getByText('Ben has replied in the meantime').waitFor()
    assert.equal((await textsOf(org, id)).length, 2)
    await send.click()
    await until(async () => (await textsOf(org, id)).length === 3)
    assert.deepEqual(await close(), [])
  })
})
