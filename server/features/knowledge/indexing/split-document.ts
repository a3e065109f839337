import { Worker } from 'node:worker_threads'
import type { ParsedDocument } from '../parsing/document.ts'
import type { NewChunk } from './queries.ts'
import { toChunks } from './to-chunks.ts'

/** Up to this length splitting takes some 20 milliseconds; a longer text would keep requests waiting. */
const longestHere = 200_000

/** Splits a document; a long one in a thread of its own. */
export async function splitDocument(parsed: ParsedDocument): Promise<NewChunk[]> {
  if (parsed.text.length <= longestHere) return toChunks(parsed)
  const { promise, resolve, reject } = Promise.withResolvers<NewChunk[]>()
  const worker = new Worker(new URL('./split-thread.ts', import.meta.url), { workerData: parsed })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the thread that splits documents ended without an answer')))
  return promise
}
