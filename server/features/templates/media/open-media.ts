import type { TenantSql } from '../../../platform/database.ts'
import { found } from '../../../platform/errors.ts'
import type { ServedFile } from '../../../platform/http/file-answer.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { readFound } from '../../../providers/files/read-found.ts'
import { findMedia } from './media-queries.ts'

/** Opens a stored file for download. */
export async function openMedia(sql: TenantSql, id: string, { files }: { files: FileStore }): Promise<ServedFile> {
  const [media] = await findMedia(sql, [id])
  const { file_key: key, size_bytes: size, sha256, mime_type: mimeType, file_name: fileName } = found(media, 'Media')
  return {
    size,
    etag: sha256,
    mimeType,
    fileName,
    mayBeShown: mimeType !== 'application/pdf',
    read: readFound(files, key, 'Media'),
  }
}
