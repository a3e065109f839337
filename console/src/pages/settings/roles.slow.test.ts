import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { person } from '../../../../server/testing/people.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('roles', { skip }, async () => {
  if (skip) return
  const { app, address, organization, signIn } = await startBrowser()
  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }

  test('an owner defines a role, gives it to a member, changes and deletes it', async () => {
    const acme = await organization({ name: 'Acme' })
    await person(app, acme.id, 'member', { name: 'Grace Hopper' })
    const window = await signIn(acme, '/settings/roles')
    const { page } = window
    await page.getByRole('button', { name: 'New role' }).click()
    await page.getByRole('button', { name: 'Create role' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Night shift')
    await page.getByRole('button', { name: 'Create role' }).click()
    await page.getByText('Choose at least one permission').waitFor()
    await page.getByLabel('Read conversations and their files').check()
    await window.assertAccessible()
    await picture(page, 'role-form')
    await page.getByRole('button', { name: 'Create role' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Night shift' })
    await row.getByRole('cell', { name: 'Inbox (read)', exact: true }).waitFor()
    await picture(page, 'roles')
    await window.assertAccessible()

    await page.getByRole('tab', { name: 'Members' }).click()
    await page.getByRole('combobox', { name: 'Role of Grace Hopper' }).click()
    await page.getByRole('option', { name: 'Night shift' }).click()
    await page.getByText('Changed Grace Hopper’s role from Member to Night shift').waitFor()
    await page.getByRole('tab', { name: 'Roles' }).click()
    await row.getByRole('button', { name: 'Delete Night shift' }).click()
    await page.getByRole('button', { name: 'Delete role' }).click()
    await page.getByText('This role is in use by 1 member and 0 invitations').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await row.getByRole('button', { name: 'Edit Night shift' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Late shift')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row').filter({ hasText: 'Late shift' }).waitFor()
    assert.deepEqual(await window.close(), ['409', '422'])
  })

  test('members see the pages and buttons of their role', async () => {
    const acme = await organization({ name: 'Acme' })
    await acme.call('POST', 'contacts', { phone_number: '+14155552671', name: 'Nora' })
    const reader = await person(app, acme.id, 'read_only')
    const window = await signIn({ ...acme, ownerId: reader.id }, '/contacts')
    const { page } = window
    await page.getByRole('row').filter({ hasText: 'Nora' }).waitFor()
    for (const path of [
      '/inbox',
      '/contacts',
      '/tasks',
      '/campaigns',
      '/templates',
      '/agents',
      '/calls',
      '/knowledge',
    ]) {
      await page.goto(address + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      assert.equal(await page.getByText('Could not load this').count(), 0, path)
      const labels = await page.getByRole('main').locator('button, a').allTextContents()
      assert.deepEqual(
        labels.filter((label) => /^(New|Create|Upload|Start|Call a number|Sync|Import a|Browse)\b/.test(label.trim())),
        [],
        path,
      )
    }
    await page.goto(`${address}/settings/members`)
    await page.getByText('(you)').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Invite a member' }).count(), 0)
    assert.equal(await page.getByRole('combobox', { name: /^Role of/ }).count(), 0)
    assert.deepEqual(await window.close(), [])

    const made = await acme.call('POST', 'roles', { name: 'Calls only', scopes: ['calls:read'] })
    assert.equal(made.status, 403, 'a test key manages no roles')
    const supervisor = await person(app, acme.id, 'supervisor')
    const calls = await supervisor.call('POST', 'roles', { name: 'Calls only', scopes: ['calls:read'] })
    const listener = await person(app, acme.id, calls.body.id)
    const narrow = await signIn({ ...acme, ownerId: listener.id }, '/')
    await narrow.page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    const menu = narrow.page.getByRole('navigation', { name: 'Main' })
    assert.deepEqual(
      (await menu.getByRole('link').allTextContents()).map((label) => label.trim()),
      ['Calls', 'Reports', 'Developers', 'Settings'],
    )
    await picture(narrow.page, 'calls-only')
    await narrow.context.close()

    const lead = await signIn({ ...acme, ownerId: supervisor.id }, '/settings/roles', phone)
    await lead.page.getByRole('row').filter({ hasText: 'Calls only' }).waitFor()
    await lead.assertFits()
    await lead.assertAccessible()
    await picture(lead.page, 'roles-phone-dark')
    await lead.page.getByRole('button', { name: 'New role' }).click()
    assert.ok(await lead.page.getByLabel('Manage webhooks.').isDisabled())
    await picture(lead.page, 'role-form-phone-dark')
    assert.deepEqual(await lead.close(), [])
  })
})
