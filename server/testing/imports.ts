import type { ImportReport } from '../features/contacts/imports/schema.ts'
import { type CallAs, ok } from './app.ts'
import { until } from './process.ts'
import { type Upload, upload } from './uploads.ts'

/** Uploads a file and waits until its import has ended. */
export async function importFile(
  call: CallAs,
  file: NonNullable<Upload['file']>,
  fields: Record<string, string> = {},
): Promise<ImportReport> {
  const answer = ok(await upload(call, 'contacts/imports', { file, fields }), 202)
  return endOfImport(call, answer.id)
}

export async function endOfImport(call: CallAs, id: string): Promise<ImportReport> {
  let report: ImportReport | undefined
  await until(async () => {
    const answer = ok(await call('GET', `contacts/imports/${id}`))
    report = answer
    return ['completed', 'failed'].includes(answer.state)
  })
  return report as ImportReport
}
