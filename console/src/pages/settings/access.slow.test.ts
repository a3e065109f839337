import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { person } from '../../../../server/testing/people.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('access of members', { skip }, async () => {
  if (skip) return
  const { app, address, organization, signIn } = await startBrowser()

  test('an owner limits a member to a channel, and the inbox of the member shows no more', async () => {
    const acme = await organization({ name: 'Acme' })
    const grace = await person(app, acme.id, 'member', { name: 'Grace Hopper' })
    const sales = { phone_number: '+14155550177', display_name: 'Sales' }
    const { id: channel_id } = (await acme.call('POST', 'channels', sales)).body
    await acme.call('POST', 'simulator/messages', { from: '+12025550142', text: 'Is it open today?' })
    await acme.call('POST', 'simulator/messages', { from: '+12025550143', text: 'What does it cost?', channel_id })
    await until(async () => (await acme.call('GET', 'inbox/tickets')).body.total === 2)

    for (const [name, screen] of screens) {
      const window = await signIn(acme, '/settings/members', screen)
      const { page } = window
      const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' })
      await row.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
      await page.getByRole('menuitem', { name: 'Edit access' }).click()
      const dialog = page.getByRole('dialog', { name: 'Access for Grace Hopper' })
      if (name === 'desktop-light') {
        await dialog.getByRole('radio', { name: 'Some channels and teams' }).check()
        await dialog.getByRole('combobox', { name: 'Channels in test mode' }).click()
        await page.getByRole('option', { name: 'Sales · +14155550177' }).click()
        await page.keyboard.press('Escape')
      }
      await dialog.getByText('Sales · +14155550177').first().waitFor()
      await window.assertFits()
      await window.assertAccessible()
      await picture(page, `access-form-${name}`)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      if (name === 'desktop-light') await row.getByText('1 channel').waitFor()
      await picture(page, `access-members-${name}`)
      assert.deepEqual(await window.close(), [])
    }

    for (const [name, screen] of screens) {
      const window = await signIn({ ...acme, ownerId: grace.id }, '/inbox', screen)
      const { page } = window
      const tickets = page.getByRole('main').locator('[data-ticket]')
      await tickets.filter({ hasText: 'What does it cost?' }).waitFor()
      assert.equal(await tickets.count(), 1)
      await picture(page, `access-inbox-${name}`)
      const [hidden] = (await acme.call('GET', 'inbox/tickets?search=open today')).body.inboxes
      await page.goto(`${address}/inbox/${hidden.id}`)
      await page.getByText('not found').first().waitFor()
      await picture(page, `access-hidden-${name}`)
      await window.close()
    }

    // A note cannot mention her where she sees nothing; it stays as it was written.
    const [hidden] = (await acme.call('GET', 'inbox/tickets?search=open today')).body.inboxes
    const { page, close } = await signIn(acme, `/inbox/${hidden.id}`)
    await page.getByRole('tab', { name: 'Note' }).click()
    const note = page.getByLabel('Your note')
    await note.pressSequentially('@Gra')
    await page.getByRole('option', { name: 'Grace Hopper' }).click()
    await note.press('Enter')
    await page.getByText('Grace Hopper cannot see this conversation.').waitFor()
    assert.equal((await note.inputValue()).trim(), '@Grace Hopper')
    assert.deepEqual(await close(), ['422'])
  })
})
