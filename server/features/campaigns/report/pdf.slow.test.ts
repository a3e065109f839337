import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { extractText, getDocumentProxy } from 'unpdf'
import { newId } from '../../../platform/ids.ts'
import { startTestApp } from '../../../testing/app.ts'
import { type Campaigner, campaigner } from '../../../testing/campaigns.ts'
import type { Campaign } from '../schema.ts'

const app = await startTestApp()
await app.listen()
let org: Campaigner

before(async () => {
  org = await campaigner(app)
})

interface Read {
  headers: Record<string, unknown>
  pages: number
  text: string
  title: string
}

/** The report as an independent PDF reader extracts it. */
async function read(campaignId: string, query = ''): Promise<Read> {
  const answer = await app.server.inject({
    url: `/api/v1/campaigns/${campaignId}/export/pdf${query}`,
    headers: { authorization: `Bearer ${org.key}` },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const pdf = await getDocumentProxy(new Uint8Array(answer.rawPayload), { verbosity: 0 })
  const { text, totalPages } = await extractText(pdf, { mergePages: true })
  const { info } = await pdf.getMetadata()
  return { headers: answer.headers, pages: totalPages, text, title: (info as { Title: string }).Title }
}

const isOver = ({ status, read_count, failed_count, skipped_count, total_contacts_count }: Campaign) =>
  status === 'completed' && read_count + failed_count + skipped_count === total_contacts_count

test('a report shows what was sent, to whom, the outcome, and what to do about failures', async () => {
  const template = await org.template({
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Tulips are here' },
      { type: 'BODY', text: 'Hi {{1}}, come by before *{{2}}* for _20 %% off_.' },
      { type: 'FOOTER', text: 'Reply STOP to end' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Show me' }] },
    ],
  })
  const known = { custom_fields: { '2': 'Saturday' }, name: 'Ada' }
  const contacts = await org.contacts(['0100', '0100', '0100', '0102', '0103'], known)
  contacts.push(...(await org.contacts(['0100'], { name: 'Bob' })))
  const [optedOut = ''] = await org.contacts(['0100'], known)
  assert.equal((await org.call('PATCH', `contacts/${optedOut}`, { opted_out: true })).status, 200)
  const { id } = await org.send([...contacts, optedOut], { name: 'Spring news', message_template_id: template })
  await org.until(id, isOver)

  const { headers, pages, text, title } = await read(id)
  assert.equal(headers['content-type'], 'application/pdf')
  const day = new Date().toISOString().slice(0, 10)
  const name = `Spring news ${day}.pdf`
  assert.equal(
    headers['content-disposition'],
    `inline; filename="${name}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  )
  assert.equal(pages, 1)
  assert.equal(title, 'Spring news: campaign report')
  for (const words of [
    'Spring news',
    'Acme',
    'Test mode',
    'Completed',
    '7 contacts chosen one by one',
    'Recipients 7',
    'Sent 5',
    'Delivered 3',
    'Read 3',
    '71.4%',
    '60% of sent',
    '100% of delivered',
    '1 skipped · 3 failed',
    'Tulips are here',
    'Hi Ada, come by before Saturday for 20 %% off.',
    'Reply STOP to end',
    'Show me',
    'The contact has opted out of marketing',
    'Code 131026',
    'Check these numbers, and reach the people another way',
    'Code 131049',
    'The contact has no value for a variable',
    'No value for 2',
    '(UTC)',
    'Page 1 of 1',
  ])
    assert.ok(plain(text).includes(words), `${words} in\n${text}`)
  assert.ok(!text.includes('{{'))
})

/** The layout decides where lines end. */
const plain = (text: string) => text.replace(/\s+/g, ' ')

test('names and texts of every script are extracted as they were written', async () => {
  const scripts = {
    Cyrillic: ['Весенние новости', 'Здравствуйте, уже распустились тюльпаны.'],
    Greek: ['Ανοιξιάτικα νέα', 'Καλημέρα, ήρθαν οι τουλίπες.'],
    Vietnamese: ['Tin tức mùa xuân', 'Nguyễn Đức ơi, hoa đã về.'],
    Arabic: ['أخبار الربيع', 'وصلت زهور التوليب، خصم كبير'],
    Hebrew: ['חדשות האביב', 'הצבעונים הראשונים הגיעו'],
    Thai: ['ข่าวดี', 'คุณสมชาย ดอกทิวลิปมาแล้ว'],
    Chinese: ['春季新品发布', '第一批郁金香到了，欢迎光临。'],
    Japanese: ['春のお知らせ', 'チューリップが入荷しました。'],
    Korean: ['봄 소식', '튤립이 도착했습니다.'],
  }
  for (const [script, [name = '', text = '']] of Object.entries(scripts)) {
    const template = await org.template({ components: [{ type: 'BODY', text }] })
    const { id } = await org.send(null, { name, message_template_id: template, scheduled_at: '2100-01-01T00:00:00Z' })
    const report = await read(id)
    const letters = (given: string) => given.replace(/\s/g, '')
    for (const written of [name, text])
      assert.ok(letters(report.text).includes(letters(written)), `${script}: ${report.text}`)
    assert.ok(String(report.headers['content-disposition']).includes(encodeURIComponent(name)), script)
    assert.match(String(report.headers['content-disposition']), /filename="[ -~]+"/)
    assert.equal(report.pages, 1)
  }
})

test('right-to-left text keeps the order of its words and of numbers in it', async () => {
  const template = await org.template({ components: [{ type: 'BODY', text: 'ההזמנה שלך AB-123 מוכנה' }] })
  const name = 'طلب رقم 12345 جاهز'
  const { id } = await org.send(null, { name, message_template_id: template, scheduled_at: '2100-01-01T00:00:00Z' })
  const { text } = await read(id)
  const inOrder = (...words: string[]) => new RegExp(words.join('[\\s\\S]{0,3}'))
  assert.match(text, inOrder('طلب', 'رقم', '12345', 'جاهز'))
  assert.match(text, inOrder('ההזמנה', 'שלך', 'AB-123', 'מוכנה'))
  for (const year of ['٢٠٢٦', '۲۰۲۶']) {
    const campaign = await org.send(null, { name: `عروض ${year} الجديدة`, scheduled_at: '2100-01-01T00:00:00Z' })
    assert.match((await read(campaign.id)).text, inOrder('عروض', year, 'الجديدة'))
  }
})

test('emoji and unsupported scripts get a placeholder, and the text around them stays', async () => {
  const text = 'Hello 🎉 வணக்கம் தமிழ் friends 👨‍👩‍👧 and 𝐁𝐨𝐥𝐝 letters'
  const template = await org.template({ components: [{ type: 'BODY', text }] })
  const { id } = await org.send(null, {
    name: '🌷',
    message_template_id: template,
    scheduled_at: '2100-01-01T00:00:00Z',
  })
  const report = plain((await read(id)).text)
  for (const words of ['Hello', 'Tamil text', 'friends', 'and Bold letters', 'Faces stand for emoji'])
    assert.ok(report.includes(words), `${words} in ${report}`)
  assert.equal(report.split('Tamil text').length, 2)
})

test('before anything is sent a report shows the planned message', async () => {
  const { id } = await org.send(null, {
    name: 'Later',
    scheduled_at: '2100-01-01T09:30:00Z',
    template_variables: { '1': 'dear {{contact.name}}' },
  })
  const { text, pages } = await read(id)
  for (const words of [
    'Scheduled',
    'Sending starts 1 Jan 2100, 09:30',
    'All contacts',
    'Recipients 0',
    'Nothing has been sent yet',
  ])
    assert.ok(plain(text).includes(words), `${words} in ${text}`)
  assert.match(plain(text), /Hello dear ‹name›, we are open today\./)
  assert.equal(pages, 1)
  assert.equal((await org.call('DELETE', `campaigns/${id}`)).status, 200)
})

test('times are in the requested time zone, and an unknown one is refused', async () => {
  const { id } = await org.send(null, { scheduled_at: '2100-01-01T09:30:00Z' })
  const { text } = await read(id, '?timezone=Asia/Kolkata')
  assert.ok(plain(text).includes('Sending starts 1 Jan 2100, 15:00'), text)
  assert.ok(text.includes('(Asia/Kolkata)'))
  for (const timezone of ['Mars/Olympus', '%2B02:00', '', "'; select 1"]) {
    const refused = await org.call('GET', `campaigns/${id}/export/pdf?timezone=${timezone}`)
    assert.equal(refused.status, 422, timezone)
    assert.deepEqual(refused.body.detail[0].loc, ['query', 'timezone'])
  }
})

test('long names and many failure reasons still fit on two pages', async () => {
  const components = [
    { type: 'HEADER', format: 'TEXT', text: 'H'.repeat(60) },
    { type: 'BODY', text: 'Line after line\n'.repeat(60).trim() },
    { type: 'FOOTER', text: 'f'.repeat(60) },
    { type: 'BUTTONS', buttons: Array.from({ length: 9 }, (_, i) => ({ type: 'QUICK_REPLY', text: `Button ${i}` })) },
  ]
  const template = await org.template({ components })
  const tags = Array.from({ length: 200 }, (_, i) => `${'t'.repeat(80)}${i}`)
  await org.crowd(90, tags[0] as string)
  const { id } = await org.send(null, {
    name: 'ش'.repeat(255),
    message_template_id: template,
    audience_type: 'tags',
    audience_tags: tags,
  })
  // A receipt that came later would change a delivery again.
  await org.until(id, isOver)
  await app.database.inTenant(
    org.scope,
    (tx) => tx.run`
      update deliveries set status = 'failed', code = 'odd_' || numbered.n, reason = repeat('because ', 120)
      from (select id, row_number() over (order by id) as n from deliveries where campaign_id = ${id}) numbered
      where deliveries.id = numbered.id`,
  )
  const { text, pages } = await read(id)
  assert.equal(pages, 2)
  for (const words of [
    'and 195 more',
    'and 5 more buttons',
    'Recipients 90',
    'further reasons: the CSV export has every delivery',
  ])
    assert.ok(plain(text).includes(words), `${words} in ${text}`)
})

test('a campaign without recipients, without a template, or cancelled has a report too', async () => {
  const withoutRecipients = await org.send(null, {
    audience_type: 'tags',
    audience_tags: ['nobody has this'],
    name: 'To nobody',
  })
  await org.until(withoutRecipients.id, ({ status }) => status === 'completed')
  assert.ok((await read(withoutRecipients.id)).text.includes('The audience was empty.'))

  const [contact = ''] = await org.contacts(1)
  const withoutTemplate = await org.send([contact, contact.toUpperCase()], { message_template_id: undefined })
  await org.until(withoutTemplate.id, ({ status }) => status === 'failed')
  const failed = plain((await read(withoutTemplate.id)).text)
  assert.ok(failed.includes('It had no template when it was time to send.'), failed)
  for (const words of ['No template', '1 contact chosen one by one', 'Besides: 1 never sent'])
    assert.ok(failed.includes(words), `${words} in ${failed}`)

  const stopped = await org.send([contact], { scheduled_at: '2100-01-01T00:00:00Z' })
  assert.equal((await org.call('POST', `campaigns/${stopped.id}/cancel`)).status, 200)
  assert.ok(plain((await read(stopped.id)).text).includes('Cancelled Test mode Nothing more will be sent.'))
})

test('a report needs campaigns:manage in the same organization and mode', async () => {
  const { id } = await org.send(null, { scheduled_at: '2100-01-01T00:00:00Z' })
  const stranger = await app.organization()
  const live = app.as((await app.key(org.id, { mode: 'live' })).secret)
  const reader = app.as((await app.key(org.id, { scopes: ['contacts:read', 'inbox:read'] })).secret)
  for (const kind of ['pdf', 'csv']) {
    assert.equal((await app.call('GET', `campaigns/${id}/export/${kind}`)).status, 401)
    const forbidden = await reader('GET', `campaigns/${id}/export/${kind}`)
    assert.equal(forbidden.status, 403)
    assert.equal(forbidden.body.error.required_scope, 'campaigns:manage')
    for (const call of [stranger.call, live]) {
      const foreign = await call('GET', `campaigns/${id}/export/${kind}`)
      assert.deepEqual([foreign.status, foreign.body], [404, { detail: 'Campaign not found' }])
    }
    for (const unknown of [newId(), 'not-an-id']) {
      const absent = await org.call('GET', `campaigns/${unknown}/export/${kind}`)
      assert.equal(absent.status, 404)
    }
  }
  assert.equal((await org.call('DELETE', `campaigns/${id}`)).status, 200)
  for (const kind of ['pdf', 'csv']) assert.equal((await org.call('GET', `campaigns/${id}/export/${kind}`)).status, 404)
})

test('the message of a report has the cards of a carousel, an offer and the footer of a one-time password', async () => {
  const picture = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } }
  const card = (name: string) => ({
    components: [
      picture,
      { type: 'BODY', text: `${name} for {{1}} today` },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: `More ${name}` }] },
    ],
  })
  const plants = ['Fern', 'Palm', 'Moss', 'Reed']
  const shown = async (members: object, template_variables: Record<string, string>) => {
    const message_template_id = await org.template(members)
    const { id } = await org.send(await org.contacts(['0100']), { message_template_id, template_variables })
    await org.until(id, isOver)
    return (await read(id)).text
  }
  const values = plants.flatMap((_, i) => [
    [`card.${i}.header`, 'https://example.com/a.png'],
    [`card.${i}.body.1`, `guest ${i}`],
  ])
  const carousel = [
    { type: 'BODY', text: 'New this week.' },
    { type: 'CAROUSEL', cards: plants.map(card) },
  ]
  const text = await shown({ components: carousel }, Object.fromEntries(values))
  for (const words of ['New this week.', 'Fern for guest 0 today', 'More Moss', 'and 1 more card'])
    assert.ok(text.includes(words), `${words} in ${text}`)
  assert.doesNotMatch(text, /Reed/)

  const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Only today', has_expiration: false } }
  const buttons = { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: 'SAVE25' }] }
  const body = { type: 'BODY', text: 'Half the price.' }
  const offered = await shown(
    { components: [picture, offer, body, buttons] },
    { header: 'https://example.com/a.png', 'button.0.1': 'SAVE25' },
  )
  assert.match(offered, /Only today.*Half the price/s)

  const code = [
    { type: 'BODY', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: 5 },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ]
  const secret = await shown({ category: 'AUTHENTICATION', components: code }, { '1': '493021' })
  assert.match(secret, /This code expires in 5 minutes/)
  assert.doesNotMatch(secret, /493021/)
})
