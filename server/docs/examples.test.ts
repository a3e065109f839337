import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { createSignInLink } from '../features/organizations/create-sign-in-link.ts'
import { totpCode, totpStep } from '../features/organizations/second-factors/totp.ts'
import type { JsonSchema } from '../platform/http/openapi-schemas.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { parseInstant } from '../platform/instants.ts'
import { type CallAs, type Reply, startTestApp } from '../testing/app.ts'
import { connectOwner } from '../testing/connect-owner.ts'
import { demoRecords } from '../testing/demo-records.ts'
import { dnsServer } from '../testing/dns-server.ts'
import {
  addressOf,
  type DocumentedOperation,
  examplesIn,
  filledIn,
  operationsOf,
  parametersOf,
} from '../testing/documented-requests.ts'
import { mailServer } from '../testing/mail-server.ts'
import { testAuthenticator } from '../testing/passkeys.ts'
import { person } from '../testing/people.ts'
import { until } from '../testing/process.ts'
import { unscopedReads, watchStatements } from '../testing/tenant-statements.ts'
import { formOf } from '../testing/uploads.ts'

const { settings: mail } = await mailServer()
const dns = await dnsServer()
const app = await startTestApp({
  settings: { OUTBOUND_ALLOW: ['127.0.0.1'], ...mail, PUBLIC_URL: undefined, DNS_SERVERS: [dns.address] },
})
const statements = watchStatements(app.database.pools.tenant)
await app.listen()
const demo = await demoRecords(app)
const live = app.as((await app.key(demo.id, { mode: 'live' })).secret)
const { body: document } = await app.call('GET', 'openapi.json')
const operations = operationsOf(document)

const inTestMode =
  (call: CallAs): CallAs =>
  (method, path, body, headers) =>
    call(method, path, body, { 'x-mode': 'test', ...headers })
const owner = inTestMode(demo.owner.call)
/** Operations about people need one; the others work with a key. */
const callerOf = ({ path }: DocumentedOperation) =>
  /^\/api\/v1\/(members|invitations|roles|domains|provider-keys|privacy|auth|operator|schedules|teams|availability|sla-policies|notifications|push-subscriptions)\b/.test(
    path,
  )
    ? owner
    : demo.call
const password = 'correct horse battery staple'

/** What a request needs besides the ids of the demo records. */
interface Preparation {
  ids?: Record<string, string>
  /** Members that the document tells the caller to fill in. */
  values?: Record<string, unknown>
  file?: [name: string, text: string]
  call?: CallAs
}

async function newCampaign(...steps: string[]): Promise<Preparation> {
  const { chat_phone_number_id, message_template_id } = demo.ids
  const when = { scheduled_at: '2099-01-01T00:00:00Z', audience_type: 'tags', audience_tags: ['vip'] }
  const body = { name: 'News', chat_phone_number_id, message_template_id, ...when }
  const { id } = (await demo.call('POST', 'campaigns', body)).body
  for (const step of steps) await demo.call('POST', `campaigns/${id}/${step}`)
  return { ids: { campaign_id: id } }
}

async function savedReplyWithFile(): Promise<Preparation> {
  const { id } = (await demo.call('POST', 'inbox/saved-replies', { name: newId(), body: 'Our menu' })).body
  const { body, headers } = await formOf({ file: '%PDF-1.7 menu', fileName: 'menu.pdf' })
  const { attachments } = (await demo.call('POST', `inbox/saved-replies/${id}/attachments`, body, headers)).body
  return { ids: { saved_reply_id: id, attachment_id: attachments[0].id } }
}

async function scheduledMessage(): Promise<string> {
  const body = { body: 'Good morning', send_at: '2099-01-01T00:00:00Z' }
  return (await demo.call('POST', `inbox/tickets/${demo.ids.inbox_id}/scheduled-messages`, body)).body.id
}

async function memberWithPassword() {
  const member = await person(app, demo.id, 'member')
  assert.equal((await member.call('POST', 'auth/password', { new_password: password })).status, 200)
  return member
}

/** A member with a password who has begun, or also finished, setting up an authenticator app. */
async function memberWithAuthenticator(isConfirmed: boolean): Promise<Preparation> {
  const { id, call } = await memberWithPassword()
  const { secret } = (await call('POST', 'auth/authenticator', { current_password: password })).body
  const code = totpCode(secret, totpStep(Date.now()))
  if (isConfirmed) {
    assert.equal((await call('POST', 'auth/authenticator/confirm', { code })).status, 200)
    await app.database.forSystem().run`update authenticators set last_step = 0 where user_id = ${id}`
  }
  return { values: { code }, call }
}

async function addPasskey(call: CallAs, current_password?: string) {
  const options = (await call('POST', 'auth/passkeys/options', { current_password })).body
  const authenticator = testAuthenticator()
  return { authenticator, response: authenticator.create(options, 'http://localhost') }
}

async function storedHeaderFile() {
  const form = await formOf({
    file: '%PDF-1.7 menu',
    fileName: 'menu.pdf',
    fields: { channel_id: demo.ids.channel_id as string },
  })
  return { ids: { media_id: (await demo.call('POST', 'templates/media', form.body, form.headers)).body.id } }
}

/** A member who was assigned a ticket of test mode, and its notification. */
async function memberWithNotification(): Promise<Preparation> {
  const member = await person(app, demo.id, 'member')
  const call = inTestMode(member.call)
  await demo.call('PATCH', `inbox/tickets/${demo.ids.inbox_id}`, { assignee_id: member.id })
  const listed = async () => (await call('GET', 'notifications')).body.data[0]
  await until(async () => (await listed()) !== undefined)
  return { ids: { notification_id: (await listed()).id }, call }
}

/** An answer of an agent, which members can rate. */
async function agentAnswer(): Promise<Preparation> {
  const Answer = Type.Object({ id: Type.String(), ticket_id: Type.String() })
  const { id, ticket_id } = await app.database.inTenant(
    { organizationId: demo.id, livemode: false },
    (tx) => tx.one(Answer)`select id, ticket_id from messages where actor_type = 'ai' limit 1`,
  )
  return { ids: { message_id: id, inbox_id: ticket_id } }
}

/** Records in the state that an operation requires, secrets that only their owner knows, and files. */
const preparations: Record<string, () => Promise<Preparation>> = {
  addSavedReplyAttachment: async () => ({ file: ['menu.pdf', '%PDF-1.7 menu'] }),
  addSource: async () => ({ file: ['hours.md', '# Hours\n\nWe are open from ten to six.'] }),
  acceptInvitation: async () => {
    const { link } = (await owner('POST', 'invitations', { email: 'grace@example.com', role: 'member' })).body
    return { values: { token: new URL(link, 'http://x').hash.replace(/^#(.*=)?/, '') }, call: app.call }
  },
  announcePresence: async () => ({ call: owner }),
  cancelBulkEdit: async () => {
    // One that no worker has begun.
    const id = newId()
    await app.database.inTenant(
      { organizationId: demo.id, livemode: false },
      (tx) => tx.run`
        insert into contact_bulk_edits (id, filter, changes, total, actor_type)
        values (${id}, '{}', '{"add_tags": ["x"]}', 1, 'user')`,
    )
    return { ids: { bulk_edit_id: id } }
  },
  cancelCampaign: () => newCampaign(),
  cancelScheduledMessage: async () => ({ ids: { scheduled_message_id: await scheduledMessage() } }),
  changePassword: async () => {
    const { call } = await memberWithPassword()
    return { values: { current_password: password }, call }
  },
  confirmAuthenticator: () => memberWithAuthenticator(false),
  createAuthenticator: async () => ({
    values: { current_password: password },
    call: (await memberWithPassword()).call,
  }),
  createPasskey: async () => {
    const { call } = await memberWithPassword()
    return { values: { response: (await addPasskey(call, password)).response }, call }
  },
  createPasskeyOptions: async () => ({
    values: { current_password: password },
    call: (await memberWithPassword()).call,
  }),
  createRecoveryCodes: () => memberWithAuthenticator(true),
  deleteMemberAccess: async () => {
    const { id } = await person(app, demo.id, 'member')
    await owner('PUT', `members/${id}/access`, { channel_ids: [], team_ids: [] })
    return { ids: { member_id: id } }
  },
  downloadTemplateMedia: storedHeaderFile,
  deleteTemplateMedia: storedHeaderFile,
  deletePushSubscription: async () => {
    const { call } = await person(app, demo.id, 'member')
    const create = operations.find(({ id }) => id === 'createPushSubscription') as DocumentedOperation
    const { example } = create.operation.requestBody?.content['application/json'] ?? {}
    return { ids: { subscription_id: (await call('POST', 'push-subscriptions', example)).body.id }, call }
  },
  endCall: async () => {
    const { agent_id } = demo.ids
    return { ids: { call_id: (await demo.call('POST', 'calls/web', { agent_id })).body.id } }
  },
  deleteSavedReplyAttachment: () => savedReplyWithFile(),
  downloadSavedReplyAttachment: () => savedReplyWithFile(),
  eraseContact: async () => ({
    ids: { contact_id: (await demo.call('POST', 'contacts', { phone_number: '+14155559188' })).body.id },
  }),
  getSavedReplyAttachment: () => savedReplyWithFile(),
  importContacts: async () => ({ file: ['contacts.csv', 'phone,name\n+14155550191,Ada\n'] }),
  importFaqs: async () => ({ file: ['faqs.csv', 'question,answer\nDo you deliver?,Yes.\n'] }),
  login: async () => ({ values: { email: (await memberWithPassword()).email, password }, call: app.call }),
  loginWithPasskey: async () => {
    const { call } = await memberWithPassword()
    const { authenticator, response } = await addPasskey(call, password)
    assert.equal((await call('POST', 'auth/passkeys', { name: 'Key', response })).status, 201)
    const options = (await app.call('POST', 'auth/passkey/options')).body
    return { values: { response: authenticator.get(options, 'http://localhost') }, call: app.call }
  },
  logout: async () => ({
    values: { refresh_token: (await person(app, demo.id, 'member')).refreshToken },
    call: app.call,
  }),
  dismissContactDuplicate: async () => ({
    values: { contact_id: (await demo.call('POST', 'contacts', { phone_number: '+14155559177' })).body.id },
  }),
  mergeContacts: async () => ({
    values: { contact_id: (await demo.call('POST', 'contacts', { phone_number: '+14155559189' })).body.id },
  }),
  pauseCampaign: () => newCampaign(),
  promoteAgent: async () => ({ call: live }),
  promoteDocument: async () => ({ call: live }),
  putMemberAccess: async () => ({ ids: { member_id: (await person(app, demo.id, 'member')).id } }),
  putSavedReplyAttachment: async () => ({ file: ['menu.pdf', '%PDF-1.7 menu'] }),
  readNotification: () => memberWithNotification(),
  refresh: async () => ({
    values: { refresh_token: (await person(app, demo.id, 'member')).refreshToken },
    call: app.call,
  }),
  removeSavedReplyAttachment: () => savedReplyWithFile(),
  removePasskey: async () => {
    const { call } = await memberWithPassword()
    const { response } = await addPasskey(call, password)
    const { id, recovery_codes } = (await call('POST', 'auth/passkeys', { name: 'Key', response })).body
    return { ids: { passkey_id: id }, values: { current_password: password, code: recovery_codes[0] }, call }
  },
  removeAuthenticator: async () => {
    const { values, ...rest } = await memberWithAuthenticator(true)
    return { ...rest, values: { ...values, current_password: password } }
  },
  resumeCampaign: () => newCampaign('pause'),
  retryCampaign: async () => {
    const { chat_phone_number_id, message_template_id } = demo.ids
    // A number that the simulated platform cannot deliver to.
    const contact = (await demo.call('POST', 'contacts', { phone_number: '+12025550102', name: 'Ines' })).body
    const audience = { audience_type: 'manual', audience_contact_ids: [contact.id] }
    const body = { name: 'News', chat_phone_number_id, message_template_id, ...audience }
    const { id } = (await demo.call('POST', 'campaigns', body)).body
    await until(async () => (await demo.call('GET', `campaigns/${id}`)).body.failed_count === 1)
    return { ids: { campaign_id: id } }
  },
  retryScheduledMessage: async () => {
    const id = await scheduledMessage()
    await app.database.inTenant(
      { organizationId: demo.id, livemode: false },
      (tx) => tx.run`update scheduled_messages set status = 'failed' where id = ${id}`,
    )
    return { ids: { scheduled_message_id: id } }
  },
  rateMessage: agentAnswer,
  removeMessageRating: agentAnswer,
  replaceDocument: async () => ({ file: ['refunds.txt', 'Refunds are paid within ten days.'] }),
  sendMessage: async () => ({ file: ['plan.txt', 'Turn left at the station.'] }),
  takeTicket: async () => ({ call: owner }),
  testTemplate: async () => {
    const { phone_number } = (await demo.call('POST', 'contacts', { phone_number: '+14155559190', name: 'Ada' })).body
    return { values: { phone_number } }
  },
  updateMe: async () => ({ call: owner }),
  verifyDomain: async () => {
    const { id, record_name, record_value } = (
      await owner('POST', 'domains', { domain: 'verified.example', role: 'member' })
    ).body
    dns.records.set(record_name, record_value)
    return { ids: { domain_id: id } }
  },
  updateTicket: async () => {
    const { inboxes } = (await demo.call('GET', 'inbox/tickets?status=open&limit=2')).body
    return { ids: { inbox_id: inboxes[1].id } }
  },
  // The example's URL belongs to a third party: nothing may be sent to it.
  updateWebhook: async () => {
    const { id } = (await demo.call('POST', 'webhooks', { url: demo.endpoint.url, events: ['*'] })).body
    await demo.call('PATCH', `webhooks/${id}`, { status: 'disabled' })
    return { ids: { webhook_id: id } }
  },
  uploadTemplateMedia: async () => ({ file: ['menu.pdf', '%PDF-1.7 menu'] }),
  uploadDocument: async () => ({ file: ['hours.txt', 'We are open from nine to five.'] }),
  useSignInLink: async () => {
    const { id } = await person(app, demo.id, 'member')
    return { values: { token: await app.database.inSystem((tx) => createSignInLink(tx, id)) }, call: app.call }
  },
}

/** Undoes what would continue after the test. */
const undone: Record<string, (answer: Reply['body']) => Promise<unknown>> = {
  createCall: ({ id }) => demo.call('POST', `calls/${id}/end`),
  createWebhook: ({ id }) => demo.call('DELETE', `webhooks/${id}`),
  updateWebhook: ({ id }) => demo.call('DELETE', `webhooks/${id}`),
}

/** Correct although it is no success: the call was never answered, and the ticket was never closed. */
const expected: Record<string, number> = { getRecording: 404, getTicketAnalysis: 404, listenToCall: 409 }

const isOk = ({ id }: DocumentedOperation, { status }: Reply) =>
  expected[id] === undefined ? status < 300 : status === expected[id]

/** The request ids of all examples. */
const requests = new Map<string, DocumentedOperation>()

/** Why these leave no audit entry. */
const unaudited: Record<string, string> = {
  deletePushSubscription: 'a device of the member',
  removeMessageRating: 'a rating by the member',
}

const told = ({ method, path }: DocumentedOperation, { status, text }: Reply) =>
  `${method} ${path}: ${status} ${text.slice(0, 300)}`

/** One request for each variant of the body. */
async function sendExamples(each: DocumentedOperation): Promise<Reply[]> {
  const { content = {}, description = '' } = each.operation.requestBody ?? {}
  const replies: Reply[] = []
  for (const type of Object.keys(content).length > 0 ? Object.keys(content) : [undefined]) {
    const { ids = {}, values = {}, file, call = callerOf(each) } = (await preparations[each.id]?.()) ?? {}
    const all = { ...demo.ids, ...ids }
    const address = addressOf(each, all)
    if (type === undefined) {
      replies.push(await call(each.method, address))
      continue
    }
    for (const example of examplesIn(content[type])) {
      const named = [...idsIn(example), ...Object.keys(values), ...(type === 'multipart/form-data' ? ['file'] : [])]
      for (const member of named)
        assert.ok(description.includes(`\`${member}\` (`), `${each.id} says that ${member} has to be filled in`)
      const body = { ...(filledIn(example, all) as JsonSchema), ...values }
      if (type === 'application/json') replies.push(await call(each.method, address, body))
      else {
        const { file: _, ...fields } = body
        const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
        const [fileName, text] = file as [string, string]
        const form = await formOf({ file: text, fileName, fileType: 'text/plain', fields: texts })
        replies.push(await call(each.method, address, form.body, form.headers))
      }
    }
  }
  await undone[each.id]?.(replies.at(-1)?.body)
  return replies
}

/** The names of the members that hold an id. */
function idsIn(example: unknown, name = ''): string[] {
  if (example !== null && typeof example === 'object')
    return Object.entries(example).flatMap(([member, value]) => idsIn(value, Array.isArray(example) ? name : member))
  return isUuid(example as string) ? [name] : []
}

// The stream never ends.
const answering = operations.filter(({ id }) => id !== 'streamEvents')

test('every suggested query parameter works as it is', async () => {
  const failed: string[] = []
  for (const each of answering.filter(({ method }) => method === 'GET'))
    for (const { name, schema, examples } of parametersOf(each, 'query')) {
      if (examples === undefined) continue
      const value = schema.format === 'uuid' ? demo.ids[name] : examples.default.value
      const address = `${addressOf(each, demo.ids)}&${name}=${encodeURIComponent(String(value))}`
      const answer = await callerOf(each)('GET', address)
      if (!isOk(each, answer)) failed.push(`${name}: ${told(each, answer)}`)
    }
  assert.deepEqual(failed, [])
})

test('every example works once the ids and secrets that it names are filled in', async () => {
  // Deletions last, and a record before its parent.
  const isDeletion = ({ method }: DocumentedOperation) => method === 'DELETE'
  const inOrder = [...answering.filter((each) => !isDeletion(each)), ...answering.filter(isDeletion).reverse()]
  const failed: string[] = []
  for (const each of inOrder)
    for (const answer of await sendExamples(each)) {
      if (!isOk(each, answer)) failed.push(told(each, answer))
      requests.set(String(answer.headers['x-request-id']), each)
    }
  assert.deepEqual(failed, [])
})

test('every deletion, export and erasure of these requests is in the audit log', async () => {
  const { rows } = await (await connectOwner(app)).query('select distinct request_id from audit_entries')
  const recorded = new Set(rows.map(({ request_id }) => request_id))
  const missing = [...requests]
    .filter(([request, { id }]) => /^(delete|remove|export|erase)/.test(id) && !recorded.has(request))
    .map(([, { id }]) => id)
  assert.deepEqual(missing.filter((id) => !(id in unaudited)).sort(), [])
})

test('every statement of these requests reads rows of one organization only', async (t) => {
  const owner = await connectOwner(app)
  const { rows } = await owner.query(`select current_setting('server_version_num')::integer as version`)
  if (rows[0].version < 160_000) return t.skip('EXPLAIN (GENERIC_PLAN) needs PostgreSQL 16')
  assert.ok(statements.size > 300, `${statements.size} statements`)
  assert.deepEqual(await unscopedReads(owner, [...statements]), [])
})

test('the example campaign is scheduled and not sent to every contact', async () => {
  const { example } = document.paths['/api/v1/campaigns'].post.requestBody.content['application/json']
  assert.notEqual(example.audience_type ?? 'all', 'all')
  assert.ok(Date.parse(example.scheduled_at) > Date.parse('2090-01-01'))
})

test('no example request uses a time in the past', () => {
  const instantsIn = (example: unknown, name = ''): [string, string][] => {
    if (example !== null && typeof example === 'object')
      return Object.entries(example).flatMap(([member, value]) => instantsIn(value, member))
    return typeof example === 'string' && /^\d{4}-/.test(example) && parseInstant(example) ? [[name, example]] : []
  }
  // `since` asks for past events.
  for (const { id, operation } of operations)
    for (const media of Object.values((operation.requestBody?.content ?? {}) as Record<string, JsonSchema>))
      for (const [name, instant] of instantsIn(examplesIn(media)))
        if (name !== 'since') assert.ok(instant > '2090', `${id} ${name} ${instant}`)
})

test('operations for people refuse an API key', async () => {
  const forPeople = operations.filter(({ operation }) => operation.description.includes('For people who are signed in'))
  assert.ok(forPeople.some(({ id }) => id === 'updateMe'))
  const ids = { ...demo.ids, passkey_id: newId(), session_id: newId() }
  for (const each of forPeople) {
    const { example } = each.operation.requestBody?.content['application/json'] ?? {}
    const answer = await demo.call(each.method, addressOf(each, ids), example)
    assert.equal(answer.status, 403, told(each, answer))
  }
})
