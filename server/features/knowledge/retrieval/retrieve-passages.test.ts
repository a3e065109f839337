import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createLocalEmbedder } from '../../../providers/embeddings/local.ts'
import { sharedTestApp } from '../../../testing/app.ts'
import { addDocument } from '../../../testing/documents.ts'
import { textPdf, typeset } from '../../../testing/pdf.ts'
import { createEmbedders } from '../embedders.ts'
import { createExactIndex } from '../vectors/exact-index.ts'
import { retrievePassages } from './retrieve-passages.ts'

const app = await sharedTestApp()
const org = await app.organization()
const embedders = createEmbedders({ local: createLocalEmbedder() })
const deps = {
  database: app.database,
  embedders,
  vectorIndex: createExactIndex({ maxBytes: 1 << 20 }),
  log: pino({ level: 'silent' }),
  keywordWeight: 0.6,
}
const scope = { organizationId: org.id, livemode: false }
/** Without the time limit of a conversation, which loading the model can take. */
const retrieve = (questions: string[], options: Parameters<typeof retrievePassages>[3] = {}, of = scope) =>
  retrievePassages(deps, of, questions, { timeoutMs: 60_000, ...options })
const pages = [
  'Guests may check in from three in the afternoon. Late arrivals ring the bell.',
  'Breakfast is served until eleven. Dogs are welcome in the garden but not in the breakfast room.',
  'The sauna is open on weekends and costs nine euros for each guest.',
]
const pdf = Uint8Array.from(textPdf(pages.map((page) => typeset(page))))
const house = await addDocument(org.call, pdf, 'house-rules.pdf')
await addDocument(org.call, 'The boiler is serviced every October by the company Hansen. '.repeat(40), 'boiler.txt')

test('a question gets numbered passages, each with its document and page', async () => {
  const { sources, prompt } = await retrieve(['May I bring my dog to breakfast?'])
  const [first] = sources
  assert.ok(first)
  assert.deepEqual([first.number, first.document_id, first.file_name, first.page], [1, house.id, 'house-rules.pdf', 2])
  assert.match(prompt, /^\[1\] house-rules\.pdf, page 2\n.*Dogs are welcome/s)
  for (const { number, text } of sources) {
    assert.ok(prompt.includes(`[${number}] `))
    assert.ok(prompt.includes(text))
  }
})

test('several questions are searched at once, and a passage that answers two of them comes once', async () => {
  const questions = ['sauna price', 'What does the sauna cost?', 'Who services the boiler?', ' ']
  const { sources } = await retrieve(questions, { maxPassages: 1 })
  assert.deepEqual(sources.map(({ file_name, page }) => `${file_name} ${page}`).sort(), [
    'boiler.txt null',
    'house-rules.pdf 3',
  ])
  const scores = sources.map(({ score }) => score)
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
})

test('passages are cut to fit the prompt', async () => {
  const maxTokens = 100
  const { sources, prompt } = await retrieve(['Who services the boiler?'], { maxTokens })
  assert.ok(prompt.length <= maxTokens * 3.5, `${prompt.length}`)
  assert.equal(sources.length, 1)
  assert.match(prompt, /Hansen\. …$/)
  const { sources: few } = await retrieve(['boiler'], { maxPassages: 2 })
  assert.equal(few.length, 2)
})

test('no question, no documents or no room gives an empty prompt', async () => {
  const empty = { organizationId: (await app.organization()).id, livemode: false }
  const nothing = { sources: [], prompt: '' }
  const found = async (...given: Parameters<typeof retrieve>) => {
    const { sources, prompt } = await retrieve(...given)
    return { sources, prompt }
  }
  assert.deepEqual(await found(['  ']), nothing)
  assert.deepEqual(await found(['May I bring my dog?'], {}, empty), nothing)
  assert.deepEqual(await found(['dog'], { maxTokens: 5 }), nothing)
  assert.deepEqual(await found(['dog'], { documentIds: [] }), nothing)
  await embedders.close()
})
