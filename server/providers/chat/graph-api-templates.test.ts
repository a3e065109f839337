import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { type Answer, type Asked, startGraphPlatform } from '../../testing/graph-platform.ts'
import { createGraphApi } from './graph-api.ts'

const platform = await startGraphPlatform()
const http = createOutboundHttp()
after(http.close)
const credentials = {
  phoneNumberId: '600500400300200',
  businessAccountId: '700100200300400',
  accessToken: 'EAAG-secret-token',
}
const chat = createGraphApi({ baseUrl: platform.url, version: 'v19.0', http, timeLimitMs: 30_000 }).connect(credentials)

const only = (): Asked => {
  assert.equal(platform.asked.length, 1)
  return platform.asked[0] as Asked
}

const collect = async <T>(pages: AsyncIterable<T[]>): Promise<T[]> => {
  const all: T[] = []
  for await (const page of pages) all.push(...page)
  return all
}

const draft = { name: 'pickup', language: 'en_US', category: 'UTILITY', components: [{ type: 'BODY', text: 'Hello' }] }

test('a template is created under the business account, with the token in a header', async () => {
  platform.answers({ json: { id: '810200300400500', status: 'PENDING', category: 'MARKETING' } })
  assert.deepEqual(await chat.createTemplate(draft), {
    id: '810200300400500',
    status: 'PENDING',
    category: 'MARKETING',
  })
  const { method, path, headers, json, query } = only()
  assert.deepEqual([method, path, query], ['POST', '/v19.0/700100200300400/message_templates', {}])
  assert.equal(headers.authorization, 'Bearer EAAG-secret-token')
  assert.equal(headers['content-type'], 'application/json')
  assert.deepEqual(json, draft)
})

test('a template with named variables is created with that parameter format', async () => {
  platform.answers({ json: { id: '1', status: 'PENDING', category: 'UTILITY' } })
  const components = [{ type: 'BODY', text: 'Hello {{first_name}}, welcome.' }]
  await chat.createTemplate({ ...draft, components })
  assert.deepEqual(only().json, { ...draft, components, parameter_format: 'NAMED' })
})

test('a response may be 201, chunked, in lower case, with other members and numeric ids', async () => {
  platform.answers((_, response) => {
    response.writeHead(201, { 'Content-Type': 'application/json; charset=UTF-8' })
    response.write('{"id":810200300400')
    response.end('500600700,"status":"approved","more":{"a":[1]}}')
  })
  assert.deepEqual(await chat.createTemplate(draft), {
    id: '810200300400500600700',
    status: 'APPROVED',
    category: 'UTILITY',
  })
  platform.answers({ json: { id: 42 } })
  assert.deepEqual(await chat.createTemplate(draft), { id: '42', status: 'PENDING', category: 'UTILITY' })
})

test('a template from the library is created with its inputs as text and without components', async () => {
  platform.answers({ json: { id: '1', status: 'APPROVED', category: 'UTILITY' } })
  const buttonInputs = [{ type: 'PHONE_NUMBER', phone_number: '+15550100009' }]
  await chat.createTemplateFromLibrary({
    name: 'our_note',
    language: 'en_US',
    category: 'UTILITY',
    libraryTemplateName: 'delivery_update_1',
    buttonInputs,
  })
  assert.deepEqual(only().json, {
    name: 'our_note',
    language: 'en_US',
    category: 'UTILITY',
    library_template_name: 'delivery_update_1',
    library_template_button_inputs: JSON.stringify(buttonInputs),
  })
  assert.equal(only().path, '/v19.0/700100200300400/message_templates')
})

const listed = (id: string, more: object = {}) => ({ id, name: `n${id}`, language: 'en', status: 'APPROVED', ...more })

test('all pages of a list are followed by cursor, at our own address', async () => {
  const stranger = 'http://stranger.example/v19.0/1/message_templates?access_token=x&after=B'
  platform.answers(
    { json: { data: [listed('1'), listed('2')], paging: { cursors: { before: 'A', after: 'B' }, next: stranger } } },
    { json: { data: [], paging: { next: `${platform.url}/elsewhere?after=C%3D` } } },
    { json: { data: [listed('3')], paging: { cursors: { before: 'C', after: 'D' } } } },
  )
  const pages: string[][] = []
  for await (const page of chat.listTemplates()) pages.push(page.map(({ id }) => id))
  assert.deepEqual(pages, [['1', '2'], [], ['3']])
  assert.deepEqual(
    platform.asked.map(({ path, query }) => [path, query.after]),
    ['', 'B', 'C='].map((after) => ['/v19.0/700100200300400/message_templates', after || undefined]),
  )
  assert.match(platform.asked[0]?.query.fields ?? '', /quality_score.*rejected_reason/)
})

test('a list without an end, data or cursor is an error', async () => {
  const round = (after: string): Answer => ({
    json: { data: [listed('1')], paging: { cursors: { after }, next: 'x' } },
  })
  for (const answers of [
    [round('A'), round('B'), round('A')],
    [round('A')],
    [{ json: {} }],
    [{ json: { data: null } }],
    [{ text: '' }],
    [{ json: { data: [], paging: { next: 'x' } } }],
  ] as Answer[][]) {
    platform.answers(...answers)
    await assert.rejects(collect(chat.listTemplates()), { code: 'bad_answer', verdict: 'retry' })
  }
})

test('a listed template is read whatever members it has', async () => {
  platform.answers({
    json: {
      data: [
        {
          id: '1',
          name: 'full',
          language: 'pt_BR',
          status: 'rejected',
          category: 'Marketing',
          components: [{ type: 'BODY', text: 'x' }],
          quality_score: { score: 'green', date: 1 },
          rejected_reason: 'INVALID_FORMAT',
          message_send_ttl_seconds: 600,
        },
        { id: 2, status: 'BRAND_NEW', quality_score: { score: 'UNKNOWN' }, rejected_reason: 'NONE' },
        { id: '3', quality_score: 'RED', components: null },
        null,
      ],
    },
  })
  const bare = { name: '', language: '', category: '', components: [], rejectedReason: null }
  assert.deepEqual(await collect(chat.listTemplates()), [
    {
      id: '1',
      name: 'full',
      language: 'pt_BR',
      status: 'REJECTED',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'x' }],
      ttlSeconds: 600,
      qualityScore: 'GREEN',
      rejectedReason: 'INVALID_FORMAT',
    },
    { ...bare, id: '2', status: 'BRAND_NEW', qualityScore: '' },
    { ...bare, id: '3', status: '', qualityScore: 'RED' },
  ])
})

test('a field that an older version does not have is left out', async () => {
  const message =
    '(#100) Tried accessing nonexisting field (message_send_ttl_seconds) on node type (WhatsAppMessageTemplate)'
  platform.answers({ status: 400, json: { error: { message, code: 100 } } }, { json: { data: [listed('1')] } })
  assert.deepEqual(
    (await collect(chat.listTemplates())).map(({ id }) => id),
    ['1'],
  )
  platform.answers({ json: listed('1') })
  assert.equal((await chat.findTemplate({ id: '1' }))?.id, '1')
})

const unknownObject = { status: 400, json: { error: { message: 'x', code: 100, error_subcode: 33 } } }

test('a template is found by its id, or undefined is returned', async () => {
  platform.answers({ json: listed('810200300400500') })
  assert.equal((await chat.findTemplate({ id: '810200300400500' }))?.name, 'n810200300400500')
  assert.equal(only().path, '/v19.0/810200300400500')
  platform.answers(unknownObject)
  assert.equal(await chat.findTemplate({ id: '1' }), undefined)
  // Without that subcode the refusal may be about a field of the request: the list decides.
  const vague = { status: 404, json: { error: { message: 'x', code: 100 } } }
  platform.answers(vague, { json: { data: [listed('2')] } })
  assert.equal(await chat.findTemplate({ id: '1' }), undefined)
  platform.answers(vague, { json: { data: [listed('2'), listed('1')] } })
  assert.equal((await chat.findTemplate({ id: '1' }))?.name, 'n1')
  platform.answers({ status: 404, text: '<html>Not Found</html>' })
  await assert.rejects(chat.findTemplate({ id: '1' }), { code: 'http_404', verdict: 'fail' })
})

test('a template is found by its exact name and language, active ones before deleted ones', async () => {
  const named = (id: string, name: string, language: string, status = 'APPROVED') => ({ id, name, language, status })
  platform.answers(
    {
      json: {
        data: [named('1', 'pickup_2', 'en_US'), named('2', 'pickup', 'en'), named('3', 'pickup', 'en_US', 'DELETED')],
        paging: { cursors: { after: 'A' }, next: 'yes' },
      },
    },
    { json: { data: [named('4', 'pickup', 'EN_us', 'PENDING')] } },
  )
  assert.equal((await chat.findTemplate({ name: 'pickup', language: 'en_US' }))?.id, '4')
  assert.equal(platform.asked[0]?.query.name, 'pickup')
  platform.answers({ json: { data: [named('1', 'pickup', 'en')] } })
  assert.equal(await chat.findTemplate({ name: 'pickup', language: 'de' }), undefined)
})

test('one language of a name is deleted, by id and name', async () => {
  const answers: Answer[] = [{ json: { success: true } }, { status: 204 }, { json: {} }]
  for (const answer of answers) {
    platform.answers(answer)
    assert.equal(await chat.deleteTemplate({ id: '81', name: 'pickup' }), 'deleted')
    const { method, path, query } = only()
    assert.deepEqual([method, path], ['DELETE', '/v19.0/700100200300400/message_templates'])
    assert.deepEqual(query, { hsm_id: '81', name: 'pickup' })
  }
  platform.answers({ json: { success: false } })
  await assert.rejects(chat.deleteTemplate({ id: '81', name: 'pickup' }), { verdict: 'retry' })
})

test('a template counts as gone only if the list proves it', async () => {
  const which = { id: '81', name: 'pickup' }
  const found = (...data: object[]) => ({ json: { data } })
  platform.answers(unknownObject, found({ id: '82', name: 'pickup', status: 'APPROVED' }))
  assert.equal(await chat.deleteTemplate(which), 'gone')
  platform.answers(unknownObject, found({ id: '81', name: 'pickup', status: 'PENDING_DELETION' }))
  assert.equal(await chat.deleteTemplate(which), 'gone')
  // The code meant something else, such as a missing permission: the template still exists.
  platform.answers(unknownObject, found({ id: '81', name: 'pickup', status: 'APPROVED' }))
  await assert.rejects(chat.deleteTemplate(which), { code: '100', verdict: 'fail' })
  platform.answers(unknownObject)
  await assert.rejects(chat.deleteTemplate(which), { code: '100' })
  platform.answers({ status: 404, text: 'nothing here' })
  await assert.rejects(chat.deleteTemplate(which), { code: 'http_404' })
})

test('the library is listed with its filters', async () => {
  platform.answers({
    json: {
      data: [{ id: 9, name: 'delivery_update_1', language: 'en_US', body: 'Hi {{1}}', body_params: ['Ines', 7] }],
    },
  })
  const [entry] = await chat.listLibrary({ search: 'delivery', language: 'en_US' })
  assert.deepEqual(entry, {
    id: '9',
    name: 'delivery_update_1',
    language: 'en_US',
    category: '',
    topic: '',
    usecase: '',
    industry: [],
    header: '',
    body: 'Hi {{1}}',
    bodyParams: ['Ines', '7'],
    bodyParamTypes: [],
    buttons: [],
  })
  assert.equal(only().path, '/v19.0/message_template_library')
  assert.deepEqual(only().query, { search: 'delivery', language: 'en_US', limit: '100' })
})

test('clicks on links are read by day; taps on reply buttons and incomplete counts are left out', async () => {
  const clicked = [
    { type: 'quick_reply_button', button_content: 'Later', count: 9 },
    { type: 'url_button', button_content: 'Shop', count: 5 },
    { type: 'unique_url_button', button_content: 'Shop', count: 3 },
    { type: 'url_button', button_content: 'Map' },
  ]
  const day = { template_id: '810', start: 1763251200, end: 1763337600 }
  platform.answers({
    json: { data: [{ granularity: 'DAILY', data_points: [{ ...day, clicked }, { ...day, sent: 4 }, { clicked }] }] },
  })
  const times = { from: new Date('2025-11-16T10:00:00Z'), until: new Date('2025-11-16T12:00:00.500Z') }
  assert.deepEqual(await chat.readClicks({ templateId: '810', ...times, asMarketing: true }), [
    { day: '2025-11-16', label: 'Shop', kind: 'clicks', count: 5 },
    { day: '2025-11-16', label: 'Shop', kind: 'people', count: 3 },
  ])
  const { path, query } = only()
  assert.equal(path, '/v19.0/700100200300400/template_analytics')
  assert.deepEqual(query, {
    start: '1763287200',
    end: '1763294400',
    granularity: 'DAILY',
    metric_types: 'CLICKED',
    template_ids: '[810]',
    product_type: 'MARKETING_MESSAGES_API_FOR_WHATSAPP',
  })
})

test('a platform that serves its library under the account is asked there', async () => {
  platform.answers({ status: 404, json: { error: { code: 2500, message: 'unknown path' } } }, { json: { data: [] } })
  assert.deepEqual(await chat.listLibrary({ name: 'x' }), [])
  assert.deepEqual(
    platform.asked.map(({ path }) => path),
    ['/v19.0/message_template_library', '/v19.0/700100200300400/message_template_library'],
  )
  platform.answers({ status: 503, text: '' })
  await assert.rejects(chat.listLibrary({}), { code: 'http_503', verdict: 'retry' })
  assert.equal(platform.asked.length, 1)
})
