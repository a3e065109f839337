import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { failedJob } from '../../../../server/testing/demo-records.ts'
import { operatorOf } from '../../../../server/testing/operators.ts'
import { untilStatus } from '../../../../server/testing/people.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('installation', { skip }, async () => {
  if (skip) return
  const { app, address, organization, signIn } = await startBrowser()
  const operator = await operatorOf(app)
  const asOperator = { ...operator.home, ownerId: operator.id }

  test('an operator limits, suspends and reinstates an organization', async () => {
    const acme = await organization({ name: 'Acme Dental' })
    const window = await signIn(asOperator, '/installation')
    const { page } = window
    await page.getByRole('searchbox', { name: 'Search by name or ID' }).fill('dental')
    await page.getByRole('button', { name: 'Acme Dental' }).click()
    await page.getByRole('table', { name: 'Usage by month' }).getByRole('row').nth(6).waitFor()
    await picture(page, 'installation-organization')
    await window.assertAccessible()
    await page.getByLabel('Calls at once').fill('3')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await acme.call('GET', 'organization')).body.limits.calls_at_once, 3)
    await page.getByLabel('Reason').fill('Unpaid invoice')
    await page.getByRole('button', { name: 'Suspend organization' }).click()
    await page.getByText('Reason: Unpaid invoice').waitFor()
    await untilStatus(() => acme.call('GET', 'contacts'), 403)
    await picture(page, 'installation-suspended')
    await window.assertAccessible()
    await page.getByRole('button', { name: 'Lift suspension' }).click()
    const question = page.getByRole('dialog', { name: 'Lift the suspension of Acme Dental?' })
    await question.getByRole('button', { name: 'Lift suspension' }).click()
    await page.getByRole('button', { name: 'Suspend organization' }).waitFor()
    await untilStatus(() => acme.call('GET', 'contacts'), 200)
    assert.deepEqual(await window.close(), [])
  })

  test('a suspension replaces every page by one, and ends when it is lifted', async () => {
    const acme = await organization({ name: 'Globex' })
    const window = await signIn(acme, '/contacts')
    const { page } = window
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    const decide = (verb: string, body?: object) =>
      operator.call('POST', `operator/organizations/${acme.id}/${verb}`, body)
    assert.equal((await decide('suspend', { reason: 'Unpaid invoice' })).status, 200)
    await untilStatus(() => acme.call('GET', 'contacts'), 403)
    const notice = page.getByRole('heading', { name: 'Organization suspended' })
    // The next request is refused; a refresh of the list may have been that request.
    await page.getByRole('link', { name: 'Tasks' }).or(notice).first().click()
    await notice.waitFor()
    await picture(page, 'suspended')
    await window.assertAccessible()
    await page.reload()
    await notice.waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await window.assertFits()
    await picture(page, 'suspended-phone-dark')
    assert.equal((await decide('lift')).status, 200)
    await untilStatus(() => acme.call('GET', 'contacts'), 200)
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('navigation', { name: 'Shortcuts' }).waitFor()
    await window.close()
  })

  test('actions of operators are listed with their names', async () => {
    const window = await signIn(asOperator, '/installation/actions')
    const { page } = window
    const row = page.getByRole('row', { name: /Suspension lifted.*Globex.*Olga Operator/ })
    await row.waitFor()
    await window.assertAccessible()
    await picture(page, 'operator-actions')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await window.assertFits()
    await picture(page, 'operator-actions-phone-dark')
    assert.deepEqual(await window.close(), [])
  })

  test('queues are shown, a failed job is retried, and a phone in the dark fits', async () => {
    await failedJob(app)
    const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }
    const window = await signIn(asOperator, '/installation/work', phone)
    const { page } = window
    await page
      .getByRole('row', { name: /^inbound webhooks/ })
      .getByText('0 running, 0 failed')
      .waitFor()
    await page.getByText('no answer').waitFor()
    await window.assertFits()
    await window.assertAccessible()
    await picture(page, 'installation-work-phone-dark')
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('No stuck jobs').waitFor()
    await page.goto(`${address}/installation`)
    await page.getByRole('button', { name: 'Operations' }).waitFor()
    await window.assertFits()
    await picture(page, 'installation-phone-dark')
    await page.getByRole('button', { name: 'Operations' }).click()
    await page.getByRole('button', { name: 'Suspend organization' }).waitFor()
    await picture(page, 'installation-organization-phone-dark')
    assert.deepEqual(await window.close(), [])
  })

  test('members who are not operators see neither the page nor its menu item, and a suspended one learns why', async () => {
    const acme = await organization({ name: 'Acme' })
    const window = await signIn(acme, '/settings')
    const { page } = window
    await page.goto(`${address}/installation`)
    await page.getByText('Page not found').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Installation' }).count(), 0)
    await operator.call('POST', `operator/organizations/${acme.id}/suspend`, { reason: 'Abuse' })
    await untilStatus(() => acme.call('GET', 'contacts'), 403)
    await page.goto(address)
    await page.getByRole('heading', { name: 'Organization suspended' }).waitFor()
    await picture(page, 'organization-suspended')
    await window.context.close()
  })
})
