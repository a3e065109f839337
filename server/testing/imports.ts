import assert from 'node:assert/strict'
import type { ImportReport } from '../features/contacts/imports/schema.ts'
import type { CallAs } from './app.ts'
import { until } from './process.ts'
import { type Upload, upload } from './uploads.ts'

/** Uploads a file and waits until its import has ended. */
export async function importFile(
  call: CallAs,
  file: NonNullable<Upload['file']>,
  fields: Record<string, string> = {},
): Promise<ImportReport> {
  const answer = await upload(call, 'contacts/imports', { file, fields })
  assert.equal(answer.status, 202, answer.text)
  return endOfImport(call, answer.body.id)
}

export async function endOfImport(call: CallAs, id: string): Promise<ImportReport> {
  let report: ImportReport | undefined
  await until(async () => {
    const answer = await call('GET', `contacts/imports/${id}`)
    assert.equal(answer.status, 200, answer.text)
    report = answer.body
    return ['completed', 'failed'].includes(answer.body.state)
  })
  return report as ImportReport
}
