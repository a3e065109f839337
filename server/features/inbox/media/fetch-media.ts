import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { ChatError, type DownloadedMedia } from '../../../providers/chat/contract.ts'
import { type FileStore, fileKey } from '../../../providers/files/contract.ts'
import type { ChatConnections } from '../../channels/connections/chat-connections.ts'
import { findMediaToFetch, markStored, markUnfetchable } from './media-queries.ts'
import { largestMediaBytes } from './media-types.ts'

export interface Fetching {
  database: Database
  chatConnections: ChatConnections
  files: FileStore
}

/**
 * Downloads the file of an inbound message into the file store. Idempotent: the key is derived from the media id, and
 * the row leaves `pending` only once. Errors are thrown so that the job retries, for as long as the platform keeps the
 * file; after that, or when a retry cannot help, the row records why there is no file.
 */
export async function fetchMedia(
  { database, chatConnections, files }: Fetching,
  scope: TenantScope,
  mediaId: string,
  signal: AbortSignal,
): Promise<void> {
  const key = fileKey(scope, 'media', mediaId)
  const sql = database.forTenant(scope)
  const media = await findMediaToFetch(sql, mediaId)
  // The contact was deleted, perhaps after an earlier attempt had stored the bytes.
  if (!media) return files.remove(key)
  if (media.state !== 'pending') return
  const giveUp = async (reason: string) => {
    await database.inTenant(scope, (tx) => markUnfetchable(tx, mediaId, reason))
  }
  if (media.platform_media_id === null) return giveUp('The messaging platform named no file')
  try {
    const { platform } = await chatConnections.open(sql, media.channel_id)
    const download = await platform.downloadMedia(media.platform_media_id)
    const stored = await files.write(key, bytesOf(download, signal)).finally(() => download.bytes.destroy())
    const expected = hexOf(media.sha256) ?? download.sha256
    if (expected !== null && expected !== stored.sha256) throw new Damaged()
    const mimeType = media.mime_type ?? download.mimeType
    const moved = await database.inTenant(scope, (tx) => markStored(tx, mediaId, { key, mimeType, ...stored }))
    if (moved === 0 && !(await findMediaToFetch(sql, mediaId))) await files.remove(key)
  } catch (error) {
    const reason = finalReason(error, media.is_kept_by_platform)
    if (reason === undefined) throw error
    await files.remove(key)
    await giveUp(reason)
  }
}

class Damaged extends Error {
  constructor() {
    super('the downloaded file does not match the hash that the platform announced')
  }
}
class TooLarge extends Error {}

async function* bytesOf({ bytes }: DownloadedMedia, signal: AbortSignal): AsyncGenerator<Buffer> {
  let total = 0
  for await (const piece of bytes) {
    signal.throwIfAborted()
    total += piece.length
    if (total > largestMediaBytes) throw new TooLarge()
    yield piece
  }
}

/** The reason why the file can never be fetched, or undefined if a retry may succeed. */
function finalReason(error: unknown, isKept: boolean): string | undefined {
  if (error instanceof TooLarge || (error instanceof ChatError && error.code === 'too_large'))
    return `It is larger than ${largestMediaBytes.toLocaleString('en')} bytes`
  if (error instanceof ChatError && error.verdict === 'fail') return error.message
  if (error instanceof AppError && error.status === 404) return 'Its channel was deleted'
  if (!isKept) return error instanceof Error ? error.message : 'It could not be fetched in time'
  return undefined
}

/** Webhooks carry the hash in Base64, other responses of the platform in hexadecimal. */
function hexOf(sha256: string | null): string | null {
  if (sha256 === null || /^[0-9a-f]{64}$/i.test(sha256)) return sha256?.toLowerCase() ?? null
  const bytes = Buffer.from(sha256, 'base64')
  return bytes.length === 32 ? bytes.toString('hex') : null
}
