import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import Type from 'typebox'
import { createSecretBox } from '../../../platform/secrets.ts'
import { secretKey } from '../../../services/secret-key.ts'
import { ok, startTestApp } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { holdJobs } from '../../../testing/hold-jobs.ts'
import { mailServer } from '../../../testing/mail-server.ts'
import { testAuthenticator } from '../../../testing/passkeys.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'
import { totpCode, totpStep } from '../second-factors/totp.ts'
import { invitationMailJob, passwordResetJob } from './job-kinds.ts'
import { sealInvitationToken } from './send-invitation.ts'

const mail = await mailServer()
const app = await startTestApp({ settings: { ...mail.settings, RATE_LIMIT_LOGINS_PER_MINUTE: 100 } })
const acme = await app.organization({ mode: 'live' })
const password = 'correct horse battery staple'
const answer = { message: 'If this address has an account, a link is on its way' }
const tokenIn = (content: string, kind: string) =>
  new RegExp(`/#${kind}=([0-9A-Za-z]{43})`).exec(content)?.[1] as string

const reset = (email: string, node = app, headers = {}) => node.call('POST', 'auth/password-reset', { email }, headers)

test('a person resets a forgotten password with the link of an email, once', async () => {
  const ada = await person(app, acme.id, 'member', { email: 'Ada@example.com' })
  const asked = await reset(' ada@EXAMPLE.com ')
  assert.deepEqual([asked.status, asked.body], [202, answer])
  const { from, content } = await mail.mailTo('Ada@example.com')
  assert.equal(from, 'desk@example.com')
  assert.match(content, /^Subject: Reset your Frontdesk password$/m)
  const token = tokenIn(content, 'reset-password')
  const entered = ok(await app.call('POST', 'auth/link', { token }))
  const session = app.as(entered.access_token)
  assert.equal((await session('POST', 'auth/password', { new_password: password })).status, 200)
  assert.equal((await ada.call('GET', 'me')).status, 401, 'other sessions end')
  assert.equal((await session('GET', 'me')).status, 200)
  assert.equal((await app.call('POST', 'auth/login', { email: ada.email, password })).status, 200)
  assert.equal((await app.call('POST', 'auth/link', { token })).status, 401, 'the link works once')
  await until(async () => (await mail.mailTo('Ada@example.com')).content !== content)
  const notice = (await mail.mailTo('Ada@example.com')).content
  assert.match(notice, /^Subject: Your Frontdesk password was changed$/m)
  assert.match(notice, /^http:\/\/localhost$/m, 'no link that signs in')
})

test('a person is told of each change of their second factors', async () => {
  const { id, call, email } = await person(app, acme.id, 'member')
  const told = async (subject: RegExp, before: number) => {
    const { content } = await mail.mailTo(email, before)
    assert.match(/^Subject: (.*)$/m.exec(content)?.[1] ?? '', subject)
  }
  const change = async (path: string, body: object, subject: RegExp) => {
    const before = mail.received.length
    const { status, text, body: answer } = await call('POST', path, body)
    assert.ok(status < 300, text)
    await told(subject, before)
    return answer
  }
  const { secret } = (await call('POST', 'auth/authenticator', {})).body
  const code = () => totpCode(secret, totpStep(Date.now()))
  const forget = () => app.database.forSystem().run`update authenticators set last_step = 0 where user_id = ${id}`
  await change('auth/authenticator/confirm', { code: code() }, /^An authenticator app was added to your/)
  await forget()
  await change('auth/recovery-codes', { code: code() }, /^The recovery codes of your .* were replaced$/)
  const options = (await call('POST', 'auth/passkeys/options', {})).body
  const response = testAuthenticator().create(options, 'http://localhost')
  const passkey = await change('auth/passkeys', { name: 'Key', response }, /^A passkey was added to your/)
  await change(`auth/passkeys/${passkey.id}/remove`, {}, /^A passkey was removed from your/)
  await forget()
  await change('auth/authenticator/remove', { code: code() }, /^The authenticator app was removed from your/)
})

const Left = Type.Object({ minutes: Type.Number() })

test('the link expires after an hour', async () => {
  const { id, email } = await person(app, acme.id, 'member')
  await reset(email)
  const token = tokenIn((await mail.mailTo(email)).content, 'reset-password')
  const sql = app.database.forSystem()
  const { minutes } = await sql.one(Left)`
    select extract(epoch from expires_at - now())::float8 / 60 as minutes from sign_in_links
    where user_id = ${id} and used_at is null`
  assert.ok(minutes > 59 && minutes <= 60)
  await sql.run`update sign_in_links set expires_at = now() - interval '1 second' where user_id = ${id}`
  assert.equal((await app.call('POST', 'auth/link', { token })).status, 401)
})

test('the answer does not reveal whether an address has an account', async () => {
  const leaver = await person(app, acme.id, 'member')
  await leaver.call('DELETE', `members/${leaver.id}`)
  const sso = await person(app, acme.id, 'member')
  await app.database.forSystem().run`
    insert into user_identities (issuer, subject, user_id) values ('https://id.example.com', 'sso', ${sso.id})`
  const known = await person(app, acme.id, 'member')
  const before = mail.received.length
  for (const email of ['nobody@example.com', 'no address', leaver.email, sso.email, known.email]) {
    const { status, body } = await reset(email)
    assert.deepEqual([status, body], [202, answer], email)
  }
  await mail.mailTo(known.email, before)
  const addresses = mail.received.slice(before).flatMap(({ to }) => to)
  assert.deepEqual(addresses, [known.email])
  for (const body of [{}, { email: 1 }, { email: '' }])
    assert.equal((await app.call('POST', 'auth/password-reset', body)).status, 422)
})

test('requests for links are limited per address and per account', async () => {
  const node = await app.node({ RATE_LIMIT_LOGINS_PER_MINUTE: 4, TRUST_PROXY: true })
  const statuses: number[] = []
  for (let n = 0; n < 5; n++)
    statuses.push((await reset('flooded@example.com', node, { 'x-forwarded-for': '192.0.2.1' })).status)
  assert.deepEqual(statuses, [202, 202, 202, 202, 429])
  const Jobs = Type.Object({ n: Type.Integer() })
  const { n } = await app.database.forSystem().one(Jobs)`
    select count(*)::integer as n from pgboss.job
    where name = 'organizations.mail-password-reset' and data ->> 'email' = 'flooded@example.com'`
  assert.equal(n, 3)
})

const statusOf = async (id: string) => (await acme.call('GET', `invitations/${id}`)).body.mail_status
const untilMailed = (id: string, status: string) => until(async () => (await statusOf(id)) === status)

const Waiting = Type.Object({ n: Type.Integer() })

test('a person gets at most five links within an hour', async () => {
  const { id, email } = await person(app, acme.id, 'member')
  const sql = app.database.forSystem()
  await sql.run`delete from sign_in_links where user_id = ${id}`
  const ask = async () => {
    // As if a minute had passed.
    await sql.run`delete from rate_limit_windows where bucket = ${`password reset account ${email}`}`
    assert.deepEqual((await reset(email)).body, answer)
    await until(async () => {
      const { n } = await sql.one(Waiting)`
        select count(*)::integer as n from pgboss.job
        where name = 'organizations.mail-password-reset' and data ->> 'email' = ${email} and state <> 'completed'`
      return n === 0
    })
    return mail.received.filter(({ to }) => to.includes(email)).length
  }
  const counts: number[] = []
  for (let n = 0; n < 7; n++) counts.push(await ask())
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 5, 5])
  await sql.run`update sign_in_links set expires_at = now() - interval '1 second' where user_id = ${id}`
  assert.equal(await ask(), 6)
})

test('an invitation is emailed with the link that its response has', async () => {
  const invited = await acme.call('POST', 'invitations', { email: 'grace@example.com', role: 'member' })
  assert.deepEqual([invited.status, invited.body.mail_status], [201, 'queued'])
  const { content } = await mail.mailTo('grace@example.com')
  assert.match(content, /^Subject: Join Acme on Frontdesk$/m)
  const token = tokenIn(content, 'invitation')
  assert.ok(invited.body.link.endsWith(token))
  await untilMailed(invited.body.id, 'sent')
  assert.equal((await app.call('POST', 'invitations/accept', { token, name: 'Grace', password })).status, 200)
  const Job = Type.Object({ data: Type.Unsafe<object>({}) })
  const jobs = await app.database.forSystem().all(Job)`select data from pgboss.job`
  assert.ok(!JSON.stringify(jobs).includes(token), 'the queue holds no token that opens anything')
})

test('a refused address, a broken connection and a server that is busy have their own status', async () => {
  const invite = async (email: string) =>
    (await acme.call('POST', 'invitations', { email, role: 'member' })).body.id as string
  mail.behavior = 'refuse'
  const refused = await invite('refused@example.com')
  await untilMailed(refused, 'failed')
  mail.behavior = 'drop'
  const dropped = await invite('dropped@example.com')
  await until(async () => mail.drops === 1)
  assert.equal(await statusOf(dropped), 'unknown')
  mail.behavior = 'later'
  const later = await invite('later@example.com')
  await untilMailed(later, 'failed')
  mail.behavior = 'accept'
  await untilMailed(later, 'sent')
  assert.equal(await statusOf(dropped), 'unknown', 'it may have arrived, so it is not sent again')
  assert.equal(await statusOf(refused), 'failed')
})

test('a password is not sent to a mail server that offers no encryption', async () => {
  const other = await mailServer()
  const { SMTP_URL } = other.settings
  const own = await startTestApp({
    settings: { ...other.settings, SMTP_URL: SMTP_URL.replace('//', '//desk:mail%20password@') },
  })
  const { call } = await own.organization({ mode: 'live' })
  const invited = await call('POST', 'invitations', { email: 'ada@example.com', role: 'member' })
  await until(async () => (await call('GET', `invitations/${invited.body.id}`)).body.mail_status === 'failed')
  assert.ok(other.commands.includes('STARTTLS'))
  assert.deepEqual(new Set(other.commands), new Set(['EHLO', 'STARTTLS']))
})

const Job = Type.Object({ state: Type.String(), output: Type.Unsafe<{ message?: string } | null>({}) })

test('mail that waits when the mail server is removed ends as with a server that cannot be reached', async () => {
  const lines: { msg: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const without = await startTestApp({ log })
  const org = await without.organization({ mode: 'live' })
  const { email } = await person(without, org.id, 'member')
  const owner = await connectOwner(without)
  const held = await holdJobs(owner, passwordResetJob.name)
  const sql = without.database.forSystem()
  const job = () => sql.one(Job)`select state::text, output from pgboss.job where name = ${passwordResetJob.name}`

  await without.database.inSystem((tx) => tx.enqueue(passwordResetJob, { email }))
  await held.runNow()
  await until(async () => (await job()).state === 'retry')
  assert.match((await job()).output?.message ?? '', /SMTP_URL is not set/)
  await owner.query("update pgboss.job set created_on = now() - interval '61 minutes' where name = $1", [
    passwordResetJob.name,
  ])
  await held.runNow()
  await until(async () => (await job()).state === 'completed')
  assert.ok(lines.some(({ msg }) => msg === 'mail: password reset dropped, requested more than an hour ago'))

  const invited = (await org.call('POST', 'invitations', { email: 'grace@example.com', role: 'member' })).body
  await without.database.inTenant({ organizationId: org.id, livemode: true }, async (tx) => {
    await tx.run`update invitations set mail_status = 'queued' where id = ${invited.id}`
    const sealedToken = sealInvitationToken(createSecretBox(secretKey(without.settings)), invited.id, 'token')
    await tx.enqueue(invitationMailJob, { ...tx.scope, invitationId: invited.id, sealedToken })
  })
  await until(async () => (await org.call('GET', `invitations/${invited.id}`)).body.mail_status === 'failed')
})

test('without a mail server nothing is sent and the answer says so', async () => {
  const node = await app.node({ SMTP_URL: undefined, MAIL_FROM: undefined })
  assert.deepEqual((await app.call('GET', 'auth/options')).body, { password_reset: true, single_sign_on: null })
  assert.deepEqual((await node.call('GET', 'auth/options')).body, { password_reset: false, single_sign_on: null })
  const refused = await reset('ada@example.com', node)
  assert.deepEqual(refused.body, {
    detail: 'This installation sends no email. Ask your administrator for a link (frontdesk sign-in-link)',
  })
  assert.equal(refused.status, 409)
  const invited = await node.as(acme.key)('POST', 'invitations', { email: 'quiet@example.com', role: 'member' })
  assert.equal(invited.body.mail_status, null)
})
