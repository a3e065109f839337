import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { callEvents } from '../../features/calls/events.ts'
import { activityCreated } from '../../features/contacts/events.ts'
import { inboxEvents } from '../../features/inbox/events.ts'
import { scheduledMessageEvents } from '../../features/inbox/scheduled/events.ts'
import { slaEvents } from '../../features/sla/events.ts'
import { covers } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import type { Reply } from '../app.ts'
import { newChannel, newCustomer, ok, startChatApp } from '../conversations.ts'
import { type DocumentedOperation, examplesIn, operationsOf, parametersOf } from '../documented-requests.ts'
import { person, type TestPerson } from '../people.ts'
import { until } from '../process.ts'
import { openStream } from '../streams.ts'

/**
 * Calls every operation as a member whose access is limited to one channel, and looks in each response for what belongs
 * to a conversation of another channel: its ids, and a word that all its texts contain.
 */
const { app, platform, newOrganization } = await startChatApp()
const acme = await newOrganization('olive@limited.example')
const { call, scope } = acme
const foreignChannel = await newChannel(acme, '+14155559001', platform.token)
const word = 'Xylophone'
const operations = operationsOf((await app.call('GET', 'openapi.json')).body).filter(
  ({ operation }) => operation['x-required-scope'] !== undefined,
)
/** The role that allows most without full access. */
const [limited, supervisor] = [await person(app, acme.id, 'supervisor'), await person(app, acme.id, 'supervisor')]
ok(await call('PUT', `members/${limited.id}/access`, { channel_ids: [acme.channelId], team_ids: [] }))

/** One of everything that belongs to a conversation. */
async function converse(channelId: string, text: string) {
  const { ticketId, contactId, messageId } = await acme.receives({ from: newCustomer(), body: text, channelId })
  const media = newId()
  await app.database.inTenant(
    scope,
    (tx) => tx.run`
      insert into message_media (id, message_id, state, mime_type, file_name)
      values (${media}, ${messageId}, 'failed', 'image/png', ${`${text}.png`})`,
  )
  const sent = ok(await call('POST', `inbox/messages/${ticketId}`, { message_type: 'text', body: text }), 201)
  const note = ok(await call('POST', `inbox/tickets/${ticketId}/notes`, { body: text }), 201)
  const later = { message_type: 'text', body: text, send_at: '2099-01-01T00:00:00Z' }
  const scheduled = ok(await call('POST', `inbox/tickets/${ticketId}/scheduled-messages`, later), 201)
  ok(await call('PATCH', `inbox/tickets/${ticketId}`, { tags: [text], assignee_id: supervisor.id }))
  ok(await call('POST', `contacts/${contactId}/handoff`, { to: 'ai' }))
  ok(await call('POST', `contacts/${contactId}/handoff`, { to: 'human', reason: text }))
  const [callId, notificationId] = [newId(), newId()]
  await app.database.inTenant(scope, async (tx) => {
    await tx.run`
      insert into calls (id, medium, direction, status, telephony_status, channel_id, contact_id, deadline_at, ended_at, summary)
      values (${callId}, 'phone', 'inbound', 'completed', 'completed', ${channelId}, ${contactId}, now(), now(), ${text})`
    await tx.run`
      insert into activities (id, contact_id, type, actor_type, payload)
      values (${newId()}, ${contactId}, 'call_logged', 'system', ${{ call_log_id: callId, note: text }})`
    for (const [id, { id: userId }] of [
      [notificationId, limited],
      [newId(), supervisor],
    ] as const)
      await tx.run`
        insert into notifications (id, user_id, kind, ticket_id) values (${id}, ${userId}, 'mention', ${ticketId})
        on conflict do nothing`
  })
  const assignments = ok(await call('GET', `inbox/tickets/${ticketId}/assignments`)).data
  return {
    contactId,
    ids: {
      inbox_id: ticketId,
      message_id: messageId,
      media_id: media,
      note_id: note.id,
      scheduled_message_id: scheduled.id,
      call_id: callId,
      call_log_id: callId,
      notification_id: notificationId,
    },
    others: [sent.id, ...assignments.map(({ id }: { id: string }) => id)] as string[],
  }
}

let foreign: Awaited<ReturnType<typeof converse>>
let own: Awaited<ReturnType<typeof converse>>
before(async () => {
  foreign = await converse(foreignChannel, word)
  own = await converse(acme.channelId, 'Violin')
  // Reports follow the events.
  await until(async () => ok(await call('GET', 'reports/conversations')).totals.opened === 2)
})

/** What the response reveals of the foreign conversation, apart from what the request itself names. */
function revealed({ text }: Reply, asked: string): string[] {
  const secrets = [word, ...Object.values(foreign.ids), ...foreign.others].filter((each) => !asked.includes(each))
  return secrets.filter((each) => text.toLowerCase().includes(each.toLowerCase()))
}

/** Ids of the foreign conversation where the path has one; the foreign contact; records of no one elsewhere. */
function pathOf({ path, ...operation }: DocumentedOperation): string {
  const ids: Record<string, string> = { ...foreign.ids, contact_id: foreign.contactId, channel_id: foreignChannel }
  return parametersOf({ path, ...operation }, 'path').reduce(
    (filled, { name }) => filled.replace(`{${name}}`, ids[name] ?? newId()),
    path,
  )
}

const isOfConversation = ({ path }: DocumentedOperation) =>
  Object.keys(foreign.ids).some((name) => path.includes(`{${name}}`)) && !path.includes('/templates/')

/** The operation with every optional search, so that it has something to find, and the longest page. */
function queriesOf(operation: DocumentedOperation): string[] {
  const names = parametersOf(operation, 'query').map(({ name }) => name as string)
  const required = parametersOf(operation, 'query').filter((parameter) => parameter.required)
  const base = [
    ...required.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`),
    ...(names.includes('limit') ? ['limit=100'] : []),
  ].join('&')
  return names.includes('search') ? [base, `${base}&search=${word}`] : [base]
}

const mayCall = async ({ call: as }: TestPerson) => {
  const scopes = new Set<string>(ok(await as('GET', 'me')).scopes)
  return ({ operation }: DocumentedOperation) =>
    covers(scopes, operation['x-required-scope']) ||
    covers(scopes, operation['x-narrower-scope'] ?? operation['x-required-scope'])
}

/** It stays open; tested further down. */
const reads = operations.filter(({ id, method }) => method === 'GET' && id !== 'streamEvents')

async function readAll(member: TestPerson) {
  const found: Record<string, { status: number; reveals: string[] }[]> = {}
  const isOpen = await mayCall(member)
  for (const operation of reads.filter(isOpen))
    for (const query of queriesOf(operation)) {
      const url = `${pathOf(operation)}?${query}`
      const answer = await member.call('GET', url)
      assert.notEqual(answer.status, 500, `${url}: ${answer.text}`)
      found[operation.id] = [...(found[operation.id] ?? []), { status: answer.status, reveals: revealed(answer, url) }]
    }
  return found
}

test('no read shows a limited member anything of a conversation outside their access', async () => {
  const seen = await readAll(limited)
  for (const [id, answers] of Object.entries(seen)) for (const { reveals } of answers) assert.deepEqual(reveals, [], id)
  for (const operation of reads.filter(isOfConversation))
    assert.ok(
      seen[operation.id]?.every(({ status }) => status === 404),
      operation.id,
    )
  // The same requests show it to a member without a limit, so the test looks in the right places.
  const all = await readAll(supervisor)
  const revealing = Object.keys(all).filter((id) => all[id]?.some(({ reveals }) => reveals.length > 0))
  for (const id of [
    ...['listTickets', 'getTicket', 'listMessages', 'listNotes', 'getNote', 'listTicketTags', 'listNotifications'],
    ...['listScheduledMessages', 'getScheduledMessage', 'listTicketAssignments', 'listActivities', 'listEvents'],
    ...['listCalls', 'getCall', 'listCallLogs', 'getCallLog', 'getConversationsReport'],
  ])
    assert.ok(revealing.includes(id), id)
})

/** Bodies that are valid, so that the answer is about the conversation. */
const bodies: Record<string, unknown> = {
  sendMessage: { message_type: 'text', body: 'Hello' },
  scheduleMessage: { message_type: 'text', body: 'Hello', send_at: '2099-01-01T00:00:00Z' },
  updateTicket: { status: 'closed' },
}

test('every write to a conversation outside the access answers 404 and changes nothing', async () => {
  const before = await snapshot()
  const isOpen = await mayCall(limited)
  const writes = operations.filter((each) => each.method !== 'GET' && isOfConversation(each) && isOpen(each))
  assert.ok(writes.length > 10)
  for (const operation of writes) {
    const content = operation.operation.requestBody?.content['application/json']
    const body = bodies[operation.id] ?? (content && examplesIn(content)[0])
    const answer = await limited.call(operation.method, pathOf(operation), body)
    // Whether another device has shown it is all that it says.
    const expected = operation.id === 'showNotification' ? 200 : 404
    assert.equal(answer.status, expected, `${operation.id}: ${answer.text}`)
    assert.deepEqual(revealed(answer, ''), [], operation.id)
  }
  const { inbox_id: ticketId, message_id: messageId, call_id: callId } = foreign.ids
  const bulk = ok(await limited.call('POST', 'inbox/tickets/bulk', { ids: [ticketId], status: 'closed' }))
  assert.deepEqual(bulk, { updated: [], failed: [{ id: ticketId, detail: 'Inbox ticket not found' }] })
  const opened = await limited.call('POST', 'inbox/tickets', { contact_id: foreign.contactId })
  assert.deepEqual([opened.status, revealed(opened, '')], [409, []])
  for (const payload of [
    { message_id: messageId },
    { inbox_id: ticketId },
    { call_log_id: callId },
    { message_id: 1 },
  ]) {
    const answer = await limited.call('POST', `contacts/${foreign.contactId}/activities`, { payload })
    assert.equal(answer.status, 404, answer.text)
  }
  const [chatMessage] = ok(await call('GET', `inbox/messages/${ticketId}`)).messages
  const quoting = { message_type: 'text', body: 'Hello', context_message_id: chatMessage.chat_message_id }
  assert.equal((await limited.call('POST', `inbox/messages/${own.ids.inbox_id}`, quoting)).status, 404)
  ok(await limited.call('POST', 'notifications/read', { ticket_id: ticketId }))
  assert.deepEqual(await snapshot(), before)
})

async function snapshot() {
  const { inbox_id: ticketId } = foreign.ids
  const paths = ['', '/notes', '/scheduled-messages', '/assignments'].map((path) => `inbox/tickets/${ticketId}${path}`)
  const answers = [...paths, `inbox/messages/${ticketId}`, `calls/${foreign.ids.call_id}`].map((path) =>
    call('GET', path),
  )
  const { rows } = await app.database.pools.system.query('select * from notifications where id = $1', [
    foreign.ids.notification_id,
  ])
  return [...(await Promise.all(answers)).map(({ text }) => text), rows]
}

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
  for (const { type } of kinds) assert.ok(policies[0].qual.includes(`'${type.split('.')[0]}'::text`), type)
})

test('totals, queues, tags and reports count what the member sees', async () => {
  const totals = async ({ call: as }: TestPerson) => ({
    tickets: ok(await as('GET', 'inbox/tickets')).total,
    open: ok(await as('GET', 'inbox/tickets?status=open')).total,
    found: ok(await as('GET', `inbox/tickets?search=${word}`)).total,
    all: ok(await as('GET', 'inbox/queues')).all,
    tags: ok(await as('GET', 'inbox/tags')).tags.map(({ tag }: { tag: string }) => tag),
    calls: ok(await as('GET', 'calls')).total_count,
    opened: ok(await as('GET', 'reports/conversations')).totals.opened,
    notes: ok(await as('GET', 'events?type=note.created')).total_count,
    timeline: ok(await as('GET', `contacts/${foreign.contactId}/activities?type=message_inbound,note_added`)).total,
  })
  assert.deepEqual(await totals(limited), {
    ...{ tickets: 1, open: 1, found: 0, all: 1, tags: ['Violin'], calls: 1, opened: 1, notes: 1, timeline: 0 },
  })
  assert.deepEqual(await totals(supervisor), {
    ...{ tickets: 2, open: 2, found: 1, all: 2, tags: ['Violin', word], calls: 2, opened: 2, notes: 2, timeline: 2 },
  })
})

test('tools of MCP show no more', async () => {
  const ask = (name: string, input: object) =>
    limited.call(
      'POST',
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
      {
        accept: 'application/json, text/event-stream',
      },
    )
  const answer = await ask('read_timeline', { contact_id: foreign.contactId })
  assert.match(answer.text, /contact_created/)
  assert.deepEqual(revealed(answer, ''), [])
})

test('the stream leaves out what the member does not see, also hints, and ends when the limit is lifted', async () => {
  const url = `${await app.listen()}/api/v1/stream?hints=true`
  const headers = { authorization: `Bearer ${limited.token}` }
  const everything = '00000000-0000-0000-0000-000000000000'
  const stream = await openStream(`${url}&last_event_id=${everything}`, headers)
  const { from } = { from: newCustomer() }
  await acme.receives({ from, body: `${word} again`, channelId: foreignChannel })
  ok(await supervisor.call('POST', `inbox/tickets/${foreign.ids.inbox_id}/presence`, { state: 'typing' }))
  await acme.receives({ from: newCustomer(), body: 'Violin again' })
  ok(await supervisor.call('POST', `inbox/tickets/${own.ids.inbox_id}/presence`, { state: 'typing' }))
  await until(async () => stream.text().includes('Violin again') && stream.text().includes('presence.changed'))
  assert.deepEqual(revealed({ text: stream.text() } as Reply, ''), [])
  ok(await call('DELETE', `members/${limited.id}/access`))
  await stream.ended
  const next = await openStream(`${url}&last_event_id=${everything}`, headers)
  await until(async () => next.text().includes(`${word} again`))
  next.close()
})
