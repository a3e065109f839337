import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idAt, newId } from '../../platform/ids.ts'
import { type CallAs, startTestApp } from '../../testing/app.ts'
import { connectOwner } from '../../testing/connect-owner.ts'
import { person } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import { expireAuditEntriesJob } from './jobs.ts'
import type { AuditEntry } from './schema.ts'

const app = await startTestApp({ settings: { AUDIT_RETENTION_DAYS: 60 } })

async function list(call: CallAs, query = ''): Promise<{ data: AuditEntry[]; total_count: number; has_more: boolean }> {
  const { status, body, text } = await call('GET', `audit-log?limit=100&${query}`)
  assert.equal(status, 200, text)
  return body
}

const entriesOf = async (call: CallAs, objectId: string) => (await list(call, `object_id=${objectId}`)).data

async function ok(answer: Promise<{ status: number; text: string; body: unknown }>) {
  const { status, text, body } = await answer
  assert.ok(status < 300, text)
  return body as { id: string }
}

test('an entry says who did what from where, with the values before and after', async () => {
  const org = await app.organization()
  const ada = await person(app, org.id, 'owner', { name: 'Ada Lovelace' })
  const { body: key, headers } = await ada.call('POST', 'keys', {
    name: 'CRM sync',
    mode: 'test',
    scopes: ['contacts:read'],
  })
  const [created] = (await entriesOf(ada.call, key.id)) as [AuditEntry]
  assert.deepEqual(created, {
    id: created.id,
    action: 'key.created',
    actor_type: 'user',
    actor_id: ada.id,
    actor_name: 'Ada Lovelace',
    object_type: 'key',
    object_id: key.id,
    object_name: 'CRM sync',
    previous: null,
    current: {
      name: 'CRM sync',
      mode: 'test',
      scopes: ['contacts:read'],
      prefix: key.prefix,
      last_four: key.last_four,
      expires_at: null,
      revoked_at: null,
      allowed_ips: null,
    },
    ip_address: '127.0.0.1',
    request_id: headers['x-request-id'],
    mode: null,
    created_at: created.created_at,
  })
  assert.ok(!JSON.stringify(created).includes(key.secret))

  await ok(org.call('DELETE', `keys/${key.id}`))
  const [revoked] = (await entriesOf(org.call, key.id)) as [AuditEntry]
  assert.deepEqual([revoked.action, revoked.actor_type, revoked.actor_id], ['key.updated', 'key', org.keyId])
  assert.deepEqual(revoked.previous, { revoked_at: null })
  assert.equal(typeof revoked.current?.revoked_at, 'string')
})

test('settings, members, channels, webhooks, agents, templates and documents are covered', async () => {
  const org = await app.organization()
  const { call } = org
  const owner = await person(app, org.id, 'owner')
  const actionsOf = async (id: string) => (await entriesOf(call, id)).map(({ action }) => action).reverse()

  const invitation = await ok(owner.call('POST', 'invitations', { email: 'eve@example.com', role: 'member' }))
  await ok(owner.call('DELETE', `invitations/${invitation.id}`))
  assert.deepEqual(await actionsOf(invitation.id), ['invitation.created', 'invitation.deleted'])

  const member = await person(app, org.id, 'member')
  await ok(owner.call('PATCH', `members/${member.id}`, { role: 'admin' }))
  await ok(owner.call('DELETE', `members/${member.id}`))
  const memberEntries = (await entriesOf(call, member.id))
    .filter(({ object_type }) => object_type === 'member')
    .reverse()
  assert.deepEqual(
    memberEntries.map(({ action, object_name, actor_id }) => [action, object_name, actor_id]),
    [
      ['member.created', member.email, null],
      ['member.updated', member.email, owner.id],
      ['member.deleted', member.email, owner.id],
    ],
  )
  assert.deepEqual([memberEntries[1]?.previous, memberEntries[1]?.current], [{ role: 'member' }, { role: 'admin' }])

  const webhook = await ok(call('POST', 'webhooks', { url: 'https://shop.example.com/hook', events: ['contact.*'] }))
  await ok(call('POST', `webhooks/${webhook.id}/rotate-secret`, {}))
  await ok(call('DELETE', `webhooks/${webhook.id}`))
  const rotated = (await entriesOf(call, webhook.id))[1]
  assert.deepEqual(await actionsOf(webhook.id), ['webhook.created', 'webhook.updated', 'webhook.deleted'])
  assert.deepEqual(rotated?.current, { sealed_secrets: '[hidden]' })

  const agent = await ok(call('POST', 'agents', { name: 'Desk' }))
  await ok(call('PATCH', `agents/${agent.id}`, { name: 'Front desk' }))
  const [renamed] = (await entriesOf(call, agent.id)) as [AuditEntry]
  assert.deepEqual([renamed.current?.name, renamed.current?.version, renamed.mode], ['Front desk', 2, 'test'])

  const channel = (await call('GET', 'channels')).body.data[0]
  await ok(call('PATCH', `channels/${channel.id}`, { messages_per_second: 7 }))
  assert.deepEqual((await entriesOf(call, channel.id))[0]?.current, { messages_per_second: 7 })

  const contact = await ok(call('POST', 'contacts', { phone_number: '+14155550100', name: 'Grace' }))
  await ok(call('DELETE', `contacts/${contact.id}`))
  const [deleted] = (await entriesOf(call, contact.id)) as [AuditEntry]
  assert.equal(deleted.action, 'contact.deleted')
  assert.deepEqual([deleted.object_name, deleted.previous, deleted.current], [null, null, null])
})

test('a change that is refused or changes nothing leaves no entry', async () => {
  const { call } = await app.organization()
  const agent = await ok(call('POST', 'agents', { name: 'Desk' }))
  assert.equal((await call('PATCH', `agents/${agent.id}`, { name: '' })).status, 400)
  await ok(call('PATCH', `agents/${agent.id}`, { name: 'Desk' }))
  assert.equal((await entriesOf(call, agent.id)).length, 1)
})

test('signing in and out is recorded in each organization of the person', async () => {
  const [one, two] = [await app.organization(), await app.organization()]
  const ada = await person(app, [one.id, two.id], 'admin')
  await ok(ada.call('POST', 'auth/logout', {}))
  for (const { call } of [one, two]) {
    const { data } = await list(call, `action=session.*&actor_id=${ada.id}`)
    assert.deepEqual(
      data.map(({ action, actor_type, ip_address }) => [action, actor_type, ip_address]),
      [
        ['session.ended', 'user', '127.0.0.1'],
        ['session.created', 'user', '127.0.0.1'],
      ],
    )
    assert.equal(data[1]?.current?.signed_in_by, 'link')
  }
})

test('exports are recorded, also that of the log itself', async () => {
  const { call } = await app.organization()
  await ok(call('GET', 'contacts/export?tag=vip'))
  const { status, text, headers } = await call('GET', 'audit-log/export?action=contact.*')
  assert.equal(status, 200)
  assert.match(String(headers['content-disposition']), /^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/)
  const [header, ...rows] = text.trim().split('\r\n')
  assert.equal(
    header,
    'created_at,action,actor_type,actor_id,actor_name,object_type,object_id,object_name,previous,current,ip_address,request_id,mode,id',
  )
  assert.equal(rows.length, 1)
  assert.match(rows[0] as string, /,contact\.exported,key,.*""tag"":""vip""/)
  assert.equal((await list(call, 'action=audit_log.exported')).total_count, 1)
})

test('entries are filtered and paged, newest first', async () => {
  const { call, keyId } = await app.organization()
  const contacts: string[] = []
  for (let n = 0; n < 5; n++) {
    const { id } = await ok(call('POST', 'contacts', { phone_number: `+1415555010${n}` }))
    contacts.unshift(id)
    await ok(call('DELETE', `contacts/${id}`))
  }
  const filter = `action=contact.deleted&actor_id=${keyId}`
  const all = await list(call, filter)
  assert.deepEqual([all.data.map(({ object_id }) => object_id), all.total_count], [contacts, 5])
  const first = (await call('GET', `audit-log?limit=2&${filter}`)).body
  const second = (await call('GET', `audit-log?limit=3&${filter}&starting_after=${first.next_cursor}`)).body
  assert.deepEqual([...first.data, ...second.data], all.data)
  assert.deepEqual([first.has_more, second.has_more], [true, false])
  const middle = all.data[2] as AuditEntry
  const at = encodeURIComponent(middle.created_at)
  const [later, earlier] = [
    await list(call, `${filter}&created_after=${at}`),
    await list(call, `${filter}&created_before=${at}`),
  ]
  assert.ok([...later.data, ...earlier.data].every(({ id }) => id !== middle.id))
  assert.equal((await list(call, 'action=key.revoked')).total_count, 0)
  for (const wrong of ['action=key', 'action=*', 'actor_id=x', 'object_id=1', 'created_after=yesterday', 'limit=0']) {
    const { status, text } = await call('GET', `audit-log?${wrong}`)
    assert.equal(status, 422, `${wrong} ${text}`)
  }
})

test('an organization sees its own entries only, and a limited credential none', async () => {
  const [acme, other] = [await app.organization(), await app.organization()]
  const agent = await ok(acme.call('POST', 'agents', { name: 'Desk' }))
  assert.deepEqual(await entriesOf(other.call, agent.id), [])
  const limited = app.as((await app.key(acme.id, { scopes: ['contacts:read'] })).secret)
  const member = await person(app, acme.id, 'member')
  for (const path of ['audit-log', 'audit-log/export']) {
    assert.equal((await app.call('GET', path)).status, 401)
    assert.equal((await limited('GET', path)).status, 403)
    assert.equal((await member.call('GET', path)).status, 403)
  }
})

test('no role can change an entry, and none can delete a recent one', async () => {
  const { id, call } = await app.organization()
  const scope = { organizationId: id, livemode: false }
  await ok(call('POST', 'agents', { name: 'Desk' }))
  const before = await list(call)
  const denied = /permission denied/
  const tenant = app.database.forTenant(scope)
  await assert.rejects(tenant.run`update audit_entries set action = 'x.y'`, denied)
  await assert.rejects(tenant.run`delete from audit_entries`, denied)
  await assert.rejects(
    tenant.run`insert into audit_entries (organization_id, action, actor_type, object_type)
    values (${id}, 'key.created', 'system', 'key')`,
    denied,
  )
  const system = app.database.forSystem()
  await assert.rejects(system.run`update audit_entries set action = 'x.y'`, denied)
  assert.equal(await system.run`delete from audit_entries where organization_id = ${id}`, 0)
  assert.deepEqual(await list(call), before)
})

test('entries past the retention are deleted', async () => {
  const { id, call } = await app.organization()
  const day = 24 * 3600 * 1000
  const owner = await connectOwner(app)
  await owner.query('set role frontdesk_system')
  const ids = [70, 50].map((days) => [idAt(new Date(Date.now() - days * day)), days] as const)
  for (const [entry, days] of ids)
    await owner.query(
      `insert into audit_entries (organization_id, id, action, actor_type, object_type, object_id, created_at)
      values ($1, $2, 'agent.created', 'system', 'agent', $3, now() - $4 * interval '1 day')`,
      [id, entry, newId(), days],
    )
  await app.database.inSystem((tx) => tx.enqueue(expireAuditEntriesJob, {}))
  await until(async () => (await list(call, 'action=agent.created')).total_count === 1)
  assert.equal((await list(call, 'action=agent.created')).data[0]?.id, ids[1]?.[0])
})
