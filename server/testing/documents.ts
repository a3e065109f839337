import type { Document } from '../features/knowledge/schema.ts'
import { type CallAs, ok } from './app.ts'
import { until } from './process.ts'
import { type Upload, upload } from './uploads.ts'

/** Uploads a document and waits until it is ready or has failed. */
export async function addDocument(
  call: CallAs,
  file: NonNullable<Upload['file']>,
  fileName = 'document.txt',
): Promise<Document> {
  const answer = ok(await upload(call, 'knowledge-base/upload', { file, fileName }), 201)
  return endOfDocument(call, answer.id)
}

export async function endOfDocument(call: CallAs, id: string): Promise<Document> {
  let document: Document | undefined
  await until(async () => {
    const answer = ok(await call('GET', `knowledge-base/${id}`))
    document = answer
    return answer.status !== 'processing'
  })
  return document as Document
}
