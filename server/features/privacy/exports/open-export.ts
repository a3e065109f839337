import type { TenantSql } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import type { ServedFile } from '../../../platform/http/file-answer.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { readFound } from '../../../providers/files/read-found.ts'
import { recordAction } from '../../audit/record-action.ts'
import { findExportFile } from './queries.ts'

/** Opens the archive for download, and records that it was downloaded. */
export async function openExport(sql: TenantSql, id: string, files: FileStore): Promise<ServedFile> {
  const { contact_id, file_key: key, size_bytes: size, sha256 } = found(await findExportFile(sql, id), 'Export')
  if (key === null || size === null || sha256 === null) throw conflict('The export is not complete yet')
  await recordAction(sql, 'person_export.downloaded', { id, details: { contact_id } })
  return {
    size,
    etag: sha256,
    mimeType: 'application/zip',
    fileName: `contact-${contact_id}.zip`,
    mayBeShown: false,
    read: readFound(files, key, 'Export'),
  }
}
