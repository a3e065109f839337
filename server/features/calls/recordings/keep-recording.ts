import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, TenantScope } from '../../../platform/database.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { type FileStore, fileKey } from '../../../providers/files/contract.ts'
import { repairRecording } from '../conversation/recording.ts'
import type { StoredRecording } from '../ending.ts'
import { attachRecording, findEnded } from './queries.ts'

export interface RecordingDependencies {
  database: Database
  files: FileStore
  recordingsFolder: string
  log: Log
}

/** Its name says whose it is, so that one which a crash left behind finds its call again. */
export const recordingFile = (folder: string, { organizationId, livemode }: TenantScope, id: string): string =>
  join(folder, `${organizationId}.${livemode ? 'live' : 'test'}.${id}.wav`)

function ownerOf(name: string): { scope: TenantScope; id: string } | undefined {
  const [organizationId = '', mode, id = '', end, ...more] = name.split('.')
  if (!isUuid(organizationId) || !isUuid(id) || end !== 'wav' || more.length > 0) return undefined
  if (mode !== 'live' && mode !== 'test') return undefined
  return { scope: { organizationId, livemode: mode === 'live' }, id }
}

/**
 * Takes the finished recording into the store. The file goes once the call's row knows of it, by `forgetFile`: until then
 * a crash loses nothing.
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
    // The file stays where it is: the next look at the folder tries again.
    log.warn({ err: error, call: id }, 'call recordings: upload failed, trying again later')
    return null
  }
}

/** Opened when the store begins to read: a stream that fails before anybody listens would end the process. */
async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file)
}

export const removeFile = (file: string): Promise<void> => rm(file, { force: true })

/** Young files belong to calls that run, or to a worker that is just about to keep them. */
const minAgeMs = 30_000

/** What crashes, and stores that were away, have left in this machine's folder: taken up once their calls have ended. */
export async function salvageRecordings(deps: RecordingDependencies): Promise<void> {
  const { database, recordingsFolder: folder, log } = deps
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
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
