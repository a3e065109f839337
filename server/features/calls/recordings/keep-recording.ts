import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, TenantScope } from '../../../platform/database.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { type FileStore, fileKey } from '../../../providers/files/contract.ts'
import { repairRecording } from '../conversation/recording.ts'
import type { StoredRecording } from '../ending/ending.ts'
import { attachRecording, findEnded } from './queries.ts'

interface RecordingDependencies {
  database: Database
  files: FileStore
  recordingsFolder: string
  log: Log
}

/** The file name contains organization, mode and call id: a file left by a crash can be assigned to its call. */
export const recordingFile = (folder: string, { organizationId, livemode }: TenantScope, id: string): string =>
  join(folder, `${organizationId}.${livemode ? 'live' : 'test'}.${id}.wav`)

function ownerOf(name: string): { scope: TenantScope; id: string } | undefined {
  const [organizationId = '', mode, id = '', end, ...more] = name.split('.')
  if (!isUuid(organizationId) || !isUuid(id) || end !== 'wav' || more.length > 0) return undefined
  if (mode !== 'live' && mode !== 'test') return undefined
  return { scope: { organizationId, livemode: mode === 'live' }, id }
}

/**
 * Uploads a finished recording to the file store. The caller deletes the local file with `removeFile` once the call's
 * row refers to the upload, so that a crash in between loses nothing.
 */
export async function keepRecording(
  file: string,
  scope: TenantScope,
  id: string,
  { files, log }: Pick<RecordingDependencies, 'files' | 'log'>,
): Promise<StoredRecording | null> {
  try {
    const key = fileKey(scope, 'recordings', id)
    const { size, sha256 } = await files.write(key, bytesOf(file))
    return { key, size, sha256 }
  } catch (error) {
    // The local file stays; the next run of `salvageRecordings` tries again.
    log.warn({ err: error, call: id }, 'call recordings: upload failed, trying again later')
    return null
  }
}

/** Opens the file when the store reads it: a stream that fails without an error listener would end the process. */
async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file)
}

export const removeFile = (file: string): Promise<void> => rm(file, { force: true })

/** Younger files may belong to a running call or to an upload in progress. */
const minAgeMs = 30_000

/** Uploads recordings that a crash or an outage of the store left in this node's folder, after their calls. */
export async function salvageRecordings(deps: RecordingDependencies): Promise<void> {
  const { database, recordingsFolder: folder, log } = deps
  for (const name of await namesIn(folder)) {
    const owner = ownerOf(name)
    const file = join(folder, name)
    if (!owner || Date.now() - (await stat(file)).mtimeMs < minAgeMs) continue
    try {
      const call = await findEnded(database.forTenant(owner.scope), owner.id)
      if (call === 'running') continue
      if (call === 'has_none' && (await repairRecording(file))) {
        const stored = await keepRecording(file, owner.scope, owner.id, deps)
        if (!stored) continue
        await attachRecording(database.forTenant(owner.scope), owner.id, stored)
      }
      await removeFile(file)
    } catch (error) {
      log.warn({ err: error, file: name }, 'call recordings: salvaging a file failed')
    }
  }
}

/** The first recording makes the folder. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
