import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { untilStatus } from '../../../../server/testing/people.ts'
import { until } from '../../../../server/testing/process.ts'
import { receiver, seeDeliveries, verify } from '../../../../server/testing/webhook-receivers.ts'
import { picture, skip, startBrowser, type Window } from '../../../testing/browser.ts'

const phone = { viewport: { width: 390, height: 844 } }

/** Reads the shown secret, confirms that it is stored and closes the dialog. */
async function takeSecret({ page }: Window): Promise<string> {
  const secret = (await page.locator('[data-secret]').textContent()) ?? ''
  assert.equal(await page.getByRole('button', { name: 'Done' }).isDisabled(), true)
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('[data-secret]').textContent(), secret, 'it does not go away by a slip')
  await page.getByLabel('I have stored it').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.locator('[data-secret]').waitFor({ state: 'detached' })
  return secret
}

suite('developers', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn } = await startBrowser({
    // Failed deliveries are retried by hand only.
    app: { settings: { OUTBOUND_ALLOW: ['127.0.0.1'], WEBHOOK_RETRY_SECONDS: ['3600'] } },
  })

  test('a key is created with selected scopes, used, rolled and revoked', async () => {
    const acme = await organization({ name: 'Acme' })
    const window = await signIn(acme, '/developers')
    const { page } = window
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Website')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Choose at least one permission').waitFor()
    await page.getByRole('checkbox', { name: /View contacts, timelines/ }).check()
    await window.assertAccessible()
    await picture(page, 'developers-new-key')
    await page.getByRole('button', { name: 'Create key' }).click()
    const secret = await takeSecret(window)
    assert.match(secret, /^svc_sk_test_\w{32,}/)
    const old = app.as(secret)
    assert.equal((await old('GET', 'contacts')).status, 200)
    assert.equal((await old('GET', 'inbox/tickets')).status, 403)
    assert.equal((await old('GET', 'me')).body.key.name, 'Website')

    const row = page.getByRole('row').filter({ hasText: 'Website' })
    await row.getByText('Contacts and tasks (read)').waitFor()
    await picture(page, 'developers-keys')
    await window.assertAccessible()
    await row.getByRole('button', { name: 'Actions for the key Website' }).click()
    await page.getByRole('menuitem', { name: /^Roll/ }).click()
    await page.getByRole('combobox', { name: 'Previous secret' }).click()
    await page.getByRole('option', { name: /Stops immediately/ }).click()
    await page.getByRole('button', { name: 'Roll key' }).click()
    const next = await takeSecret(window)
    assert.notEqual(next, secret)
    await untilStatus(() => old('GET', 'contacts'), 401)
    assert.equal((await app.as(next)('GET', 'contacts')).status, 200)

    // The list may still show the previous key.
    const rolled = row.filter({ hasText: next.slice(-4) })
    await rolled.getByRole('button', { name: 'Actions for the key Website' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await row.waitFor({ state: 'detached' })
    await untilStatus(() => app.as(next)('GET', 'contacts'), 401)
    await page.getByText('All', { exact: true }).click()
    await row.getByText('Revoked').first().waitFor()
    assert.match(page.url(), /show=all/)
    // The API rejected the key without scopes.
    assert.deepEqual(await window.close(), ['422'])
  })

  test('a webhook is created, tested, fails, is retried, disabled, recovered and disabled automatically', async () => {
    const acme = await organization()
    const endpoint = await receiver()
    const window = await signIn(acme, '/developers/webhooks')
    const { page } = window
    await page.getByText('No webhooks yet').waitFor()
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    await page.getByRole('textbox', { name: 'Endpoint URL' }).fill('nonsense')
    await page.getByRole('textbox', { name: 'Description' }).fill('CRM sync')
    await page.getByRole('radio', { name: 'Selected events' }).check()
    await page.getByRole('checkbox', { name: 'All contacts events' }).check()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText('Not a URL').waitFor()
    await page.getByRole('textbox', { name: 'Endpoint URL' }).fill(`${endpoint.url}/hooks`)
    await window.assertAccessible()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const secret = await takeSecret(window)
    await page.getByRole('heading', { name: 'CRM sync' }).waitFor()
    const [webhook] = (await acme.call('GET', 'webhooks')).body.data
    assert.deepEqual([webhook.events, webhook.url], [['contact.*'], `${endpoint.url}/hooks`])

    const row = (type: string) => page.getByRole('row').filter({ hasText: type }).first()
    await page.getByRole('button', { name: 'Send test event' }).click()
    await row('ping').getByText('Delivered').waitFor()
    const [ping] = endpoint.received
    assert.ok(ping)
    verify(secret, ping)

    endpoint.answer = (response) => response.writeHead(500).end('{"error":"the table is locked"}')
    const contact = (await acme.call('POST', 'contacts', { phone_number: '+14155550123', name: 'Ada' })).body
    await row('contact.created').getByText('Retrying').waitFor()
    await row('contact.created').click()
    await page.getByRole('region', { name: 'Response 500' }).getByText('the table is locked').waitFor()
    await page.getByRole('region', { name: 'Request body' }).getByText(contact.id).waitFor()
    await page.getByText('This endpoint is failing').waitFor()
    await picture(page, 'developers-webhook')
    await window.assertAccessible()
    endpoint.answer = (response) => response.end('ok')
    await page.getByRole('button', { name: 'Retry now' }).click()
    await row('contact.created').getByText('Delivered').waitFor()
    await page.getByText('Earlier attempts').waitFor()
    const got = endpoint.received.filter(({ event }) => event.type === 'contact.created')
    assert.deepEqual([got.length, got[1]?.event.data.object.id], [2, contact.id])
    await row('contact.created').click()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled by a member').waitFor()
    await acme.call('DELETE', `contacts/${contact.id}`)
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await page.getByText('Disabled by a member').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Recover missed events' }).click()
    await page.getByRole('button', { name: 'Recover', exact: true }).click()
    await page.getByText('Resending 1 event').waitFor()
    await row('contact.deleted').getByText('Delivered').waitFor()

    await page.getByText('Failed', { exact: true }).click()
    await page.getByText('No matching deliveries').waitFor()
    assert.match(page.url(), /status=failed/)

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Rotate secret' }).click()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    const newSecret = await takeSecret(window)
    await page.getByText('The previous secret also works').waitFor()
    assert.notEqual(newSecret, secret)

    endpoint.answer = (response) => response.writeHead(410).end()
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText('responded with 410 Gone').waitFor()
    const last = endpoint.received.at(-1)
    assert.ok(last)
    verify(newSecret, last)
    verify(secret, last)
    assert.ok((await seeDeliveries(acme.call, webhook.id)).length >= 4)

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByText('No webhooks yet').waitFor()
    assert.equal((await acme.call('GET', `webhooks/${webhook.id}`)).status, 404)
    assert.deepEqual(await window.close(), ['422'])
  })

  test('events appear live, are held back while one is read, and are filtered by the address', async () => {
    const acme = await organization()
    const window = await signIn(acme, '/developers/events?type=contact.*')
    const { page } = window
    await page.getByText('No matching events').waitFor()
    const ada = (await acme.call('POST', 'contacts', { phone_number: '+14155550124', name: 'Ada Lovelace' })).body
    const row = page.getByRole('row').filter({ hasText: 'Contact created' })
    await row.locator('bdi').getByText('Ada Lovelace').waitFor()
    await row.getByRole('button', { name: 'Body of contact.created' }).click()
    await page.getByRole('region', { name: 'Body' }).getByText(ada.id).waitFor()
    await acme.call('POST', 'contacts', { phone_number: '+14155550125', name: 'Grace Hopper' })
    await page.getByRole('button', { name: 'Show 1 new event' }).waitFor()
    assert.equal(await page.getByText('Grace Hopper').count(), 0)
    await picture(page, 'developers-events')
    await window.assertAccessible()
    await page.getByRole('button', { name: 'Show 1 new event' }).click()
    await page.locator('bdi').getByText('Grace Hopper').waitFor()
    await acme.call('POST', 'crm/tasks', { contact_id: ada.id, title: 'Call back' })
    await until(async () => (await acme.call('GET', 'events?type=task.*')).body.total_count === 1)
    await page.goto(page.url().replace(/\?.*/, '?type=task.created'))
    await page.locator('bdi').getByText('Call back').waitFor()
    assert.equal(await page.getByText('Ada Lovelace').count(), 0)
    assert.deepEqual(await window.close(), [])
  })

  test('on a phone the quick start shows the organization’s IDs, and every tab fits', async () => {
    const acme = await organization()
    const contact = (await acme.call('POST', 'contacts', { phone_number: '+14155550126', name: 'Zoë' })).body
    const window = await signIn(acme, '/developers/start', phone)
    const { page } = window
    const { origin } = new URL(page.url())
    await page.getByText(`curl '${origin}/api/v1/contacts/${contact.id}'`).waitFor()
    await page.getByText('TypeScript', { exact: true }).first().click()
    await page.getByText(`await frontdesk.contacts.get('${contact.id}')`).waitFor()
    await window.assertFits()
    await window.assertAccessible()
    await picture(page, 'developers-start-phone')
    for (const [tab, words] of [
      ['API keys', 'New key'],
      ['Webhooks', 'No webhooks yet'],
      ['Events', 'contact.created'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByText(words).first().waitFor()
      await window.assertFits()
      await window.assertAccessible()
    }
    assert.deepEqual(await window.close(), [])
  })
})
