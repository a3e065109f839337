import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ok } from '../../../../server/testing/app.ts'
import { person } from '../../../../server/testing/people.ts'
import { skip, startBrowser } from '../../../testing/browser.ts'

suite('dashboard', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn, signInMember, address } = await startBrowser()

  test('figures update live and link to their lists', async () => {
    const home = await organization()
    const make = async (n: number, more: object) =>
      (await home.call('POST', 'contacts', { phone_number: `+1415555070${n}`, ...more })).body
    const ada = await make(1, { name: 'Ada', stage: 'customer', ai_handling: false })
    await make(2, { name: 'Bob', stage: 'lost' })
    await home.call('POST', 'crm/tasks', { contact_id: ada.id, title: 'Late', due_at: '2020-01-02T09:30:00Z' })
    await home.call('POST', 'crm/tasks', { contact_id: ada.id, title: 'Whenever' })
    const { page, assertAccessible, close } = await signIn(home)
    const figure = (name: string, count: string) => page.getByRole('link', { name: `${name} ${count}`, exact: true })
    await figure('Contacts', '2').waitFor()
    await figure('Tasks to do', '2').waitFor()
    await figure('Overdue tasks', '1').waitFor()
    await page.getByText('0 in 14 days').first().waitFor()
    await assertAccessible()
    await make(3, { name: 'Cleo', ai_handling: false })
    await figure('Contacts', '3').waitFor()
    await figure('Handled by people', '2').waitFor()

    // Bob is handed off to AI, but is answered only once an agent answers a channel.
    const share = (label: string, count: number) =>
      page.getByRole('progressbar', { name: `${label}: ${count} of 3 contacts`, exact: true })
    await share('No one', 1).waitFor()
    await share('AI', 0).waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'No one', exact: true }).click()
    await page.getByRole('row', { name: /Bob/ }).getByText('No one').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Cleo' }).count(), 0)
    await page.goBack()
    const agent = await home.call('POST', 'agents', {
      name: 'Desk',
      agent_type: 'static',
      agent_config: { call_settings: { rules: [], fallback: 'One moment.' } },
    })
    const [channel] = (await home.call('GET', 'channels')).body.data
    await home.call('PATCH', `channels/${channel.id}`, { agent_id: agent.body.id })
    await share('AI', 1).waitFor()
    await share('No one', 1).waitFor({ state: 'detached' })

    // The keyboard focus is visible.
    await page.keyboard.press('Tab')
    await figure('Contacts', '3').focus()
    assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid')

    await figure('Overdue tasks', '1').click()
    await page.getByRole('button', { name: 'Late', exact: true }).waitFor()
    assert.equal(await page.getByText('Whenever').count(), 0)
    await page.goBack()
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('link', { name: 'Ada' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Bob' }).count(), 0)
    await page.goBack()
    await page.getByRole('link', { name: 'Calls per day' }).click()
    await page.waitForURL(/\/calls\?from=\d{4}-\d\d-\d\d$/)
    assert.deepEqual(await close(), [])
  })

  test('the page does not jump when the first steps load, and a failed chart can be retried', async () => {
    const home = await organization()
    const { page, close } = await signIn(home, '/tasks')
    let isBroken = true
    const held = Promise.withResolvers<void>()
    await page.route('**/api/v1/templates?**', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.route('**/crm/dashboard/daily**', (route) =>
      isBroken ? route.fulfill({ status: 400, json: { detail: 'Not now' } }) : route.continue(),
    )
    await page.goto(address)
    const figure = page.getByRole('link', { name: 'Overdue tasks 0' })
    await figure.waitFor()
    await page.getByText('Not now').waitFor()
    const before = await figure.boundingBox()
    held.resolve()
    await page.getByText(/^\d of 5$/).waitFor()
    assert.deepEqual(await figure.boundingBox(), before)

    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Messages per day' }).waitFor()
    assert.deepEqual(await close(), ['400'])
  })

  test('the go-live checklist asks for an active agent on a number, and only those who can go live see it', async () => {
    const home = await organization()
    const live = app.as((await app.key(home.id, { mode: 'live' })).secret)
    const agent_config = { call_settings: { rules: [{ when: ['open'], say: 'From nine to five.' }] } }
    const agent = { name: 'Front desk', agent_type: 'static', is_active: 'inactive', agent_config }
    const { id: agent_id } = ok(await live('POST', 'agents', agent), 201)
    const channel = ok(await live('POST', 'channels', { phone_number: '+14155550179', display_name: 'Main' }), 201)
    ok(await live('PATCH', `channels/${channel.id}`, { agent_id }))
    assert.equal(channel.status, 'active')

    const { page, close } = await signIn(home, '/tasks')
    const openLive = async () => {
      await page.evaluate("sessionStorage.setItem('mode', 'live')")
      await page.goto(address)
    }
    const list = page.getByRole('region', { name: 'Go-live checklist' })
    const step = list.getByRole('listitem').filter({ hasText: 'Let an agent answer' })
    await openLive()
    await list.getByText(/^\d of 4$/).waitFor()
    await step.getByRole('link', { name: 'Let an agent answer' }).waitFor()
    ok(await live('PATCH', `agents/${agent_id}`, { is_active: 'active' }))
    await step.getByText('(done)').waitFor({ state: 'attached' })

    // Hidden, it stays reachable.
    const button = page.getByRole('button', { name: 'Go-live checklist', exact: true })
    await list.getByRole('button', { name: 'Hide go-live checklist' }).click()
    await button.click()
    await list.waitFor()
    assert.deepEqual(await close(), [])

    const grace = await person(app, home.id, 'member')
    const hers = await signInMember(grace.id, '/tasks')
    await hers.page.evaluate("sessionStorage.setItem('mode', 'live')")
    await hers.page.evaluate(`localStorage.setItem('first-steps-hidden-${home.id}-live', 'true')`)
    await hers.page.goto(address)
    await hers.page.getByRole('link', { name: 'Overdue tasks 0' }).waitFor()
    assert.equal(await hers.page.getByRole('button', { name: 'Go-live checklist', exact: true }).count(), 0)
    await hers.page.evaluate('localStorage.clear()')
    await hers.page.reload()
    await hers.page.getByRole('link', { name: 'Overdue tasks 0' }).waitFor()
    assert.equal(await hers.page.getByText('Go-live checklist').count(), 0)
    assert.deepEqual(await hers.close(), [])
  })
})
