import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { ok, startTestApp } from '../../../testing/app.ts'
import { newCustomer, startChatApp } from '../../../testing/conversations.ts'
import { mailServer } from '../../../testing/mail-server.ts'
import { person, type TestPerson } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { findDigestsJob } from '../job-kinds.ts'

const mail = await mailServer()
const { PUBLIC_URL: _, ...smtp } = mail.settings
const { app, newOrganization } = await startChatApp({ settings: smtp })
const org = await newOrganization()

/** As if the last digest were this many hours ago, and the scheduled job ran now. */
async function later(member: TestPerson, hours: number) {
  await app.database.pools.system.query(
    'update notification_preferences set digested_at = now() - make_interval(hours => $2) where user_id = $1',
    [member.id, hours],
  )
  await app.database.inSystem((tx) => tx.enqueue(findDigestsJob, {}))
}
const prefer = async (member: TestPerson, preferences: object) =>
  ok(await member.call('PATCH', 'notifications/preferences', preferences))
const mailsTo = ({ email }: TestPerson) => mail.received.filter(({ to }) => to.includes(email))

test('unread notifications are emailed once, when the member wants it', async () => {
  const [ana, ben] = [await person(app, org.id, 'member'), await person(app, org.id, 'member')]
  assert.equal((await prefer(ana, { email_digest: 'hourly' })).email_available, true)
  await prefer(ben, { email_digest: 'daily' })
  const { ticketId } = await org.receives({ from: newCustomer(), body: 'Is it open today?' })
  const unread = async (member: TestPerson) => ok(await member.call('GET', 'notifications')).unread_count
  await until(async () => (await unread(ana)) === 1 && (await unread(ben)) === 1)
  // Two hours are enough for the hourly digest alone.
  await later(ben, 2)
  await later(ana, 2)
  const { content } = await mail.mailTo(ana.email)
  assert.match(content, /^Subject: 1 unread notification in Acme$/m)
  assert.match(content, /Ada is waiting\n {2}Is it open today\?/)
  assert.ok(content.includes(`https://desk.example.com/inbox/${ticketId}`))
  // Nothing new: no second mail. The next member's mail shows that the job has run.
  await later(ben, 25)
  await mail.mailTo(ben.email)
  assert.deepEqual([mailsTo(ana).length, mailsTo(ben).length], [1, 1])

  ok(await ben.call('POST', 'notifications/read', {}))
  await org.receives({ from: newCustomer(), body: 'And tomorrow?' })
  await until(async () => (await unread(ana)) === 2)
  await later(ana, 2)
  await until(async () => mailsTo(ana).length === 2)
  const next = mailsTo(ana)[1] as (typeof mail.received)[number]
  assert.match(next.content, /^Subject: 2 unread notifications in Acme$/m)
})

test('a mail that could not be sent is sent later; one that may have arrived is not sent again', async () => {
  const cora = await person(app, org.id, 'member')
  await prefer(cora, { email_digest: 'hourly' })
  await org.receives({ from: newCustomer() })
  const unread = async () => ok(await cora.call('GET', 'notifications')).unread_count
  await until(async () => (await unread()) === 1)
  mail.behavior = 'drop'
  const before = mail.drops
  await later(cora, 2)
  await until(async () => mail.drops > before)
  mail.behavior = 'accept'
  const digestedAt = async () => {
    const { rows } = await app.database.pools.system.query(
      "select digested_at > now() - interval '1 hour' as is_claimed from notification_preferences where user_id = $1",
      [cora.id],
    )
    return rows[0].is_claimed
  }
  assert.equal(await digestedAt(), true, 'the digest counts as sent')
})

test('a digest has only what the member may still see when it is sent', async () => {
  const acme = await newOrganization()
  const [dora, eve] = [await person(app, acme.id, 'member'), await person(app, acme.id, 'member')]
  for (const member of [dora, eve]) await prefer(member, { email_digest: 'hourly' })
  await acme.receives({ from: newCustomer() })
  const unread = async (member: TestPerson) => ok(await member.call('GET', 'notifications')).unread_count
  await until(async () => (await unread(dora)) === 1 && (await unread(eve)) === 1)
  ok(await acme.call('PUT', `members/${dora.id}/access`, { channel_ids: [], team_ids: [] }))
  const { id: role } = ok(await acme.call('POST', 'roles', { name: 'Callers', scopes: ['calls:read'] }), 201)
  ok(await acme.call('PATCH', `members/${eve.id}`, { role }))
  for (const member of [dora, eve]) await later(member, 2)
  await until(async () => {
    const { rows } = await app.database.pools.system.query(
      `select distinct data ->> 'userId' as id from pgboss.job
      where name = 'notifications.mail-digest' and state = 'completed' and data ->> 'userId' = any($1)`,
      [[dora.id, eve.id]],
    )
    return rows.length === 2
  })
  assert.deepEqual([mailsTo(dora), mailsTo(eve)], [[], []])
})

test('without a mail server, scheduled jobs from before are done and do not wait forever', async () => {
  const { database } = await startTestApp()
  await database.inSystem((tx) => tx.enqueue(findDigestsJob, {}))
  const Waiting = Type.Object({ n: Type.Integer() })
  const waiting = () =>
    database.forSystem().one(Waiting)`
      select count(*)::int as n from pgboss.job where name = ${findDigestsJob.name} and state < 'active'`
  await until(async () => (await waiting()).n === 0)
})
