import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { TenantSql } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import type { ServedFile } from '../../platform/http/file-answer.ts'
import type { FileStore } from '../../providers/files/contract.ts'
import { readFound } from '../../providers/files/read-found.ts'
import { faqFileText } from './faqs/faq-text.ts'
import { findFaqText } from './faqs/queries.ts'
import { fileKinds, kindByName } from './parsing/file-kinds.ts'
import { findStoredDocument } from './queries.ts'

/** The bytes under their name: a file as it was uploaded, a web page and an FAQ as text. */
export async function openDocumentFile(sql: TenantSql, id: string, files: FileStore): Promise<ServedFile> {
  const document = found(await findStoredDocument(sql, id), 'Document')
  const { file_name: fileName, document_type, source } = document
  const kind = source ? (kindByName(fileName) ?? 'txt') : document_type
  const shown = { mimeType: fileKinds[kind].mediaType, fileName, mayBeShown: false }
  if (source?.kind === 'faq') {
    const bytes = Buffer.from(faqFileText(found(await findFaqText(sql, id), 'Document')))
    const etag = createHash('sha256').update(bytes).digest('hex')
    const read = async (range?: { start: number; end: number }) =>
      Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes])
    return { ...shown, size: bytes.length, etag, read }
  }
  return {
    ...shown,
    size: document.size_bytes,
    etag: document.sha256,
    read: readFound(files, document.file_key, 'Document'),
  }
}
