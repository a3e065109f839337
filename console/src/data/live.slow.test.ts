import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ok } from '../../../server/testing/app.ts'
import { person } from '../../../server/testing/people.ts'
import { until } from '../../../server/testing/process.ts'
import { skip, startBrowser } from '../../testing/browser.ts'

/** Browsers open at most this many HTTP/1.1 connections per host. */
const mostLines = 6

suite('live updates', { skip }, async () => {
  if (skip) return
  const { app, address, organization, signIn } = await startBrowser()

  test('more tabs than connections share one stream, and another tab takes over when its owner closes', async () => {
    const acme = await organization()
    const { page, context, close } = await signIn(acme, '/contacts')
    await page.getByRole('heading', { name: 'No contacts yet' }).waitFor()
    // Shown live: the first tab has its stream.
    await acme.call('POST', 'contacts', { phone_number: '+12025550141', name: 'Ada Lovelace' })
    await page.getByText('Ada Lovelace').waitFor()
    let lines = 0
    context.on('request', (request) => {
      if (request.headers().accept === 'text/event-stream') lines++
    })
    const tabs = [page]
    while (tabs.length <= mostLines) {
      const tab = await context.newPage()
      await tab.goto(`${address}/contacts`)
      await tab.getByText('Ada Lovelace').waitFor()
      tabs.push(tab)
    }
    const { data } = (await acme.call('GET', 'contacts')).body
    await acme.call('PATCH', `contacts/${data[0].id}`, { name: 'Ines Duarte' })
    for (const tab of tabs) await tab.getByText('Ines Duarte').waitFor()
    assert.equal(lines, 0)

    await page.close()
    await acme.call('PATCH', `contacts/${data[0].id}`, { name: 'Ines Oliveira' })
    for (const tab of tabs.slice(1)) await tab.getByText('Ines Oliveira').waitFor()
    assert.equal(lines, 1)
    assert.deepEqual(await close(), [])
  })

  test('lists and counts of conversations follow the business hours of an agent', async () => {
    const acme = await organization()
    const [channel] = (await acme.call('GET', 'channels')).body.data
    const owner = await person(app, acme.id, 'owner')
    const hours = (await owner.call('POST', 'schedules', { name: 'Desk', time_zone: 'UTC', weekly_hours: {} })).body
    const agent = ok(
      await acme.call('POST', 'agents', {
        name: 'Desk',
        agent_type: 'static',
        agent_config: {
          call_settings: { rules: [], fallback: 'One moment.' },
          business_hours: { schedule_id: hours.id, replies: 'open' },
        },
      }),
      201,
    )
    await acme.call('PATCH', `channels/${channel.id}`, { agent_id: agent.id })
    await acme.call('POST', 'simulator/messages', { from: '+12025550143', name: 'Ines Duarte', text: 'Hello?' })
    await until(async () => (await acme.call('GET', 'inbox/queues')).body.needs_person === 1)
    const { page, close } = await signIn(acme, '/tasks')
    await page.clock.install()
    await page.goto(`${address}/inbox?queue=needs_person`)
    const row = page.getByRole('region', { name: 'Conversations' }).getByText('Ines Duarte')
    const queue = (name: string) => page.getByRole('navigation', { name: 'Queues' }).getByRole('button', { name })
    await row.waitFor()
    await queue('Needs a person 1').waitFor()
    // No event says that the hours begin or end.
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    const always = Object.fromEntries(days.map((day) => [day, [{ from: '00:00', until: '24:00' }]]))
    const setHours = async (weekly_hours: object) => {
      assert.equal((await owner.call('PATCH', `schedules/${hours.id}`, { weekly_hours })).status, 200)
      await page.clock.fastForward('01:05')
    }
    await setHours(always)
    await row.waitFor({ state: 'detached' })
    await queue('Needs a person 0').waitFor()
    await queue('AI 1').waitFor()
    await setHours({})
    await row.waitFor()
    await queue('Needs a person 1').waitFor()
    await queue('AI').waitFor({ state: 'detached' })
    assert.deepEqual(await close(), [])
  })

  test('a change before the stream starts is shown', async () => {
    const acme = await organization()
    const { page, close } = await signIn(acme, '/templates')
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
    const started = Promise.withResolvers<void>()
    await page.route('**/api/v1/stream?**', async (route) => {
      await started.promise
      await route.continue()
    })
    await page.goto(`${address}/contacts`)
    await page.getByRole('heading', { name: 'No contacts yet' }).waitFor()
    await acme.call('POST', 'contacts', { phone_number: '+12025550142', name: 'Ines Duarte' })
    started.resolve()
    await page.getByText('Ines Duarte').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('a message before the stream starts is shown in its conversation', async () => {
    const acme = await organization()
    const write = (text: string) =>
      acme.call('POST', 'simulator/messages', { from: '+12025550142', name: 'Ines Duarte', text })
    const newest = async () => (await acme.call('GET', 'inbox/tickets')).body.inboxes[0]
    await write('Hello')
    await until(async () => (await newest())?.last_message?.preview === 'Hello')
    const { page, close } = await signIn(acme, '/templates')
    const started = Promise.withResolvers<void>()
    await page.route('**/api/v1/stream?**', async (route) => {
      await started.promise
      await route.continue()
    })
    await page.goto(`${address}/inbox/${(await newest()).id}`)
    const messages = page.getByRole('log', { name: 'Messages' })
    await messages.getByText('Hello').waitFor()
    await write('Is it open today?')
    await until(async () => (await newest()).last_message.preview === 'Is it open today?')
    started.resolve()
    await messages.getByText('Is it open today?').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('settings that another member or an integration changes are shown, also from the other mode', async () => {
    const acme = await organization()
    const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
    const { page, close } = await signIn(acme, '/settings/teams')
    await page.getByRole('button', { name: 'New team' }).waitFor()
    const { id } = (await live('POST', 'teams', { name: 'Sales' })).body
    await page.getByText('Sales').waitFor()
    await live('PATCH', `teams/${id}`, { name: 'Support' })
    await page.getByText('Support').waitFor()
    await page.getByRole('tab', { name: 'Saved replies' }).click()
    await acme.call('POST', 'inbox/saved-replies', { name: 'hours', body: 'We open at nine.' })
    await page.getByText('We open at nine.').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('requests are made while the browser is offline', async () => {
    const { page, close } = await signIn(await organization(), '/contacts')
    await page.getByRole('heading', { name: 'No contacts yet' }).waitFor()
    await page.evaluate(`dispatchEvent(new Event('offline'))`)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
    await page.getByRole('button', { name: 'Sync' }).click()
    await page.getByText('Already up to date with WhatsApp').waitFor()
    assert.deepEqual(await close(), [])
  })
})
