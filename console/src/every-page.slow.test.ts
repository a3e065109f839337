import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { demoRecords } from '../../server/testing/demo-records.ts'
import { skip, startBrowser } from '../testing/browser.ts'

const errors = /Could not load this|Page not found|Something went wrong/

/** Walks through each page are in the `*.slow.test.ts` beside it. */
suite('every page', { skip }, async () => {
  if (skip) return
  const { address, app, signIn } = await startBrowser({ app: { settings: { OUTBOUND_ALLOW: ['127.0.0.1'] } } })

  test('every page of the console loads with its records and without an error', async () => {
    const org = await demoRecords(app)
    const { ids } = org
    const pages = [
      '/',
      '/inbox',
      `/inbox/${ids.inbox_id}`,
      '/contacts',
      '/contacts/import',
      `/contacts/${ids.contact_id}`,
      '/tasks',
      '/templates',
      '/templates/new',
      '/templates/library',
      `/templates/${ids.template_id}`,
      '/campaigns',
      '/campaigns/new',
      `/campaigns/${ids.campaign_id}`,
      '/agents',
      '/agents/new',
      `/agents/${ids.agent_id}`,
      '/calls',
      `/calls/${ids.call_id}`,
      '/knowledge',
      `/knowledge/${ids.document_id}`,
      '/knowledge/websites',
      '/knowledge/faqs',
      '/knowledge/collections',
      `/knowledge/collections/${ids.collection_id}`,
      '/knowledge/gaps',
      '/knowledge/feedback',
      '/reports',
      '/reports/calls',
      '/reports/campaigns',
      '/developers',
      `/developers/webhooks/${ids.webhook_id}`,
      '/settings',
      '/settings/roles',
      '/settings/hours',
      '/settings/teams',
      '/settings/assignment',
      '/settings/sla',
      '/settings/privacy',
      '/settings/audit',
      '/settings/notifications',
      '/installation',
      '/installation/work',
      '/installation/actions',
    ]
    const { page, assertFits, close } = await signIn({ ...org, ownerId: org.owner.id })
    for (const path of pages) {
      assert.doesNotMatch(path, /undefined/)
      await page.goto(address + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      assert.equal(await page.getByText(errors).count(), 0, path)
      await assertFits()
    }
    assert.deepEqual(await close(), [])
  })
})
