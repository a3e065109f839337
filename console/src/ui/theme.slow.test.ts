import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { skip, startBrowser } from '../../testing/browser.ts'

suite('theme', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser()

  test('no transition takes longer than 150 ms', async () => {
    const acme = await organization()
    const { page, close } = await signIn(acme, '/settings/channels', { reducedMotion: 'no-preference' })
    const slow = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('*')]
        .filter((each) => getComputedStyle(each).transitionDuration.split(',').some((part) => parseFloat(part) > 0.15))
        .map((each) => each.className)`)
    await page.getByRole('button', { name: 'New channel' }).click()
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await slow(), [])
    await page.goto(new URL('/developers?new=key', page.url()).href)
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await slow(), [])
    assert.deepEqual(await close(), [])
  })
})
