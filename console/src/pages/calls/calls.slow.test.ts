import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createReceptionist, ended, place } from '../../../../server/testing/calls.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

const idIn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) as string
const heardUntil = (page: Page) => page.evaluate<number>(`document.querySelector('audio').currentTime`)

suite('calls', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser()

  test('a phone call is started, followed live, ended, played, read, searched and deleted', async () => {
    const acme = await organization()
    const agent = await createReceptionist(acme)
    const { body: contact } = await acme.call('POST', 'contacts', { name: 'Ines Duarte', phone_number: '+12025550110' })
    const { page, assertAccessible, assertFits, close } = await signIn(acme, '/calls')
    await page.getByText('No calls yet').waitFor()
    await page.getByRole('button', { name: 'Call a number' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Call / }).click()
    await dialog.getByText('Choose an agent').waitFor()
    await dialog.getByLabel('Agent').click()
    await page.getByRole('option', { name: 'Front desk' }).click()
    await dialog.getByRole('textbox', { name: 'Number' }).fill('12')
    await dialog.getByRole('button', { name: /^Call / }).click()
    await until(
      async () => (await dialog.getByRole('textbox', { name: 'Number' }).getAttribute('aria-invalid')) === 'true',
    )
    await dialog.getByText('Test numbers').click()
    await dialog.getByRole('button', { name: 'Use a number that ends in 0110' }).click()
    await dialog
      .getByLabel('Simulated caller’s lines')
      .fill('Hello. What are your opening hours?\nAnd on Sunday?\nThank you, goodbye.')
    await assertAccessible()
    await dialog.getByRole('button', { name: 'Call +12025550110 now' }).click()

    // The live transcript.
    await page.getByRole('region', { name: 'Live transcript' }).getByText('Hello, this is the front desk.').waitFor()
    const id = idIn(page)
    assert.equal((await acme.call('GET', `calls/${id}`)).body.status, 'in-progress')
    await page.getByText('Live', { exact: false }).first().waitFor()
    await assertAccessible()
    const done = await ended(acme, id)
    assert.equal(done.contact_name, 'Ines Duarte')

    // After the call: recording and transcript.
    await page.getByRole('heading', { name: 'Ines Duarte' }).waitFor()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await page.getByText('The agent ended the call').or(page.getByText('The called person hung up')).waitFor()
    await page.getByText(done.summary).waitFor()
    await page.getByRole('link', { name: 'Ines Duarte' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Ines Duarte' }).getAttribute('href'), `/contacts/${contact.id}`)
    const waits = await page.getByTestId('latency').count()
    assert.ok(waits > 0 && waits <= done.latency.by_turn.length)
    // They come with the waveform, which is computed once the recording is loaded.
    await until(async () => (await page.getByTestId('wait-mark').count()) === waits)

    await page.getByRole('cell', { name: 'In the recording' }).scrollIntoViewIfNeeded()
    await picture(page, 'calls-latency')

    // Playback, seeking by sentence and by key.
    // Each sentence is marked only while it is heard: wait for it before it begins.
    const marked = (words: string | RegExp) => page.locator('[aria-current="true"]').getByText(words).waitFor()
    const greeted = marked('Hello, this is the front desk.')
    await Promise.all([greeted, page.getByRole('button', { name: 'Play' }).click()])
    await until(async () => (await heardUntil(page)) > 0.3)
    await page.getByRole('button', { name: 'Pause' }).click()
    const answer = done.transcript.find(({ text }: { text: string }) => /nine to five/.test(text))
    const sought = page.evaluate<number>(`new Promise((resolve) => {
      document.querySelector('audio').addEventListener('seeked', ({ target }) => resolve(target.currentTime), { once: true })
    })`)
    // Slowly, so that the recording does not end before it is paused.
    await page.evaluate(`document.querySelector('audio').playbackRate = 0.25`)
    const sentence = page.getByRole('button', { name: /nine to five/ }).first()
    await Promise.all([marked(/nine to five/), sentence.click()])
    assert.ok(Math.abs((await sought) - answer.timestamp) < 2)
    await page.getByRole('button', { name: 'Pause' }).click()
    const before = await heardUntil(page)
    await page.getByRole('slider', { name: 'Position' }).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await until(async () => Math.abs((await heardUntil(page)) - 5) < 0.2)
    assert.notEqual(before, 5)
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('Space')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    assert.equal((await download).suggestedFilename(), `call-${id}.wav`)
    await picture(page, 'calls-player')
    await assertAccessible()

    // Search by a mistyped number, by agent and by time, with filters in the address.
    const { body: busy } = await place(acme, { agent_id: agent, to_number: '+12025550112' })
    await ended(acme, busy.id)
    await page.getByRole('link', { name: 'Calls' }).last().click()
    await page.getByRole('link', { name: '+12025550112' }).waitFor()
    await picture(page, 'calls-log')
    await assertAccessible()
    await page.getByLabel('Search calls').fill('(202) 555-0110')
    await until(async () => page.url().includes('search='))
    await page.getByRole('link', { name: '+12025550112' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Ines Duarte' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Ines Duarte' }).waitFor()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await page.getByText('No matching calls').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page.getByRole('link', { name: 'Ines Duarte' }).waitFor()
    await page.goto(new URL('/calls?from=2020-01-01&to=2020-01-02', page.url()).href)
    await page.getByText('No matching calls').waitFor()

    // On a phone.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(new URL(`/calls/${id}`, page.url()).href)
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await assertFits()
    await assertAccessible()
    await picture(page, 'calls-phone')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('and recording are permanently deleted').waitFor()
    await page.getByRole('button', { name: 'Delete call' }).click()
    await page.getByText('Call deleted').waitFor()
    await assertFits()
    assert.equal((await acme.call('GET', `calls/${id}`)).status, 404)
    assert.deepEqual(await close(), ['422'])
  })

  test('a running call is marked in the list and ended', async () => {
    const acme = await organization()
    const agent = await createReceptionist(acme)
    const { page, close } = await signIn(acme, `/calls?agent=${agent}`)
    await page.getByText('No matching calls').waitFor()
    const caller_script = [
      'Hello.',
      'Let me think about that.',
      'One moment please.',
      'I am still here.',
      'Hello again.',
    ]
    const { body: call } = await place(acme, {
      agent_id: agent,
      to_number: '+12025550142',
      metadata: { caller_script },
    })
    // The event stream updates the list.
    await page.getByRole('row').getByText('In progress').waitFor()
    await page.locator('tr[data-highlighted]').waitFor()
    await page.getByRole('link', { name: '+12025550142' }).click()
    await page.getByRole('button', { name: 'End call' }).click()
    await page.getByText('Ended by request').waitFor()
    const { status, ended_reason } = await ended(acme, call.id)
    assert.deepEqual([status, ended_reason], ['completed', 'ended_by_request'])
    await page.getByRole('link', { name: 'Calls' }).last().click()
    await page.getByRole('row').getByText('Completed').waitFor()
    assert.equal(await page.locator('tr[data-highlighted]').count(), 0)
    assert.deepEqual(await close(), [])
  })
})
