import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError, conflict, invalid } from '../../../platform/errors.ts'
import type { ReceivedFile } from '../../../platform/http/upload.ts'
import { isUuid } from '../../../platform/ids.ts'
import { mimeTypeOf } from '../../../platform/mime-types.ts'
import { ChatError } from '../../../providers/chat/contract.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import type { ChatConnection, ChatConnections } from '../../channels/connections/chat-connections.ts'
import { upstreamFailed } from '../../channels/connections/upstream.ts'
import { claimKeptFile, type FreshFile, keepFile } from '../../files/keep-file.ts'
import { insertMedia } from './media-queries.ts'
import type { TemplateMedia } from './media-schema.ts'

const megabyte = 1024 * 1024

/** What the platform takes for headers: the types of its resumable uploads, with its sizes for messages. */
const formats: Record<string, { format: TemplateMedia['format']; maxBytes: number }> = {
  'image/jpeg': { format: 'IMAGE', maxBytes: 5 * megabyte },
  'image/png': { format: 'IMAGE', maxBytes: 5 * megabyte },
  'video/mp4': { format: 'VIDEO', maxBytes: 16 * megabyte },
  'application/pdf': { format: 'DOCUMENT', maxBytes: 100 * megabyte },
}
export const largestHeaderBytes = 100 * megabyte

export interface MediaDependencies {
  database: Database
  chatConnections: ChatConnections
  files: FileStore
}

/** Stores a file for headers. As a sample, it is first uploaded to the platform, which returns a handle for it. */
export async function receiveMedia(
  deps: MediaDependencies,
  scope: TenantScope,
  receive: (store: (bytes: AsyncIterable<Buffer>) => Promise<void>) => Promise<ReceivedFile>,
): Promise<TemplateMedia> {
  let fresh: FreshFile | undefined
  try {
    const form = await receive(async (bytes) => {
      fresh = await keepFile(deps, scope, bytes, 'template-media')
    })
    if (!fresh) throw invalid(['body', 'file'], 'A file is required', 'missing')
    return await store(deps, scope, fresh, form)
  } catch (error) {
    await fresh?.discard()
    throw error
  }
}

async function store(deps: MediaDependencies, scope: TenantScope, fresh: FreshFile, form: ReceivedFile) {
  const { channelId, isSample } = readFields(form.fields)
  const fileName = form.fileName || 'file'
  const { mimeType, format } = checkFile(fresh, form)
  const connection = await deps.chatConnections.open(deps.database.forTenant(scope), channelId)
  const { id, key, size, sha256 } = fresh
  const handle = isSample ? await uploadSample(deps, connection, { key, size, mimeType, fileName }) : null
  return deps.database.inTenant(scope, async (tx) => {
    await claimKeptFile(tx, key)
    return insertMedia(tx, { id, format, mimeType, fileName, size, sha256, key, handle })
  })
}

/** Form fields are plain text that no schema has validated. */
function readFields(fields: Map<string, string>) {
  const channelId = fields.get('channel_id') ?? ''
  if (!isUuid(channelId)) throw invalid(['body', 'channel_id'], 'channel_id must be the id of a channel', 'uuid')
  const sample = fields.get('sample') || 'true'
  if (sample !== 'true' && sample !== 'false')
    throw invalid(['body', 'sample'], 'sample must be true or false', 'boolean')
  return { channelId, isSample: sample === 'true' }
}

function checkFile({ head, size }: FreshFile, { mimeType: declared, fileName }: ReceivedFile) {
  const mimeType = mimeTypeOf(head, declared, fileName)
  const rule = formats[mimeType]
  if (size === 0) throw invalid(['body', 'file'], 'The file is empty')
  if (!rule)
    throw invalid(
      ['body', 'file'],
      `The platform takes ${Object.keys(formats).join(', ')} in headers; this is ${mimeType}`,
      'media_type',
    )
  if (size > rule.maxBytes)
    throw new AppError(413, `The platform takes at most ${rule.maxBytes.toLocaleString('en')} bytes as ${mimeType}`)
  return { mimeType, format: rule.format }
}

async function uploadSample(
  { files }: MediaDependencies,
  { platform }: ChatConnection,
  { key, ...file }: { key: string; size: number; mimeType: string; fileName: string },
): Promise<string> {
  try {
    const open = (start: number) => files.read(key, start === 0 ? undefined : { start, end: file.size - 1 })
    return (await platform.uploadSample({ ...file, open })).handle
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    if (error.code === 'no_app')
      throw conflict(
        'The platform does not say which app the access token belongs to: set `chat.app_id` of the channel',
      )
    throw upstreamFailed('The platform did not take the sample', error)
  }
}
