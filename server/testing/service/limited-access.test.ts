import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { callEvents } from '../../features/calls/events.ts'
import { activityCreated } from '../../features/contacts/events.ts'
import { inboxEvents } from '../../features/inbox/events.ts'
import { scheduledMessageEvents } from '../../features/inbox/scheduled/events.ts'
import { slaEvents } from '../../features/sla/events.ts'
import { covers } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import { ok, type Reply } from '../app.ts'
import { newChannel, newCustomer, startChatApp } from '../conversations.ts'
import { type DocumentedOperation, examplesIn, filledIn, operationsOf, parametersOf } from '../documented-requests.ts'
import { person, type TestPerson } from '../people.ts'
import { until } from '../process.ts'
import { openStream } from '../streams.ts'
import { formOf, type Upload, upload } from '../uploads.ts'
import { html, startWebsite } from '../website.ts'

/**
 * Calls every operation as a member whose access is limited to a channel, and as one who is limited to a team. Requests
 * name records of a conversation outside of both limits. Responses are searched for what belongs to conversations that
 * the member does not see: their ids, and a word that all their texts contain.
 */
const { app, platform, newOrganization } = await startChatApp({
  settings: { OUTBOUND_ALLOW: ['127.0.0.1'], CRAWL_DELAY_MS: 0 },
})
const acme = await newOrganization('olive@limited.example')
const { call, scope } = acme
const foreignChannel = await newChannel(acme, '+14155559001', platform.token)
const voice = { provider: 'twilio', account_sid: `AC${'0'.repeat(32)}`, auth_token: 'secret', phone_number_id: 'PN1' }
ok(await call('PATCH', `channels/${foreignChannel}`, { voice }))
const [team, foreignTeam] = [
  ok(await call('POST', 'teams', { name: 'Sales' }), 201).id as string,
  ok(await call('POST', 'teams', { name: 'Support' }), 201).id as string,
]
/** Its pages do not exist, so a crawl ends at once. */
const site = await startWebsite({ '/': html('Help', 'Ask us.') })
const { body: document } = await app.call('GET', 'openapi.json')
/** Without a scope: for callers who have not signed in. */
const operations = operationsOf(document).filter(({ operation }) => operation['x-required-scope'] !== undefined)

/** The role that allows most without full access. */
const supervisor = await person(app, acme.id, 'supervisor')
const [ofChannel, ofTeam] = [await person(app, acme.id, 'supervisor'), await person(app, acme.id, 'supervisor')]
ok(await call('PUT', `members/${ofChannel.id}/access`, { channel_ids: [acme.channelId], team_ids: [] }))
ok(await call('PUT', `members/${ofTeam.id}/access`, { channel_ids: [], team_ids: [team] }))

/** One of everything that belongs to a conversation. */
async function converse(word: string, channelId: string, teamId: string | null) {
  const from = newCustomer()
  const { ticketId, contactId, messageId, chatMessageId } = await acme.receives({ from, body: word, channelId })
  const sent = ok(await call('POST', `inbox/messages/${ticketId}`, { message_type: 'text', body: word }), 201)
  const note = ok(await call('POST', `inbox/tickets/${ticketId}/notes`, { body: word }), 201)
  const later = { message_type: 'text', body: word, send_at: '2099-01-01T00:00:00Z' }
  const scheduled = ok(await call('POST', `inbox/tickets/${ticketId}/scheduled-messages`, later), 201)
  ok(await call('PATCH', `inbox/tickets/${ticketId}`, { tags: [word], team_id: teamId, assignee_id: supervisor.id }))
  ok(await call('POST', `contacts/${contactId}/handoff`, { to: 'ai' }))
  ok(await call('POST', `contacts/${contactId}/handoff`, { to: 'human', reason: word }))
  const [media, callId, gap, analysis, notification] = [newId(), newId(), newId(), newId(), newId()]
  await app.database.inTenant(scope, async (tx) => {
    await tx.run`
      insert into message_media (id, message_id, state, mime_type, file_name)
      values (${media}, ${messageId}, 'failed', 'image/png', ${`${word}.png`})`
    await tx.run`
      insert into calls (id, medium, direction, status, telephony_status, channel_id, contact_id, deadline_at, ended_at, summary)
      values (${callId}, 'phone', 'inbound', 'completed', 'completed', ${channelId}, ${contactId}, now(), now(), ${word})`
    await tx.run`
      insert into activities (id, contact_id, type, actor_type, payload)
      values (${newId()}, ${contactId}, 'call_logged', 'system', ${{ call_log_id: callId, note: word }})`
    await tx.run`insert into knowledge_gaps (id) values (${gap})`
    await tx.run`
      insert into gap_questions (id, asked_in, gap_id, contact_id, ticket_id, text, reason)
      values (${newId()}, ${messageId}, ${gap}, ${contactId}, ${ticketId}, ${word}, 'not_found')`
    await tx.run`
      insert into ticket_analyses (id, ticket_id, contact_id, last_message_id, summary, closed_at)
      values (${analysis}, ${ticketId}, ${contactId}, ${messageId}, ${word}, now())`
    const feedback = { rating: 'down', reason: word, member_id: supervisor.id, rated_at: '2026-11-01T00:00:00.000Z' }
    await tx.run`update messages set actor_type = 'ai', feedback = ${feedback} where id = ${sent.id}`
    for (const [id, { id: userId }] of [
      [notification, ofChannel],
      [newId(), ofTeam],
      [newId(), supervisor],
    ] as const)
      await tx.run`
        insert into notifications (id, user_id, kind, ticket_id) values (${id}, ${userId}, 'mention', ${ticketId})
        on conflict do nothing`
  })
  const assignments = ok(await call('GET', `inbox/tickets/${ticketId}/assignments`)).data
  return {
    word,
    contactId,
    from,
    chatMessageId,
    /** By the names that paths have for them. */
    ids: {
      inbox_id: ticketId,
      message_id: messageId,
      media_id: media,
      note_id: note.id as string,
      scheduled_message_id: scheduled.id as string,
      call_id: callId,
      call_log_id: callId,
      notification_id: notification,
      gap_id: gap,
    },
    others: [sent.id, analysis, ...assignments.map(({ id }: { id: string }) => id)] as string[],
  }
}
type TestConversation = Awaited<ReturnType<typeof converse>>

interface Limit {
  name: string
  member: TestPerson
  /** A conversation within the limit. */
  own: TestConversation
  /** Conversations outside of it. */
  hidden: TestConversation[]
}

let foreign: TestConversation
let ofOwnChannel: TestConversation
let ofOwnTeam: TestConversation
let limits: Limit[]
before(async () => {
  foreign = await converse('Xylophone', foreignChannel, foreignTeam)
  ofOwnChannel = await converse('Violin', acme.channelId, null)
  ofOwnTeam = await converse('Clarinet', foreignChannel, team)
  limits = [
    { name: 'channel', member: ofChannel, own: ofOwnChannel, hidden: [foreign, ofOwnTeam] },
    { name: 'team', member: ofTeam, own: ofOwnTeam, hidden: [foreign, ofOwnChannel] },
  ]
  await untilQuiet()
})

/** What follows from events has been written, and the jobs of the organization have ended. */
async function untilQuiet() {
  const { system } = app.database.pools
  await until(async () => {
    const { rows } = await system.query(`
      select count(*)::integer as n from events e, event_subscriptions s
      where (e.transaction_id, e.id) > (s.transaction_id, s.event_id)`)
    const jobs = await system.query(
      `select from pgboss.job where state <= 'active' and start_after <= now() and data::text like '%' || $1 || '%'`,
      [acme.id],
    )
    return rows[0].n === 0 && jobs.rowCount === 0
  })
}

/** What the response reveals of these conversations, apart from what the request itself names. */
function revealed({ text }: Pick<Reply, 'text'>, asked: string, of: TestConversation[]): string[] {
  const secrets = of.flatMap(({ word, ids, others }) => [word, ...Object.values(ids), ...others])
  return secrets.filter((each) => !asked.includes(each) && text.toLowerCase().includes(each.toLowerCase()))
}

/** Names of path parameters that are records of a conversation. */
const recordNames = () => Object.keys(foreign.ids)

const isOfConversation = ({ path }: DocumentedOperation) =>
  recordNames().some((name) => path.includes(`{${name}}`)) && !path.includes('/templates/')

/** Ids of the conversation where the path has one; its contact and channel; elsewhere ids of no record. */
function pathOf(operation: DocumentedOperation, { ids, contactId }: TestConversation): string {
  const all: Record<string, string> = {
    ...ids,
    contact_id: contactId,
    channel_id: foreignChannel,
    team_id: foreignTeam,
    member_id: supervisor.id,
  }
  return parametersOf(operation, 'path').reduce(
    (filled, { name }) => filled.replace(`{${name}}`, all[name] ?? newId()),
    operation.path,
  )
}

/** The paths of a record outside the access, also as one of a conversation within it. */
function pathsOf(operation: DocumentedOperation, own: TestConversation): string[] {
  const named = recordNames().filter((name) => operation.path.includes(`{${name}}`))
  const mixed = { ...foreign, ids: { ...foreign.ids, inbox_id: own.ids.inbox_id } }
  return [pathOf(operation, foreign), ...(named.length > 1 ? [pathOf(operation, mixed)] : [])]
}

/** The longest page, as it is, with a search that finds something, and with each filter that names a foreign record. */
function queriesOf(operation: DocumentedOperation): string[] {
  const names = parametersOf(operation, 'query').map(({ name }) => name as string)
  const required = parametersOf(operation, 'query').filter((parameter) => parameter.required)
  const base = [
    ...required.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`),
    ...(names.includes('limit') ? ['limit=100'] : []),
  ].join('&')
  const filters: Record<string, string> = {
    search: foreign.word,
    tag: foreign.word,
    ticket_tag: foreign.word,
    inbox_id: foreign.ids.inbox_id,
    contact_id: foreign.contactId,
    channel_id: foreignChannel,
    team_id: foreignTeam,
    member_id: supervisor.id,
    assignee_id: supervisor.id,
    rating: 'down',
    by: 'handoff_reason',
  }
  // The audit log shows with which filters contacts were exported.
  if (operation.id === 'exportContacts') return [base]
  return [base, ...names.flatMap((name) => (filters[name] ? [`${base}&${name}=${filters[name]}`] : []))]
}

const mayCall = async ({ call: as }: TestPerson) => {
  const scopes = new Set<string>(ok(await as('GET', 'me')).scopes)
  return ({ operation }: DocumentedOperation) =>
    covers(scopes, operation['x-required-scope']) ||
    covers(scopes, operation['x-narrower-scope'] ?? operation['x-required-scope'])
}

/** It stays open; tested further down. */
const reads = operations.filter(({ id, method }) => method === 'GET' && id !== 'streamEvents')
const writes = operations.filter(({ method }) => method !== 'GET')

async function readAll(member: TestPerson, hidden: TestConversation[]) {
  const found: Record<string, { status: number; reveals: string[] }[]> = {}
  for (const operation of reads)
    for (const query of queriesOf(operation)) {
      const url = `${pathOf(operation, foreign)}?${query}`
      const answer = await member.call('GET', url)
      assert.notEqual(answer.status, 500, `${url}: ${answer.text}`)
      const reveals = revealed(answer, url, hidden)
      found[operation.id] = [...(found[operation.id] ?? []), { status: answer.status, reveals }]
    }
  return found
}

test('no read shows a limited member anything of a conversation outside their access', async () => {
  const problems: string[] = []
  for (const { name, member, hidden } of limits) {
    const isOpen = await mayCall(member)
    const seen = await readAll(member, hidden)
    for (const operation of reads)
      for (const { status, reveals } of seen[operation.id] ?? []) {
        const expected = isOpen(operation) ? isOfConversation(operation) && 404 : 403
        if (reveals.length > 0 || (expected && status !== expected))
          problems.push(`${operation.id}, limited by ${name}: ${status} ${reveals}`)
      }
  }
  assert.deepEqual(problems, [])
  // The same requests show it to a member without a limit, so the test looks in the right places.
  const all = await readAll(supervisor, [foreign])
  const revealing = Object.keys(all).filter((id) => all[id]?.some(({ reveals }) => reveals.length > 0))
  for (const id of [
    ...['listTickets', 'getTicket', 'listMessages', 'listNotes', 'getNote', 'listTicketTags', 'listNotifications'],
    ...['listScheduledMessages', 'getScheduledMessage', 'listTicketAssignments', 'listActivities', 'listEvents'],
    ...['listCalls', 'getCall', 'listCallLogs', 'getCallLog', 'listRatedMessages'],
    ...['getConversationsReport', 'exportConversationsReport', 'listKnowledgeGaps', 'getKnowledgeGap'],
    ...['listTicketAnalyses', 'getTicketAnalysis'],
  ])
    assert.ok(revealing.includes(id), id)
})

/** Bodies that are valid, so that the answer is about the conversation. */
const bodies: Record<string, unknown> = {
  sendMessage: { message_type: 'text', body: 'Hello' },
  scheduleMessage: { message_type: 'text', body: 'Hello', send_at: '2099-01-01T00:00:00Z' },
  updateTicket: { status: 'closed' },
  setTicketTeam: { team_id: null },
  // A site would be crawled.
  addSource: { kind: 'faq', question: 'Until when are you open?', answer: 'Until six.' },
}

function bodyOf({ id, operation }: DocumentedOperation): unknown {
  const content = operation.requestBody?.content['application/json']
  return bodies[id] ?? (content && examplesIn(content)[0])
}

/**
 * Writes that name records of a conversation in their body. Each has requests with a record outside the access, and
 * what they answer.
 */
const namedInBody: Record<string, (limit: Limit) => Promise<[path: string, body: unknown, answer: number | object][]>> =
  {
    createTicket: async () => [['inbox/tickets', { contact_id: foreign.contactId }, 409]],
    updateTickets: async ({ hidden }) => {
      const ids = hidden.map(({ ids: { inbox_id } }) => inbox_id)
      const failed = ids.map((id) => ({ id, detail: 'Inbox ticket not found' }))
      return [
        ['inbox/tickets/bulk', { ids, status: 'closed' }, { updated: [], failed }],
        ['inbox/tickets/bulk', { ids, tags: ['mine'], assignee_id: null }, { updated: [], failed }],
      ]
    },
    sendMessage: async ({ own, hidden }) =>
      hidden.map(({ chatMessageId }) => [
        `inbox/messages/${own.ids.inbox_id}`,
        { message_type: 'text', body: 'Hello', context_message_id: chatMessageId },
        404,
      ]),
    scheduleMessage: async ({ own, hidden }) =>
      hidden.map(({ chatMessageId }) => [
        `inbox/tickets/${own.ids.inbox_id}/scheduled-messages`,
        { ...(bodies.scheduleMessage as object), context_message_id: chatMessageId },
        404,
      ]),
    createActivity: async () =>
      [
        { message_id: foreign.ids.message_id },
        { inbox_id: foreign.ids.inbox_id },
        { call_log_id: foreign.ids.call_id },
        { message_id: 1 },
      ].map((payload) => [`contacts/${foreign.contactId}/activities`, { payload }, 404]),
    readNotifications: async ({ hidden }) =>
      hidden.map(({ ids: { inbox_id } }) => ['notifications/read', { ticket_id: inbox_id }, 200]),
    createCall: async () => [
      ['calls', { agent_id: await voiceAgent(), to_number: foreign.from, chat_phone_number_id: foreignChannel }, 404],
    ],
    testTemplate: async () => [
      [`templates/${await template()}/test-send`, { phone_number: foreign.from, channel_id: foreignChannel }, 409],
    ],
  }

/** These act on a contact, and members see all contacts. They answer without anything of its conversations. */
const onContacts = [
  ...['replaceContact', 'updateContact', 'deleteContact', 'mergeContacts', 'handOffContact', 'createConsent'],
  ...['createActivity', 'dismissContactDuplicate', 'createContact', 'createTask'],
]

/** Writes that neither change nor return anything of a conversation. */
const reasons: Record<string, string[]> = {
  "the member's own account": [
    ...['updateMe', 'changePassword', 'endOtherSessions', 'endSession', 'createAuthenticator', 'confirmAuthenticator'],
    ...['createRecoveryCodes', 'removeAuthenticator', 'createPasskey', 'createPasskeyOptions', 'removePasskey'],
    ...['updateNotificationPreferences', 'createPushSubscription', 'deletePushSubscription', 'updateAvailability'],
  ],
  'leaving the organization': ['removeMember'],
  'contacts by filter or file: tags and fields of contacts': ['createBulkEdit', 'cancelBulkEdit', 'importContacts'],
  'tasks of contacts': ['updateTask', 'deleteTask'],
  'the state of a number': ['checkChannelHealth'],
  'saved filters: the list that they show is limited': ['createInboxView', 'updateInboxView', 'deleteInboxView'],
  'texts for all conversations': [
    ...['createSavedReply', 'updateSavedReply', 'deleteSavedReply', 'putSavedReplyAttachment'],
    ...['deleteSavedReplyAttachment', 'addSavedReplyAttachment', 'removeSavedReplyAttachment'],
  ],
  'templates, which all members see': [
    ...[
      'createTemplate',
      'preflightTemplate',
      'uploadTemplateMedia',
      'deleteTemplateMedia',
      'createTemplateFromLibrary',
    ],
    ...['syncTemplates', 'deleteTemplate'],
  ],
  'campaigns and their deliveries, which all members see': [
    ...['createCampaign', 'preflightCampaign', 'updateCampaign', 'deleteCampaign', 'pauseCampaign', 'resumeCampaign'],
    ...['cancelCampaign', 'retryCampaign'],
  ],
  'documents, which all members see': [
    ...['uploadDocument', 'searchKnowledge', 'deleteDocument', 'promoteDocument', 'addSource', 'replaceDocument'],
    ...['updateWebsite', 'deleteWebsite', 'crawlWebsite', 'stopWebsiteCrawl', 'createFaq', 'importFaqs', 'updateFaq'],
    ...['deleteFaq', 'createCollection', 'updateCollection', 'deleteCollection', 'addDocumentToCollection'],
    'removeDocumentFromCollection',
  ],
  'agents, which all members see': ['createAgent', 'updateAgent', 'deleteAgent', 'chatWithAgent', 'promoteAgent'],
  'a call from a browser has no channel': ['createWebCall'],
  'test mode: acts as the customer, the carrier or the platform': [
    ...['simulateMessage', 'simulateBusinessApp', 'simulateCall', 'simulateTemplateEvent', 'simulateHealth'],
  ],
}

test('every write is tried on a conversation outside the access, or listed with the reason why it has none', async () => {
  for (const { member } of limits) {
    const isOpen = await mayCall(member)
    const tried = [...Object.keys(namedInBody), ...onContacts]
    const untried = writes.filter((each) => isOpen(each) && !isOfConversation(each) && !tried.includes(each.id))
    assert.deepEqual(untried.map(({ id }) => id).sort(), Object.values(reasons).flat().sort())
  }
})

test('every write to a conversation outside the access answers 403 or 404 and changes nothing', async () => {
  const [agent, sample] = [await voiceAgent(), await template()]
  assert.ok(agent && sample)
  const problems: string[] = []
  for (const limit of limits) {
    const { name, member, own, hidden } = limit
    const isOpen = await mayCall(member)
    const before = await snapshot()
    const attempt = async (operation: DocumentedOperation, path: string, body: unknown, expected: number | object) => {
      const answer = await member.call(operation.method, path, body)
      const wrong = [
        ...(answer.status === (typeof expected === 'number' ? expected : 200)
          ? []
          : [`${answer.status} ${answer.text}`]),
        ...(typeof expected === 'number' || isDeepStrictEqual(answer.body, expected) ? [] : [answer.text]),
        ...revealed(answer, `${path} ${JSON.stringify(body)}`, hidden).map((each) => `reveals ${each}`),
      ]
      if (wrong.length > 0) problems.push(`${operation.id}, limited by ${name}: ${wrong.join(', ')}`)
    }
    let tried = 0
    for (const operation of writes.filter((each) => !isOpen(each) || isOfConversation(each)))
      for (const path of pathsOf(operation, own)) {
        // Whether another device has shown it is all that it says.
        const expected = operation.id === 'showNotification' ? 200 : isOpen(operation) ? 404 : 403
        await attempt(operation, path, bodyOf(operation), expected)
        tried++
      }
    assert.ok(tried > 60, `${tried} requests`)
    for (const [id, requests] of Object.entries(namedInBody)) {
      const operation = operations.find((each) => each.id === id) as DocumentedOperation
      for (const [path, body, answer] of await requests(limit)) await attempt(operation, path, body, answer)
    }
    problems.push(...changesBetween(before, await snapshot()).map((table) => `${table} changed, limited by ${name}`))
  }
  assert.deepEqual(problems, [])
})

let made = 0
let agentId: string | undefined
async function voiceAgent(): Promise<string> {
  const agent_config = { call_settings: { fallback: 'Let me see.' } }
  agentId ??= ok(await call('POST', 'agents', { name: 'Receptionist', agent_type: 'static', agent_config }), 201)
    .id as string
  return agentId
}

let templateId: string | undefined
async function template(): Promise<string> {
  templateId ??= await newTemplate()
  return templateId
}

async function newTemplate(): Promise<string> {
  const id = newId()
  await app.database.inTenant(
    scope,
    (tx) => tx.run`
      insert into templates (id, channel_id, account_id, business_account_id, name, language, category, status,
        platform_status, components, registration, next_attempt_at)
      values (${id}, ${foreignChannel}, 'account', '700100200300400', ${`hello_${++made}`}, 'en', 'UTILITY', 'APPROVED',
        'APPROVED', '[{"type":"BODY","text":"Hello"}]', 'registered', null)`,
  )
  return id
}

/** When a credential was last used is written in the background. */
const notCompared = ['sessions', 'refresh_tokens', 'keys']

let snapshotQuery: string | undefined
/** The rows of every table of the organization, or those that name one of these ids. */
async function snapshot(ids?: string[]): Promise<Record<string, string>> {
  const { system } = app.database.pools
  if (snapshotQuery === undefined) {
    const { rows } = await system.query(`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped)
        and has_table_privilege(c.oid, 'select')`)
    const names = rows.map(({ name }) => name as string).filter((name) => !notCompared.includes(name))
    assert.ok(names.length > 60, `${names.length} tables`)
    snapshotQuery = names
      .map(
        (
          name,
        ) => `select '${name}' as name, count(*)::text || ' ' || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as rows
          from ${name} t where organization_id = '${acme.id}' and ($1::text is null or t::text ~ $1)`,
      )
      .join(' union all ')
  }
  const { rows } = await system.query(snapshotQuery, [ids?.join('|') ?? null])
  return Object.fromEntries(rows.map(({ name, rows: hash }) => [name, hash]))
}

const changesBetween = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(after).filter((table) => after[table] !== before[table])

/** Tables that no operation reads. */
const unread = ['agent_answers', 'messages_to_answer']

test('every table and every event that belongs to a conversation has the policy', async () => {
  const { rows } = await app.database.pools.system.query(`
    select distinct c.conrelid::regclass::text as name from pg_constraint c
    where c.contype = 'f' and c.conparentid = 0 and c.confrelid in ('tickets'::regclass, 'messages'::regclass, 'calls'::regclass)
      and not exists (select from pg_policy p where p.polrelid = c.conrelid and p.polname = 'within_access')`)
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => !unread.includes(name)),
    [],
  )
  const { rows: policies } = await app.database.pools.system.query(
    `select qual from pg_policies where policyname = 'within_access' and tablename = 'events'`,
  )
  const kinds = [...inboxEvents, ...scheduledMessageEvents, ...slaEvents, ...callEvents, activityCreated]
  const settings = ['saved_reply', 'inbox_view', 'sla_policy']
  for (const { type } of kinds) {
    const [noun = ''] = type.split('.')
    assert.equal(policies[0].qual.includes(`'${noun}'::text`), !settings.includes(noun), type)
  }
})

test('totals, queues, tags and reports count what the member sees', async () => {
  const contactId = foreign.contactId
  const totals = async ({ call: as }: TestPerson) => ({
    tickets: ok(await as('GET', 'inbox/tickets')).total,
    open: ok(await as('GET', 'inbox/tickets?status=open')).total,
    found: ok(await as('GET', `inbox/tickets?search=${foreign.word}`)).total,
    ofTeam: ok(await as('GET', `inbox/tickets?team_id=${foreignTeam}`)).total,
    all: ok(await as('GET', 'inbox/queues')).all,
    tags: ok(await as('GET', 'inbox/tags')).tags.map(({ tag }: { tag: string }) => tag),
    calls: ok(await as('GET', 'calls')).total_count,
    backlog: ok(await as('GET', 'reports/conversations')).by_channel.map(({ backlog }: { backlog: number }) => backlog),
    notes: ok(await as('GET', 'events?type=note.created')).total_count,
    timeline: ok(await as('GET', `contacts/${contactId}/activities?type=message_inbound,note_added`)).total,
  })
  const one = { tickets: 1, open: 1, found: 0, ofTeam: 0, all: 1, backlog: [1], notes: 1, timeline: 0 }
  assert.deepEqual(await totals(ofChannel), { ...one, tags: ['Violin'], calls: 1 })
  // Calls belong to channels alone.
  assert.deepEqual(await totals(ofTeam), { ...one, tags: ['Clarinet'], calls: 0 })
  assert.deepEqual(await totals(supervisor), {
    ...{ tickets: 3, open: 3, found: 1, ofTeam: 1, all: 3, backlog: [2, 1], notes: 3, timeline: 2 },
    ...{ tags: ['Clarinet', 'Violin', 'Xylophone'], calls: 3 },
  })
})

test('tools of MCP show no more', async () => {
  for (const { member, hidden } of limits) {
    const params = { name: 'read_timeline', arguments: { contact_id: foreign.contactId } }
    const answer = await member.call(
      'POST',
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { accept: 'application/json, text/event-stream' },
    )
    assert.match(answer.text, /contact_created/)
    assert.deepEqual(revealed(answer, '', hidden), [])
  }
})

test('writes to a contact answer without anything of its conversations', async () => {
  const problems: string[] = []
  for (const [n, { name, member }] of limits.entries()) {
    const bystander = await converse(`Bassoon${n}`, foreignChannel, foreignTeam)
    const spare = ok(await call('POST', 'contacts', { phone_number: newCustomer() }), 201).id as string
    const ofContact: Record<string, unknown> = {
      replaceContact: { name: 'Ada' },
      updateContact: { name: 'Ada', tags: ['new'] },
      mergeContacts: { contact_id: spare },
      dismissContactDuplicate: { contact_id: spare },
      handOffContact: { to: 'ai' },
      createActivity: { type: 'note_added', payload: { text: 'Called' } },
      createContact: { phone_number: bystander.from, name: 'Ada' },
      createTask: { contact_id: bystander.contactId, title: 'Call back' },
    }
    const inOrder = [
      ...onContacts.filter((id) => id !== 'deleteContact' && id !== 'mergeContacts'),
      'mergeContacts',
      'deleteContact',
    ]
    for (const id of inOrder) {
      const operation = operations.find((each) => each.id === id) as DocumentedOperation
      const path = `${pathOf(operation, bystander)}${id === 'createContact' ? '?on_conflict=update' : ''}`
      const answer = await member.call(operation.method, path, ofContact[id] ?? bodyOf(operation))
      const reveals = revealed(answer, '', [bystander, foreign])
      if (answer.status >= 300 || reveals.length > 0)
        problems.push(`${id}, limited by ${name}: ${answer.status} ${answer.text} ${reveals}`)
    }
  }
  assert.deepEqual(problems, [])
})

/** Records for the writes whose path names one that is no part of a conversation, by the names that paths have for them. */
const newRecords: Record<string, (member: TestPerson) => Promise<Reply>> = {
  task_id: () => call('POST', 'crm/tasks', { contact_id: foreign.contactId, title: 'Call back' }),
  view_id: ({ call: as }) => as('POST', 'inbox/views', { name: `View ${++made}`, filters: {}, shared: true }),
  saved_reply_id: () => call('POST', 'inbox/saved-replies', { name: `Reply ${++made}`, body: 'Hi', shared: true }),
  subscription_id: ({ call: as }) => as('POST', 'push-subscriptions', bodyOf(operationOf('createPushSubscription'))),
  campaign_id: async () => call('POST', 'campaigns', await bodyWithIds('createCampaign')),
  document_id: () => upload(call, 'knowledge-base/upload', text(++made)),
  website_id: () => call('POST', 'knowledge-base/sources', { kind: 'site', url: `${site.url}/${++made}/` }),
  faq_id: () => call('POST', 'knowledge-base/faqs', { question: `Are you open on day ${++made}?`, answer: 'Yes.' }),
  collection_id: () => call('POST', 'knowledge-base/collections', { name: `Collection ${++made}` }),
  agent_id: () => call('POST', 'agents', { name: `Agent ${++made}`, agent_type: 'static' }),
}

const text = (n: number) => ({ file: `We are open on ${n} days of the month.`, fileName: `${n}.txt` })
const files: Record<string, () => Upload> = {
  importContacts: () => ({ file: `phone_number\n${newCustomer()}\n` }),
  importFaqs: () => ({ file: `question,answer\nIs it ${++made}?,Yes.\n` }),
  ...Object.fromEntries(
    ['putSavedReplyAttachment', 'addSavedReplyAttachment', 'uploadDocument', 'replaceDocument'].map((id) => [
      id,
      () => text(++made),
    ]),
  ),
}

/** Writes that the test cannot make valid. */
const refused = [
  // They need a code, or a response of an authenticator.
  ...['confirmAuthenticator', 'createRecoveryCodes', 'removeAuthenticator', 'createPasskey', 'removePasskey'],
  // They would end the member's session.
  ...['endSession', 'removeMember'],
  // The platform of the test has no files, libraries and health.
  ...['checkChannelHealth', 'syncTemplates', 'createTemplateFromLibrary', 'uploadTemplateMedia', 'deleteTemplateMedia'],
  // They act in test mode, or on a record of it.
  ...['promoteDocument', 'promoteAgent', 'simulateMessage', 'simulateBusinessApp', 'simulateCall'],
  ...['simulateTemplateEvent', 'simulateHealth'],
  // They depend on how far a job is.
  ...['cancelBulkEdit', 'retryCampaign', 'crawlWebsite', 'stopWebsiteCrawl'],
]

const operationOf = (id: string) => operations.find((each) => each.id === id) as DocumentedOperation

/** The body with records of the organization, under a name that no other record has. */
async function bodyWithIds(id: string): Promise<unknown> {
  const values = {
    ...{ channel_id: foreignChannel, chat_phone_number_id: foreignChannel, contact_id: foreign.contactId },
    ...{ agent_id: await voiceAgent(), message_template_id: await template(), template_id: await template() },
  }
  const body = filledIn(bodyOf(operationOf(id)), values)
  if (body === null || typeof body !== 'object') return body
  const renamed = Object.entries(body).filter(([name]) => name === 'name' || name === 'question')
  return { ...body, ...Object.fromEntries(renamed.map(([name, value]) => [name, `${value}${++made}`])) }
}

/** The operation's path with records that the request can act on. */
async function pathWithRecords(operation: DocumentedOperation, member: TestPerson): Promise<string> {
  const ids: Record<string, string> = {
    ...{ channel_id: foreignChannel, template_id: await newTemplate() },
    // The member is needed for the requests that follow.
    member_id: operation.id === 'removeMember' ? supervisor.id : member.id,
  }
  for (const { name } of parametersOf(operation, 'path')) {
    const answer = await newRecords[name]?.(member)
    if (answer) assert.ok(answer.status < 300, `${name}: ${answer.text}`)
    ids[name] ??= answer?.body.website?.id ?? answer?.body.id ?? newId()
  }
  if (operation.path.includes('/attachment') && operation.method === 'DELETE') {
    const path = `inbox/saved-replies/${ids.saved_reply_id}/attachments`
    ids.attachment_id = ok(await upload(call, path, text(++made)), 201).attachments[0].id
  }
  if (operation.id === 'removeDocumentFromCollection')
    ok(await call('PUT', `knowledge-base/collections/${ids.collection_id}/documents/${ids.document_id}`))
  if (operation.id === 'resumeCampaign') ok(await call('POST', `campaigns/${ids.campaign_id}/pause`))
  return operation.path.replace(/\{(\w+)\}/g, (_, name) => ids[name] as string)
}

test('every other write leaves the conversations outside the access as they are and answers nothing of them', async () => {
  const ids = (hidden: TestConversation[]) => hidden.flatMap(({ ids, others }) => [...Object.values(ids), ...others])
  const problems: string[] = []
  await untilQuiet()
  for (const { name, member, hidden } of limits) {
    const before = await snapshot(ids(hidden))
    for (const id of Object.values(reasons).flat()) {
      const operation = operationOf(id)
      const path = await pathWithRecords(operation, member)
      const file = files[id] && (await formOf(files[id]()))
      const body = file?.body ?? (await bodyWithIds(id))
      const answer = await member.call(operation.method, path, body, file?.headers)
      const reveals = revealed(answer, `${path} ${JSON.stringify(body)}`, hidden)
      const isExpected = answer.status < 400 || (answer.status !== 500 && refused.includes(id))
      if (!isExpected || reveals.length > 0)
        problems.push(`${id}, limited by ${name}: ${answer.status} ${answer.text} ${reveals}`)
    }
    await untilQuiet()
    problems.push(
      ...changesBetween(before, await snapshot(ids(hidden))).map((table) => `${table} changed, limited by ${name}`),
    )
  }
  assert.deepEqual(problems, [])
})

test('the stream leaves out what the member does not see, also hints, and ends when the limit is lifted', async () => {
  const url = `${await app.listen()}/api/v1/stream?hints=true`
  const everything = '00000000-0000-0000-0000-000000000000'
  for (const { member, own, hidden } of limits) {
    const headers = { authorization: `Bearer ${member.token}` }
    const stream = await openStream(`${url}&last_event_id=${everything}`, headers)
    for (const { word, from, ids } of [...hidden, own]) {
      const channelId = word === ofOwnChannel.word ? acme.channelId : foreignChannel
      await acme.receives({ from, body: `${word} again`, channelId })
      ok(await supervisor.call('POST', `inbox/tickets/${ids.inbox_id}/presence`, { state: 'typing' }))
    }
    await until(async () => stream.text().includes(`${own.word} again`) && stream.text().includes('presence.changed'))
    assert.deepEqual(revealed({ text: stream.text() }, '', hidden), [])
    ok(await call('DELETE', `members/${member.id}/access`))
    await stream.ended
    const next = await openStream(`${url}&last_event_id=${everything}`, headers)
    await until(async () => next.text().includes(`${foreign.word} again`))
    next.close()
  }
})
