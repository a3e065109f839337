import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { TestOrganization } from '../../../../server/testing/app.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('messages with something to tap', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser()
  const from = '+12025550188'
  const bubble = (page: Page, text: string) => page.locator('[data-message]').filter({ hasText: text })

  async function ticketOf({ call }: TestOrganization): Promise<string> {
    assert.equal((await call('POST', 'simulator/messages', { from, name: 'Ines', text: 'I need a visit' })).status, 202)
    let id: string | undefined
    await until(async () => {
      id = (await call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`)).body.inboxes[0]?.id
      return id !== undefined
    })
    return id as string
  }

  async function build(page: Page, kind: string, fill: () => Promise<void>) {
    await page.getByRole('button', { name: 'Add buttons' }).click()
    const dialog = page.getByRole('dialog', { name: 'Message with buttons' })
    await dialog.getByText(kind, { exact: true }).click()
    await fill()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
  }

  test('a member builds buttons, a list, a link and a location request; the customer taps', async () => {
    const org = await organization()
    const id = await ticketOf(org)
    const { page, assertAccessible, close } = await signIn(org, `/inbox/${id}`)
    await bubble(page, 'I need a visit').waitFor()

    // The text written so far becomes the text of the message.
    await page.getByLabel('Your reply').fill('Morning or afternoon?')
    await build(page, 'Buttons', async () => {
      assert.equal(await page.getByLabel('Text').inputValue(), 'Morning or afternoon?')
      await page.getByText('Add a button to send').waitFor()
      await page.getByLabel('Button 1', { exact: true }).fill('Morning')
      await page.getByLabel('Button 2', { exact: true }).fill('Morning')
      await page.getByText('Each one needs its own text').waitFor()
      await page.getByLabel('Button 2', { exact: true }).fill('Afternoon')
      await page.getByLabel('Footer').fill('We come between 8 and 18 h')
      await page.getByRole('status', { name: 'Preview' }).getByText('Afternoon', { exact: true }).waitFor()
      await assertAccessible()
      await picture(page, 'inbox-buttons')
    })
    assert.equal(await page.getByLabel('Your reply').inputValue(), '')
    await bubble(page, 'Morning or afternoon?').getByRole('img', { name: 'Read' }).waitFor()
    await bubble(page, 'Morning or afternoon?').getByRole('button', { name: 'Afternoon' }).click()
    await bubble(page, 'Tapped').getByText('Afternoon', { exact: true }).waitFor()

    await build(page, 'List', async () => {
      await page.getByLabel('Text').fill('Which day suits you?')
      await page.getByLabel('Choice 1', { exact: true }).fill('Monday')
      await page.getByLabel('Description of choice 1').fill('From 2 pm')
      await page.getByLabel('Choice 2', { exact: true }).fill('Tuesday')
      await assertAccessible()
      await picture(page, 'inbox-list')
    })
    await bubble(page, 'Which day suits you?').getByRole('button', { name: 'Monday' }).click()
    await bubble(page, 'Tapped').getByText('Monday', { exact: true }).waitFor()

    await build(page, 'Link', async () => {
      await page.getByLabel('Text').fill('All prices:')
      await page.getByLabel('Button label').fill('See prices')
      await page.getByLabel('Link', { exact: true }).last().fill('http://example.com')
      await page.getByText('Add a link that begins with https://').waitFor()
      await page.getByLabel('Link', { exact: true }).last().fill('https://example.com/prices')
    })
    const link = bubble(page, 'All prices:').getByRole('link', { name: 'See prices' })
    assert.equal(await link.getAttribute('href'), 'https://example.com/prices')

    await build(page, 'Location', async () => page.getByLabel('Text').fill('Where should we come?'))
    await bubble(page, 'Where should we come?').getByRole('button', { name: 'Send location' }).click()
    const place = bubble(page, 'San Francisco').getByRole('link')
    assert.match((await place.getAttribute('href')) ?? '', /^https:\/\/www\.openstreetmap\.org\/\?mlat=37\.7749/)
    await assertAccessible()
    await picture(page, 'inbox-taps')
    const { messages } = (await org.call('GET', `inbox/messages/${id}?limit=100`)).body
    const kinds = messages.map(({ payload }: { payload: { interactive?: { type: string }; type: string } | null }) =>
      payload ? (payload.interactive?.type ?? payload.type) : 'text',
    )
    assert.deepEqual(kinds, [
      'text',
      'button',
      'button_reply',
      'list',
      'list_reply',
      'cta_url',
      'location_request_message',
      'location',
    ])
    assert.deepEqual(await close(), [])
  })

  test('a member answers a call permission request as the customer', async () => {
    const org = await organization()
    const id = await ticketOf(org)
    const { body: channels } = await org.call('GET', 'channels')
    const { body: template } = await org.call('POST', 'templates', {
      channel_id: channels.data[0].id,
      name: 'may_we_call',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'May we call you?' }, { type: 'CALL_PERMISSION_REQUEST' }],
    })
    await until(async () => (await org.call('GET', `templates/${template.id}`)).body.platform_status === 'APPROVED')
    assert.equal((await org.call('POST', `inbox/messages/${id}`, { template_id: template.id })).status, 201)
    const { page, assertAccessible, close } = await signIn(org, `/inbox/${id}`)
    await bubble(page, 'May we call you?').getByRole('button', { name: 'Decline calls' }).click()
    await bubble(page, 'Tapped').getByText('Calls declined').waitFor()
    await bubble(page, 'May we call you?').getByRole('button', { name: 'Allow calls' }).click()
    await bubble(page, 'Tapped').getByText('Calls allowed').waitFor()
    await assertAccessible()
    await picture(page, 'inbox-call-permission')
    assert.deepEqual(await close(), [])
  })
})
