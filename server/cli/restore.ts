import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isEmbedded, type Settings } from '../config.ts'
import type { Erasing } from '../features/privacy/erasure/erase-person.ts'
import { type ListedErasure, readErasures, replayErasures } from '../features/privacy/erasure/replay-erasures.ts'
import { readArchive } from '../platform/backup/archive.ts'
import { beginRestore, loadTables } from '../platform/backup/load-tables.ts'
import { serviceClient } from '../platform/connection.ts'
import { createDatabase } from '../platform/create-database.ts'
import { type Migration, migrate, readMigrations } from '../platform/migrate.ts'
import { migrateJobs } from '../platform/migrate-jobs.ts'
import { createOutboundHttp } from '../platform/outbound-fetch.ts'
import { fingerprintOf } from '../platform/secrets.ts'
import { createFileStore } from '../services/from-settings.ts'
import { type OpenDatabase, openDatabase } from '../services/open-database.ts'
import { openSecrets } from '../services/open-secrets.ts'
import { type BackupHeader, type BackupManifest, counted, createProgress, readPassphrase } from './backup.ts'

interface RestoreOptions {
  'passphrase-file'?: string
  'ignore-secret-key'?: boolean
  erasures?: string
}

/**
 * `frontdesk restore`: reads the whole backup once to check it, then fills an empty database. The database starts only
 * if all of it is there.
 */
export async function restoreCommand(settings: Settings, file: string, options: RestoreOptions): Promise<void> {
  const passphrase = await readPassphrase(options['passphrase-file'])
  const erasures = options.erasures === undefined ? [] : readErasures(await readFile(options.erasures, 'utf8'))
  console.error(`Checking ${file} …`)
  const { header, manifest } = await check(file, passphrase)
  const migrations = await migrationsOf(header)
  const key = chooseKey(settings, header)
  if (key.problem && !options['ignore-secret-key'])
    throw new Error(`${key.problem}. With --ignore-secret-key everything but the stored secrets is usable`)
  // Loaded after the checks, which most failures end.
  const [{ jobKinds, ...declared }, { migrateEverything }] = await Promise.all([
    import('../app.ts'),
    import('./migrate-everything.ts'),
  ])
  const opened = await openDatabase(settings, () => {})
  try {
    await beginRestore(opened.connection)
    await migrate(opened.connection, {
      tenantConnection: opened.tenantConnection,
      restoring: migrations,
      afterwards: () => migrateJobs(opened.connection, jobKinds),
    })
    await fill(file, passphrase, { settings, opened, header, manifest })
    if (key.toStore) await writeFile(secretFile(settings), `${key.toStore}\n`, { mode: 0o600, flag: 'wx' })
    // Migrations that are newer than the backup, and everything that belongs to the server: roles, queues, positions.
    await migrateEverything(opened, console.error)
    console.error(
      `Restored the backup of ${header.made_at}: ${counted(rowsIn(manifest), 'row')}, ${counted(manifest.files.count, 'file')}.`,
    )
    if (erasures.length > 0) await replay(erasures, { settings, opened, declared })
    await warn(opened, header, key.problem)
  } finally {
    await opened.close()
  }
}

const rowsIn = ({ tables }: BackupManifest) => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

async function check(file: string, passphrase: string | undefined) {
  let header: BackupHeader | undefined
  const manifest = await readArchive(file, {
    passphrase,
    onBytes: createProgress(() => 'checked'),
    onHeader(found) {
      header = found as BackupHeader
      if (header.format !== 1)
        throw new Error(`the backup has the format ${header.format}, which this version does not know: use a newer one`)
    },
  })
  return { header: header as BackupHeader, manifest: manifest as BackupManifest }
}

/** The migrations that the backup was made with, of this version's own. */
async function migrationsOf(header: BackupHeader): Promise<Migration[]> {
  const known = new Map((await readMigrations()).map((migration) => [migration.number, migration]))
  return header.migrations.map(({ number, name }) => {
    const found = known.get(number)
    if (found?.name !== name)
      throw new Error(
        `the backup of Frontdesk ${header.frontdesk} has migration ${number} (${name}), which this version does not know: restore with that version or a newer one`,
      )
    return found
  })
}

const secretFile = (settings: Settings) => join(settings.DATA_DIR, 'secret.key')

/** Whether the stored secrets will open. A key is never generated here: it would open none of them. */
function chooseKey(settings: Settings, header: BackupHeader): { problem?: string; toStore?: string } {
  const file = secretFile(settings)
  const key = settings.SECRET_KEY ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)
  if (key === undefined && header.secret_key && isEmbedded(settings)) return { toStore: header.secret_key }
  if (key === undefined)
    return { problem: `the backup does not hold the key of its secrets: set SECRET_KEY, or put the key into ${file}` }
  const keys = [key, settings.SECRET_KEY_PREVIOUS].filter((each) => each !== undefined)
  if (keys.some((each) => fingerprintOf(each) === header.secret_key_fingerprint)) return {}
  return { problem: 'the key differs: the secrets in the backup were encrypted with another SECRET_KEY' }
}

async function fill(
  file: string,
  passphrase: string | undefined,
  {
    settings,
    opened,
    header,
    manifest,
  }: { settings: Settings; opened: OpenDatabase; header: BackupHeader; manifest: BackupManifest },
): Promise<void> {
  const http = createOutboundHttp({ allow: settings.OUTBOUND_ALLOW })
  const files = createFileStore(settings, http)
  let current = ''
  try {
    await loadTables(opened.connection, header, async ({ load }) => {
      // Read again, with its checksums: the transaction commits only if the file is still the one that was checked.
      await readArchive(file, {
        passphrase,
        onBytes: createProgress(() => current),
        async take(piece) {
          current = piece.name
          if (piece.name.startsWith('files/')) {
            await files.write(piece.name.slice('files/'.length), piece.bytes)
            return
          }
          const table = piece.name.slice('tables/'.length)
          const [rows, expected] = [await load(piece), manifest.tables[table]?.rows]
          if (rows !== expected) throw new Error(`${table} has ${rows} rows, and not ${expected}`)
        },
      })
      console.error('Building indexes and checking references …')
    })
  } finally {
    await http.close()
  }
}

/** The backup may be older than an erasure: what it has brought back is erased before the service can start. */
async function replay(
  erasures: ListedErasure[],
  {
    settings,
    opened,
    declared,
  }: { settings: Settings; opened: OpenDatabase; declared: Pick<Erasing, 'personalData' | 'personalMentions'> },
): Promise<void> {
  const { connection, tenantConnection } = opened
  const database = createDatabase({ connection, tenantConnection, poolSize: 2 })
  const http = createOutboundHttp({ allow: settings.OUTBOUND_ALLOW })
  try {
    const secrets = await openSecrets(database, settings)
    const files = createFileStore(settings, http)
    const { replayed, waiting } = await replayErasures({ database, files, secrets, ...declared }, erasures)
    console.error(`Replayed ${counted(replayed, 'erasure')}.`)
    if (waiting > 0)
      console.error(`${counted(waiting, 'erasure')} will be done when the service runs: a call is in progress.`)
  } finally {
    await http.close()
    await database.close()
  }
}

/** What the operator should know before the first start. */
async function warn(opened: OpenDatabase, header: BackupHeader, keyProblem: string | undefined): Promise<void> {
  if (keyProblem) console.error(`Stored secrets cannot be decrypted: ${keyProblem}.`)
  if (header.files === 'in S3') console.error('Files were in S3 and are not part of the backup: set the same bucket.')
  const client = serviceClient(opened.connection, 'frontdesk restore')
  await client.connect()
  try {
    await client.query('set role frontdesk_system')
    const { rows } = await client.query(
      `select count(*)::int as n from campaigns where status in ('sending', 'scheduled')`,
    )
    if (rows[0].n > 0)
      console.error(
        `${counted(rows[0].n, 'campaign')} will continue when a worker starts. Messages sent after the backup would be sent again: to avoid that, start with ROLE=api and pause them first.`,
      )
  } finally {
    await client.end()
  }
}
