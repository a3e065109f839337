import type { Database, TenantScope, TenantSql } from '../../../platform/database.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import type { ChatConnection } from '../../channels/connections/chat-connections.ts'
import type { PlatformMedia } from '../content/parameters.ts'
import { findMedia, type MediaFile, saveUpload } from './media-queries.ts'

interface Dependencies {
  database: Database
  files: FileStore
}

export const noSuchFile = 'No file has this id: upload it with POST /templates/media'

/** The ids among these that no stored file has. */
export async function missingMedia(sql: TenantSql, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const found = new Set((await findMedia(sql, ids)).map(({ id }) => id))
  return ids.filter((id) => !found.has(id))
}

/**
 * What the platform calls these files on the connection's number. A file that it does not have yet, or soon no longer,
 * is uploaded first: repeating this is safe. Files that are not stored are left out. Throws a `ChatError`.
 */
export async function uploadForSending(
  { database, files }: Dependencies,
  scope: TenantScope,
  { platform, phoneNumberId }: ChatConnection,
  ids: string[],
): Promise<Map<string, PlatformMedia>> {
  const uploaded = new Map<string, PlatformMedia>()
  if (ids.length === 0) return uploaded
  const sql = database.forTenant(scope)
  for (const file of await findMedia(sql, ids, phoneNumberId)) {
    const id = file.platform_media_id ?? (await upload(file))
    uploaded.set(file.id, { id, fileName: file.file_name })
  }
  return uploaded

  async function upload({
    id: mediaId,
    file_key,
    mime_type: mimeType,
    file_name: fileName,
    size_bytes: size,
  }: MediaFile) {
    const bytes = await files.read(file_key)
    const { id } = await platform.uploadMedia({ bytes, mimeType, fileName, size }).finally(() => bytes.destroy())
    await saveUpload(sql, mediaId, phoneNumberId, id)
    return id
  }
}

const keptForMs = 3600_000
const maxKept = 1_000

/** The same for a worker that sends one file in many messages: each is looked up once an hour. */
export function createMediaUploads(deps: Dependencies) {
  const known = new Map<string, { uploaded: Promise<Map<string, PlatformMedia>>; until: number }>()
  return (scope: TenantScope, connection: ChatConnection, ids: string[]): Promise<Map<string, PlatformMedia>> => {
    const key = [scope.organizationId, scope.livemode, connection.phoneNumberId, ...ids].join(' ')
    const before = known.get(key)
    if (before && before.until > performance.now()) return before.uploaded
    if (known.size > maxKept) known.clear()
    const uploaded = uploadForSending(deps, scope, connection, ids)
    known.set(key, { uploaded, until: performance.now() + keptForMs })
    uploaded.catch(() => known.delete(key))
    return uploaded
  }
}
