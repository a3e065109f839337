import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { seedOrganization } from '../../../../server/demo/seed-organization.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('reports', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn, address } = await startBrowser()

  test('a report shows figures, charts and groups, is narrowed and exported', async () => {
    const home = await organization()
    await seedOrganization(app.database, home.id)
    const { page, assertAccessible, assertFits, close } = await signIn(home, '/reports')
    const { totals, by_channel } = (await home.call('GET', 'reports/conversations?until=2099-01-01&from=2098-12-01'))
      .body
    // Nothing starts or ends in the future, and what is open stays open.
    assert.ok(totals.backlog > 0)
    assert.deepEqual(
      [totals.opened, by_channel.map(({ opened, backlog }: Record<string, number>) => [opened, backlog])],
      [0, [[0, totals.backlog]]],
    )
    await page.getByRole('figure', { name: 'Conversations', exact: true }).waitFor()
    await page.getByRole('table', { name: 'By channel' }).waitFor()
    await page.getByRole('columnheader', { name: 'Open at the end' }).first().waitFor()
    await assertAccessible()
    await assertFits()
    // The bars share the width of the chart, and their heights are in proportion.
    const bars = await page.getByRole('figure', { name: 'Open conversations' }).evaluate((figure) => {
      const { right } = figure.getBoundingClientRect()
      return [...figure.querySelectorAll('[data-series]')].map((bar) => {
        const box = bar.getBoundingClientRect()
        return { width: box.width, height: box.height, isInside: box.right <= right }
      })
    })
    const { series } = (await home.call('GET', 'reports/conversations')).body
    assert.equal(bars.length, 28)
    for (const { width, isInside } of bars) assert.ok(width > 2 && isInside)
    const last = { bar: bars.at(-1)?.height ?? 0, value: series.at(-1).backlog }
    for (const [i, { height }] of bars.entries())
      assert.ok(Math.abs(height / last.bar - series[i].backlog / last.value) < 0.02, `bar ${i}`)
    await picture(page, 'reports')
    await page.getByRole('table', { name: 'By contact tag' }).scrollIntoViewIfNeeded()
    await picture(page, 'reports-below')

    // A period and a time zone stay in the address.
    await page.getByRole('combobox', { name: 'Period' }).click()
    await page.getByRole('option', { name: 'Last 90 days' }).click()
    await page.waitForURL(/from=\d{4}-\d\d-\d\d/)
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const item = page.getByRole('menuitem', { name: 'By member' })
    const [download] = await Promise.all([page.waitForEvent('download'), item.click()])
    assert.match(download.suggestedFilename(), /^conversations-by-member-.*\.csv$/)
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const reasons = page.getByRole('menuitem', { name: 'Hand-off reasons' })
    const [second] = await Promise.all([page.waitForEvent('download'), reasons.click()])
    assert.match(second.suggestedFilename(), /^handoffs-by-reason-.*\.csv$/)

    await page.goto(`${address}/reports/calls`)
    await page.getByRole('figure', { name: 'Calls', exact: true }).waitFor()
    await page.goto(`${address}/reports/campaigns`)
    await page.getByText('Six-month check-up').first().waitFor()
    assert.deepEqual(await close(), [])
  })

  test('a phone in dark mode shows the report without scrolling sideways', async () => {
    const home = await organization()
    await seedOrganization(app.database, home.id)
    const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }
    const { page, assertFits, close } = await signIn(home, '/reports', phone)
    await page.getByRole('figure', { name: 'Conversations', exact: true }).waitFor()
    await assertFits()
    await picture(page, 'reports-phone-dark')
    assert.deepEqual(await close(), [])
  })

  test('an unknown address shows a page of the console with status 404, and programs get JSON', async () => {
    const home = await organization()
    const { page, close } = await signIn(home)
    const answer = await page.goto(`${address}/nowhere`)
    assert.equal(answer?.status(), 404)
    await page.getByText('Page not found').waitFor()
    const plain = await app.call('GET', '/nowhere')
    assert.deepEqual([plain.status, plain.body], [404, { detail: 'Not Found' }])
    const api = await app.call('GET', '/api/v1/nowhere', undefined, { accept: 'text/html' })
    assert.deepEqual([api.status, api.body], [404, { detail: 'Not Found' }])
    const posted = await app.call('POST', '/nowhere', {}, { accept: 'text/html' })
    assert.deepEqual([posted.status, posted.body], [404, { detail: 'Not Found' }])
    assert.deepEqual(await close(), ['404'])
  })
})
