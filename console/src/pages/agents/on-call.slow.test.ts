import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '../../../../server/testing/process.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('what an agent does during a call', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser()

  test('messages, templates, keys and briefings are switched on with a phone, and fit a desktop', async () => {
    const org = await organization()
    const { id } = (await org.call('POST', 'agents', { name: 'Desk' })).body
    const { page, assertAccessible, assertFits, onEachScreen, close } = await signIn(
      org,
      `/agents/${id}`,
      screens[1][1],
    )
    const section = page.getByRole('region', { name: 'During a call' })
    for (const label of ['Brief people before a transfer', 'Press keys', 'Send WhatsApp messages'])
      await section.getByRole('switch', { name: label }).click()
    await section.getByRole('button', { name: 'Add template' }).click()
    await section.getByLabel('Template name').fill('appointment_link')
    await section.getByLabel('When to send it').fill('The caller wants to book online')
    await onEachScreen(async (name) => {
      await assertAccessible()
      await assertFits()
      await picture(page, `agent-on-call-${name}`)
    })
    await page.getByRole('button', { name: 'Save' }).click()
    const settings = async () => (await org.call('GET', `agents/${id}`)).body.agent_config.call_settings
    await until(async () => (await settings()).send_messages)
    const { warm_transfer, press_keys, message_templates } = await settings()
    assert.deepEqual([warm_transfer, press_keys], [true, true])
    assert.deepEqual(message_templates, [
      { name: 'appointment_link', language: 'en_US', description: 'The caller wants to book online' },
    ])
    await close()
  })
})
