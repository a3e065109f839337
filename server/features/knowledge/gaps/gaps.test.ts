import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { ok, startTestApp, type TestOrganization } from '../../../testing/app.ts'
import { addDocument, endOfDocument } from '../../../testing/documents.ts'
import { until } from '../../../testing/process.ts'
import { recordQuestion } from './record-question.ts'

const app = await startTestApp({ settings: { AGENT_REPLY_DELAY_MS: 0 } })
await app.listen()
const path = 'knowledge-base/gaps'

interface Found {
  id: string
  status: string
  question: string
  question_count: number
  document_id: string | null
  examples: { text: string; reason: string; contact_id: string | null; inbox_id: string | null }[]
}

let organizations = 0
async function newDesk() {
  const org = await app.organization()
  await addDocument(org.call, 'The pool opens at seven in the morning.', 'hours.txt')
  const { id: agent_id } = ok(await org.call('POST', 'agents', { name: 'Desk' }), 201)
  const [channel] = ok(await org.call('GET', 'channels')).data
  ok(await org.call('PATCH', `channels/${channel.id}`, { agent_id }))
  const prefix = `+120255${60 + ++organizations}`
  let customers = 0
  /** A new customer asks; returns the agent's answer. */
  const asks = async (text: string): Promise<{ body: string; contact_id: string }> => {
    const from = `${prefix}${String(100 + ++customers)}`
    ok(await org.call('POST', 'simulator/messages', { from, name: 'Ines', text }), 202)
    let answer: { body: string; contact_id: string; actor_type: string } | undefined
    await until(async () => {
      const [ticket] = ok(await org.call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`)).inboxes
      const messages = ticket ? ok(await org.call('GET', `inbox/messages/${ticket.id}`)).messages : []
      answer = messages.find(({ actor_type }: { actor_type: string }) => actor_type === 'ai')
      return answer !== undefined
    })
    return answer as { body: string; contact_id: string }
  }
  return { ...org, asks, scope: { organizationId: org.id, livemode: false } }
}
const gapsOf = async ({ call }: TestOrganization, status = 'open'): Promise<Found[]> =>
  ok(await call('GET', `${path}?status=${status}`)).data

/** Waits until the job has grouped this many questions. */
async function grouped(org: TestOrganization, questions: number, status = 'open'): Promise<Found[]> {
  let gaps: Found[] = []
  await until(async () => {
    gaps = await gapsOf(org, status)
    return gaps.reduce((sum, { question_count }) => sum + question_count, 0) === questions
  })
  return gaps
}
const acme = await newDesk()

test('questions without an answer are grouped by meaning; what was answered, greeted or asked of a person is not', async () => {
  await acme.asks('Do you sell bicycles?')
  const second = await acme.asks('Do you sell bikes?')
  await acme.asks('Is there a car park nearby?')
  await acme.asks('When does the pool open?')
  await acme.asks('Hello!')
  await acme.asks('Can I talk to a real person?')
  const gaps = await grouped(acme, 3)
  assert.deepEqual(gaps.map(({ question, question_count }) => [question, question_count]).sort(), [
    ['Do you sell bicycles?', 2],
    ['Is there a car park nearby?', 1],
  ])
  const [latest] = gaps.find(({ question_count }) => question_count === 2)?.examples ?? []
  assert.deepEqual(
    [latest?.text, latest?.reason, latest?.contact_id],
    ['Do you sell bikes?', 'not_found', second.contact_id],
  )
  assert.ok(latest?.inbox_id)
})

test('messages that ask nothing are acknowledged and make no gap', async () => {
  const org = await newDesk()
  const nothing = [
    'ok',
    '👍',
    'ja',
    'no',
    'perfect!',
    'Sí, por favor',
    'thanks a lot',
    'नहीं',
    'はい、お願いします',
    'Да, хорошо',
  ]
  const answers = await Promise.all(nothing.map((text) => org.asks(text)))
  for (const [i, { body }] of answers.entries())
    assert.doesNotMatch(body, /not find|nichts|No he|नहीं मिली|見つか|не наш/, nothing[i])
  assert.equal(answers[0]?.body, 'All right. Ask me if you need anything else.')
  assert.equal(answers[2]?.body, 'Alles klar. Fragen Sie mich, wenn Sie noch etwas brauchen.')
  // What asks for something is recorded, and after the others.
  for (const text of ['ok?', 'no wifi', 'Yes, and bicycles?']) await org.asks(text)
  assert.deepEqual((await grouped(org, 3)).map(({ question }) => question).sort(), [
    'Yes, and bicycles?',
    'no wifi',
    'ok?',
  ])
})

test('a member answers once, it becomes an FAQ entry, and the next customer gets it', async () => {
  const [gap] = (await grouped(acme, 3)).filter(({ question_count }) => question_count === 2)
  assert.ok(gap)
  const { id: collection } = ok(await acme.call('POST', 'knowledge-base/collections', { name: 'FAQ' }), 201)
  const body = {
    answer: 'Yes, we sell bicycles from April on.',
    variants: ['Can I buy a bike from you?'],
    collection_ids: [collection],
  }
  const answers = await Promise.all([1, 2].map(() => acme.call('POST', `${path}/${gap.id}/answer`, body)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409], 'one of two members')
  const [answered] = await gapsOf(acme, 'answered')
  assert.equal(answered?.id, gap.id)
  const document = await endOfDocument(acme.call, answered?.document_id as string)
  assert.deepEqual([document.status, document.collection_ids], ['ready', [collection]])
  assert.match((await acme.asks('Do you sell bicycles?')).body, /from April on/)
  assert.match((await acme.asks('Can I buy a bike from you?')).body, /from April on/)
  assert.equal((await gapsOf(acme, 'answered'))[0]?.question_count, 2)
})

test('a question that comes again after its answer opens the gap again; a dismissed gap stays dismissed', async () => {
  const org = await newDesk()
  const record = (text: string) =>
    app.database.inTenant(org.scope, (tx) =>
      recordQuestion(tx, {
        askedIn: `message ${newId()}`,
        contactId: null,
        ticketId: null,
        callId: null,
        agentId: null,
        text,
        reason: 'handed_off',
      }),
    )
  await record('Do you repair watches?')
  const [gap] = await grouped(org, 1)
  ok(await org.call('POST', `${path}/${gap?.id}/dismiss`))
  assert.equal(ok(await org.call('POST', `${path}/${gap?.id}/dismiss`)).status, 'dismissed')
  await record('Do you repair watches?')
  assert.equal((await grouped(org, 2, 'dismissed')).length, 1)
  assert.equal(ok(await org.call('POST', `${path}/${gap?.id}/reopen`)).status, 'open')
  ok(await org.call('POST', `${path}/${gap?.id}/answer`, { answer: 'No.', question: 'Do you repair watches?' }))
  await record('Do you repair watches, please?')
  assert.deepEqual(
    (await grouped(org, 3)).map(({ id }) => id),
    [gap?.id],
  )
  // Its entry is changed: a second one would ask the same.
  const again = { answer: 'No, but next door.', variants: ['Is there a watchmaker?'] }
  const { document_id } = ok(await org.call('POST', `${path}/${gap?.id}/answer`, again))
  const { data } = ok(await org.call('GET', 'knowledge-base/faqs'))
  assert.deepEqual(
    data.map(({ id, question, answer, variants }: Record<string, unknown>) => [id, question, answer, variants]),
    [[document_id, 'Do you repair watches?', again.answer, again.variants]],
  )
})

test('one question counts once, whatever is repeated, and many at once are all counted', async () => {
  const org = await newDesk()
  const record = (askedIn: string, text: string) =>
    app.database.inTenant(org.scope, (tx) =>
      recordQuestion(tx, {
        askedIn,
        contactId: null,
        ticketId: null,
        callId: null,
        agentId: null,
        text,
        reason: 'not_found',
      }),
    )
  await Promise.all(Array.from({ length: 20 }, (_, i) => record(`call ${i % 10}`, '你们卖自行车吗？')))
  const gaps = await grouped(org, 10)
  assert.equal(gaps.length, 1)
  await record('call other', '几点开门？')
  assert.equal((await grouped(org, 11)).length, 2, 'the local model does not read Chinese: words decide')
  await record('call hire', 'Can I hire a bike?')
  await record('call rent', 'How can I rent a bike?')
  await record('call norway', 'Do you deliver to Norway?')
  await record('call sweden', 'Do you deliver to Sweden?')
  await record('call norwegen', 'Liefern Sie nach Norwegen?')
  await record('call schweden', 'Liefern Sie nach Schweden?')
  await record('call versand', 'Wie lange dauert der Versand?')
  await record('call paket', 'Wie lange dauert die Lieferung nach Hause?')
  assert.deepEqual((await grouped(org, 19)).map(({ question }) => question).slice(0, 6), [
    'Wie lange dauert der Versand?',
    'Liefern Sie nach Schweden?',
    'Liefern Sie nach Norwegen?',
    'Do you deliver to Sweden?',
    'Do you deliver to Norway?',
    'Can I hire a bike?',
  ])
})

test('erasing the last person who asked removes the question and its gap', async () => {
  const org = await newDesk()
  const { contact_id } = await org.asks('Do you sell umbrellas?')
  await grouped(org, 1)
  ok(await org.call('POST', `contacts/${contact_id}/erase`), 202)
  const Count = Type.Object({ n: Type.Integer() })
  await until(async () => {
    const { n } = await app.database.forTenant(org.scope).one(Count)`
      select ((select count(*) from gap_questions) + (select count(*) from knowledge_gaps))::integer as n`
    return n === 0
  })
  assert.deepEqual(await gapsOf(org), [])
})

test('pages and mistakes', async () => {
  const [first, second] = await gapsOf(acme, 'open')
  const other = first ?? second
  const strangers = await app.organization()
  const page = ok(await acme.call('GET', `${path}?limit=1&status=answered`))
  assert.deepEqual([page.data.length, page.has_more, page.total_count], [1, false, 1])
  const of = async (method: string, url: string, body?: object, call = acme.call) =>
    (await call(method, url, body)).status
  for (const [verb, body] of [['answer', { answer: 'Yes' }], ['dismiss'], ['reopen']] as const) {
    assert.equal(await of('POST', `${path}/${newId()}/${verb}`, body), 404)
    assert.equal(await of('POST', `${path}/${other?.id}/${verb}`, body, strangers.call), 404)
  }
  assert.equal(await of('GET', `${path}/${other?.id}`), 200)
  assert.equal(await of('GET', `${path}/${other?.id}`, undefined, strangers.call), 404)
  assert.equal(await of('GET', `${path}/${newId()}`), 404)
  assert.equal(await of('GET', `${path}?status=lost`), 422)
  for (const body of [{}, { answer: ' ' }, { answer: 'x', question: '' }])
    assert.equal(await of('POST', `${path}/${other?.id}/answer`, body), 422)
  assert.equal(await of('POST', `${path}/${other?.id}/answer`, { answer: 'x', collection_ids: [newId()] }), 404)
  const reader = app.as((await app.key(acme.id, { scopes: ['knowledge:read'] })).secret)
  assert.equal(await of('GET', path, undefined, reader), 200)
  assert.equal(await of('POST', `${path}/${other?.id}/dismiss`, undefined, reader), 403)
  assert.equal((await app.call('GET', path)).status, 401)
})
