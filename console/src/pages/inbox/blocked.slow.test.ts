import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '../../../../server/testing/process.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('blocked contacts', { skip }, async () => {
  if (skip) return
  const { address, organization, signIn } = await startBrowser()

  for (const [name, screen] of screens)
    test(`a contact is blocked, the conversation says so, and a member unblocks it there (${name})`, async () => {
      const org = await organization()
      const from = '+12025550166'
      await org.call('POST', 'simulator/messages', { from, name: 'Rude Ron', text: 'Buy my watches' })
      let ticket: { id: string; contact_id: string } | undefined
      await until(async () => {
        ticket = (await org.call('GET', 'inbox/tickets')).body.inboxes[0]
        return ticket !== undefined
      })
      const { id, contact_id } = ticket as { id: string; contact_id: string }
      const contact = async () => (await org.call('GET', `contacts/${contact_id}`)).body
      const { page, assertAccessible, assertFits, close } = await signIn(org, `/contacts/${contact_id}`, screen)
      if (name === 'phone-dark') await page.getByRole('tab', { name: 'Details' }).click()
      await page.getByRole('button', { name: 'Allowed to send messages' }).click()
      await page.getByRole('menuitem', { name: 'Block contact and drop their messages' }).click()
      await page.getByRole('button', { name: 'Blocked from sending messages' }).waitFor()
      assert.notEqual((await contact()).blocked_at, null)

      await page.goto(`${address}/inbox/${id}`)
      const reply = page.getByLabel('Your reply')
      await page.getByText('This contact is blocked', { exact: true }).waitFor()
      assert.equal(await reply.count(), 0)
      assert.equal(await page.getByRole('button', { name: 'Send a template' }).count(), 0)
      await assertAccessible()
      await assertFits()
      await picture(page, `inbox-blocked-${name}`)

      await page.getByRole('button', { name: 'Unblock', exact: true }).click()
      await reply.fill('Welcome back')
      await reply.press('Enter')
      await page.locator('[data-message]').getByText('Welcome back').waitFor()
      assert.equal((await contact()).blocked_at, null)
      assert.deepEqual(await close(), [])
    })
})
