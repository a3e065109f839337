import assert from 'node:assert/strict'
import { access, mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { fileKey } from '../../../providers/files/contract.ts'
import { createDiskFiles } from '../../../providers/files/disk.ts'
import { startTestApp } from '../../../testing/app.ts'
import { until } from '../../../testing/process.ts'
import { sweepFilesJob } from '../../files/jobs.ts'
import { expireRecordingsJob } from '../job-kinds.ts'
import { keepRecording, recordingFile, salvageRecordings } from './keep-recording.ts'

const app = await startTestApp({ settings: { RECORDING_RETENTION_DAYS: 30 } })
const acme = await app.organization()
const scope = { organizationId: acme.id, livemode: false }
const files = createDiskFiles(join(app.settings.DATA_DIR, 'files'))

async function endedDaysAgo(days: number, key: string | null): Promise<string> {
  const id = newId()
  await app.database.inTenant(
    scope,
    (tx) =>
      tx.run`insert into calls (id, medium, direction, status, ended_at, deadline_at, file_key, recording_size, recording_sha256)
        values (${id}, 'phone', 'inbound', 'completed', now() - make_interval(days => ${days}), now(),
          ${key}, ${key && 4}, ${key && 'abcd'})`,
  )
  return id
}
const recordingOf = async (id: string) => (await acme.call('GET', `calls/${id}`)).body.recording_url

test('recordings are removed after the retention period; their calls and newer recordings stay', async () => {
  const [oldKey, youngKey] = [fileKey(scope, 'recordings', newId()), fileKey(scope, 'recordings', newId())]
  for (const key of [oldKey, youngKey]) await files.write(key, Readable.from([Buffer.from('RIFF')]))
  const [old, young] = [await endedDaysAgo(31, oldKey), await endedDaysAgo(29, youngKey)]
  await app.database.inSystem((tx) => tx.enqueue(expireRecordingsJob, {}))
  await until(async () => (await recordingOf(old)) === '')
  assert.notEqual(await recordingOf(young), '')
  assert.equal((await acme.call('GET', `call-logs/${old}/recording`)).status, 404)
  await app.database.inSystem((tx) => tx.enqueue(sweepFilesJob, {}))
  await until(async () =>
    files.read(oldKey).then(
      (bytes) => !bytes.destroy(),
      () => true,
    ),
  )
  assert.equal((await acme.call('GET', `call-logs/${young}/recording`)).status, 200)
})

test('an unreadable recording file is dropped without failing the call, and other files are not touched', async () => {
  const folder = join(app.settings.DATA_DIR, 'elsewhere')
  const log = { warn() {}, info() {}, error() {} } as never
  const deps = { database: app.database, files, recordingsFolder: folder, log }
  assert.equal(await keepRecording(join(folder, 'none.wav'), scope, newId(), deps), null)
  // There is no folder before the first recording.
  await salvageRecordings(deps)
  await mkdir(folder)
  const id = await endedDaysAgo(0, null)
  const file = recordingFile(folder, scope, id)
  const otherFile = join(folder, 'notes.txt')
  for (const each of [file, otherFile]) {
    await writeFile(each, 'no sound at all')
    await utimes(each, 0, 0)
  }
  await salvageRecordings(deps)
  assert.equal(await recordingOf(id), '')
  await access(otherFile)
  await assert.rejects(access(file))
})
