import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ok, type TestOrganization } from '../../../../server/testing/app.ts'
import { addDocument } from '../../../../server/testing/documents.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('gaps, collections and feedback', { skip }, async () => {
  if (skip) return
  const { address, organization, signIn } = await startBrowser({ app: { settings: { AGENT_REPLY_DELAY_MS: 0 } } })

  /** An organization whose agent answers chats from a document about opening hours. */
  async function newDesk(name: string) {
    const org = await organization({ name })
    await addDocument(org.call, 'The pool opens at seven in the morning.', 'hours.txt')
    const { id: agentId } = ok(await org.call('POST', 'agents', { name: 'Desk' }), 201)
    const [channel] = ok(await org.call('GET', 'channels')).data
    ok(await org.call('PATCH', `channels/${channel.id}`, { agent_id: agentId }))
    return { ...org, agentId }
  }
  const asks = async ({ call }: TestOrganization, from: string, text: string) =>
    ok(await call('POST', 'simulator/messages', { from, name: 'Ines', text }), 202)
  /** The group is written in the background. */
  const grouped = ({ call }: TestOrganization, questions: number) =>
    until(async () => {
      const gaps: { question_count: number }[] = ok(await call('GET', 'knowledge-base/gaps')).data
      return gaps.reduce((sum, { question_count }) => sum + question_count, 0) === questions
    })

  test('a member answers a gap, dismisses another, and gives an agent a collection', async () => {
    const juniper = await newDesk('Juniper Dental')
    const window = await signIn(juniper, '/knowledge/gaps')
    const { page } = window
    await page.getByText('No open gaps').waitFor()
    await asks(juniper, '+12025550101', 'Do you sell bicycles?')
    await grouped(juniper, 1)
    await asks(juniper, '+12025550102', 'Do you sell bikes?')
    await asks(juniper, '+12025550103', 'Is there a car park nearby?')
    await grouped(juniper, 3)
    await page.reload()
    const row = (text: string) => page.getByRole('row').filter({ hasText: text }).first()

    await row('car park')
      .getByRole('button', { name: /^Dismiss/ })
      .click()
    await page.getByText('Question dismissed').waitFor()
    await row('car park').waitFor({ state: 'detached' })
    await page.getByText('Dismissed', { exact: true }).click()
    await row('car park')
      .getByRole('button', { name: /^Reopen/ })
      .click()
    await page.getByText('No dismissed gaps').waitFor()
    await page.getByText('Open', { exact: true }).click()
    await row('car park').waitFor()

    await page.getByRole('button', { name: 'Examples of Do you sell bicycles?' }).click()
    const examples = page.getByRole('list', { name: 'Examples' })
    await examples.getByText('Do you sell bikes?').waitFor()
    assert.equal(await examples.getByRole('link', { name: 'Open conversation' }).count(), 2)
    await window.assertAccessible()
    await picture(page, 'gaps')

    await page.getByRole('tab', { name: 'Collections' }).click()
    await page.getByText('No collections yet').waitFor()
    await page.getByRole('button', { name: 'New collection' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop')
    await page.getByRole('button', { name: 'Create collection' }).click()
    await page.getByRole('link', { name: 'Shop' }).click()
    await page.getByText('This collection is empty').waitFor()
    await page.getByRole('button', { name: 'Add documents' }).first().click()
    await page.getByRole('combobox', { name: 'Documents' }).click()
    await page.getByRole('option', { name: 'hours.txt' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').getByRole('button', { name: 'Add documents' }).click()
    await row('hours.txt').waitFor()
    await window.assertAccessible()
    await page.getByRole('button', { name: 'Remove hours.txt' }).click()
    await page.getByText('This collection is empty').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Bike shop')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Bike shop' }).waitFor()

    await page.goto(`${address}/knowledge/gaps`)
    await row('bicycles')
      .getByRole('button', { name: /^Answer/ })
      .click()
    await page.getByRole('textbox', { name: 'Answer' }).fill('Yes, from April on.')
    await page.getByRole('combobox', { name: 'Collections' }).click()
    await page.getByRole('option', { name: 'Bike shop' }).click()
    await page.keyboard.press('Escape')
    await picture(page, 'gap-form')
    await page.getByRole('button', { name: 'Save as FAQ' }).click()
    await page.getByText('Answer saved as an FAQ').waitFor()
    await page.getByText('Answered', { exact: true }).click()
    await row('bicycles')
      .getByRole('button', { name: /^Edit FAQ/ })
      .waitFor()
    await page.getByRole('tab', { name: 'FAQs' }).click()
    await row('Do you sell bicycles?').getByText('Yes, from April on.').waitFor()

    await page.goto(`${address}/agents/${juniper.agentId}`)
    await page.getByRole('radio', { name: 'Selected documents' }).check()
    await page.getByRole('combobox', { name: 'Collections' }).click()
    await page.getByRole('option', { name: 'Bike shop' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved as version 2').waitFor()
    const { agent_config } = ok(await juniper.call('GET', `agents/${juniper.agentId}`))
    const [collection] = ok(await juniper.call('GET', 'knowledge-base/collections')).data
    assert.deepEqual(agent_config.knowledge, { all: false, document_ids: [], collection_ids: [collection.id] })
    assert.equal(collection.document_count, 1)

    await page.goto(`${address}/knowledge?collection=${collection.id}`)
    await page.getByText('No matching documents').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await row('hours.txt').waitFor()
    await page.goto(`${address}/knowledge/collections/${collection.id}`)
    await row('bicycles').getByText('FAQ', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete collection' }).click()
    await page.getByText('No collections yet').waitFor()
    assert.deepEqual(await window.close(), [])
  })

  test('a bad answer is rated with a reason and listed for review', async () => {
    const juniper = await newDesk('Juniper Dental')
    await asks(juniper, '+12025550101', 'When does the pool open?')
    let ticketId = ''
    await until(async () => {
      const [ticket] = ok(await juniper.call('GET', 'inbox/tickets')).inboxes
      if (!ticket) return false
      ticketId = ticket.id
      const { messages } = ok(await juniper.call('GET', `inbox/messages/${ticketId}`))
      return messages.some(({ actor_type }: { actor_type: string }) => actor_type === 'ai')
    })
    for (const [screen, options] of screens) {
      const window = await signIn(juniper, '/knowledge/feedback', options)
      const { page } = window
      await page.goto(`${address}/inbox/${ticketId}`)
      const answer = page.locator('[data-message][data-own]').last()
      await answer.hover()
      await answer.getByRole('button', { name: /Bad answer|Change the rating/ }).click()
      const reason = page.getByRole('textbox', { name: 'What was wrong?' })
      await reason.fill(`We open at eight (${screen})`)
      await picture(page, `bad-answer-${screen}`)
      await window.assertFits()
      await reason.press('Enter')
      await answer.getByLabel(`Rated as a bad answer: We open at eight (${screen})`).waitFor()
      await page.goto(`${address}/knowledge/feedback`)
      await page.getByText(`We open at eight (${screen})`).waitFor()
      await window.assertAccessible()
      await window.assertFits()
      await picture(page, `feedback-${screen}`)
      assert.deepEqual(await window.close(), [])
    }
    const window = await signIn(juniper, `/inbox/${ticketId}`)
    const answer = window.page.locator('[data-message][data-own]').last()
    await answer.hover()
    await answer.getByRole('button', { name: 'Change the rating' }).click()
    await window.page.getByRole('button', { name: 'Remove rating' }).click()
    await answer.getByLabel('Rated as a bad answer').waitFor({ state: 'detached' })
    assert.deepEqual(await window.close(), [])
  })
})
