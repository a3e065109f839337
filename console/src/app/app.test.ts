import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { skip, startBrowser } from '../../testing/browser.ts'

suite('the door and the frame', { skip }, async () => {
  if (skip) return
  const { organization, linkFor, open, address } = await startBrowser()

  test('a sign-in link opens the app once and leaves the address bar', async () => {
    const link = await linkFor(await organization({ name: 'Juniper Dental' }))
    const first = await open()
    await first.page.goto(link)
    await first.page.getByText('Juniper Dental').waitFor()
    await first.page.getByText('Test mode: nothing leaves this machine').waitFor()
    assert.equal(first.page.url(), `${address}/`)
    await first.assertAccessible()
    assert.deepEqual(await first.close(), [])

    const second = await open()
    await second.page.goto(link)
    await second.page.getByText('was used already or has expired').waitFor()
    assert.equal(second.page.url(), `${address}/`)
    assert.deepEqual(await second.close(), ['401'])
  })
})
