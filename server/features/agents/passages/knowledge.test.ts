import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { ok, startTestApp } from '../../../testing/app.ts'
import { addDocument } from '../../../testing/documents.ts'
import { until } from '../../../testing/process.ts'

/** Which documents an agent reads. */

const app = await startTestApp({ settings: { AGENT_REPLY_DELAY_MS: 0 } })
await app.listen()
const acme = await app.organization()
const live = app.as((await app.key(acme.id, { mode: 'live' })).secret)
const [hours, prices] = await Promise.all([
  addDocument(acme.call, 'The pool opens at seven in the morning.', 'hours.txt'),
  addDocument(acme.call, 'Parking costs nine euros a day.', 'prices.txt'),
])

const everything = { all: true, document_ids: [], collection_ids: [] }
const newAgent = async (knowledge?: object) =>
  ok(await acme.call('POST', 'agents', { name: 'Desk', agent_config: { ...(knowledge && { knowledge }) } }), 201)
const ask = async (id: string, message: string) => ok(await acme.call('POST', `agents/${id}/chat`, { message }))
const knows = async (id: string) => {
  const answers = await Promise.all(['When does the pool open?', 'What does parking cost?'].map((q) => ask(id, q)))
  return answers.flatMap(({ sources }) => sources.map(({ file_name }: { file_name: string }) => file_name))
}

test('an agent reads all documents unless some are chosen for it', async () => {
  const agent = await newAgent()
  assert.deepEqual(agent.agent_config.knowledge, everything)
  assert.deepEqual(await knows(agent.id), ['hours.txt', 'prices.txt'])
  const chosen = await newAgent({ document_ids: [prices.id] })
  assert.deepEqual(chosen.agent_config.knowledge, { all: false, document_ids: [prices.id], collection_ids: [] })
  assert.deepEqual(await knows(chosen.id), ['prices.txt'])
  assert.deepEqual(await knows((await newAgent({ all: false })).id), [])
  // The choice is stored beside `all`, for when `all` is turned off again.
  const both = await newAgent({ all: true, document_ids: [prices.id] })
  assert.deepEqual(both.agent_config.knowledge.all, true)
  assert.deepEqual(await knows(both.id), ['hours.txt', 'prices.txt'])
})

test('an update replaces the given members, null resets to the default, and each update is a version', async () => {
  const { id } = await newAgent()
  const patch = async (knowledge: object | null) =>
    ok(await acme.call('PATCH', `agents/${id}`, { agent_config: { knowledge } }))
  const chosen = await patch({ document_ids: [hours.id] })
  assert.deepEqual([chosen.version, chosen.agent_config.knowledge.all], [2, false])
  assert.deepEqual(await knows(id), ['hours.txt'])
  assert.deepEqual((await patch({ all: true })).agent_config.knowledge, { ...everything, document_ids: [hours.id] })
  assert.deepEqual((await patch(null)).agent_config.knowledge, everything)
})

test('unknown ids answer 404, invalid values 400, in the error shape of agents', async () => {
  const strangers = await app.organization()
  const theirs = await addDocument(strangers.call, 'Their secret is blue.', 'secret.txt')
  const theirCollection = ok(await strangers.call('POST', 'knowledge-base/collections', { name: 'Theirs' }), 201)
  const { id } = await newAgent({ document_ids: [hours.id] })
  for (const [knowledge, status, says] of [
    [{ document_ids: [hours.id, theirs.id] }, 404, new RegExp(theirs.id)],
    [{ document_ids: [newId()] }, 404, /no such document/],
    [{ document_ids: ['x'] }, 400, /document_ids/],
    [{ document_ids: [hours.id, hours.id] }, 400, /document_ids/],
    [{ all: 'yes' }, 400, /all/],
    [{ collection_ids: [newId()] }, 404, /no such collection/],
    [{ collection_ids: [theirCollection.id] }, 404, /no such collection/],
    [{ collection_ids: ['x'] }, 400, /collection_ids/],
  ] as const)
    for (const answer of [
      await acme.call('POST', 'agents', { name: 'Desk', agent_config: { knowledge } }),
      await acme.call('PATCH', `agents/${id}`, { agent_config: { knowledge } }),
    ]) {
      assert.deepEqual([answer.status, answer.body.error], [status, status], answer.text)
      assert.match(answer.body.message, says)
    }
  assert.deepEqual(await knows(id), ['hours.txt'])
})

test('a deleted document is skipped and does not block other changes', async () => {
  const short = await addDocument(acme.call, 'The sauna opens at noon.', 'sauna.txt')
  const { id } = await newAgent({ document_ids: [short.id] })
  assert.equal((await ask(id, 'When does the sauna open?')).sources.length, 1)
  ok(await acme.call('DELETE', `knowledge-base/${short.id}`))
  assert.deepEqual(await knows(id), [], 'it does not read everything in its place')
  const knowledge = { document_ids: [short.id, prices.id] }
  const changed = ok(await acme.call('PATCH', `agents/${id}`, { name: 'Desk 2', agent_config: { knowledge } }))
  assert.deepEqual(changed.agent_config.knowledge.document_ids, knowledge.document_ids)
  assert.deepEqual(await knows(id), ['prices.txt'])
})

test('an agent reads the documents of its collections, as they are when it is asked', async () => {
  const newCollection = async (name: string, document_ids: string[]) =>
    ok(await acme.call('POST', 'knowledge-base/collections', { name, document_ids }), 201)
  const { id: cars } = await newCollection('Cars', [prices.id])
  const agent = await newAgent({ collection_ids: [cars] })
  assert.deepEqual(agent.agent_config.knowledge, { all: false, document_ids: [], collection_ids: [cars] })
  assert.deepEqual(await knows(agent.id), ['prices.txt'])
  ok(await acme.call('PUT', `knowledge-base/collections/${cars}/documents/${hours.id}`))
  assert.deepEqual(await knows(agent.id), ['hours.txt', 'prices.txt'])
  ok(await acme.call('DELETE', `knowledge-base/collections/${cars}`))
  assert.deepEqual(await knows(agent.id), [], 'it does not read everything in its place')
  const { id: pool } = await newCollection('Pool', [hours.id])
  const knowledge = { collection_ids: [cars, pool] }
  const changed = ok(await acme.call('PATCH', `agents/${agent.id}`, { agent_config: { knowledge } }))
  assert.deepEqual(changed.agent_config.knowledge.collection_ids, [cars, pool], 'the deleted one does not block it')
  assert.deepEqual(await knows(agent.id), ['hours.txt'])
})

test('in the inbox the agent reads the same documents', async () => {
  const org = await app.organization()
  const [pool, parking] = await Promise.all([
    addDocument(org.call, 'The pool opens at seven in the morning.', 'hours.txt'),
    addDocument(org.call, 'Parking costs nine euros a day.', 'prices.txt'),
  ])
  assert.ok(pool.id)
  const agent_config = { knowledge: { document_ids: [parking.id] } }
  const { id: agent_id } = ok(await org.call('POST', 'agents', { name: 'Desk', agent_config }), 201)
  const [channel] = ok(await org.call('GET', 'channels')).data
  ok(await org.call('PATCH', `channels/${channel.id}`, { agent_id }))
  const answerTo = async (from: string, text: string) => {
    ok(await org.call('POST', 'simulator/messages', { from, name: 'Ines', text }), 202)
    let answer: { body: string } | undefined
    await until(async () => {
      const [ticket] = ok(await org.call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`)).inboxes
      const messages = ticket ? ok(await org.call('GET', `inbox/messages/${ticket.id}`)).messages : []
      answer = messages.find(({ actor_type }: { actor_type: string }) => actor_type === 'ai')
      return answer !== undefined
    })
    return answer?.body ?? ''
  }
  assert.match(await answerTo('+12025557001', 'What does parking cost?'), /nine euros/)
  assert.match(await answerTo('+12025557002', 'When does the pool open?'), /did not find anything/)
})

test('promoting maps documents to their copies in live mode and reports those without one', async () => {
  const promote = (id: string) => live('POST', `agents/${id}/promote`)
  const copyOf = async (id: string) => ok(await live('POST', `knowledge-base/${id}/promote`), 201).id as string
  const gone = await addDocument(acme.call, 'The bar is closed.', 'bar.txt')
  const hoursInLive = await copyOf(hours.id)
  const { id } = await newAgent({ document_ids: [gone.id, prices.id, hours.id] })
  ok(await acme.call('DELETE', `knowledge-base/${gone.id}`))
  const first = ok(await promote(id), 201)
  assert.deepEqual(first.agent_config.knowledge, { all: false, document_ids: [hoursInLive], collection_ids: [] })
  assert.deepEqual(first.missing_documents, [{ id: prices.id, file_name: 'prices.txt' }])
  const pricesInLive = await copyOf(prices.id)
  const second = ok(await promote(id), 200)
  assert.deepEqual([second.id, second.version], [first.id, 2])
  assert.deepEqual(second.agent_config.knowledge.document_ids, [pricesInLive, hoursInLive])
  assert.deepEqual(second.missing_documents, [])
  assert.equal('missing_documents' in ok(await live('GET', `agents/${first.id}`)), false)
})

test('promoting maps collections by name, and creates those that live mode lacks', async () => {
  const spa = await addDocument(acme.call, 'The spa closes at ten.', 'spa.txt')
  const { id: collection } = ok(
    await acme.call('POST', 'knowledge-base/collections', { name: 'Spa', document_ids: [spa.id] }),
    201,
  )
  const { id } = await newAgent({ collection_ids: [collection] })
  const first = ok(await live('POST', `agents/${id}/promote`), 201)
  assert.deepEqual(first.missing_documents, [{ id: spa.id, file_name: 'spa.txt' }])
  const [copied] = first.agent_config.knowledge.collection_ids
  ok(await live('POST', `knowledge-base/${spa.id}/promote`), 201)
  const second = ok(await live('POST', `agents/${id}/promote`), 200)
  assert.deepEqual([second.missing_documents, second.agent_config.knowledge.collection_ids], [[], [copied]])
  const promoted = ok(await live('GET', `knowledge-base/collections/${copied}`))
  assert.deepEqual([promoted.name, promoted.document_count], ['Spa', 1])
})
