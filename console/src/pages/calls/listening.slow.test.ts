import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { begun, createReceptionist, ended, place } from '../../../../server/testing/calls.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('listening to a call', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser({
    launch: { args: ['--autoplay-policy=no-user-gesture-required'] },
  })

  test('a supervisor listens, stops, and the button goes with the call', async () => {
    const org = await organization()
    const agent_id = await createReceptionist(org)
    const metadata = { caller_script: Array.from({ length: 20 }, () => 'Hello. What are your opening hours?') }
    const { body: call } = await place(org, { agent_id, to_number: '+12025550110', metadata })
    await begun(org, call.id)
    const { page, assertAccessible, assertFits, onEachScreen, close } = await signIn(
      org,
      `/calls/${call.id}`,
      screens[1][1],
    )
    // Exact: "Stop listening" stays until the connection has closed.
    const listen = page.getByRole('button', { name: 'Listen', exact: true })
    await listen.click()
    const stop = page.getByRole('button', { name: 'Stop listening' })
    await stop.waitFor()
    await onEachScreen(async (name) => {
      await assertAccessible()
      await assertFits()
      await picture(page, `call-listening-${name}`)
    })
    await stop.click()
    await listen.click()
    await stop.waitFor()
    await org.call('POST', `calls/${call.id}/end`)
    await stop.waitFor({ state: 'detached' })
    await ended(org, call.id)
    await page.getByRole('button', { name: 'Delete' }).waitFor()
    assert.equal(await listen.count(), 0)
    const { body: log } = await org.call('GET', 'audit-log?action=call.listened')
    assert.equal(log.total_count, 2)
    assert.deepEqual(await close(), [])
  })
})
