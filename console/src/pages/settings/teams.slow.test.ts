import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { person } from '../../../../server/testing/people.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('business hours, teams, assignment and SLA', { skip }, async () => {
  if (skip) return
  const { app, address, organization, signIn } = await startBrowser()

  test('an owner sets up hours, a team, a channel and a policy, and a conversation shows its due time', async () => {
    const acme = await organization({ name: 'Acme' })
    const grace = await person(app, acme.id, 'member', { name: 'Grace Hopper' })
    const window = await signIn(acme, '/settings/hours')
    const { page } = window
    await page.getByRole('button', { name: 'New business hours' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Office hours')
    await dialog.getByRole('button', { name: 'Add hours on Saturday' }).click()
    await dialog.getByLabel('Saturday until').fill('09:00')
    await dialog.getByRole('button', { name: 'Create business hours' }).click()
    await dialog.getByText('A span must end at another time than it starts').waitFor()
    await dialog.getByLabel('Saturday until').fill('12:00')
    await dialog.getByRole('button', { name: 'Add holiday' }).click()
    await dialog.getByLabel('Date').fill('2026-12-25')
    await dialog.getByLabel('Name of the holiday').fill('Christmas Day')
    await dialog.getByRole('button', { name: 'Add hours on Christmas Day' }).click()
    await dialog.getByLabel('Christmas Day until').fill('12:00')
    await window.assertAccessible()
    await picture(page, 'hours-form')
    await dialog.getByRole('button', { name: 'Create business hours' }).click()
    const hours = page.getByRole('row').filter({ hasText: 'Office hours' })
    await hours.getByRole('cell', { name: 'Mon–Fri 09:00–17:00; Sat 09:00–12:00' }).waitFor()

    const [{ holidays }] = (await acme.call('GET', 'schedules')).body.data
    const morning = [{ from: '09:00', until: '12:00' }]
    assert.deepEqual(holidays, [{ date: '2026-12-25', name: 'Christmas Day', hours: morning }])

    await page.getByRole('tab', { name: 'Teams' }).click()
    await page.getByRole('button', { name: 'New team' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Support')
    await dialog.getByRole('combobox', { name: 'Members' }).click()
    await page.getByRole('option', { name: 'Grace Hopper' }).click()
    await page.keyboard.press('Escape')
    await window.assertAccessible()
    await picture(page, 'team-form')
    await dialog.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('row').filter({ hasText: 'Support' }).getByRole('cell', { name: 'Grace Hopper' }).waitFor()

    await page.getByRole('tab', { name: 'Assignment' }).click()
    const main = page.getByRole('main')
    await main.getByRole('combobox', { name: 'Team' }).click()
    await page.getByRole('option', { name: 'Support' }).click()
    await main.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await main.getByRole('textbox', { name: 'Limit of Grace Hopper' }).fill('5')
    await main.getByRole('textbox', { name: 'Limit of Grace Hopper' }).blur()
    await window.assertAccessible()

    await page.getByRole('tab', { name: 'SLA' }).click()
    await page.getByRole('button', { name: 'New SLA policy' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Standard')
    await window.assertAccessible()
    await picture(page, 'sla-form')
    await dialog.getByRole('button', { name: 'Create SLA policy' }).click()
    await page
      .getByRole('row')
      .filter({ hasText: 'Standard' })
      .getByRole('cell', { name: 'All conversations' })
      .waitFor()

    await acme.call('POST', 'simulator/messages', { from: '+12025550142', text: 'Is it open today?' })
    await page.goto(`${address}/inbox`)
    const ticket = page.getByRole('main').locator('[data-ticket]')
    await ticket.getByText(/First reply in \d+ min/).waitFor()
    await ticket.getByText('Grace Hopper').waitFor()
    await picture(page, 'inbox-due')
    const { data } = (await acme.call('GET', 'availability')).body
    const own = data.find(({ id }: { id: string }) => id === grace.id)
    assert.deepEqual([own.capacity, own.open_tickets], [5, 1])

    // The conversation shows its team and is passed to another one.
    const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
    const sales = (await live('POST', 'teams', { name: 'Sales' })).body
    await ticket.click()
    const panel = page.getByRole('complementary', { name: /^About/ })
    await panel.getByText(/First reply in \d+ min/).waitFor()
    const team = panel.getByRole('combobox', { name: 'Team' })
    await until(async () => (await team.inputValue()) === 'Support')
    await team.click()
    await page.getByRole('option', { name: 'Sales' }).click()
    await until(async () => (await acme.call('GET', 'inbox/tickets')).body.inboxes[0].team_id === sales.id)
    await ticket.getByText('Grace Hopper').waitFor({ state: 'detached' })

    // The filter by team is kept in a view.
    await page.getByRole('button', { name: 'Filter' }).click()
    await dialog.getByRole('combobox', { name: 'Team' }).click()
    await page.getByRole('option', { name: 'Support' }).click()
    await ticket.waitFor({ state: 'detached' })
    await picture(page, 'inbox-team-filter')
    await dialog.getByRole('combobox', { name: 'Team' }).click()
    await page.getByRole('option', { name: 'Sales' }).click()
    await ticket.waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save current filters' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Of sales')
    await dialog.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'Of sales' }).waitFor()
    await page.goto(`${address}/inbox`)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Of sales' }).click()
    await page.getByRole('button', { name: 'Filter (1)' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('team'), sales.id)
    assert.deepEqual(await window.close(), ['422'])
  })

  test('the pages fit and are accessible, from a phone to a desktop, light and dark', async () => {
    const acme = await organization({ name: 'Acme' })
    const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
    const day = [
      { from: '09:00', until: '12:30' },
      { from: '13:30', until: '18:00' },
    ]
    const holidays = [{ date: '2026-12-24', name: 'Christmas Eve', hours: day }, { date: '2026-12-25' }]
    const weekly_hours = { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day }
    const hours = (
      await live('POST', 'schedules', { name: 'Office hours', time_zone: 'Europe/Berlin', weekly_hours, holidays })
    ).body
    const people = [
      await person(app, acme.id, 'member', { name: 'Ada Lovelace' }),
      await person(app, acme.id, 'member'),
    ]
    const members = { assignment: 'least_busy', schedule_id: hours.id, member_ids: people.map(({ id }) => id) }
    const team = (await live('POST', 'teams', { name: 'Support', ...members })).body
    const policy = { name: 'Urgent', priority: 'urgent', team_id: team.id, first_reply_minutes: 10 }
    await live('POST', 'sla-policies', { ...policy, schedule_id: hours.id })
    const window = await signIn(acme, '/settings/hours')
    const { page } = window
    for (const [tab, shown] of [
      ['hours', 'Mon–Fri 09:00–12:30, 13:30–18:00'],
      ['teams', 'Ada Lovelace'],
      ['assignment', 'Ada Lovelace'],
      ['sla', 'First reply 10 min'],
    ] as const) {
      await page.goto(`${address}/settings/${tab}`)
      const cell = page.getByRole('row').getByText(shown).locator('visible=true')
      await cell.waitFor()
      await page.setViewportSize({ width: 700, height: 844 })
      await cell.waitFor()
      await window.assertFits()
      await window.assertAccessible()
      await window.onEachScreen(async (name) => {
        await cell.waitFor()
        await window.assertFits()
        await window.assertAccessible()
        await picture(page, `settings-${tab}-${name}`)
      })
      if (tab === 'assignment') continue
      await page.getByRole('button', { name: /^Edit/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).scrollIntoViewIfNeeded()
      await page.setViewportSize({ width: 700, height: 844 })
      await window.assertFits()
      await window.onEachScreen(async (name) => {
        await window.assertFits()
        await picture(page, `settings-${tab}-form-${name}`)
      })
    }
    assert.deepEqual(await window.close(), [])
  })
})
