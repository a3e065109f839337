import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '../../../../server/testing/process.ts'
import { isLoaded, onePixel, picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('templates', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn } = await startBrowser()

  test('a template is created, corrected at its located errors, and approved by the simulator', async (t) => {
    const own = await organization()
    // The simulator reviews only when the test says so.
    t.after(() => app.control('DELETE', 'knobs'))
    await app.control('PATCH', 'knobs', { review: 'never' })
    const { page, assertAccessible, close } = await signIn(own, '/templates')
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
    await assertAccessible()
    await page.getByRole('link', { name: 'Create a template' }).click()
    await page.getByRole('link', { name: 'Carousel' }).waitFor()
    await assertAccessible()
    await picture(page, 'template-kinds')
    await page.getByRole('link', { name: 'Message', exact: true }).click()

    await page.getByLabel('Name').fill('Pickup Réady')
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByText('may hold lowercase letters (a to z), digits and underscores only').waitFor()
    await page.getByLabel('Name').fill('Pickup Ready')
    assert.equal(await page.getByLabel('Name').inputValue(), 'pickup_ready')
    const body = page.getByLabel('Body', { exact: true })
    await body.fill('Hello, *your parcel* is _ready_, ~not late~, code ```A7```.\nمرحبا ')
    await page.getByRole('button', { name: 'Add variable' }).last().click()
    await page.getByRole('menuitem', { name: '{{1}}' }).click()
    assert.match(await body.inputValue(), /مرحبا \{\{1\}\}$/)
    await page.getByLabel('{{1}} in the body').fill('Ines')
    await page.getByLabel('Footer').fill('Reply STOP to hear no more')
    await page.getByRole('button', { name: 'Add button' }).click()
    await page.getByRole('menuitem', { name: 'Website' }).click()
    await page.getByLabel('Label').fill('Show the way')

    // The preview.
    const phone = page.getByRole('figure', { name: 'Message preview' })
    assert.equal(await phone.locator('strong').innerText(), 'your parcel')
    assert.equal(await phone.locator('em').innerText(), 'ready')
    assert.equal(await phone.locator('s').innerText(), 'not late')
    assert.equal(await phone.locator('code').innerText(), 'A7')
    await phone.getByText('مرحبا Ines').waitFor()
    await phone.getByText('Show the way').waitFor()
    const time = await phone.getByText('10:24').boundingBox()
    assert.ok(time && time.height < 20, 'the time stays on one line')
    await assertAccessible()
    await picture(page, 'template-editor')

    // A button without a URL: the error appears at its field, which gets the focus.
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await page.locator('[aria-invalid="true"]:focus').waitFor()
    const address = page.getByLabel('URL')
    assert.equal(await address.getAttribute('aria-invalid'), 'true')
    await address.fill('https://example.com/way')

    // A response to an outdated form marks no field and does not move the focus.
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/templates/preflight', async (route) => {
      await answered
      await route.continue()
    })
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await body.press('End')
    await body.pressSequentially('{{1}}')
    answer()
    await page.getByText('You changed the form while it was being saved. Save it again.').waitFor()
    assert.equal(await body.getAttribute('aria-invalid'), null)
    assert.equal(await body.and(page.locator(':focus')).count(), 1)

    // WhatsApp would reject the variable at the end: the warning appears at the body, and nothing is created.
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByText('WhatsApp refuses a body that starts or ends with a variable').waitFor()
    assert.equal(await body.getAttribute('aria-invalid'), 'true')
    // All warnings of a field appear together.
    await page.getByText('WhatsApp refuses variables with nothing between them').waitFor()
    await page.getByRole('button', { name: 'Submit anyway' }).waitFor()
    assert.equal((await own.call('GET', 'templates')).body.total, 0)
    await body.fill('Hello {{1}}, *your parcel* is ready at our counter.')
    await page.getByRole('button', { name: 'Submit for review' }).click()

    await page.getByRole('heading', { level: 1, name: 'pickup_ready' }).waitFor()
    const { items } = (await own.call('GET', 'templates')).body
    assert.equal(items.length, 1)
    const [made] = items
    assert.deepEqual(made.components[0], {
      type: 'BODY',
      text: 'Hello {{1}}, *your parcel* is ready at our counter.',
      example: { body_text: [['Ines']] },
    })
    assert.deepEqual(made.components[2], {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Show the way', url: 'https://example.com/way' }],
    })
    await page.getByText('WhatsApp is reviewing it.').waitFor()
    // The URL of a button.
    await page.getByText('https://example.com/way').waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Ready to send.').waitFor()
    assert.equal((await own.call('GET', `templates/${made.id}`)).body.status, 'APPROVED')
    await assertAccessible()
    await picture(page, 'template')

    await page.getByRole('button', { name: 'Reject as' }).click()
    await page.getByText('It reads like advertising.').waitFor()
    await page.getByRole('link', { name: 'Edit and resubmit' }).click()
    await page.getByRole('heading', { name: 'New template' }).waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'pickup_ready_2')
    assert.equal(await page.getByLabel('{{1}} in the body').inputValue(), 'Ines')
    assert.deepEqual(await close(), ['422'])
  })

  test('an image template is built from a dropped file, sent to oneself, and shown in the inbox', async () => {
    const own = await organization()
    await own.call('POST', 'contacts', { phone_number: '+14155550100', name: 'Ada Lovelace' })
    const { page, assertAccessible, assertFits, close } = await signIn(own, '/templates/new?kind=message')
    await page.getByLabel('Name').fill('spring')
    await page.getByText('Image', { exact: true }).click()
    await page.getByLabel('Body', { exact: true }).fill('Hello {{1}}, our plants are here.')
    const file = page.locator('input[type=file]')
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByText('Upload an image for WhatsApp’s reviewers.').waitFor()
    await file.setInputFiles({ name: 'spring.gif', mimeType: 'image/gif', buffer: onePixel })
    await page.getByText('spring.gif is another type of file. Choose a JPEG or PNG, up to 5 MB.').waitFor()
    await file.setInputFiles({ name: 'spring.png', mimeType: 'image/png', buffer: Buffer.alloc(6 * 1024 * 1024) })
    await page.getByText('spring.png has 6 MB.').waitFor()
    // As a string, because this file is type-checked without DOM types.
    const dataTransfer = await page.evaluateHandle(`{
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob('${onePixel.toString('base64')}'), (each) => each.charCodeAt(0))
      transfer.items.add(new File([bytes], 'spring.png', { type: 'image/png' }))
      transfer
    }`)
    await page.dispatchEvent('.mantine-Dropzone-root', 'drop', { dataTransfer })
    await page.getByText('Uploaded. Drop another file to replace it.').waitFor()
    const phone = page.getByRole('figure', { name: 'Message preview' })
    await until(() => isLoaded(phone.getByRole('img', { name: 'Header' })))
    await assertAccessible()
    await assertFits()
    await page.getByRole('combobox', { name: 'Delivery window' }).click()
    await page.getByRole('option', { name: '12 hours' }).click()
    await picture(page, 'template-image')
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByText('Ready to send.').waitFor()
    const [made] = (await own.call('GET', 'templates')).body.items
    assert.match(made.components[0].example.header_handle[0], /^4::/)
    assert.equal(made.message_send_ttl_seconds, 43_200)
    await until(() => isLoaded(phone.getByRole('img', { name: 'Header' })))
    // Another browser, which did not upload the sample, shows it too.
    const other = await signIn(own, `/templates/${made.id}`)
    await until(() => isLoaded(other.page.getByRole('img', { name: 'Header' })))
    await other.page.getByText('12 hours').waitFor()
    assert.deepEqual(await other.close(), [])

    // The sample is sent; the name is missing.
    await page.getByRole('button', { name: 'Send to me' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Phone number').fill('+1 415 555 0100')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('Enter a value.').waitFor()
    await dialog.getByLabel('{{1}} in the body').fill('{{contact.first_name}}')
    await assertAccessible()
    await picture(page, 'template-send-to-me')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sent to +1 415 555 0100').waitFor()
    const [ticket] = (await own.call('GET', 'inbox/tickets')).body.inboxes
    assert.equal(ticket.last_message.preview, 'Hello Ada, our plants are here.')
    await page.goto(new URL(`/inbox/${ticket.id}`, page.url()).href)
    await until(() => isLoaded(page.getByRole('img', { name: 'Header' })))
    await assertAccessible()
    await picture(page, 'template-in-inbox')
    assert.deepEqual(await close(), [])
  })

  test('a carousel and a one-time password are created, approved and sent to oneself', async () => {
    const own = await organization()
    const { page, assertAccessible, assertFits, close } = await signIn(own, '/templates/new?kind=carousel')
    const phone = page.getByRole('figure', { name: 'Message preview' })
    const dialog = page.getByRole('dialog')
    await page.getByLabel('Name').fill('plants')
    await page.getByLabel('Body', { exact: true }).fill('New in our shop this week:')
    for (const [i, name] of ['Fern', 'Moss'].entries()) {
      const card = page.getByRole('region', { name: `Card ${i + 1}`, exact: true })
      await card.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: onePixel })
      await card.getByText('Uploaded. Drop another file to replace it.').waitFor()
      await card.getByLabel('Text', { exact: true }).fill(`${name} for everyone`)
      await card.getByLabel('Label').fill(`Buy ${name}`)
      if (i === 0) await card.getByLabel('URL').fill('https://example.com/fern')
    }
    await page.getByRole('button', { name: 'Submit for review' }).click()
    // The missing URL is marked on its card.
    const second = page.getByRole('region', { name: 'Card 2', exact: true })
    await second.getByLabel('URL').and(page.locator('[aria-invalid="true"]:focus')).waitFor()
    await second.getByLabel('URL').fill('https://example.com/moss')
    await phone.getByRole('region', { name: 'Carousel with 2 cards' }).getByText('Moss for everyone').waitFor()
    await assertAccessible()
    await assertFits()
    await picture(page, 'template-carousel-editor')
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByText('Ready to send.').waitFor()
    await page.getByRole('button', { name: 'Send to me' }).click()
    await dialog.getByLabel('Phone number').fill('+1 415 555 0100')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    // The number is no contact yet.
    await dialog.getByText('No contact has the number +14155550100').waitFor()
    await assertAccessible()
    await picture(page, 'template-send-to-stranger')
    await dialog.getByRole('button', { name: 'Add as contact and send' }).click()
    await page.getByText('Sent to +1 415 555 0100').waitFor()

    await page.goto(new URL('/templates/new', page.url()).href)
    await page.getByRole('link', { name: 'One-time password' }).click()
    await page.getByLabel('Name').fill('sign_in')
    await page.getByLabel('Zero-tap').check()
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByText('Zero-tap needs your consent to its terms.').waitFor()
    await page.getByLabel('Package name').fill('com.example.app')
    await page.getByLabel('Signing key hash').fill('short')
    await page.getByLabel('I accept WhatsApp’s terms').check()
    await page.getByLabel('Expires after').fill('5')
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByText('The signing key hash of an app has 11 characters').waitFor()
    await page.getByLabel('Signing key hash').fill('K8a/AINcGX7')
    await phone.getByText('This code expires in 5 minutes.').waitFor()
    await assertAccessible()
    await picture(page, 'template-code-editor')
    await page.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByText('Ready to send.').waitFor()
    await page.getByRole('button', { name: 'Send to me' }).click()
    await dialog.getByLabel('One-time password').fill('493021')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sent to +1 415 555 0100').waitFor()

    const [ticket] = (await own.call('GET', 'inbox/tickets')).body.inboxes
    const { messages } = (await own.call('GET', `inbox/messages/${ticket.id}`)).body
    const sent = messages.map(({ body }: { body: string }) => body)
    assert.equal(sent.length, 2)
    assert.ok(sent.some((text: string) => text.includes('Moss for everyone')))
    // The code itself is for the customer alone.
    assert.ok(
      sent.some((text: string) => text.includes('••••••') && !text.includes('493021')),
      sent.join('\n'),
    )

    // A duplicate starts with everything: also apps, consent apart.
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    assert.equal(await page.getByLabel('Package name').inputValue(), 'com.example.app')
    assert.equal(await page.getByLabel('Expires after').inputValue(), '5')
    assert.ok(await page.getByLabel('Zero-tap', { exact: true }).isChecked())
    assert.deepEqual(await close(), ['400', '422'])
  })

  test('each kind has its own fields', async () => {
    const viewport = { width: 390, height: 844 }
    const own = await organization()
    const { page, assertAccessible, assertFits, close } = await signIn(own, '/templates/new', { viewport })
    const fields: Record<string, string> = {
      'Limited-time offer': 'Count down to its end',
      'Coupon code': 'Sample code',
      Catalog: 'Label',
      Products: 'Header text',
      Form: 'Flow ID',
      'Call permission': 'Body',
    }
    for (const [kind, field] of Object.entries(fields)) {
      await page.getByRole('link', { name: kind, exact: true }).click()
      await page.getByLabel(field, { exact: true }).waitFor()
      await assertAccessible()
      await assertFits()
      await picture(page, `template-kind-${kind}`)
      await page.getByRole('link', { name: 'Choose another kind' }).click()
    }
    assert.deepEqual(await close(), [])
  })

  test('every kind of template has a preview', async () => {
    const own = await organization()
    const channel_id = (await own.call('GET', 'channels')).body.data[0].id
    const make = async (name: string, category: string, components: object[]) => {
      const { body } = await own.call('POST', 'templates', {
        channel_id,
        name,
        language: 'en_US',
        category,
        components,
      })
      return body.id
    }
    const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } }
    const body = { type: 'BODY', text: 'Hello {{1}}, look at these.' }
    const card = (name: string) => ({
      components: [
        header,
        { type: 'BODY', text: `The ${name}, now for {{1}} only.` },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Buy', url: `https://example.com/${name}` }] },
      ],
    })
    const carousel = await make('plants', 'MARKETING', [
      body,
      { type: 'CAROUSEL', cards: [card('fern'), card('moss')] },
    ])
    const offer = await make('offer', 'MARKETING', [
      header,
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Only today', has_expiration: true } },
      body,
      { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: 'SAVE25' }] },
    ])
    const code = await make('code', 'AUTHENTICATION', [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 5 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ])
    const { page, assertAccessible, assertFits, close } = await signIn(own, `/templates/${carousel}`)
    const phone = page.getByRole('figure', { name: 'Message preview' })
    await phone.getByRole('region', { name: 'Carousel with 2 cards' }).getByText('The moss, now for').waitFor()
    await assertAccessible()
    await assertFits()
    await picture(page, 'template-carousel')
    await page.goto(new URL(`/templates/${offer}`, page.url()).href)
    await phone.getByText('Only today').waitFor()
    await phone.getByText('Copy offer code').waitFor()
    await assertAccessible()
    await picture(page, 'template-offer')
    await page.goto(new URL(`/templates/${code}`, page.url()).href)
    await phone.getByText('is your verification code').waitFor()
    await phone.getByText('This code expires in 5 minutes.').waitFor()
    await picture(page, 'template-code')

    // A part that WhatsApp added later: it is named, and the template is not offered.
    const part = JSON.stringify([{ type: 'HOLOGRAM' }])
    await app.database.inSystem(
      (tx) => tx.run`update templates set components = components || ${part}::jsonb where id = ${code}`,
    )
    await page.reload()
    await page.getByText('Frontdesk cannot send it yet: it contains HOLOGRAM.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Send to me' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Use in a campaign' }).count(), 0)
    await assertAccessible()
    await picture(page, 'template-unsupported')
    await page.goto(new URL('/campaigns/new', page.url()).href)
    await page.getByLabel('Name').fill('Codes')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('radio', { name: 'plants' }).waitFor()
    assert.equal(await page.getByRole('radio', { name: 'code' }).count(), 0)
    assert.deepEqual(await close(), [])
  })

  test('without a live number the library asks to connect one', async () => {
    const { page, close } = await signIn(await organization(), '/templates/library')
    await page.getByRole('button', { name: 'Preview Order confirmation 1' }).waitFor()
    await page.getByText('Live', { exact: true }).click()
    await page.getByRole('heading', { name: 'Connect a chat number first' }).waitFor()
    await page.getByRole('link', { name: 'Go to channels' }).click()
    await page.getByRole('heading', { name: 'No channels yet' }).waitFor()
    assert.ok((await close()).every((refusal) => refusal === '409' || refusal === '400'))
  })

  test('a library template is added and found in the list; deleting names the consequences', async () => {
    const own = await organization()
    const { page, assertAccessible, assertFits, close } = await signIn(own, '/templates/library?search=shipment')
    await page.getByRole('button', { name: 'Preview Shipment confirmation 1' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Good news, Jim').waitFor()
    await dialog.getByLabel('Name').fill('parcel_on_its_way')
    await dialog.getByLabel(/^URL of/).fill('https://example.com/track')
    await assertAccessible()
    await dialog.getByRole('button', { name: /^Add in English/ }).click()
    await page.getByRole('heading', { level: 1, name: 'parcel_on_its_way' }).waitFor()
    await page.getByText('Ready to send.').waitFor()

    const channel = (await own.call('GET', 'channels')).body.data[0].id
    const make = (name: string, language: string, text: string) =>
      own.call('POST', 'templates', {
        channel_id: channel,
        name,
        language,
        category: 'UTILITY',
        components: [{ type: 'BODY', text }],
      })
    await make('mawid_reject_promotional', 'ar', 'مرحبا، موعدك في العيادة غدا صباحا.')
    await make('a_name_that_goes_on_and_on_as_programs_make_them_when_nobody_looks_at_them_2026', 'en_US', 'Hello.')
    await until(async () => (await own.call('GET', 'templates?status=PENDING')).body.total === 0)

    await page.getByRole('link', { name: 'Templates', exact: true }).first().click()
    await page.getByRole('link', { name: 'mawid_reject_promotional' }).waitFor()
    await assertAccessible()
    await picture(page, 'templates')
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('PARCEL')
    await page.getByText('1 of 1').waitFor()
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('')
    await page.getByText('3 of 3').waitFor()
    await page.goto(`${page.url().split('?')[0]}?language=ar&status=REJECTED`)
    await page.getByText('1 of 1').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(page.url().split('?')[0] as string)
    await page.getByText('3 of 3').waitFor()
    await assertFits()
    await picture(page, 'templates-phone')

    await page.getByRole('link', { name: 'parcel_on_its_way' }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await picture(page, 'template-phone')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('blocks its name for 30 days').waitFor()
    await page.getByRole('button', { name: 'Delete template' }).click()
    await page.getByText('Deleted parcel_on_its_way').waitFor()
    await page.getByText('2 of 2').waitFor()
    assert.equal((await own.call('GET', 'templates?search=parcel')).body.total, 0)
    await page.goto(`${page.url().split('?')[0]}/new`)
    await page.getByRole('link', { name: 'Carousel' }).waitFor()
    await assertFits()
    await picture(page, 'template-kinds-phone')
    await page.getByRole('link', { name: 'Message', exact: true }).click()
    await page.getByLabel('Name').waitFor()
    await assertFits()
    await picture(page, 'template-editor-phone')
    // Its page may have requested it once more during deletion.
    assert.ok((await close()).every((refusal) => refusal === '404'))
  })
})
