import type { TenantSql } from '../../platform/database.ts'
import { found, notFound } from '../../platform/errors.ts'
import type { ServedFile } from '../../platform/http/file-answer.ts'
import { FileMissing, type FileStore } from '../../providers/files/contract.ts'
import type { DocumentType } from './parsing/document.ts'
import { findStoredDocument } from './queries.ts'

const mimeTypes: Record<DocumentType, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain',
}

/** The uploaded bytes, under their original name. */
export async function openDocumentFile(sql: TenantSql, id: string, files: FileStore): Promise<ServedFile> {
  const document = found(await findStoredDocument(sql, id), 'Document')
  return {
    size: document.size_bytes,
    etag: document.sha256,
    mimeType: mimeTypes[document.document_type],
    fileName: document.file_name,
    mayBeShown: false,
    read: (range) =>
      files.read(document.file_key, range).catch((error) => {
        throw error instanceof FileMissing ? notFound('Document') : error
      }),
  }
}
