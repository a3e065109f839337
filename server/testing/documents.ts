import assert from 'node:assert/strict'
import type { Document } from '../features/knowledge/schema.ts'
import type { CallAs } from './app.ts'
import { until } from './process.ts'
import { type Upload, upload } from './uploads.ts'

/** Uploads a document and waits until it is ready or has failed. */
export async function addDocument(
  call: CallAs,
  file: NonNullable<Upload['file']>,
  fileName = 'document.txt',
): Promise<Document> {
  const answer = await upload(call, 'knowledge-base/upload', { file, fileName })
  assert.equal(answer.status, 201, answer.text)
  return endOfDocument(call, answer.body.id)
}

export async function endOfDocument(call: CallAs, id: string): Promise<Document> {
  let document: Document | undefined
  await until(async () => {
    const answer = await call('GET', `knowledge-base/${id}`)
    assert.equal(answer.status, 200, answer.text)
    document = answer.body
    return answer.body.status !== 'processing'
  })
  return document as Document
}
