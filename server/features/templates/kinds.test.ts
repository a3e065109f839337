import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import Type from 'typebox'
import { ok, sharedTestApp } from '../../testing/app.ts'
import { campaigner } from '../../testing/campaigns.ts'
import { connectOwner } from '../../testing/connect-owner.ts'
import { until } from '../../testing/process.ts'

const app = await sharedTestApp()
await app.listen()
const acme = await campaigner(app)
const { call } = acme

const picture = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::sample'] } }
const hello = { type: 'BODY', text: 'Hello {{1}}, look at these.' }
const button = (type: string, members: object = {}) => ({ type, text: 'Open', ...members })
const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list })
const otp = (members: object) => [
  { type: 'BODY', add_security_recommendation: true },
  { type: 'FOOTER', code_expiration_minutes: 5 },
  buttons({ type: 'OTP', ...members }),
]
const apps = { supported_apps: [{ package_name: 'com.example.app', signature_hash: 'K8a/AINcGX7' }] }
const card = (name: string) => ({
  components: [
    picture,
    { type: 'BODY', text: `The ${name}, now for {{1}} only.` },
    buttons(
      { type: 'QUICK_REPLY', text: 'More' },
      { type: 'URL', text: 'Buy', url: `https://example.com/${name}?by={{1}}` },
    ),
  ],
})
const link = 'https://example.com/a.png'
const cards = (from: number) => ({ [`card.${from}.header`]: link, [`card.${from}.body.1`]: `$${from + 5}` })

interface Kind {
  category?: string
  components: object[]
  values: Record<string, string>
  /** Part of the text in the thread. */
  text: RegExp
  /** What is wrong without any values; undefined if nothing is. */
  missing?: string[]
  /** A value that cannot be sent, by its key. */
  bad?: [key: string, value: string]
}

const kinds: Record<string, Kind> = {
  'copy code': {
    category: 'AUTHENTICATION',
    components: otp({ otp_type: 'COPY_CODE' }),
    values: { '1': '493021' },
    text: /^\*?••••••\*? is your verification code\. For your security/,
    missing: ['1'],
    bad: ['1', '4930214930214930'],
  },
  'one tap': {
    category: 'AUTHENTICATION',
    components: otp({ otp_type: 'ONE_TAP', ...apps }),
    values: { '1': '493022' },
    text: /••••••/,
    missing: ['1'],
  },
  'zero tap': {
    category: 'AUTHENTICATION',
    components: otp({ otp_type: 'ZERO_TAP', zero_tap_terms_accepted: true, ...apps }),
    values: { '1': '493023' },
    text: /••••••/,
    missing: ['1'],
  },
  carousel: {
    components: [hello, { type: 'CAROUSEL', cards: [card('fern'), card('moss')] }],
    values: {
      ...cards(0),
      ...cards(1),
      'card.0.button.1.1': 'a',
      'card.1.button.1.1': 'b',
      'card.0.button.0.payload': 'more',
    },
    text: /The fern, now for \$5 only\.\n\nThe moss, now for \$6/,
    missing: ['card.0.header', 'card.1.header'],
    bad: ['card.1.header', 'no file'],
  },
  'limited-time offer': {
    components: [
      picture,
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Only today', has_expiration: true } },
      hello,
      buttons({ type: 'COPY_CODE' }, button('URL', { url: 'https://example.com/{{1}}' })),
    ],
    values: {
      header: link,
      'limited_time_offer.expires_at': '2027-01-31T18:00:00Z',
      'button.0.1': 'SAVE25',
      'button.1.1': 'ada',
    },
    text: /^Only today\n\nHello Ada/,
    missing: ['button.0.1', 'header', 'limited_time_offer.expires_at'],
    bad: ['limited_time_offer.expires_at', 'soon'],
  },
  'coupon code': {
    components: [hello, buttons({ type: 'COPY_CODE', example: 'SAVE10' })],
    values: { 'button.0.1': 'SAVE{{contact.custom_fields.percent|25}}' },
    text: /^Hello Ada/,
    missing: ['button.0.1'],
    bad: ['button.0.1', 'A'.repeat(16)],
  },
  location: {
    category: 'UTILITY',
    components: [{ type: 'HEADER', format: 'LOCATION' }, hello],
    values: {
      'header.latitude': '52.5',
      'header.longitude': '13.4',
      'header.name': 'Shop',
      'header.address': 'Main St 1',
    },
    text: /^Hello Ada/,
    missing: ['header.latitude', 'header.longitude'],
    bad: ['header.latitude', '91'],
  },
  flow: {
    category: 'UTILITY',
    components: [hello, buttons(button('FLOW', { flow_id: '1197715005513101' }))],
    values: { 'button.0.flow_token': 'session-1', 'button.0.flow_data': '{"screen":"START"}' },
    text: /^Hello Ada/,
    bad: ['button.0.flow_data', 'START'],
  },
  catalog: {
    components: [hello, buttons(button('CATALOG'))],
    values: { 'button.0.thumbnail': 'sku1' },
    text: /^Hello Ada/,
  },
  'multi product': {
    components: [{ type: 'HEADER', text: 'For you' }, hello, buttons(button('MPM'))],
    values: { 'button.0.products': 'Ferns: sku1, sku2; Mosses: sku3' },
    text: /^For you\n\nHello Ada/,
    missing: ['button.0.products'],
    bad: ['button.0.products', 'Ferns: ; Mosses: sku3'],
  },
  'call permission request': {
    category: 'UTILITY',
    components: [hello, { type: 'CALL_PERMISSION_REQUEST' }],
    values: {},
    text: /^Hello Ada/,
  },
}

for (const [kind, { category = 'MARKETING', components, values, text, missing = [], bad }] of Object.entries(kinds))
  test(`a template of the kind ${kind} is created, approved, read back, sent and broadcast`, async () => {
    const draft = {
      channel_id: acme.channelId,
      name: `preflight_${kind.replaceAll(/\W/g, '_')}`,
      language: 'en_US',
      category,
    }
    assert.deepEqual(ok(await call('POST', 'templates/preflight', { ...draft, components })).warnings, [])
    const template_id = await acme.template({ category, components })
    ok(await call('POST', 'templates/sync', {}))

    const [contact_id = ''] = await acme.contacts(1, { name: 'Ada Lovelace', first_name: 'Ada' })
    const { id: ticketId } = ok(await call('POST', 'inbox/tickets', { contact_id }), 201)
    const send = (template_variables: object) =>
      call('POST', `inbox/messages/${ticketId}`, { template_id, template_variables })
    const named = { ...values, ...(kind in { 'copy code': 1, 'one tap': 1, 'zero tap': 1 } ? {} : { 'body.1': 'Ada' }) }
    const sent = ok(await send(named), 201)
    assert.match(sent.body, text)

    if (missing.length > 0) {
      const { status, body } = await send({})
      assert.equal(status, 422)
      assert.deepEqual(body.detail.map(({ loc }: { loc: string[] }) => loc[2]).sort(), missing)
    }
    const campaign = { name: kind, chat_phone_number_id: acme.channelId, message_template_id: template_id }
    const audience = { audience_type: 'manual', audience_contact_ids: [contact_id] }
    if (bad) {
      const [key, value] = bad
      for (const answer of [
        await send({ ...named, [key]: value }),
        await call('POST', 'campaigns/preflight', {
          ...campaign,
          ...audience,
          template_variables: { ...named, [key]: value },
        }),
      ])
        assert.deepEqual(
          [answer.status, answer.body.detail.map(({ loc }: { loc: string[] }) => loc)],
          [422, [['body', 'template_variables', key]]],
        )
    }
    const { id } = await acme.send([contact_id], { message_template_id: template_id, template_variables: named })
    const done = await acme.until(id, ({ status }) => status === 'completed')
    const [delivery] = await acme.deliveries(id)
    assert.equal(done.sent_count, 1, JSON.stringify(delivery))
  })

test('a customer answers a call permission request in test mode', async () => {
  const template_id = await acme.template({
    category: 'UTILITY',
    components: [hello, { type: 'CALL_PERMISSION_REQUEST' }],
  })
  const [contact_id = ''] = await acme.contacts(1, { name: 'Ada' })
  const { phone_number: from } = ok(await call('GET', `contacts/${contact_id}`))
  const { id: ticketId } = ok(await call('POST', 'inbox/tickets', { contact_id }), 201)
  const sent = ok(await call('POST', `inbox/messages/${ticketId}`, { template_id }), 201)
  assert.equal(sent.payload.template.asks_to_call, true)
  const tap = async (text?: string) => {
    const tapped = { channel_id: acme.channelId, from, type: 'interactive', ...(text && { text }) }
    const { chat_message_id } = ok(await call('POST', 'simulator/messages', tapped), 202)
    let answer: { body: string; context_message_id: string; payload: { interactive: object } } | undefined
    await until(async () => {
      const { messages } = ok(await call('GET', `inbox/messages/${ticketId}`))
      answer = messages.find((each: { chat_message_id: string }) => each.chat_message_id === chat_message_id)
      return answer !== undefined
    })
    return answer
  }
  const allowed = await tap()
  assert.deepEqual([allowed?.body, allowed?.context_message_id], ['Calls allowed', sent.chat_message_id])
  const declined = await tap('Decline calls')
  assert.deepEqual([declined?.body, declined?.context_message_id], ['Calls declined', sent.chat_message_id])
  assert.deepEqual(declined?.payload.interactive, {
    type: 'call_permission_reply',
    call_permission_reply: { response: 'reject', response_source: 'user_action' },
  })
})

test('a template with an unknown part is kept whole, and refused before it is sent', async () => {
  const components = [
    hello,
    { type: 'BUTTONS', buttons: [{ type: 'SPM', text: 'View' }] },
    { type: 'SIDEBAR', rows: [1] },
  ]
  const template_id = await acme.template()
  await app.database.inTenant(
    acme.scope,
    (tx) => tx.run`update templates set components = ${JSON.stringify(components)}::jsonb where id = ${template_id}`,
  )
  assert.deepEqual(ok(await call('GET', `templates/${template_id}`)).components, components)
  const [contact_id] = await acme.contacts(1)
  const { id } = ok(await call('POST', 'inbox/tickets', { contact_id }), 201)
  const campaign = { name: 'x', chat_phone_number_id: acme.channelId, message_template_id: template_id }
  for (const answer of [
    await call('POST', `inbox/messages/${id}`, { template_id }),
    await call('POST', 'campaigns/preflight', campaign),
    await call('POST', 'campaigns', campaign),
  ]) {
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.body.detail, /cannot be sent yet: Frontdesk does not support the button SPM/)
  }
})

test('values call contacts by their first name, or by the first word of their name', async () => {
  const ids = [
    ...(await acme.contacts(1, { name: 'Ada Lovelace' })),
    ...(await acme.contacts(1, { name: 'Dr. Grace Hopper', first_name: ' Grace ' })),
    ...(await acme.contacts(1, { name: '' })),
  ]
  const { id } = await acme.send(ids, { template_variables: { '1': '{{contact.first_name|there}}' } })
  await acme.until(id, ({ status }) => status === 'completed')
  const names = (await acme.deliveries(id)).map(({ variables }) => variables['1']).sort()
  assert.deepEqual(names, ['Ada', 'Grace', 'there'])
  const [, grace] = ids
  assert.equal(ok(await call('GET', `contacts/${grace}`)).first_name, 'Grace')
  assert.equal(ok(await call('PATCH', `contacts/${grace}`, { first_name: null })).first_name, null)
  const { id: ticketId } = ok(await call('POST', 'inbox/tickets', { contact_id: grace }), 201)
  const sent = ok(
    await call('POST', `inbox/messages/${ticketId}`, {
      template_id: acme.templateId,
      template_variables: { '1': '{{contact.first_name}}' },
    }),
    201,
  )
  assert.equal(sent.body, 'Hello Dr., we are open today.')
  await until(async () => ok(await call('GET', `inbox/messages/${ticketId}`)).messages[0].status === 'read')
})

test('one-time codes reach the platform, and are hidden everywhere else', async () => {
  // Letters that no id has: digits alone may be found in one.
  const secret = 'QX805174'
  const message_template_id = await acme.template({
    category: 'AUTHENTICATION',
    components: otp({ otp_type: 'COPY_CODE' }),
  })
  const [contact_id = '', refused = ''] = await acme.contacts(['0100', '0102'], { custom_fields: { code: secret } })
  const template_variables = { '1': '{{contact.custom_fields.code}}' }
  const { id: ticketId } = ok(await call('POST', 'inbox/tickets', { contact_id }), 201)
  const sent = ok(
    await call('POST', `inbox/messages/${ticketId}`, { template_id: message_template_id, template_variables }),
    201,
  )
  assert.deepEqual(sent.payload.variables, { '1': '••••••' })
  const campaign = await acme.send([contact_id, refused], { message_template_id, template_variables })
  const done = await acme.until(campaign.id, ({ status, failed_count }) => status === 'completed' && failed_count === 1)
  assert.equal(done.total_contacts_count, 2)
  const texts = (await app.control('GET', 'transcript')).body.data.map((entry: object) => JSON.stringify(entry))
  assert.equal(texts.filter((text: string) => text.includes(secret)).length, 3)

  for (const delivery of await acme.deliveries(campaign.id)) assert.deepEqual(delivery.variables, { '1': '••••••' })
  const paths = [
    `inbox/messages/${ticketId}`,
    `contacts/${contact_id}/activities`,
    'events?limit=100&type=message.sent',
    `campaigns/${campaign.id}/export/csv`,
    `campaigns/${campaign.id}/report`,
  ]
  for (const path of paths) assert.doesNotMatch((await call('GET', path)).text, new RegExp(secret), path)
  const stored = await app.database.forTenant(acme.scope).all(Type.Object({ text: Type.String() }))`
    select variables::text as text from deliveries where campaign_id = ${campaign.id} and accepted_at is not null
    union all select body || coalesce(payload::text, '') from messages where contact_id = ${contact_id}`
  for (const { text } of stored) assert.ok(!text.includes(secret), text)

  // The code of a message that WhatsApp accepted and did not deliver is gone: it is not sent again.
  ok(await call('POST', `campaigns/${campaign.id}/retry`, { scope: 'failed' }))
  await acme.until(campaign.id, ({ status }) => status === 'completed')
  const [failed] = await acme.deliveries(campaign.id, '&status=failed')
  assert.deepEqual([failed?.code, /send a new one/.test(failed?.reason ?? '')], ['not_sendable', true])
})

test('a one-time password that is too long for WhatsApp fails for its recipient alone', async () => {
  const message_template_id = await acme.template({
    category: 'AUTHENTICATION',
    components: otp({ otp_type: 'COPY_CODE' }),
  })
  const [good = ''] = await acme.contacts(1, { custom_fields: { code: 'QX1' } })
  const [long = ''] = await acme.contacts(1, { custom_fields: { code: 'Q'.repeat(16) } })
  const { id } = await acme.send([good, long], {
    message_template_id,
    template_variables: { '1': '{{contact.custom_fields.code}}' },
  })
  const done = await acme.until(id, ({ status }) => status === 'completed')
  assert.deepEqual([done.sent_count, done.failed_count], [1, 1])
  const [failed] = await acme.deliveries(id, '&status=failed')
  assert.deepEqual([failed?.contact_id, failed?.code], [long, '131009'])
})

test('a one-time password needs a phone number: a contact with only a chat account is refused or skipped', async () => {
  const message_template_id = await acme.template({
    category: 'AUTHENTICATION',
    components: otp({ otp_type: 'COPY_CODE' }),
  })
  const user_id = 'US.40400404'
  ok(await call('POST', 'simulator/messages', { user_id, name: 'Hidden Number', text: 'Hi' }), 202)
  const find = async () => ok(await call('GET', 'contacts?search=Hidden%20Number')).data[0]
  await until(async () => (await find()) !== undefined)
  const { id: contact_id } = await find()
  const { id: ticketId } = ok(await call('GET', `inbox/tickets?contact_id=${contact_id}`)).inboxes[0]
  const template_variables = { '1': 'QX1' }
  const send = { template_id: message_template_id, template_variables }
  const { status, body } = await call('POST', `inbox/messages/${ticketId}`, send)
  assert.deepEqual([status, /phone numbers only/.test(body.detail)], [400, true])
  const [withNumber = ''] = await acme.contacts(1)
  const campaign = await acme.send([contact_id, withNumber], { message_template_id, template_variables })
  const done = await acme.until(campaign.id, ({ status }) => status === 'completed')
  assert.deepEqual([done.sent_count, done.failed_count], [1, 0])
  const [skipped] = await acme.deliveries(campaign.id, '&status=skipped')
  assert.deepEqual([skipped?.contact_id, skipped?.reason], [contact_id, 'no_address'])
  const preview = await call('POST', 'campaigns/preflight', {
    name: 'Codes',
    chat_phone_number_id: acme.channelId,
    message_template_id,
    template_variables,
    audience_type: 'manual',
    audience_contact_ids: [contact_id, withNumber],
  })
  assert.deepEqual([ok(preview).recipients, preview.body.skipped.no_address], [1, 1])
})

test('the migration hides codes of messages and deliveries from before they were hidden', async () => {
  const message_template_id = await acme.template({
    category: 'AUTHENTICATION',
    components: otp({ otp_type: 'COPY_CODE' }),
  })
  const [contact_id = ''] = await acme.contacts(1)
  const template_variables = { '1': '4.711' }
  const { id: ticketId } = ok(await call('POST', 'inbox/tickets', { contact_id }), 201)
  for (const template_id of [message_template_id, acme.templateId])
    ok(await call('POST', `inbox/messages/${ticketId}`, { template_id, template_variables }), 201)
  const { id } = await acme.send([contact_id], { message_template_id, template_variables })
  await acme.until(id, ({ status }) => status === 'completed')
  const owner = await connectOwner(app)
  const seen = async () => [
    ok(await call('GET', `inbox/messages/${ticketId}`))
      .messages.map(({ body }: { body: string }) => body)
      .sort(),
    ok(await call('GET', `contacts/${contact_id}/activities?type=message_outbound`))
      .activities.map(({ payload }: { payload: { preview: string } }) => payload.preview)
      .sort(),
  ]
  const before = await seen()
  await owner.query(`
    update messages set body = replace(body, '••••••', '4.711'), payload = replace(payload::text, '••••••', '4.711')::jsonb
      where contact_id = '${contact_id}';
    update activities set payload = replace(payload::text, '••••••', '4.711')::jsonb where contact_id = '${contact_id}';
    update deliveries set variables = '{"1": "4.711"}' where campaign_id = '${id}'`)
  assert.notDeepEqual(await seen(), before)
  const hide = await readFile(new URL('../../migrations/0115_hide_old_codes.sql', import.meta.url), 'utf8')
  for (const _ of [1, 2]) {
    await owner.query(hide)
    assert.deepEqual(await seen(), before)
    const { rows } = await owner.query(`select variables ->> '1' as code from deliveries where campaign_id = '${id}'`)
    assert.deepEqual(rows, [{ code: '••••••' }])
  }
})

test('a template keeps how long its messages are tried, and the platform’s limits are warnings', async () => {
  const create = (name: string, category: string, seconds: unknown) => {
    const components = category === 'AUTHENTICATION' ? otp({ otp_type: 'COPY_CODE' }) : [hello]
    const draft = { channel_id: acme.channelId, name, language: 'en_US', category, components }
    return call('POST', 'templates', { ...draft, message_send_ttl_seconds: seconds })
  }
  const warned = async (category: string, seconds: number) =>
    ok(
      await call('POST', 'templates/preflight', {
        channel_id: acme.channelId,
        name: 'ttl',
        language: 'en_US',
        category,
        components: category === 'AUTHENTICATION' ? otp({ otp_type: 'COPY_CODE' }) : [hello],
        message_send_ttl_seconds: seconds,
      }),
    ).warnings.map(({ loc }: { loc: string[] }) => loc.join('.'))
  const at = ['body.message_send_ttl_seconds']
  for (const [category, good, bad] of [
    ['AUTHENTICATION', [30, 900, -1], [29, 901, 0]],
    ['UTILITY', [30, 43_200, -1], [29, 43_201]],
    ['MARKETING', [43_200, 2_592_000], [43_199, -1]],
  ] as const) {
    for (const seconds of good) assert.deepEqual(await warned(category, seconds), [], `${category} ${seconds}`)
    for (const seconds of bad) assert.deepEqual(await warned(category, seconds), at, `${category} ${seconds}`)
  }
  const made = ok(await create('ttl_kept', 'UTILITY', 600), 201)
  assert.equal(made.message_send_ttl_seconds, 600)
  const untilSeen = (id: string, fits: (template: Record<string, unknown>) => boolean) =>
    until(async () => fits(ok(await call('GET', `templates/${id}`))))
  await untilSeen(made.id, ({ platform_status }) => platform_status === 'APPROVED')
  ok(await call('POST', 'templates/sync', {}))
  assert.equal(ok(await call('GET', `templates/${made.id}`)).message_send_ttl_seconds, 600)
  // Changed with the platform's own tools, and read by the next sync.
  const { remote_template_id } = ok(await call('GET', `templates/${made.id}`))
  await app.control('POST', `templates/${remote_template_id}/events`, { event: 'recategorize', category: 'MARKETING' })
  await untilSeen(made.id, ({ category }) => category === 'MARKETING')
  assert.equal(ok(await call('GET', `templates/${made.id}`)).message_send_ttl_seconds, null)
  const refused = ok(await create('ttl_refused', 'UTILITY', 50_000), 201)
  await untilSeen(refused.id, ({ registration }) => registration === 'refused')
  for (const seconds of [-2, 2_592_001, 1.5, 'x'])
    assert.equal((await create('ttl_bad', 'UTILITY', seconds)).status, 422, String(seconds))
})
