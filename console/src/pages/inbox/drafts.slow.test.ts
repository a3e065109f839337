import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { TestOrganization } from '../../../../server/testing/app.ts'
import { addDocument } from '../../../../server/testing/documents.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('drafts', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser()
  const from = '+12025550177'
  const question = 'How much is shipping to Norway?'

  async function ticketOf({ call }: TestOrganization): Promise<string> {
    assert.equal((await call('POST', 'simulator/messages', { from, name: 'Ines', text: question })).status, 202)
    let id: string | undefined
    await until(async () => {
      id = (await call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`)).body.inboxes[0]?.id
      return id !== undefined
    })
    return id as string
  }

  const reply = (page: Page) => page.getByLabel('Your reply')
  const panel = (page: Page) => page.getByRole('region', { name: 'Draft' })
  const choose = async (page: Page, item: string) => {
    await page.getByRole('button', { name: 'Draft', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('a suggested reply lands in the composer with its source, and Undo puts the earlier text back', async () => {
    const org = await organization()
    await addDocument(org.call, 'Shipping to Norway costs nine euros.', 'prices.txt')
    const id = await ticketOf(org)
    const { page, assertAccessible, close } = await signIn(org, `/inbox/${id}`)
    await page.locator('[data-message]').getByText(question).waitFor()
    await reply(page).fill('Let me look')

    await choose(page, 'Suggest a reply')
    await panel(page).getByText('Test mode: written by the scripted model').waitFor()
    assert.equal(await reply(page).inputValue(), 'Shipping to Norway costs nine euros.')
    await panel(page).getByRole('link', { name: 'prices.txt' }).waitFor()
    await assertAccessible()
    await picture(page, 'inbox-draft')
    await panel(page).getByRole('button', { name: 'Undo' }).click()
    await panel(page).waitFor({ state: 'detached' })
    assert.equal(await reply(page).inputValue(), 'Let me look')

    await page.getByRole('button', { name: 'Draft', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Translate my reply into' }).hover()
    await page.getByRole('menuitem', { name: 'Spanish' }).waitFor()
    await picture(page, 'inbox-draft-languages')
    await page.getByRole('menuitem', { name: 'Spanish' }).click()
    await panel(page).getByText('This is a draft').waitFor()
    assert.equal(await reply(page).inputValue(), '[Spanish] Let me look')
    await reply(page).press('Enter')
    await panel(page).waitFor({ state: 'detached' })
    await page.locator('[data-message]').getByText('[Spanish] Let me look').waitFor()
    await close()
  })

  test('a summary is shown apart and goes into a note; a translation stands below the customer’s message', async () => {
    const org = await organization()
    const id = await ticketOf(org)
    const [, phone] = screens[1]
    const { page, assertAccessible, assertFits, close } = await signIn(org, `/inbox/${id}`)
    await page.setViewportSize(phone.viewport)
    await page.emulateMedia(phone)
    const message = page.locator('[data-message]').filter({ hasText: question })
    await message.getByRole('button', { name: 'Translate' }).click()
    await message.getByText(`[English] ${question}`).waitFor()
    await assertAccessible()

    await choose(page, 'Summarize')
    await panel(page).getByText(`The contact wrote: “${question}”`).waitFor()
    assert.equal(await reply(page).inputValue(), '')
    await assertFits()
    await picture(page, 'inbox-summary')
    await panel(page).getByRole('button', { name: 'Add to note' }).click()
    const note = page.getByLabel('Your note')
    await until(async () => (await note.inputValue()) === `The contact wrote: “${question}”`)
    await message.getByRole('button', { name: 'Hide the translation' }).click()
    await message.getByText(`[English] ${question}`).waitFor({ state: 'detached' })
    await close()
  })

  test('a draft can be cancelled, and one that fails can be tried again', async () => {
    const org = await organization()
    const id = await ticketOf(org)
    const { page, close } = await signIn(org, `/inbox/${id}`)
    await page.locator('[data-message]').getByText(question).waitFor()
    const answers: ('hang' | 'fail')[] = ['hang', 'fail']
    await page.route('**/drafts', async (route) => {
      const next = answers.shift()
      if (next === 'fail') await route.fulfill({ status: 502, json: { detail: 'The model failed: overloaded' } })
      else if (!next) await route.continue()
    })
    await choose(page, 'Suggest a reply')
    await panel(page).getByText('Drafting a reply…').waitFor()
    await panel(page).getByRole('button', { name: 'Cancel' }).click()
    await panel(page).waitFor({ state: 'detached' })
    await choose(page, 'Suggest a reply')
    await panel(page).getByText('The model failed: overloaded').waitFor()
    await panel(page).getByRole('button', { name: 'Try again' }).click()
    await panel(page).getByText('This is a draft').waitFor()
    assert.match(await reply(page).inputValue(), /^Thank you for your message/)
    await close()
  })
})
