import { createHash } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { basename, join } from 'node:path'

/** An embedding model in a folder, laid out as on Hugging Face. */
export interface ModelFolder {
  path: string
  /** With a part of its content's hash: other weights under the same name are another model. */
  name: string
  dimensions: number
  maxTokens: number
  /** Whether a text's vector is the mean over its tokens, or the first token's. */
  pooling: 'mean' | 'cls'
  weightsPath: string
  /** What the model was trained to see before each kind of text. */
  prefixes: { question: string; passage: string }
}

/** Smallest first: the quantized ones are as good for search, and several times as fast. */
const weightFiles = ['model_quantized.onnx', 'model_int8.onnx', 'model.onnx'].flatMap((name) => [
  join('onnx', name),
  name,
])

/** Chunks are embedded in parts of about 200 tokens, so more are never needed. */
const mostTokens = 512

/** Throws an `Error` that says what is missing. */
export function readModelFolder(path: string): ModelFolder {
  const weights = weightFiles.find((file) => existsSync(join(path, file)))
  if (!weights) throw new Error(`${path} has no onnx/model.onnx`)
  const config = readJson(path, 'config.json')
  if (!config) throw new Error(`${path} has no config.json`)
  if (!existsSync(join(path, 'tokenizer.json'))) throw new Error(`${path} has no tokenizer.json`)
  const { hidden_size: dimensions, max_position_embeddings: positions } = config
  if (!Number.isInteger(dimensions)) throw new Error(`${join(path, 'config.json')} has no hidden_size`)
  const title = basename(path).toLowerCase()
  const prompts = readJson(path, 'config_sentence_transformers.json')?.prompts as Record<string, string> | undefined
  const e5 = /(?:^|-)e5(?:-|$)/.test(title)
  return {
    path,
    name: `${title}:${fingerprint(join(path, weights), JSON.stringify(config))}`,
    dimensions: dimensions as number,
    // RoBERTa's positions begin after the one for padding: two are unusable.
    maxTokens: Math.min(mostTokens, Number.isInteger(positions) ? (positions as number) - 2 : mostTokens),
    pooling: readJson(path, join('1_Pooling', 'config.json'))?.pooling_mode_cls_token === true ? 'cls' : 'mean',
    weightsPath: join(path, weights),
    prefixes: {
      question: prompts?.query ?? (e5 ? 'query: ' : ''),
      passage: prompts?.document ?? prompts?.passage ?? (e5 ? 'passage: ' : ''),
    },
  }
}

function readJson(path: string, name: string): Record<string, unknown> | undefined {
  const file = join(path, name)
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new Error(`${file} is not JSON`)
  }
}

const sampledBytes = 1 << 20

/** Of the settings, and of the size and the last megabyte of the weights: hashing gigabytes would delay the start. */
function fingerprint(weightsPath: string, config: string): string {
  const file = openSync(weightsPath, 'r')
  try {
    const { size } = fstatSync(file)
    const sample = Buffer.alloc(Math.min(size, sampledBytes))
    readSync(file, sample, 0, sample.length, size - sample.length)
    return createHash('sha256').update(`${config} ${size} `).update(sample).digest('hex').slice(0, 8)
  } finally {
    closeSync(file)
  }
}
