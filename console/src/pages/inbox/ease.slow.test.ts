import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sendScheduledJob } from '../../../../server/features/inbox/jobs.ts'
import { ok } from '../../../../server/testing/app.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('ease in the inbox', { skip }, async () => {
  if (skip) return
  const { app, address, organization, signIn } = await startBrowser()

  async function receive(home: Awaited<ReturnType<typeof organization>>, from: string, text: string) {
    await home.call('POST', 'simulator/messages', { from, name: 'Ines Duarte', text })
    const find = async () =>
      (await home.call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`)).body.inboxes[0]
    await until(async () => (await find())?.last_message?.preview === text.slice(0, 120))
    return (await find()).id as string
  }

  test('addresses are links, a search shows the line, and closed matches are offered', async () => {
    const home = await organization()
    const open = await receive(home, '+12025550161', 'See https://example.com/a_b_c?x=1. Or javascript:alert(1)')
    await receive(home, '+12025550161', 'Thanks')
    const closed = await receive(home, '+12025550162', 'Also https://example.com please')
    await home.call('PATCH', `inbox/tickets/${closed}`, { status: 'closed' })
    const { page, assertAccessible, close } = await signIn(home, `/inbox/${open}`)
    const link = page.getByRole('link', { name: 'https://example.com/a_b_c?x=1' })
    await link.waitFor()
    assert.deepEqual(
      [await link.getAttribute('href'), await link.getAttribute('rel'), await link.getAttribute('target')],
      ['https://example.com/a_b_c?x=1', 'noopener noreferrer', '_blank'],
    )
    assert.equal(await page.locator('a[href^="javascript"]').count(), 0)
    await page.getByLabel('Search conversations').fill('example.com')
    await page.locator('mark').first().waitFor()
    await picture(page, 'inbox-search')
    await assertAccessible()
    await page.getByRole('button', { name: 'Show 1 closed conversation that matches' }).click()
    await page.locator(`[data-ticket="${closed}"]`).waitFor()
    assert.deepEqual(await close(), [])
  })

  test('a search opens the conversation at the message that matches, however long ago it was', async () => {
    const home = await organization()
    const id = await receive(home, '+12025550164', 'The newest')
    const { contact_id, chat_phone_number_id } = (await home.call('GET', `inbox/tickets/${id}`)).body
    await app.database.inTenant({ organizationId: home.id, livemode: false }, async (tx) => {
      await tx.run`
        insert into messages (id, ticket_id, contact_id, channel_id, chat_message_id, direction, message_type, body,
          status, actor_type, created_at)
        select new_id(), ${id}, ${contact_id}, ${chat_phone_number_id}, 'old.' || n, 'inbound', 'text',
          case n when 30 then 'A kingfisher' when 200 then 'A heron' else 'Message ' || n end, 'read', 'system',
          now() - (301 - n) * interval '1 minute'
        from generate_series(1, 300) n`
      await tx.run`update tickets set message_count = message_count + 300 where id = ${id}`
    })
    const { page, close } = await signIn(home, '/inbox')
    await page.getByLabel('Search conversations').fill('kingfisher')
    await page.locator('mark').first().waitFor()
    await page.locator(`[data-ticket="${id}"]`).click()
    const log = page.getByRole('log', { name: 'Messages' })
    const isInSight = (text: string) =>
      log.evaluate((box, text) => {
        const bubble = [...box.querySelectorAll('[data-message]')].find((each) => each.textContent?.includes(text))
        const [outer, inner] = [box.getBoundingClientRect(), bubble?.getBoundingClientRect()]
        return inner !== undefined && inner.top >= outer.top && inner.bottom <= outer.bottom
      }, text)
    await until(() => isInSight('A kingfisher'))
    await picture(page, 'inbox-match')
    const unread = async () => (await home.call('GET', `inbox/tickets/${id}`)).body.unread_count
    assert.equal(await unread(), 1, 'the newest message is out of sight')
    // A member who reads on is not called back.
    await page.getByRole('button', { name: 'Newest' }).click()
    await until(() => isInSight('The newest'))
    await until(async () => (await unread()) === 0)
    await receive(home, '+12025550164', 'Another kingfisher')
    await until(() => isInSight('Another kingfisher'))
    assert.equal(await isInSight('A kingfisher'), false)

    // A search alone does not move the open conversation.
    await page.getByLabel('Search conversations').fill('heron')
    await page.locator('mark').getByText('heron').waitFor()
    assert.ok(await isInSight('Another kingfisher'))
    await page.locator(`[data-ticket="${id}"]`).click()
    await until(() => isInSight('A heron'))

    // Nor does a match that is found after the member went on.
    await page.goto(`${address}/inbox?search=heron`)
    const older = Promise.withResolvers<void>()
    await page.route(/inbox\/messages\/.*offset=50/, async (route) => {
      await older.promise
      await route.continue()
    })
    const isAsked = page.waitForRequest(/inbox\/messages\/.*offset=50/)
    await page.locator(`[data-ticket="${id}"]`).click()
    await isAsked
    const chunks = await log.locator('[data-chunk]').count()
    await log.press('End')
    older.resolve()
    await until(async () => (await log.locator('[data-chunk]').count()) > chunks)
    await until(() => isInSight('Another kingfisher'))
    assert.deepEqual(await close(), [])
  })

  test('keys go beyond the first page of conversations, and rows are links that open in a new tab', async () => {
    const home = await organization()
    for (let n = 0; n < 45; n++) {
      const contact = await home.call('POST', 'contacts', { phone_number: `+120255502${String(n).padStart(2, '0')}` })
      ok(await home.call('POST', 'inbox/tickets', { contact_id: contact.body.id }), 201)
    }
    const { page, context, close } = await signIn(home, '/inbox')
    const { inboxes } = (await home.call('GET', 'inbox/tickets?limit=100')).body
    const row = (n: number) => page.locator(`[data-ticket="${inboxes[n].id}"]`)
    await row(0).waitFor()
    for (let n = 0; n < 45; n++) {
      // At the end of the first page, the next one may still be loading.
      await row(n).waitFor({ state: 'attached' })
      await page.keyboard.press('ArrowDown')
      await row(n).and(page.locator('[aria-current]')).waitFor()
    }
    const [tab] = await Promise.all([context.waitForEvent('page'), row(40).click({ modifiers: ['ControlOrMeta'] })])
    await tab.waitForURL(`**/inbox/${inboxes[40].id}`)
    await row(44).and(page.locator('[aria-current]')).waitFor()
    assert.deepEqual(await close(), [])
  })

  test('a change that arrives while the next page is asked for is shown', async () => {
    const home = await organization()
    for (let n = 0; n < 45; n++) {
      const contact = await home.call('POST', 'contacts', { phone_number: `+120255504${String(n).padStart(2, '0')}` })
      ok(await home.call('POST', 'inbox/tickets', { contact_id: contact.body.id }), 201)
    }
    const { page, close } = await signIn(home, '/inbox')
    await page.getByText('40 of 45').waitFor()
    const isPage = (limit: string) => (url: URL) =>
      url.pathname.endsWith('/inbox/tickets') && url.searchParams.get('limit') === limit
    const nextPage = Promise.withResolvers<void>()
    await page.route(isPage('100'), (route) => {
      nextPage.resolve()
      return route.continue()
    })
    await page.route(isPage('40'), async (route) => {
      await nextPage.promise
      await route.continue()
    })
    const refetch = page.waitForRequest((request) => isPage('40')(new URL(request.url())))
    const { inboxes } = (await home.call('GET', 'inbox/tickets')).body
    await home.call('PATCH', `inbox/tickets/${inboxes[0].id}`, { priority: 'urgent' })
    await refetch
    const box = page.getByRole('region', { name: 'Conversations' })
    await until(async () => {
      await box.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return page.getByText('45 of 45').isVisible()
    })
    await box.evaluate((element) => element.scrollTo(0, 0))
    await page.locator(`[data-ticket="${inboxes[0].id}"]`).getByText('Urgent').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('a long list mounts the rows near the viewport, and the row in focus keeps it', async () => {
    const home = await organization()
    const open = async (n: number) => {
      const contact = await home.call('POST', 'contacts', { phone_number: `+1202555${3000 + n}`, name: `Person ${n}` })
      ok(await home.call('POST', 'inbox/tickets', { contact_id: contact.body.id }), 201)
    }
    for (let n = 0; n < 140; n++) await open(n)
    const { page, assertAccessible, close } = await signIn(home, '/inbox')
    const row = (n: number) =>
      page.locator('[data-row]').filter({ has: page.getByText(`Person ${n}`, { exact: true }) })
    const box = page.getByRole('region', { name: 'Conversations' })
    const scroll = (top: number) => box.evaluate((element, to) => element.scrollTo(0, to), top)
    const focused = () => page.evaluate<string>(`document.activeElement.closest('[data-row]')?.textContent ?? ''`)
    // The newest is the first.
    const first = row(139)
    await first.getByRole('link').focus()
    // Each end of the list loads the next page.
    await until(async () => {
      await scroll(100_000)
      return page.getByText('140 of 140').isVisible()
    })
    await scroll(100_000)
    const last = row(0)
    await last.waitFor()
    assert.deepEqual(
      [await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')],
      ['140', '140'],
    )
    assert.ok((await page.locator('[data-row]').count()) < 80)
    await row(70).waitFor({ state: 'detached' })
    assert.match(await focused(), /Person 139/, 'out of sight, and still in focus')
    await assertAccessible()

    // Without a row in focus there are rows too, wherever the list is scrolled to.
    await page.evaluate('document.activeElement.blur()')
    const { x, y, width, height } = (await box.boundingBox()) as { x: number; y: number; width: number; height: number }
    const middle = `document.elementFromPoint(${x + width / 2}, ${y + height / 2})`
    for (let top = 0; top < 5_000; top += 500) {
      await scroll(top)
      await until(() => page.evaluate<boolean>(`${middle}.closest('[data-row]') !== null`))
    }
    await scroll(100_000)

    // The row in focus moves to the top, where no row is mounted but it and its neighbours.
    await last.getByRole('link').focus()
    await first.waitFor({ state: 'detached' })
    await home.call('POST', 'simulator/messages', { from: '+12025553000', text: 'Hello' })
    await row(0).and(page.locator('[aria-posinset="1"]')).waitFor()
    assert.match(await focused(), /Person 0/)
    await page.keyboard.press('Tab')
    assert.match(await focused(), /Person 139/)

    // A row in focus that leaves the list passes the focus on to the one that takes its place.
    const { inboxes } = (await home.call('GET', 'inbox/tickets?search=Person 139')).body
    await row(139).getByRole('link').focus()
    await home.call('PATCH', `inbox/tickets/${inboxes[0].id}`, { status: 'closed' })
    await row(139).waitFor({ state: 'detached' })
    assert.match(await focused(), /Person 138/)
    assert.deepEqual(await close(), [])
  })

  test('a conversation says that its agent does not reply now', async () => {
    const home = await organization()
    const live = app.as((await app.key(home.id, { mode: 'live' })).secret)
    const schedule = ok(await live('POST', 'schedules', { name: 'Never', time_zone: 'UTC', weekly_hours: {} }), 201)
    const business_hours = { schedule_id: schedule.id, replies: 'open' }
    const agent = ok(await home.call('POST', 'agents', { name: 'Desk', agent_config: { business_hours } }), 201)
    const [channel] = ok(await home.call('GET', 'channels')).data
    ok(await home.call('PATCH', `channels/${channel.id}`, { agent_id: agent.id }))
    const id = await receive(home, '+12025550164', 'Anyone there?')
    const { page, close } = await signIn(home, `/inbox/${id}`)
    await page.getByText('Desk does not reply now, because of its business hours.').waitFor()
    ok(await home.call('PATCH', `agents/${agent.id}`, { agent_config: { business_hours: { replies: 'always' } } }))
    await receive(home, '+12025550164', 'Hello?')
    await page.getByText('AI is replying').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('a message is scheduled, cancelled and undone', async () => {
    const home = await organization()
    const id = await receive(home, '+12025550163', 'Is it ready?')
    const { page, assertAccessible, close } = await signIn(home, `/inbox/${id}`)
    const list = async () => (await home.call('GET', `inbox/tickets/${id}/scheduled-messages`)).body.data
    const reply = page.getByLabel('Your reply')
    const later = async (text: string, item: string) => {
      await reply.fill(text)
      await page.getByRole('button', { name: 'Send later' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    // Undo puts the text before what was written since. Under the pointer, the confirmation stays.
    await later('Wrong customer', 'In one hour')
    const confirmation = page.getByRole('alert').filter({ hasText: 'Message scheduled for' })
    await confirmation.hover()
    await reply.fill('And more')
    await confirmation.getByRole('button', { name: 'Undo' }).click()
    await until(async () => (await list())[0].status === 'cancelled')
    await until(async () => (await reply.inputValue()) === 'Wrong customer\nAnd more')

    await later('Ready tomorrow', 'In one hour')
    const scheduled = page.getByRole('list', { name: 'Scheduled messages' })
    await scheduled.getByText('Ready tomorrow').waitFor()
    await picture(page, 'inbox-scheduled')
    await page.getByRole('button', { name: 'Edit this message' }).click()
    const editing = page.getByRole('dialog', { name: 'Edit scheduled message' })
    await editing.getByRole('textbox', { name: 'Text' }).fill('Ready on Friday')
    await editing.getByLabel('Date and time').fill('2020-01-01T09:00')
    await assertAccessible()
    await editing.evaluate((dialog) => dialog.querySelector('form')?.setAttribute('novalidate', ''))
    await editing.getByRole('button', { name: 'Save' }).click()
    await editing.getByText('Choose a time in the future').waitFor()
    const year = new Date().getFullYear() + 1
    await editing.getByLabel('Date and time').fill(`${year}-03-02T09:00`)
    await editing.getByText('The reply window closes before that.').waitFor()
    await editing.getByRole('button', { name: 'Save' }).click()
    await editing.waitFor({ state: 'detached' })
    await scheduled.getByText('Ready on Friday').waitFor()
    const [edited] = await list()
    assert.deepEqual([edited.message.body, edited.send_at.slice(0, 7)], ['Ready on Friday', `${year}-03`])
    await page.getByRole('button', { name: 'Cancel this message' }).click()
    await scheduled.waitFor({ state: 'detached' })

    // A chosen time schedules the text and sends nothing now.
    await later('At a chosen time', 'Choose a time')
    const choosing = page.getByRole('dialog', { name: 'Send later' })
    await choosing.getByLabel('Date and time').fill(`${year}-03-02T09:00`)
    await choosing.getByRole('button', { name: 'Schedule' }).click()
    await confirmation.filter({ hasText: `Mar 2, ${year}` }).waitFor()
    await scheduled.getByText('At a chosen time').waitFor()
    const { total } = (await home.call('GET', `inbox/messages/${id}`)).body
    assert.equal(total, 1)
    assert.deepEqual(await close(), [])
  })

  test('a scheduled message that failed says why, and is sent again or discarded', async () => {
    const home = await organization()
    const scope = { organizationId: home.id, livemode: false }
    const id = await receive(home, '+12025550165', 'Is it ready?')
    const ids: string[] = []
    for (const body of ['Ready tomorrow', 'Never mind']) {
      const later = { body, send_at: new Date(Date.now() + 3_600_000).toISOString() }
      ids.push(ok(await home.call('POST', `inbox/tickets/${id}/scheduled-messages`, later), 201).id)
    }
    /** The window has closed, and the time of both has come. */
    const move = (hours: number) =>
      app.database.inTenant(
        scope,
        (tx) => tx.run`update chat_windows set last_inbound_at = now() - make_interval(hours => ${hours}::integer)`,
      )
    await move(25)
    await app.database.inTenant(scope, async (tx) => {
      await tx.run`update scheduled_messages set send_at = now() - interval '1 second'`
      for (const scheduledMessageId of ids) await tx.enqueue(sendScheduledJob, { ...scope, scheduledMessageId })
    })
    const statusOf = async (one: string | undefined) =>
      (await home.call('GET', `inbox/scheduled-messages/${one}`)).body.status
    for (const one of ids) await until(async () => (await statusOf(one)) === 'failed')
    await move(1)

    const { page, assertAccessible, assertFits, close } = await signIn(home, `/inbox/${id}`)
    const failed = page.getByRole('list', { name: 'Scheduled messages that were not sent' }).getByRole('listitem')
    const row = (text: string) => failed.filter({ hasText: text })
    await row('Ready tomorrow')
      .getByText(/Not sent on .*24 hours/)
      .waitFor()
    await assertAccessible()
    await page.setViewportSize(screens[1][1].viewport)
    await assertFits()
    await picture(page, 'inbox-scheduled-failed-phone')
    // Until the service has answered, neither can be clicked again.
    const answer = Promise.withResolvers<void>()
    await page.route('**/inbox/scheduled-messages/*/retry', async (route) => {
      await answer.promise
      await route.continue()
    })
    await row('Ready tomorrow').getByRole('button', { name: 'Try again' }).click()
    await row('Ready tomorrow').locator('button[data-loading]').waitFor()
    assert.equal(await row('Ready tomorrow').getByRole('button', { name: 'Discard' }).isDisabled(), true)
    answer.resolve()
    await page.locator('[data-message]').getByText('Ready tomorrow').waitFor()
    await row('Ready tomorrow').waitFor({ state: 'detached' })
    await row('Never mind').getByRole('button', { name: 'Discard' }).click()
    await failed.first().waitFor({ state: 'detached' })
    assert.deepEqual([await statusOf(ids[0]), await statusOf(ids[1])], ['sent', 'cancelled'])
    assert.deepEqual(await close(), [])
  })

  test('the console says that it is offline', async () => {
    const home = await organization()
    const { page, context, close } = await signIn(home, '/tasks')
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await picture(page, 'offline')
    await context.setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await close()
  })
})
