import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sweepLinkClicksJob } from '../../../../server/features/campaigns/jobs.ts'
import { ok } from '../../../../server/testing/app.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('campaign replies, sending times and number health', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn } = await startBrowser()

  test('replies, local times and the health of the number are shown, on phones and in dark mode too', async () => {
    const own = await organization()
    const channel = (await own.call('GET', 'channels')).body.data[0]
    const created = await own.call('POST', 'templates', {
      channel_id: channel.id,
      name: 'check_up',
      language: 'en_US',
      category: 'MARKETING',
      components: [
        { type: 'BODY', text: 'Hello {{1}}, it is time for your check-up. Shall we book it?' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Yes, please' },
            { type: 'QUICK_REPLY', text: 'Not now' },
            { type: 'URL', text: 'See free appointments', url: 'https://example.com/appointments' },
          ],
        },
      ],
    })
    await until(async () => {
      const { body } = await own.call('GET', `templates/${created.body.id}`)
      return body.status === 'APPROVED' && body.platform_status === 'APPROVED'
    })
    const people = [
      ['Ines Moreau', '+14152000100'],
      ['Ada Lovelace', '+14152010100'],
      ['Tomás Ruiz', '+14152020100'],
    ]
    for (const [name, phone_number] of people) await own.call('POST', 'contacts', { name, phone_number })
    const { id } = ok(
      await own.call('POST', 'campaigns', {
        name: 'Autumn check-up',
        chat_phone_number_id: channel.id,
        message_template_id: created.body.id,
        sending_times: { quiet_hours: quietLater() },
      }),
      201,
    )
    await until(async () => (await own.call('GET', `campaigns/${id}`)).body.read_count === 3)
    await own.call('POST', 'simulator/messages', { from: people[0]?.[1], type: 'button', text: 'Yes, please' })
    await own.call('POST', 'simulator/messages', { from: people[1]?.[1], text: 'How long does it take?' })
    await until(async () => (await own.call('GET', `campaigns/${id}`)).body.replied_count === 2)
    await own.call('POST', `simulator/templates/${created.body.id}/events`, { event: 'click', count: 1204 })
    await app.database.inSystem(async (tx) => {
      await tx.run`update campaigns set link_clicks_due_at = now() - interval '1 second' where id = ${id}`
      await tx.enqueue(sweepLinkClicksJob, {})
    })
    await until(async () => (await own.call('GET', `campaigns/${id}/report`)).body.links_at !== null)
    await own.call('POST', `channels/${channel.id}/health`)
    const health = {
      quality_rating: 'YELLOW',
      messaging_limit: 'TIER_2K',
      restrictions: [{ type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION' }],
    }
    assert.equal((await own.call('POST', `simulator/channels/${channel.id}/health`, health)).status, 202)
    await until(async () => (await own.call('GET', `channels/${channel.id}`)).body.health.quality_rating === 'YELLOW')
    const ticket = (await own.call('GET', 'inbox/tickets?search=Ines')).body.inboxes[0]

    const report = await signIn(own, `/campaigns/${id}`)
    {
      const { page, assertAccessible, assertFits, onEachScreen } = report
      await onEachScreen(async (form) => {
        await page.locator('[data-figure="replied"]').getByText('2').waitFor()
        await page.getByRole('heading', { name: 'Button taps' }).waitFor()
        await page.getByText(/^Not between /).waitFor()
        await page.getByText('Tapped Yes, please').first().waitFor({ state: 'attached' })
        await assertAccessible()
        await assertFits()
        await picture(page, `campaign-replies-${form}`)
        await page.getByRole('heading', { name: 'Link clicks' }).scrollIntoViewIfNeeded()
        await page.getByText('1,204').waitFor()
        await picture(page, `campaign-links-${form}`)
      })
      await page.goto(new URL(`/inbox/${ticket.id}`, page.url()).href)
      const thread = page.locator('[data-message]')
      await onEachScreen(async (form) => {
        await thread.filter({ hasText: 'Shall we book it?' }).first().waitFor()
        assert.equal(await thread.count(), 2)
        await thread.nth(1).getByText('Yes, please').waitFor()
        await assertAccessible()
        await picture(page, `campaign-thread-${form}`)
      })
      await page.goto(new URL(`/settings/channels?channel=${channel.id}`, page.url()).href)
      await page.getByText('No phone numbers can be added').waitFor()
      await page.getByRole('button', { name: 'Check now' }).click()
      await onEachScreen(async (form) => {
        await page.getByText('2,000 people per 24 hours').waitFor()
        await page.getByText('No phone numbers can be added').waitFor()
        await page.getByText('Medium').waitFor()
        await assertAccessible()
        await picture(page, `channel-health-${form}`)
      })
      assert.deepEqual(await report.close(), [])
    }

    for (const [form, options] of screens) {
      const { page, assertAccessible, assertFits, close } = await signIn(own, '/campaigns/new', options)
      await page.getByLabel('Name').fill('Winter')
      const goOn = page.getByRole('button', { name: 'Continue' })
      await goOn.click()
      await page.getByRole('radio', { name: 'check_up' }).click()
      await goOn.click()
      await page.locator('[aria-current="step"]').getByText('Content').waitFor()
      await goOn.click()
      await page.getByText('Everyone gets the message at the same moment').waitFor()
      await page.getByLabel('Send at a local time').check()
      await page.getByLabel('Quiet hours').check()
      await page.getByText('Each recipient gets the message when it is 10:00 for them.').waitFor()
      await assertAccessible()
      await assertFits()
      await picture(page, `campaign-times-${form}`)
      // A warning that arrives late does not move the button under the pointer.
      await page.getByLabel(/^Local time/).focus()
      const heightOf = async () => Math.round((await goOn.boundingBox())?.y ?? Number.NaN)
      const before = await heightOf()
      await page.getByLabel(/^Local time/).fill('22:00')
      await page.getByText('22:00 is within the quiet hours').waitFor()
      assert.equal(await heightOf(), before)
      await goOn.click()
      await page.getByText('22:00 is within the quiet hours').waitFor()
      await page.getByRole('button', { name: 'Schedule' }).click()
      await page.getByLabel(/^Local time/).fill('10:00')
      await goOn.click()
      await page.getByText('At 10:00, not between 21:00 and 08:00').waitFor()
      await page.getByText(/The last message is sent/).waitFor()
      await page.getByRole('button', { name: 'Send to 3 people at 10:00 their time' }).waitFor()
      await assertAccessible()
      await picture(page, `campaign-times-review-${form}`)
      await close()
    }
  })
})

/** Quiet hours that are not now. */
function quietLater() {
  const hour = (ahead: number) => `${String((new Date().getUTCHours() + ahead) % 24).padStart(2, '0')}:00`
  return { from: hour(6), until: hour(12) }
}
