import type { TenantSql } from '../../../platform/database.ts'
import { AppError, conflict, found } from '../../../platform/errors.ts'
import type { ServedFile } from '../../../platform/http/file-answer.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { readFound } from '../../../providers/files/read-found.ts'
import { findMedia } from './media-queries.ts'
import { mayBeShown, servedType } from './media-types.ts'

/** Opens a message's file for download. */
export async function openMedia(sql: TenantSql, id: string, { files }: { files: FileStore }): Promise<ServedFile> {
  const media = found(await findMedia(sql, id), 'Media')
  if (media.state === 'pending') throw conflict('This file is still being fetched from the messaging platform')
  const { file_key: key, size_bytes: size, sha256 } = media
  if (key === null || size === null || sha256 === null)
    throw new AppError(404, `This file could not be fetched: ${media.error ?? 'the messaging platform has lost it'}`)
  const mimeType = servedType(media.mime_type)
  return {
    size,
    etag: sha256,
    mimeType,
    fileName: media.file_name,
    mayBeShown: mayBeShown(mimeType),
    read: readFound(files, key, 'Media'),
  }
}
