import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../server/testing/app.ts'
import { until } from '../server/testing/process.ts'
import { startTestSimulator } from '../server/testing/simulator.ts'

const simulator = await startTestSimulator()
const { graph, control, listener, account } = simulator
const edge = `${account}/message_templates`

const body = (text: string, ...examples: string[]) => ({
  type: 'BODY',
  text,
  ...(examples.length > 0 && { example: { body_text: [examples] } }),
})
const draft = (name: string, ...components: object[]) => ({
  name,
  language: 'en_US',
  category: 'UTILITY',
  components: components.length > 0 ? components : [body('Your table is ready.')],
})
const create = (given: object) => graph('POST', edge, given)
const find = async (id: string, fields?: string) => (await graph('GET', id + (fields ? `?fields=${fields}` : ''))).body
const statusEvent = (id: string, event: string) =>
  listener.hear(
    ({ field, value }) =>
      field === 'message_template_status_update' && value.event === event && String(value.message_template_name) === id,
  )

test('a template is PENDING when created and APPROVED a moment later, by webhook and when read', async () => {
  const created = ok(await create(draft('table_ready')))
  assert.deepEqual({ ...created, id: '' }, { id: '', status: 'PENDING', category: 'UTILITY' })
  assert.match(created.id, /^\d{18,}$/)
  const { value, account: heard } = await statusEvent('table_ready', 'APPROVED')
  assert.equal(heard, account)
  assert.equal(value.reason, 'NONE')
  assert.equal(value.message_template_language, 'en_US')
  const read = await find(created.id)
  assert.deepEqual(Object.keys(read).sort(), [
    'category',
    'components',
    'id',
    'language',
    'name',
    'parameter_format',
    'status',
  ])
  assert.equal(read.status, 'APPROVED')
  const more = await find(created.id, 'quality_score,rejected_reason')
  assert.equal(more.quality_score.score, 'UNKNOWN')
  assert.equal(more.rejected_reason, 'NONE')
  assert.deepEqual(Object.keys(more).sort(), ['id', 'quality_score', 'rejected_reason'])
})

test('a webhook writes the template id as a number with all its digits', async () => {
  const { body: created } = await create(draft('many_digits'))
  await statusEvent('many_digits', 'APPROVED')
  const raw = listener.bodies.find((text) => text.includes('many_digits')) as string
  assert.ok(raw.includes(`"message_template_id":${created.id},`), raw)
  assert.notEqual(String(Number(created.id)), created.id)
})

test('review takes its time, divided by the speed', async () => {
  const [slow, quick] = [await startTestSimulator({ speed: 0.001 }), await startTestSimulator({ speed: 40 })]
  const make = async ({ graph: call, account: owner }: typeof slow) =>
    (await call('POST', `${owner}/message_templates`, draft('patience'))).body.id
  const [waiting, ready] = [await make(slow), await make(quick)]
  await quick.listener.hear(({ value }) => value.event === 'APPROVED')
  assert.equal((await quick.graph('GET', ready)).body.status, 'APPROVED')
  assert.equal((await slow.graph('GET', waiting)).body.status, 'PENDING')
})

test('review rejects by its rules, with reason and advice', async () => {
  await create(draft('touching', body('Hello {{1}} {{2}}, we are open all of today and tomorrow.', 'Ada', 'Lovelace')))
  const touching = await statusEvent('touching', 'REJECTED')
  assert.equal(touching.value.reason, 'INVALID_FORMAT')
  assert.match(touching.value.rejection_info.recommendation, /words/)

  const { body: created } = await create(draft('reject_promotional'))
  assert.equal((await statusEvent('reject_promotional', 'REJECTED')).value.reason, 'PROMOTIONAL')
  assert.equal((await find(created.id, 'rejected_reason')).rejected_reason, 'PROMOTIONAL')
  await create(draft('please_reject_me'))
  assert.equal((await statusEvent('please_reject_me', 'REJECTED')).value.reason, 'ABUSIVE_CONTENT')

  const link = { type: 'URL', text: 'Write to us', url: 'https://wa.me/18005550199' }
  await create(draft('short_link', body('Hello there.'), { type: 'BUTTONS', buttons: [link] }))
  assert.equal((await statusEvent('short_link', 'REJECTED')).value.reason, 'INVALID_FORMAT')
})

test('immediate refusals carry code and subcode', async () => {
  const button = (type: string, more: object = {}) => ({ type, text: 'Go', ...more })
  const buttons = (...given: object[]) => [body('Hello there.'), { type: 'BUTTONS', buttons: given }]
  const url = (address: string, more: object = {}) => button('URL', { url: address, ...more })
  const cases: [why: string, given: object, subcode?: number][] = [
    ['a name with capitals', { ...draft('x'), name: 'Hello' }],
    ['a name that is too long', { ...draft('x'), name: 'a'.repeat(513) }],
    ['a language nobody speaks', { ...draft('x'), language: 'xx_XX' }],
    ['a category that is none', { ...draft('x'), category: 'GREETING' }],
    ['no components', { ...draft('x'), components: [] }],
    ['no body', draft('x', { type: 'FOOTER', text: 'Bye' })],
    ['two bodies', draft('x', body('One.'), body('Two.'))],
    ['an unknown component', draft('x', body('One.'), { type: 'SIDEBAR', text: 'Hi' })],
    ['an empty body', draft('x', body('')), 2388072],
    ['a body that starts with a variable', draft('x', body('{{1}}, welcome to our shop.', 'Ada')), 2388299],
    ['a body that ends with a variable', draft('x', body('Welcome to our shop, {{1}}!', 'Ada')), 2388299],
    ['a body that is too long', draft('x', body('a'.repeat(1025))), 2388040],
    ['unbalanced braces', draft('x', body('Hello {{1} and welcome.')), 2388072],
    ['a gap in the numbers', draft('x', body('Hello {{1}} and {{3}} from all of us.', 'a', 'b')), 2388072],
    ['a strange variable', draft('x', body('Hello {{na#me}} and welcome to us.', 'a')), 2388072],
    ['too many variables', draft('x', body('Hi {{1}}, or {{2}}, ok?', 'a', 'b')), 2388293],
    ['a variable without an example', draft('x', body('Hello {{1}}, we are open today.')), 2388043],
    ['too few examples', draft('x', body('Hello {{1}}, we are open until {{2}} today.', 'a')), 2388043],
    ['a footer with a variable', draft('x', body('Hello.'), { type: 'FOOTER', text: 'By {{1}}' }), 2388073],
    ['a long footer', draft('x', body('Hello.'), { type: 'FOOTER', text: 'a'.repeat(61) }), 2388040],
    ['a long header', draft('x', body('Hi.'), { type: 'HEADER', format: 'TEXT', text: 'a'.repeat(61) }), 2388040],
    ['two variables in the header', draft('x', body('Hi.'), { type: 'HEADER', text: '{{1}} and {{2}}' }), 2388047],
    ['a picture without a sample', draft('x', body('Hi.'), { type: 'HEADER', format: 'IMAGE' }), 2388043],
    ['a header of no kind', draft('x', body('Hi.'), { type: 'HEADER', format: 'SMELL' }), 2388047],
    ['eleven buttons', draft('x', ...buttons(...Array(11).fill(button('QUICK_REPLY'))))],
    ['three links', draft('x', ...buttons(...Array(3).fill(url('https://a.test/'))))],
    ['two numbers', draft('x', ...buttons(...Array(2).fill(button('PHONE_NUMBER', { phone_number: '+15550100' }))))],
    ['no number', draft('x', ...buttons(button('PHONE_NUMBER')))],
    ['a long label', draft('x', ...buttons({ type: 'QUICK_REPLY', text: 'a'.repeat(26) }))],
    ['a link without an address', draft('x', ...buttons(button('URL')))],
    ['a variable inside a link', draft('x', ...buttons(url('https://a.test/{{1}}/b', { example: ['x'] })))],
    ['a link without its example', draft('x', ...buttons(url('https://a.test/{{1}}')))],
    ['scattered replies', draft('x', ...buttons(button('QUICK_REPLY'), url('https://a.test/'), button('QUICK_REPLY')))],
    ['a one-time code in a utility template', draft('x', ...buttons(button('OTP')))],
    ['words in an authentication template', { ...draft('x'), category: 'AUTHENTICATION' }],
  ]
  for (const [why, given, subcode] of cases) {
    const answer = await create(given)
    assert.equal(answer.status, 400, `${why}: ${answer.text}`)
    const { error } = answer.body
    assert.equal(error.code, 100, why)
    assert.equal(error.error_subcode, subcode, `${why}: ${answer.text}`)
    assert.equal(error.type, 'OAuthException')
    assert.ok(error.error_user_msg, why)
  }
  const named = {
    ...body('Hello {{name}}, we are open today.'),
    example: { body_text_named_params: [{ param_name: 'name', example: 'a' }] },
  }
  assert.equal((await create(draft('x', named))).body.error?.code, 100)
  const mixed = await create(draft('x', body('Hello {{1}} and {{name}}, we are open today.', 'a', 'b')))
  assert.equal(mixed.body.error?.code, 100, mixed.text)
  assert.equal((await graph('GET', `${edge}?name=x`)).body.data.length, 0)
})

test('templates with every feature are accepted', async () => {
  const url = 'https://parcels.example.test/c/{{1}}'
  ok(
    await create(
      draft(
        'pickup_ready_v2',
        { type: 'header', format: 'text', text: 'Locker {{1}}', example: { header_text: ['B-12'] } },
        body('Hello {{1}}, parcel {{2}} waits for you until Friday.', 'Ines', 'PX-4471'),
        { type: 'FOOTER', text: 'Northside Parcels' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'URL', text: 'Show code', url, example: [url] },
            { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+15550100009' },
            { type: 'QUICK_REPLY', text: 'Remind me later' },
          ],
        },
      ),
    ),
  )
  const named = {
    type: 'BODY',
    text: 'Hello {{first_name}}, we are open.',
    example: { body_text_named_params: [{ param_name: 'first_name', example: 'Ada' }] },
  }
  const other = ok(await create({ ...draft('named_one', named), parameter_format: 'named' }))
  assert.equal((await find(other.id)).parameter_format, 'NAMED')
  ok(
    await create({
      ...draft(
        'one_time_code',
        { type: 'BODY', add_security_recommendation: true },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
      ),
      category: 'AUTHENTICATION',
    }),
  )
})

test('a name and language exist once, and are blocked for a while after deletion', async () => {
  const first = await create(draft('only_once'))
  const again = await create(draft('only_once'))
  assert.deepEqual([again.status, again.body.error.code, again.body.error.error_subcode], [400, 100, 2388024])
  assert.equal((await create({ ...draft('only_once'), language: 'es_ES' })).status, 200)

  const removed = await graph('DELETE', `${edge}?hsm_id=${first.body.id}&name=only_once`)
  assert.deepEqual([removed.status, removed.body], [200, { success: true }])
  assert.equal((await graph('GET', first.body.id)).status, 400)
  const { data } = (await graph('GET', `${edge}?name=only_once`)).body
  assert.deepEqual(
    data.map(({ language }: { language: string }) => language),
    ['es_ES'],
  )
  const tooSoon = await create(draft('only_once'))
  assert.equal(tooSoon.body.error.error_subcode, 2388023)
  assert.equal((await graph('DELETE', `${edge}?hsm_id=${first.body.id}&name=only_once`)).body.error.error_subcode, 33)
})

test('two parallel creations of one name create one template', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(draft('raced'))))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.ok(answers.every(({ status, body: answer }) => status === 200 || answer.error.error_subcode === 2388024))
  assert.equal((await graph('GET', `${edge}?name=raced`)).body.data.length, 1)
})

test('deleting by name removes every language, and an unknown name is an error', async () => {
  await create(draft('everywhere'))
  await create({ ...draft('everywhere'), language: 'pt_BR' })
  assert.equal((await graph('DELETE', `${edge}?name=everywhere`)).status, 200)
  assert.deepEqual((await graph('GET', `${edge}?name=everywhere`)).body.data, [])
  assert.equal((await graph('DELETE', `${edge}?name=everywhere`)).body.error.code, 100)
  assert.equal((await graph('DELETE', edge)).body.error.code, 100)
})

test('a list has linked pages, and the last one has no next link', async () => {
  const other = await startTestSimulator()
  const names = Array.from({ length: 7 }, (_, i) => `page_${i}`)
  for (const name of names) await other.graph('POST', `${other.account}/message_templates`, draft(name))
  // Each page shows the status: none changes while they are compared.
  const approved = `${other.account}/message_templates?status=approved&summary=total_count`
  await until(async () => (await other.graph('GET', approved)).body.summary.total_count === 7)
  const seen: string[] = []
  let next = `${other.url}/v19.0/${other.account}/message_templates?limit=3&fields=name,status`
  for (let page = 0; next; page++) {
    assert.ok(page < 5)
    const answer = (await other.graph('GET', next.split('/v19.0/')[1] as string)).body
    seen.push(...answer.data.map(({ name }: { name: string }) => name))
    assert.ok(next.startsWith(other.url))
    assert.ok(answer.data.every((item: object) => Object.keys(item).sort().join() === 'id,name,status'))
    assert.ok(answer.paging.cursors.after)
    next = answer.paging.next
  }
  assert.deepEqual(seen.sort(), names)
  const { body: last } = await other.graph('GET', `${other.account}/message_templates?limit=3`)
  const { body: second } = await other.graph(
    'GET',
    `${other.account}/message_templates?limit=3&after=${last.paging.cursors.after}`,
  )
  const { body: back } = await other.graph(
    'GET',
    `${other.account}/message_templates?limit=3&before=${second.paging.cursors.before}`,
  )
  assert.deepEqual(back.data, last.data)
  assert.equal((await other.graph('GET', `${other.account}/message_templates?after=nonsense`)).body.error.code, 100)
})

test('a template can be edited as its status allows, and is reviewed again', async () => {
  const id = await simulator.template('editable')
  await statusEvent('editable', 'APPROVED')
  const changed = await graph('POST', id, { components: [body('Your table waits.')] })
  assert.deepEqual(changed.body, { success: true })
  await until(async () => (await find(id)).status === 'APPROVED')
  assert.equal((await find(id)).components[0].text, 'Your table waits.')
  assert.equal((await graph('POST', id, { components: [body('Again.')] })).status, 400, 'once a day is enough')
  assert.equal((await graph('POST', id, { category: 'MARKETING' })).status, 400)
  const rejected = await simulator.template('reject_then_mend')
  assert.equal((await graph('POST', rejected, { components: [body('{{1}} first')] })).body.error.error_subcode, 2388299)
  assert.equal((await graph('POST', rejected, { category: 'MARKETING', components: [body('Better.')] })).status, 200)
})

test('bad quality pauses a template twice and disables it the third time', async () => {
  const id = await simulator.template('disliked')
  const event = (given: object) => control('POST', `templates/${id}/events`, given)
  assert.equal((await event({ event: 'quality', score: 'YELLOW' })).body.status, 'APPROVED')
  const yellow = await listener.hear(
    ({ field, value }) => field === 'message_template_quality_update' && value.new_quality_score === 'YELLOW',
  )
  assert.equal(yellow.value.previous_quality_score, 'UNKNOWN')
  assert.equal((await event({ event: 'quality', score: 'RED' })).body.status, 'PAUSED')
  const paused = await statusEvent('disliked', 'PAUSED')
  assert.equal(paused.value.other_info.title, 'FIRST_PAUSE')
  assert.equal((await find(id, 'quality_score')).quality_score.score, 'RED')
  assert.equal((await event({ event: 'unpause' })).body.status, 'APPROVED')
  assert.equal((await event({ event: 'quality', score: 'RED' })).body.status, 'PAUSED')
  await listener.hear(({ value }) => value.other_info?.title === 'SECOND_PAUSE')
  await event({ event: 'unpause' })
  assert.equal((await event({ event: 'quality', score: 'RED' })).body.status, 'DISABLED')
  assert.ok((await statusEvent('disliked', 'DISABLED')).value.disable_info.disable_date)
  assert.equal((await graph('DELETE', `${edge}?hsm_id=${id}&name=disliked`)).status, 400)
  assert.equal((await event({ event: 'reinstate' })).body.status, 'APPROVED')
  await statusEvent('disliked', 'REINSTATED')
  assert.equal((await event({ event: 'dance' })).status, 422)
  assert.equal((await control('POST', 'templates/81/events', { event: 'approve' })).status, 400)
})

test('a category changes in two steps, each with a webhook', async () => {
  const id = await simulator.template('moved')
  await control('POST', `templates/${id}/events`, { event: 'recategorize', category: 'MARKETING' })
  const heard = (wanted: (value: Record<string, unknown>) => boolean) =>
    listener.hear(
      ({ field, value }) =>
        field === 'template_category_update' && value.message_template_name === 'moved' && wanted(value),
    )
  const notice = await heard((value) => value.correct_category === 'MARKETING')
  assert.equal(notice.value.new_category, 'UTILITY')
  const change = await heard((value) => value.previous_category === 'UTILITY')
  assert.equal(change.value.new_category, 'MARKETING')
  assert.equal((await find(id)).category, 'MARKETING')
  const { body: created } = await create(draft('recategorize_at_once'))
  assert.equal(created.category, 'MARKETING')
})

test('the library offers more than a dozen templates, approved at once', async () => {
  const { body: all } = await graph('GET', 'message_template_library')
  assert.ok(all.data.length >= 12)
  for (const item of all.data) assert.equal(item.body_params.length, (item.body.match(/\{\{/g) ?? []).length, item.name)
  const { body: payments } = await graph('GET', 'message_template_library?topic=PAYMENTS&search=overdue')
  assert.deepEqual(
    payments.data.map(({ name }: { name: string }) => name),
    ['payment_overdue_1'],
  )
  const plain = {
    name: 'our_order',
    language: 'en_US',
    category: 'UTILITY',
    library_template_name: 'order_confirmation_1',
  }
  const created = await create(plain)
  assert.deepEqual({ ...created.body, id: '' }, { id: '', status: 'APPROVED', category: 'UTILITY' })
  assert.equal((await find(created.body.id, 'library_template_name')).library_template_name, 'order_confirmation_1')
  assert.equal((await create(plain)).body.error.error_subcode, 2388024)
  assert.match(
    (await create({ ...plain, name: 'b', library_template_name: 'nothing' })).body.error.error_user_msg,
    /no template/,
  )

  const withButtons = { ...plain, name: 'our_delivery', library_template_name: 'delivery_update_1' }
  assert.match((await create(withButtons)).body.error.error_user_msg, /library_template_button_inputs/)
  const inputs = [
    {
      type: 'URL',
      url: { base_url: 'https://parcels.example.test/{{1}}', url_suffix_example: 'https://parcels.example.test/demo' },
    },
    { type: 'PHONE_NUMBER', phone_number: '+15550100009' },
  ]
  const made = await create({ ...withButtons, library_template_button_inputs: JSON.stringify(inputs) })
  assert.equal(made.body.status, 'APPROVED', made.text)
  const { components } = await find(made.body.id)
  assert.equal(components.at(-1).buttons[0].url, 'https://parcels.example.test/{{1}}')
})

test('knobs throttle creations and change reviews', async () => {
  const other = await startTestSimulator()
  const make = (name: string) => other.graph('POST', `${other.account}/message_templates`, draft(name))
  await other.control('PATCH', 'knobs', { creations_per_hour: 1 })
  assert.equal((await make('one')).status, 200)
  assert.equal((await make('two')).body.error.code, 80008)
  await other.control('PATCH', 'knobs', { creations_per_hour: null, template_limit: 1 })
  assert.equal((await make('two')).body.error.error_subcode, 2388019)
  await other.control('PATCH', 'knobs', { template_limit: null, review: 'never' })
  const { body: waits } = await make('waits')
  await other.control('PATCH', 'knobs', { review: 'reject' })
  await make('refused')
  await other.listener.hear(({ value }) => value.message_template_name === 'refused' && value.event === 'REJECTED')
  assert.equal((await other.graph('GET', waits.id)).body.status, 'PENDING')
})
