import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Reply } from '../../../../server/testing/app.ts'
import { until } from '../../../../server/testing/process.ts'
import { pdf, png } from '../../../../server/testing/sample-files.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('saved replies', { skip }, async () => {
  if (skip) return
  const { address, organization, signIn } = await startBrowser()
  const plan = { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf) }
  const map = { name: 'map.png', mimeType: 'image/png', buffer: Buffer.from(png) }
  const prices = { name: 'prices.txt', mimeType: 'text/plain', buffer: Buffer.from('Nine euros') }

  test('a saved reply has several files; all of them go into the composer and are sent in order', async () => {
    const org = await organization()
    await org.call('POST', 'simulator/messages', { from: '+12025550144', name: 'Ines', text: 'How do I get there?' })
    const { page, assertAccessible, assertFits, close } = await signIn(org, '/settings/saved-replies')
    const files = page.getByRole('list', { name: 'Attachments' })
    const stored = async (): Promise<string[]> => {
      const [reply] = (await org.call('GET', 'inbox/saved-replies')).body.data
      return reply.attachments.map(({ file_name }: Reply['body']) => file_name)
    }
    await page.getByRole('button', { name: 'New saved reply' }).first().click()
    const created = page.getByRole('dialog', { name: 'New saved reply' })
    await created.getByRole('textbox', { name: 'Name' }).fill('way')
    await created.getByRole('textbox', { name: 'Text' }).fill('This is the way')
    // A file that cannot be sent is refused when it is chosen.
    const wrong = { name: 'moving.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') }
    await created.locator('input[type=file]').setInputFiles([plan, wrong])
    await files.getByRole('alert').getByText('WhatsApp does not accept this file type (image/gif)').waitFor()
    await assertAccessible()
    await picture(page, 'saved-reply-wrong-file')
    await created.getByRole('button', { name: 'Create saved reply' }).click()
    await created.getByText('Remove files that can’t be sent').waitFor()
    assert.deepEqual((await org.call('GET', 'inbox/saved-replies')).body.data, [])
    await files.getByRole('button', { name: 'Remove moving.gif' }).click()
    // The server looks at the content. Saving again does not create the reply twice.
    const disguised = { ...wrong, name: 'still.png', mimeType: 'image/png' }
    await created.locator('input[type=file]').setInputFiles([disguised])
    await created.getByRole('button', { name: 'Create saved reply' }).click()
    await created
      .getByRole('alert')
      .getByText(/^still.png: /)
      .waitFor()
    await files.getByRole('button', { name: 'Remove still.png' }).click()
    await created.locator('input[type=file]').setInputFiles([map])
    await created.getByRole('button', { name: 'Create saved reply' }).click()
    await created.waitFor({ state: 'detached' })
    assert.deepEqual(await stored(), ['plan.pdf', 'map.png'])

    await page.getByRole('button', { name: 'Edit way' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit way' })
    await files.getByText('map.png').waitFor()
    await assertAccessible()
    for (const [name, screen] of screens) {
      await page.setViewportSize(screen.viewport)
      await assertFits()
      await picture(page, `saved-reply-files-${name}`)
    }
    await page.setViewportSize(screens[0][1].viewport)
    await files.getByRole('button', { name: 'Remove plan.pdf' }).click()
    await dialog.locator('input[type=file]').setInputFiles([prices])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await stored(), ['map.png', 'prices.txt'])

    const ticket = async () => (await org.call('GET', 'inbox/tickets')).body.inboxes[0]
    await until(async () => (await ticket()) !== undefined)
    const { id } = await ticket()
    await page.goto(`${address}/inbox/${id}`)
    await page.getByLabel('Your reply').pressSequentially('/way')
    await page.getByRole('option', { name: /way/ }).getByLabel('With 2 files').waitFor()
    await page.keyboard.press('Enter')
    const attached = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
    await attached.getByText('prices.txt').waitFor()
    assert.equal(await attached.count(), 2)
    await page.getByLabel('Your reply').press('Enter')
    const sent = async () => (await org.call('GET', `inbox/messages/${id}?order=asc`)).body.messages.slice(1)
    await until(async () => (await sent()).length === 2)
    assert.deepEqual(
      (await sent()).map(({ media_filename, body }: Reply['body']) => [media_filename, body]),
      [
        ['map.png', 'This is the way'],
        ['prices.txt', ''],
      ],
    )
    const [used] = (await org.call('GET', 'inbox/saved-replies')).body.data
    assert.equal(used.use_count, 1)
    assert.deepEqual(await close(), ['422'])
  })
})
