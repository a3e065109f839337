import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, type TestOrganization } from '../../../../server/testing/app.ts'
import { until } from '../../../../server/testing/process.ts'
import { sampleMedia } from '../../../../simulator/sample-media.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

/** DOM globals, which the types of this file lack. */
interface Browserly {
  DataTransfer: new () => { items: { add(what: File | string, type?: string): void } }
  DragEvent: new (type: string, members: object) => Event
  ClipboardEvent: new (type: string, members: object) => Event
}

suite('inbox', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn } = await startBrowser()
  const png = sampleMedia('image').bytes

  const ticketOf = async ({ call }: TestOrganization, search: string) => {
    const { inboxes } = (await call('GET', `inbox/tickets?search=${encodeURIComponent(search)}`)).body
    return inboxes[0]
  }
  const messagesOf = async ({ call }: TestOrganization, ticketId: string) =>
    (await call('GET', `inbox/messages/${ticketId}?limit=100&order=desc`)).body.messages.reverse()
  async function customerWrites(org: TestOrganization, from: string, name: string, text: string): Promise<string> {
    const answer = await org.call('POST', 'simulator/messages', { from, name, text })
    assert.ok(answer.status < 300, answer.text)
    let id: string | undefined
    await until(async () => {
      id = (await ticketOf(org, from))?.id
      return id !== undefined && (await messagesOf(org, id)).some((each: { body: string }) => each.body === text)
    })
    return id as string
  }
  const bubble = (page: Page, text: string) => page.locator('[data-message]').filter({ hasText: text })
  const row = (page: Page, name: string) => page.locator('[data-ticket]').filter({ hasText: name })

  test('a message that the customer edits or deletes says so in the thread and in the list', async () => {
    const org = await organization()
    const from = '+12025550177'
    const id = await customerWrites(org, from, 'Ines Moreau', 'Is it opne today?')
    const { page, assertAccessible, close } = await signIn(org, `/inbox/${id}`)
    await bubble(page, 'Is it opne today?').waitFor()
    await row(page, 'Is it opne today?').waitFor()
    // Shown live: the event stream has started.
    await org.call('PATCH', `inbox/tickets/${id}`, { priority: 'urgent' })
    await row(page, 'Is it opne today?').getByText('Urgent').waitFor()
    // The list updates from the event, whether or not it can be loaded again.
    await page.route('**/api/v1/inbox/tickets?**', (route) => route.fulfill({ status: 400, json: { detail: 'No' } }))
    const does = (type: string, text?: string) => org.call('POST', 'simulator/messages', { from, type, text })
    assert.equal((await does('edit', 'Is it open today?')).status, 202)
    await bubble(page, 'Is it open today?').getByRole('button', { name: 'Edited' }).click()
    await page.getByRole('dialog', { name: 'Edited' }).getByText('Is it opne today?').waitFor()
    await assertAccessible()
    await row(page, 'Is it open today?').waitFor()
    assert.equal((await does('revoke')).status, 202)
    await bubble(page, 'Deleted by the customer').waitFor()
    await row(page, 'Message deleted').waitFor()
    assert.equal(await page.locator('[data-message]').count(), 1)
    // The list may not have been requested again yet.
    assert.ok((await close()).every((refusal) => refusal === '400'))
  })

  test('a conversation: message, reply, reaction, quote, handoff, close and reopen', {
    timeout: 240_000,
  }, async () => {
    const org = await organization()
    const { page, assertAccessible, close } = await signIn(org, '/inbox')

    // An empty inbox: the member writes as a customer.
    await page.getByText('Your inbox is empty').waitFor()
    await assertAccessible()
    await picture(page, 'inbox-empty')
    await page.getByRole('button', { name: 'Write as a customer' }).click()
    await page.getByLabel('Customer’s number').fill('+12025550142')
    await page.getByLabel('Customer’s name').fill('Ines Moreau')
    await page.getByLabel('Message').fill('Hello, is it open today?')
    await assertAccessible()
    await page.getByRole('dialog').getByRole('button', { name: 'Send as customer' }).click()
    await bubble(page, 'Hello, is it open today?').waitFor()
    const ines = await ticketOf(org, '+12025550142')
    await page.waitForURL(`**/inbox/${ines.id}`)
    await until(async () => (await ticketOf(org, 'Ines')).unread_count === 0)

    // Another customer writes while Ines is open: unread, at the top, without a reload.
    const boId = await customerWrites(org, '+12025550143', 'Bo Lind', 'I need a new appointment')
    await row(page, 'Bo Lind').getByText('1 unread').waitFor()
    await row(page, 'Bo Lind').getByText('I need a new appointment').waitFor()
    assert.equal((await ticketOf(org, 'Bo Lind')).unread_count, 1)
    assert.equal(await page.locator('[data-ticket]').first().getAttribute('data-ticket'), boId)

    // A text reply: its status becomes read.
    await page.keyboard.press('r')
    await page.keyboard.type('Yes, until six.')
    await page.keyboard.press('Enter')
    await bubble(page, 'Yes, until six.').getByRole('img', { name: 'Read' }).waitFor()
    const [, answer] = await messagesOf(org, ines.id)
    assert.deepEqual([answer.body, answer.status, answer.direction], ['Yes, until six.', 'read', 'outbound'])

    // Files: an image with a caption, and a document with its name and size.
    await page
      .locator('form input[type=file]')
      .first()
      .setInputFiles([
        { name: 'map.png', mimeType: 'image/png', buffer: png },
        { name: 'prices.txt', mimeType: 'text/plain', buffer: Buffer.alloc(2500, 'x') },
      ])
    await page.getByRole('list', { name: 'Attached files' }).getByText('prices.txt').waitFor()
    await page.getByLabel('Your reply').fill('This is the way')
    await page.keyboard.press('Enter')
    await bubble(page, 'This is the way')
      .getByRole('button', { name: /Open image/ })
      .waitFor()
    await bubble(page, 'prices.txt').getByText('2.4 KB').waitFor()
    await until(async () => {
      const types = (await messagesOf(org, ines.id)).map((each: { message_type: string }) => each.message_type)
      return types.join() === 'text,text,image,document'
    })

    // The customer reacts to the reply and quotes it.
    await bubble(page, 'Yes, until six.').hover()
    await bubble(page, 'Yes, until six.').getByRole('button', { name: 'As the customer', exact: true }).click()
    await page.getByRole('button', { name: 'Customer reacts with ❤️' }).click()
    await bubble(page, 'Yes, until six.').getByLabel('Ines Moreau reacted with ❤️').waitFor()
    await bubble(page, 'Yes, until six.').hover()
    await bubble(page, 'Yes, until six.').getByRole('button', { name: 'As the customer', exact: true }).click()
    await page.getByRole('button', { name: 'Reply as customer' }).click()
    await page.getByLabel('Write as the customer').fill('Then I will come at five')
    await page.keyboard.press('Enter')
    await bubble(page, 'Then I will come at five').getByText('Yes, until six.').waitFor()

    // The member reacts and quotes.
    await bubble(page, 'Then I will come at five').hover()
    await bubble(page, 'Then I will come at five').getByRole('button', { name: 'React', exact: true }).click()
    await page.getByRole('button', { name: 'React with 👍' }).click()
    await bubble(page, 'Then I will come at five').getByLabel('You reacted with 👍').waitFor()
    await bubble(page, 'Then I will come at five').hover()
    await bubble(page, 'Then I will come at five').getByRole('button', { name: 'Reply', exact: true }).click()
    await page.keyboard.type('See you then')
    await page.keyboard.press('Enter')
    await bubble(page, 'See you then').getByText('Then I will come at five').waitFor()
    const quote = (await messagesOf(org, ines.id)).at(-1)
    const quotedMessage = (await messagesOf(org, ines.id)).find(
      (each: { chat_message_id: string }) => each.chat_message_id === quote.context_message_id,
    )
    assert.equal(quotedMessage.body, 'Then I will come at five')
    await picture(page, 'inbox-conversation')
    await assertAccessible()

    // A reply takes over; hand off to AI, and take over again.
    const handling = async () => (await org.call('GET', `contacts/${ines.contact_id}`)).body.ai_handling
    await page.getByText('Handled by a person.').waitFor()
    assert.equal(await handling(), false)
    await page.getByRole('button', { name: 'Hand off to AI' }).click()
    await page.getByText('No one is answering this conversation.').waitFor()
    await until(handling)
    await page.getByRole('button', { name: 'Take over' }).click()
    await page.getByText('Handled by a person.').waitFor()
    await until(async () => !(await handling()))

    // Close and undo, close, reopen.
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor()
    await until(async () => (await ticketOf(org, 'Ines')).status === 'open')
    await page.getByRole('log', { name: 'Messages' }).focus()
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await until(async () => (await ticketOf(org, 'Ines')).status === 'closed')
    await row(page, 'Ines Moreau').waitFor({ state: 'detached' })
    // The key changes the status that is shown.
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await page.keyboard.press('e')
    await row(page, 'Ines Moreau').waitFor()

    // Assign, and edit the contact in the panel.
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Assigned to You' }).waitFor()
    await until(async () => (await ticketOf(org, 'Ines')).assignee_id === org.ownerId)
    await page.getByLabel('Notes').fill('Comes at five')
    await page.getByRole('button', { name: 'Save' }).click()
    await until(async () => (await org.call('GET', `contacts/${ines.contact_id}`)).body.notes === 'Comes at five')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByLabel('New task').fill('Prepare the room')
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'Complete: Prepare the room' }).waitFor()
    await page.getByText('Handed off to AI').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('search and filters are kept in the address, and shortcuts work', { timeout: 240_000 }, async () => {
    const org = await organization()
    const ids: Record<string, string> = {}
    for (const [i, name] of ['Ada', 'Bea', 'Cem'].entries())
      ids[name] = await customerWrites(org, `+1202555015${i}`, name, `Hello from ${name}, about the ${name} order`)
    const { page, close } = await signIn(org, '/inbox')
    await row(page, 'Ada').waitFor()

    await page.keyboard.press('ArrowDown')
    await page.waitForURL(`**/inbox/${ids.Cem}`)
    await bubble(page, 'Hello from Cem').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(`**/inbox/${ids.Bea}`)
    await bubble(page, 'Hello from Bea').waitFor()
    await page.keyboard.press('ArrowUp')
    await page.waitForURL(`**/inbox/${ids.Cem}`)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.keyboard.press('/')
    await page.locator('input[aria-label="Search conversations"]:focus').fill('the Ada order')
    await row(page, 'Cem').waitFor({ state: 'detached' })
    await row(page, 'Ada').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('search'), 'the Ada order')
    // A shared address shows the same list.
    await page.reload()
    await row(page, 'Ada').waitFor()
    assert.equal(await page.locator('[data-ticket]').count(), 1)
    await page.getByLabel('Search conversations').fill('nobody of that name')
    await page.getByText('No results').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await row(page, 'Bea').waitFor()
    await until(async () => (await page.getByLabel('Search conversations').inputValue()) === '')

    // Ada was never opened.
    await page.getByRole('switch', { name: 'Unread' }).click()
    await row(page, 'Cem').waitFor({ state: 'detached' })
    await row(page, 'Ada').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('unread'), 'true')
    await page.goto(`${new URL(page.url()).origin}/inbox/00000000-0000-7000-8000-000000000000`)
    await page.getByText('Conversation not found').waitFor()
    assert.deepEqual(await close(), ['404'])
  })

  test('the menu counts unread conversations; closing moves on to the next; a failed list is not an empty inbox', {
    timeout: 240_000,
  }, async () => {
    const org = await organization()
    const [, second, first] = [
      await customerWrites(org, '+12025550151', 'Una', 'first'),
      await customerWrites(org, '+12025550152', 'Vic', 'second'),
      await customerWrites(org, '+12025550153', 'Wim', 'third'),
    ]
    const { page, close } = await signIn(org, '/tasks')
    const rail = page.getByRole('navigation', { name: 'Main' })
    await rail.getByRole('link', { name: /Inbox\s*3 unread/ }).click()
    await page.waitForURL(/inbox/)
    await row(page, 'Wim').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(`**/inbox/${first}`)
    await rail.getByRole('link', { name: /Inbox\s*2 unread/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(`**/inbox/${second}`)
    await bubble(page, 'second').waitFor()
    await page.keyboard.press('e')
    await row(page, 'Vic').waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await bubble(page, 'first').waitFor()

    await page.route('**/api/v1/inbox/tickets?**', (route) => route.fulfill({ status: 400, json: { detail: 'No' } }))
    await page.goto(`${new URL(page.url()).origin}/inbox`)
    await page.getByText('Could not load this').waitFor()
    assert.equal(await page.getByText('Your inbox is empty').count(), 0)
    assert.deepEqual(await close(), ['400'])
  })

  test('failed messages show the reason; a retry after a lost response sends once', {
    timeout: 240_000,
  }, async () => {
    const org = await organization()
    const failing = await customerWrites(org, '+12025550102', 'Fay Lost', 'Write to me')
    const { page, assertAccessible, close } = await signIn(org, `/inbox/${failing}`)
    await page.getByLabel('Your reply').fill('Does this arrive?')
    await page.keyboard.press('Enter')
    await page.getByText('This number cannot receive messages').waitFor()
    await page.getByText('Code 131026').waitFor()
    await row(page, 'Fay Lost').getByText('Not sent: Does this arrive?').waitFor()
    await picture(page, 'inbox-failed')
    await assertAccessible()

    // The service receives the request, but its response is lost.
    const other = await customerWrites(org, '+12025550161', 'Gil', 'Good evening')
    await row(page, 'Gil').click()
    // No part of a message in the conversation that was open, such as "Hi" of "this".
    await bubble(page, 'Good evening').waitFor()
    let isLossy = true
    await page.route(`**/api/v1/inbox/messages/${other}`, async (route) => {
      if (!isLossy || route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      return route.abort()
    })
    // Without the event stream the page does not learn that the message was sent.
    await page.route('**/api/v1/stream*', (route) => route.abort())
    await page.getByLabel('Your reply').fill('Only once')
    await page.keyboard.press('Enter')
    await page.getByText('Only once').first().waitFor()
    await page.getByRole('alert').getByText('Not sent.').waitFor()
    isLossy = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await bubble(page, 'Only once').waitFor()
    await page.getByText('Not sent.').waitFor({ state: 'detached' })
    const sent = (await messagesOf(org, other)).filter((each: { body: string }) => each.body === 'Only once')
    assert.equal(sent.length, 1)
    assert.equal(await bubble(page, 'Only once').count(), 1)
    await close()
  })

  test('outside the reply window a template with variables is sent', {
    timeout: 240_000,
  }, async () => {
    const org = await organization()
    const { call } = org
    const [channel] = (await call('GET', 'channels')).body.data
    const template = ok(
      await call('POST', 'templates', {
        channel_id: channel.id,
        name: 'order_ready',
        language: 'en_US',
        category: 'UTILITY',
        components: [
          { type: 'BODY', text: 'Hello {{1}}, your order {{2}} is ready.', example: { body_text: [['Ada', '12']] } },
        ],
      }),
      201,
    )
    await until(async () => (await call('GET', `templates/${template.id}`)).body.platform_status === 'APPROVED')
    const contact = (await call('POST', 'contacts', { phone_number: '+12025550171', name: 'Hal' })).body

    const { page, assertAccessible, close } = await signIn(org, '/inbox')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('tab', { name: 'To a contact' }).click()
    await page.getByRole('combobox', { name: 'Contact' }).fill('Hal')
    await page.getByRole('option', { name: /Hal/ }).click()
    await page.getByRole('button', { name: 'Open conversation' }).click()
    await page.getByText('This contact has not written yet').waitFor()
    assert.equal(await page.getByLabel('Your reply').count(), 0)
    await page.getByRole('button', { name: 'Send a template' }).click()
    await page.getByLabel('{{2}}').fill('4711')
    await page.getByText('Hello Hal, your order 4711 is ready.').waitFor()
    await assertAccessible()
    await page.getByRole('button', { name: 'Send template' }).click()
    await bubble(page, 'Hello Hal, your order 4711 is ready.').getByRole('img', { name: 'Read' }).waitFor()
    const ticket = (await call('GET', `inbox/tickets?contact_id=${contact.id}`)).body.inboxes[0]
    const [message] = await messagesOf(org, ticket.id)
    assert.equal(message.payload.template.name, 'order_ready')

    // The customer replies, which opens the reply window.
    await page.getByLabel('Write as the customer').fill('Thank you')
    await page.keyboard.press('Enter')
    await bubble(page, 'Thank you').waitFor()
    await page.getByLabel('Your reply').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('files are dropped and pasted; a draft survives the end of the reply window', {
    timeout: 240_000,
  }, async () => {
    const org = await organization()
    const id = await customerWrites(org, '+12025550175', 'Ivy', 'Have you got a photo?')
    const { page, assertAccessible, close } = await signIn(org, `/inbox/${id}`)
    await bubble(page, 'Have you got a photo?').waitFor()
    const carrying = (name: string) =>
      page.evaluateHandle(
        ({ bytes, name }) => {
          const { DataTransfer } = globalThis as unknown as Browserly
          const transfer = new DataTransfer()
          transfer.items.add(new File([Uint8Array.from(bytes)], name, { type: 'image/png' }))
          return transfer
        },
        { bytes: [...png], name },
      )
    const conversation = page.getByRole('region', { name: 'Conversation with Ivy' })
    const attached = page.getByRole('list', { name: 'Attached files' })
    const dropping = page.getByText('Drop files to attach them')
    const log = page.getByRole('log', { name: 'Messages' })
    /** Drops a file on the messages. Returns whether the page accepted it. */
    const drop = (dataTransfer: Awaited<ReturnType<typeof carrying>>) =>
      log.evaluate((element, dataTransfer) => {
        const { DragEvent } = globalThis as unknown as Browserly
        return !element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      }, dataTransfer)
    const front = await carrying('front.png')
    await log.dispatchEvent('dragenter', { dataTransfer: front })
    await dropping.waitFor()
    assert.ok(await drop(front))
    await attached.getByRole('button', { name: 'Remove front.png' }).waitFor()
    await dropping.waitFor({ state: 'detached' })

    const paste = async (words?: string) => {
      const clipboardData = await carrying('image.png')
      await page.getByLabel('Your reply').evaluate(
        (element, { clipboardData, words }) => {
          const { ClipboardEvent } = globalThis as unknown as Browserly
          if (words) {
            clipboardData.items.add(words, 'text/plain')
            clipboardData.items.add(`<b>${words}</b>`, 'text/html')
          }
          element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
        },
        { clipboardData, words },
      )
    }
    await paste()
    await attached.getByRole('button', { name: 'Remove image.png' }).waitFor()
    // Pasted from a word processor, with an image of the text: no third file.
    await paste('Only the words')
    await page.getByLabel('Your reply').fill('Here they are')
    assert.equal(await attached.getByRole('listitem').count(), 2)
    await page.keyboard.press('Enter')
    await bubble(page, 'Here they are')
      .getByRole('button', { name: /Open image/ })
      .waitFor()
    await until(async () => {
      const types = (await messagesOf(org, id)).map((each: { message_type: string }) => each.message_type)
      return types.join() === 'text,image,image'
    })

    // The reply window ends while a draft is written.
    await page.getByLabel('Your reply').fill('One more thing')
    await app.database.inTenant(
      { organizationId: org.id, livemode: false },
      (tx) => tx.run`update chat_windows set last_inbound_at = now() - interval '24 hours' + interval '4 seconds'`,
    )
    await org.call('PATCH', `inbox/tickets/${id}`, { assignee_id: org.ownerId })
    await page.getByText('The 24-hour reply window is closed').waitFor()
    await page.getByText('Your draft is kept.').waitFor()
    assert.equal(await page.getByLabel('Your reply').count(), 0)
    assert.equal((await org.call('POST', `inbox/messages/${id}`, { body: 'One more thing' })).status, 409)
    const late = await carrying('late.png')
    await log.dispatchEvent('dragenter', { dataTransfer: late })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    assert.equal(await dropping.count(), 0)
    assert.ok(await drop(late), 'the browser does not open it')
    await assertAccessible()

    await page.getByLabel('Write as the customer').fill('Yes?')
    await page.keyboard.press('Enter')
    await page.getByLabel('Your reply').waitFor()
    assert.equal(await page.getByLabel('Your reply').inputValue(), 'One more thing')
    assert.equal(await attached.count(), 0)
    await conversation.getByText('Reply window closes in 24 h').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('a thousand messages: loading earlier or new ones does not move the ones being read', {
    timeout: 240_000,
  }, async () => {
    const org = await organization()
    const id = await customerWrites(org, '+12025550181', 'Long Talker', 'The first of many')
    const { contact_id, chat_phone_number_id } = await ticketOf(org, 'Long Talker')
    await app.database.inTenant({ organizationId: org.id, livemode: false }, async (tx) => {
      await tx.run`
        insert into messages (id, ticket_id, contact_id, channel_id, chat_message_id, direction, message_type, body,
          status, actor_type, created_at)
        select new_id(), ${id}, ${contact_id}, ${chat_phone_number_id}, 'old.' || n,
          case when n % 3 = 0 then 'outbound' else 'inbound' end, 'text',
          'Message ' || n || repeat(' and more of it', (n % 7)::integer), 'read', 'system',
          now() - (1000 - n) * interval '1 minute'
        from generate_series(1, 1000) n`
      await tx.run`update tickets set message_count = message_count + 1000 where id = ${id}`
    })
    const { page, close } = await signIn(org, `/inbox/${id}`)
    const log = page.getByRole('log', { name: 'Messages' })
    await bubble(page, 'The first of many').waitFor()
    const scrollTo = (top: number) =>
      log.evaluate((box, top) => {
        box.scrollTop = top
      }, top)
    // Scrolls up page by page, like a mouse wheel.
    for (let seen = 0; seen < 400; ) {
      await scrollTo(0)
      await until(async () => (await log.evaluate((box) => box.scrollTop)) > 900)
      seen += 100
    }
    const drawn = await page.locator('[data-message]').count()
    assert.ok(drawn < 300, `${drawn} messages are drawn`)

    // Messages being read stay in place, to the pixel, while earlier and new ones arrive.
    const inTheMiddle = () =>
      log.evaluate((box) => {
        const { top, bottom } = box.getBoundingClientRect()
        const seen = [...box.querySelectorAll('[data-message]')].find((each) => {
          const place = each.getBoundingClientRect()
          return place.top > top + 100 && place.bottom < bottom
        })
        return seen && { id: seen.getAttribute('data-message') as string, top: seen.getBoundingClientRect().top }
      })
    const position = async () => {
      let found: Awaited<ReturnType<typeof inTheMiddle>>
      await until(async () => {
        found = await inTheMiddle()
        return found !== undefined
      })
      return found as NonNullable<typeof found>
    }
    const topOf = (messageId: string) =>
      page.locator(`[data-message="${messageId}"]`).evaluate((each) => each.getBoundingClientRect().top)
    await scrollTo(1000)
    const before = await position()
    await customerWrites(org, '+12025550181', 'Long Talker', 'Are you still there?')
    await customerWrites(org, '+12025550181', 'Long Talker', 'Hello?')
    await page.getByRole('button', { name: '2 new messages' }).waitFor()
    assert.ok(Math.abs((await topOf(before.id)) - before.top) < 1)
    assert.equal((await ticketOf(org, 'Long Talker')).unread_count, 2)
    const height = await log.evaluate((box) => box.scrollHeight)
    const reading = await position()
    await scrollTo(800)
    const moved = 1000 - 800
    await until(async () => (await log.evaluate((box) => box.scrollHeight)) > height)
    assert.ok(Math.abs((await topOf(reading.id)) - reading.top - moved) < 1)

    await page.getByRole('button', { name: '2 new messages' }).click()
    await bubble(page, 'Hello?').waitFor()
    await until(async () => (await ticketOf(org, 'Long Talker')).unread_count === 0)
    assert.deepEqual(await close(), [])
  })

  test('on a phone: list, conversation, contact, and back', { timeout: 240_000 }, async () => {
    const org = await organization()
    await customerWrites(org, '+12025550191', 'مريم عبد الله', 'مرحبا، هل أنتم مفتوحون اليوم؟')
    const id = await customerWrites(
      org,
      '+12025550192',
      'Maximiliane Freifrau von Hohenstaufen-Wittelsbach',
      'Guten Tag',
    )
    const { page, assertAccessible, assertFits, close } = await signIn(org, '/inbox', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })
    await row(page, 'Maximiliane').waitFor()
    await assertFits()
    await picture(page, 'inbox-phone-list')
    await assertAccessible()
    await row(page, 'Maximiliane').click()
    await bubble(page, 'Guten Tag').waitFor()
    assert.equal(await row(page, 'Maximiliane').isVisible(), false)
    await assertFits()
    await page.getByLabel('Your reply').fill('Guten Tag zurück')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await bubble(page, 'Guten Tag zurück').getByRole('img', { name: 'Read' }).waitFor()
    await picture(page, 'inbox-phone-conversation')
    await assertAccessible()
    await page.getByRole('button', { name: /^Show contact/ }).click()
    await page.getByText('Timeline').waitFor()
    assert.equal(await page.getByLabel('Your reply').isVisible(), false)
    await assertFits()
    await picture(page, 'inbox-phone-contact')
    await assertAccessible()
    await page.goBack()
    await page.getByLabel('Your reply').waitFor()
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await row(page, 'مريم').waitFor()
    assert.equal(page.url().includes(id), false)
    assert.deepEqual(await close(), [])
  })
})
