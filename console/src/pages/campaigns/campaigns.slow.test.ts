import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ok, type TestOrganization } from '../../../../server/testing/app.ts'
import { until } from '../../../../server/testing/process.ts'
import { isLoaded, onePixel, picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('campaigns', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser()
  let people = 0

  const contact = async (own: TestOrganization, ending: string, members: object = {}) => {
    const phone_number = `+1415${200 + ++people}${ending}`
    return ok(await own.call('POST', 'contacts', { phone_number, name: `Person ${people}`, ...members }), 201)
  }
  /** An organization with a channel and an approved template. */
  const campaigner = async (category = 'MARKETING') => {
    const own = await organization()
    await own.call('PATCH', 'organization', { time_zone: 'America/New_York' })
    const channel = (await own.call('GET', 'channels')).body.data[0]
    const created = await own.call('POST', 'templates', {
      channel_id: channel.id,
      name: 'spring_news',
      language: 'en_US',
      category,
      components: [{ type: 'BODY', text: 'Hello {{1}}, our practice in {{2}} is open *today*.' }],
    })
    await until(async () => {
      const { body } = await own.call('GET', `templates/${created.body.id}`)
      return body.status === 'APPROVED' && body.platform_status === 'APPROVED'
    })
    return { own, channel, templateId: created.body.id as string }
  }

  test('a campaign is created in the wizard and watched to completion', async () => {
    const { own } = await campaigner()
    for (let i = 0; i < 6; i++) await contact(own, '0100', { tags: ['patient'], custom_fields: { city: 'Oakland' } })
    await contact(own, '0102', { name: 'Unreachable Una', tags: ['patient'], custom_fields: { city: 'Bath' } })
    await contact(own, '0100', { name: '', tags: ['patient'] })
    const out = await contact(own, '0100', { tags: ['patient'] })
    await own.call('PATCH', `contacts/${out.id}`, { opted_out: true })
    await contact(own, '0100', { name: 'Not a patient' })

    const { page, assertAccessible, assertFits, close } = await signIn(own, '/campaigns')
    await page.getByRole('heading', { name: 'No campaigns yet' }).waitFor()
    await assertAccessible()
    await page.getByRole('link', { name: 'Create a campaign' }).click()
    const goOn = page.getByRole('button', { name: 'Continue' })
    const count = page.getByRole('complementary', { name: 'Message preview' })
    await count.getByText('10 people').waitFor()
    await goOn.click()
    await page.getByText('Enter a name.').waitFor()
    await page.getByLabel('Name').fill('Spring news')
    await page.getByLabel('By tags').check()
    await page.getByRole('combobox', { name: 'Tags' }).fill('patient')
    await page.keyboard.press('Enter')
    await count.getByText('9 people').waitFor()
    await assertAccessible()
    await picture(page, 'campaign-audience')
    await goOn.click()
    await page.getByRole('radio', { name: 'spring_news' }).click()

    // A reload keeps the draft.
    await page.reload()
    await page.getByRole('radio', { name: 'spring_news', checked: true }).waitFor()
    await assertAccessible()
    await goOn.click()
    await page.getByText('{{2}} in the body').waitFor()
    await goOn.click()
    await page.getByText('Choose a value for “{{2}} in the body”.').waitFor()
    await page.getByText('Contact field').nth(1).click()
    await page.getByRole('combobox', { name: 'Field' }).nth(1).click()
    await page.getByRole('option', { name: 'city' }).click()
    await page.getByText('1 contact has no value and would be skipped.').first().waitFor()
    await page.getByLabel('Fallback').first().fill('friend')
    await page.getByLabel('Fallback').nth(1).fill('your town')
    await count.getByText('8 people').waitFor()
    const phone = page.getByRole('figure')
    await page.getByRole('combobox', { name: 'Preview for' }).click()
    await page.getByRole('option', { name: 'Unreachable Una' }).click()
    await phone.getByText('Hello Unreachable Una, our practice in Bath is open today.').waitFor()
    await page.getByRole('button', { name: 'Previous contact' }).click()
    await phone.getByText('Hello friend, our practice in your town is open today.').waitFor()
    await assertAccessible()
    await picture(page, 'campaign-variables')
    await goOn.click()
    await page.getByText('Audience time').waitFor()
    await page.getByText(/ · America\/New_York$/).waitFor()
    await assertAccessible()
    await goOn.click()
    await page.getByText('1 person who opted out of marketing').waitFor()
    await assertAccessible()
    await picture(page, 'campaign-review')

    // Leaving asks first.
    await page.getByRole('link', { name: 'Campaigns' }).first().click()
    await page.getByRole('button', { name: 'Keep draft' }).click()
    await page.getByText('You have an unfinished campaign: “Spring news”.').waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Review' }).click()

    // The response is lost: pressing again sends once.
    await page.route('**/api/v1/campaigns', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Send to 8 people now' }).click()
    await page.getByText('Frontdesk cannot be reached.').waitFor()
    await page.unroute('**/api/v1/campaigns')
    await page.getByRole('button', { name: 'Send to 8 people now' }).click()
    await page.getByRole('heading', { level: 1, name: 'Spring news' }).waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    const figure = (name: string) => page.locator(`[data-figure="${name}"]`).innerText()
    await until(async () => (await figure('read')) === '7')
    const { data: all } = (await own.call('GET', 'campaigns')).body
    assert.equal(all.length, 1)
    const [campaign] = all
    assert.equal(campaign.status, 'completed')
    assert.deepEqual(
      {
        total_contacts_count: await figure('recipients'),
        sent_count: await figure('sent'),
        delivered_count: await figure('delivered'),
        read_count: await figure('read'),
      },
      {
        total_contacts_count: String(campaign.total_contacts_count),
        sent_count: String(campaign.sent_count),
        delivered_count: String(campaign.delivered_count),
        read_count: String(campaign.read_count),
      },
    )
    assert.deepEqual([campaign.total_contacts_count, campaign.failed_count, campaign.skipped_count], [9, 1, 1])
    assert.deepEqual(campaign.template_variables, {
      'body.1': '{{contact.name|friend}}',
      'body.2': '{{contact.custom_fields.city|your town}}',
    })

    // The reason of a failure and what to do.
    await page.getByRole('heading', { name: 'Failures' }).waitFor()
    await page.getByRole('link', { name: '1 failed' }).click()
    const row = page.getByRole('row', { name: 'Unreachable Una' })
    await row.getByText('The number cannot get the message').last().waitFor()
    await row.getByText('Check these numbers').last().waitFor()
    await page.getByText('1 of 1').waitFor()
    await page.getByText('Sends over time').waitFor()
    await assertAccessible()
    await picture(page, 'campaign')

    const download = async (name: string) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()])
      const chunks: Buffer[] = []
      for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
      return { name: file.suggestedFilename(), content: Buffer.concat(chunks) }
    }
    const pdf = await download('Report as PDF')
    assert.match(pdf.name, /^Spring news.*\.pdf$/)
    assert.equal(pdf.content.subarray(0, 5).toString(), '%PDF-')
    const csv = await download('Deliveries as CSV')
    assert.equal(csv.content.toString().trim().split('\r\n').length, 1 + 9)

    await page.setViewportSize({ width: 390, height: 844 })
    await assertFits()
    await picture(page, 'campaign-phone')
    // A duplicate starts with all settings of the original.
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'New campaign' }).waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Spring news (copy)')
    assert.ok(await page.getByLabel('By tags').isChecked())
    await assertFits()
    await picture(page, 'campaign-audience-phone')
    assert.deepEqual(await close(), ['net::ERR_FAILED'])
  })

  test('a campaign with a picture asks for the file, counts its recipients, and shows the picture', async () => {
    const own = await organization()
    const channel = (await own.call('GET', 'channels')).body.data[0]
    const { body: template } = await own.call('POST', 'templates', {
      channel_id: channel.id,
      name: 'plants',
      language: 'en_US',
      category: 'MARKETING',
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } },
        { type: 'BODY', text: 'Hello {{1}}, our plants are here.' },
      ],
    })
    await until(async () => (await own.call('GET', `templates/${template.id}`)).body.platform_status === 'APPROVED')
    for (let i = 0; i < 2; i++) await contact(own, '0100')
    const { page, assertAccessible, assertFits, close } = await signIn(own, `/campaigns/new?template=${template.id}`)
    const goOn = page.getByRole('button', { name: 'Continue' })
    const side = page.getByRole('complementary', { name: 'Message preview' })
    await page.getByLabel('Name').fill('Plants')
    await goOn.click()
    await page.getByRole('radio', { name: 'plants', checked: true }).waitFor()
    await goOn.click()
    // A missing file is no value that contacts lack.
    await page.getByText('Image in the header').waitFor()
    await side.getByText('2 people').waitFor()
    await goOn.click()
    await page.getByText('Add a file for “Image in the header”.').waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'plants.png', mimeType: 'image/png', buffer: onePixel })
    await page.getByText('Uploaded. Drop another file to replace it.').waitFor()
    const shown = page.getByRole('figure').getByRole('img', { name: 'Header' })
    await until(() => isLoaded(shown))
    await assertAccessible()
    await picture(page, 'campaign-picture')
    await goOn.click()
    await page.getByText('Audience time').waitFor()
    await goOn.click()
    await until(() => isLoaded(shown))
    await picture(page, 'campaign-picture-review')
    await page.getByRole('button', { name: 'Send to me' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Phone number').fill('+1 415 555 0190')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByRole('button', { name: 'Add as contact and send' }).click()
    // The new contact has no name for the message.
    await dialog.getByLabel('{{1}} in the body').fill('Ada')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sent to +1 415 555 0190').waitFor()
    await page.getByRole('button', { name: /^Send to [23] people now$/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Plants' }).waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    await until(() => isLoaded(shown))
    await assertAccessible()
    await page.setViewportSize({ width: 390, height: 844 })
    await assertFits()
    assert.deepEqual(await close(), ['400', '422'])
  })

  test('a delivery that waits for the end of quiet hours says when it goes out', async () => {
    const { own, channel, templateId } = await campaigner('UTILITY')
    await contact(own, '0100', { time_zone: 'UTC' })
    const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    const { body: campaign } = await own.call('POST', 'campaigns', {
      name: 'Quiet',
      chat_phone_number_id: channel.id,
      message_template_id: templateId,
      template_variables: { 2: 'Bath' },
      sending_times: { quiet_hours: { from: clock(-2), until: clock(3) } },
    })
    const { page, close } = await signIn(own, `/campaigns/${campaign.id}`)
    await page
      .getByText(/^Waits for the end of their quiet hours \(UTC\): in \d hours/)
      .last()
      .waitFor()
    await picture(page, 'campaign-waiting')
    assert.deepEqual(await close(), [])
  })

  test('sending is paused, resumed and cancelled, with the consequences named', async () => {
    const { own, channel, templateId } = await campaigner('UTILITY')
    await own.call('PATCH', `channels/${channel.id}`, { messages_per_second: 1 })
    await contact(own, '0100', { tags: ['veteran'] })
    for (let i = 0; i < 100; i++) await contact(own, '0100')
    const { page, close } = await signIn(own, '/campaigns')
    const { body: campaign } = await own.call('POST', 'campaigns', {
      name: 'Slowly',
      chat_phone_number_id: channel.id,
      message_template_id: templateId,
      template_variables: { 2: 'Bath' },
    })
    const see = async () => (await own.call('GET', `campaigns/${campaign.id}`)).body
    // It appears live.
    await page.getByRole('link', { name: 'Slowly' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused. Resume to keep sending.').waitFor()
    const paused = await see()
    assert.equal(paused.status, 'paused')
    await page.getByRole('button', { name: /^Resume sending to \d+ (people|person)$/ }).click()
    await page.locator('#content').getByText('Sending', { exact: true }).first().waitFor()
    assert.equal((await see()).status, 'sending')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Cancel campaign' }).click()
    await page.getByText('will not receive it').waitFor()
    await page.getByRole('button', { name: /^Cancel the remaining \d+$/ }).click()
    await page.getByText('Cancelled', { exact: true }).waitFor()
    assert.equal((await see()).status, 'cancelled')
    // A message that was being sent may still be counted as sent.
    await until(async () => {
      const { pending_count, sending_count } = await see()
      return page.getByText(`${pending_count + sending_count} not sent`).isVisible()
    })

    // The end of a campaign is announced on other pages.
    await page.getByRole('link', { name: 'Campaigns' }).first().click()
    const [first] = (await own.call('GET', 'contacts?limit=1')).body.data
    await own.call('POST', 'campaigns', {
      name: 'Quickly',
      chat_phone_number_id: channel.id,
      message_template_id: templateId,
      audience_type: 'manual',
      audience_contact_ids: [first.id],
      template_variables: { 2: 'Bath' },
    })
    const ended = page.getByRole('alert').filter({ hasText: '“Quickly” completed: 1 sent' })
    await ended.getByRole('button', { name: 'View' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Quickly' }).waitFor()

    // A tag is suggested however rarely it is used.
    await page.goto(new URL('/campaigns/new', page.url()).href)
    await page.getByLabel('By tags').check()
    await page.getByRole('combobox', { name: 'Tags' }).fill('vet')
    await page.getByRole('option', { name: 'veteran' }).click()
    await page.getByText('1 person', { exact: true }).waitFor()

    // A deleted template has to be chosen again.
    await page.getByLabel('Name').fill('For veterans')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('radio', { name: 'spring_news' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('{{2}} in the body').waitFor()
    assert.equal((await own.call('DELETE', `templates/${templateId}`)).status, 200)
    await page.reload()
    await page.getByText('No approved templates yet').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The chosen template no longer exists').waitFor()
    // The template is missing, and the audience cannot be counted for it.
    assert.ok((await close()).every((refusal) => ['400', '404'].includes(refusal)))
  })

  test('a scheduled campaign is edited, then deleted', async () => {
    const { own, channel, templateId } = await campaigner('UTILITY')
    for (let i = 0; i < 3; i++) await contact(own, '0100')
    const { body: campaign } = await own.call('POST', 'campaigns', {
      name: 'For later',
      chat_phone_number_id: channel.id,
      message_template_id: templateId,
      template_variables: { 2: 'Bath' },
      scheduled_at: '2035-03-01T09:00:00Z',
    })
    const { page, assertAccessible, close } = await signIn(own, `/campaigns/${campaign.id}`, {
      timezoneId: 'Europe/Berlin',
    })
    await page.getByText(/Sending starts Thu,? 1 Mar 2035, 10:00/).waitFor()
    await assertAccessible()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('For much later')
    await page.getByRole('button', { name: 'Schedule' }).click()
    await page.getByLabel('Date and time').fill('2036-03-01T09:00')
    await page.getByText(/Sat,? 1 Mar 2036, 09:00 · Europe\/Berlin/).waitFor()
    await page.getByText(/Sat,? 1 Mar 2036, 03:00 · America\/New_York/).waitFor()
    await page.getByText('Night time for your audience').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Save for 3 people' }).click()
    await page.getByRole('heading', { level: 1, name: 'For much later' }).waitFor()
    const changed = (await own.call('GET', `campaigns/${campaign.id}`)).body
    assert.deepEqual([changed.name, changed.scheduled_at], ['For much later', '2036-03-01T08:00:00.000Z'])
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('It will not be sent. You cannot undo this.').waitFor()
    await page.getByRole('button', { name: 'Delete campaign' }).click()
    await page.getByRole('heading', { name: 'No campaigns yet' }).waitFor()
    assert.equal((await own.call('GET', `campaigns/${campaign.id}`)).status, 404)
    // Its page may have requested it once more during deletion.
    assert.ok((await close()).every((refusal) => refusal === '404'))
  })
})
