import type { TenantSql } from '../../../platform/database.ts'
import { found, notFound } from '../../../platform/errors.ts'
import type { ServedFile } from '../../../platform/http/file-answer.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import { readFound } from '../../../providers/files/read-found.ts'
import { findRecording } from '../queries.ts'

/** Opens a recording for serving. Throws 404 if the call has none or it was removed. */
export async function openRecording(sql: TenantSql, callId: string, files: FileStore): Promise<ServedFile> {
  const recording = found(await findRecording(sql, callId), 'Call log entry')
  const { file_key: key, recording_size: size, recording_sha256: sha256 } = recording
  if (key === null || size === null || sha256 === null) throw notFound('Recording')
  return {
    size,
    etag: sha256,
    mimeType: 'audio/wav',
    fileName: `call-${callId}.wav`,
    mayBeShown: true,
    read: readFound(files, key, 'Recording'),
  }
}
