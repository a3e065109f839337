import { createWriteStream, existsSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isEmbedded, type Settings } from '../config.ts'
import { derivedTables } from '../features/knowledge/vectors/pgvector-tables.ts'
import manifestOfProgram from '../package.json' with { type: 'json' }
import { type Manifest, type Piece, type PieceSum, writeArchive } from '../platform/backup/archive.ts'
import { inSnapshot, type Snapshot } from '../platform/backup/dump-tables.ts'
import type { Table } from '../platform/backup/table-catalog.ts'
import { createOutboundHttp } from '../platform/outbound-fetch.ts'
import { fingerprintOf } from '../platform/secrets.ts'
import { FileMissing, type FileStore } from '../providers/files/contract.ts'
import { createFileStore } from '../services/from-settings.ts'
import { openDatabase } from '../services/open-database.ts'
import { secretKey } from '../services/secret-key.ts'

/** What a backup says about itself before its contents. */
export interface BackupHeader {
  format: 1
  made_at: string
  frontdesk: string
  postgres: string
  migrations: { number: number; name: string }[]
  tables: Table[]
  sequences: { name: string; value: string }[]
  /** Where the files are: in the backup, or still in the bucket that the settings named. */
  files: 'included' | 'in S3'
  secret_key_fingerprint: string
  /** Only if it was asked for. */
  secret_key?: string
}

/** What it says about its contents after them. */
export interface BackupManifest extends Manifest {
  tables: Record<string, PieceSum & { rows: number }>
  files: { count: number; bytes: number; missing: number }
}

interface BackupOptions {
  to?: string
  'passphrase-file'?: string
  'with-secret-key'?: boolean
}

/** `frontdesk backup`: one consistent file of the database and the files, while the service runs. */
export async function backupCommand(settings: Settings, options: BackupOptions): Promise<void> {
  const passphrase = await readPassphrase(options['passphrase-file'])
  if (options['with-secret-key'] && passphrase === undefined)
    throw new Error('--with-secret-key requires --passphrase-file: the key decrypts all stored secrets')
  if (isEmbedded(settings) && !existsSync(join(settings.DATA_DIR, 'postgres')))
    throw new Error(`there is no database in DATA_DIR ${settings.DATA_DIR}: set DATA_DIR or DATABASE_URL`)
  const opened = await openDatabase(settings, () => {})
  const http = createOutboundHttp({ allow: settings.OUTBOUND_ALLOW })
  try {
    const files = settings.S3_BUCKET === undefined ? createFileStore(settings, http) : undefined
    const target = await openTarget(options.to ?? defaultName(passphrase !== undefined))
    const manifest = await inSnapshot(opened.connection, derivedTables, (snapshot) => {
      const header: BackupHeader = {
        format: 1,
        made_at: new Date().toISOString(),
        frontdesk: manifestOfProgram.version,
        postgres: snapshot.postgres,
        migrations: snapshot.migrations,
        tables: snapshot.tables,
        sequences: snapshot.sequences,
        files: files ? 'included' : 'in S3',
        secret_key_fingerprint: fingerprintOf(secretKey(settings)),
        ...(options['with-secret-key'] && { secret_key: secretKey(settings) }),
      }
      return write(header, snapshot, { files, passphrase, target })
    }).catch(async (error) => {
      await target.discard()
      throw error
    })
    const size = await target.finish()
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
    console.error(
      `Backed up ${counted(rows, 'row')} and ${counted(manifest.files.count, 'file')} to ${target.name}${size}.`,
    )
    if (manifest.files.missing > 0)
      console.error(
        `${counted(manifest.files.missing, 'file')} could not be found, and may have been deleted meanwhile.`,
      )
    if (!files) console.error('Files are in S3 and not part of the backup.')
  } finally {
    await http.close()
    await opened.close()
  }
}

async function write(
  header: BackupHeader,
  snapshot: Snapshot,
  {
    files,
    passphrase,
    target,
  }: { files: FileStore | undefined; passphrase: string | undefined; target: Awaited<ReturnType<typeof openTarget>> },
): Promise<Pick<BackupManifest, 'tables' | 'files'>> {
  const manifest: Pick<BackupManifest, 'tables' | 'files'> = { tables: {}, files: { count: 0, bytes: 0, missing: 0 } }
  const rowsOf = new Map<string, number>()
  async function* pieces(): AsyncGenerator<Piece> {
    yield* snapshot.pieces((table, rows) => rowsOf.set(table, rows))
    if (!files) return
    for await (const key of snapshot.fileKeys()) {
      const bytes = await files.read(key).catch((error) => {
        if (!(error instanceof FileMissing)) throw error
      })
      if (bytes) yield { name: `files/${key}`, bytes }
      else manifest.files.missing++
    }
  }
  const archive = writeArchive(header, pieces(), {
    passphrase,
    onBytes: createProgress(
      () =>
        `${Object.keys(manifest.tables).length} of ${header.tables.length} tables, ${counted(manifest.files.count, 'file')}`,
    ),
    onPiece(name, sum) {
      const table = name.startsWith('tables/') ? name.slice('tables/'.length) : undefined
      if (table) manifest.tables[table] = { rows: rowsOf.get(table) ?? 0, ...sum }
      else {
        manifest.files.count++
        manifest.files.bytes += sum.bytes
      }
    },
    manifest: () => manifest,
  })
  await pipeline(archive, target.stream)
  return manifest
}

const defaultName = (isEncrypted: boolean) =>
  `frontdesk-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z.${isEncrypted ? 'backup' : 'tar.zst'}`

/** The file appears under its name when it is complete and on disk. */
async function openTarget(to: string) {
  if (to === '-') {
    if (process.stdout.isTTY) throw new Error('--to - writes to standard output: send it to a file or another program')
    const stream = createWriteStream('', { fd: 1, autoClose: false })
    return { name: 'standard output', stream, finish: async () => '', discard: async () => {} }
  }
  const file = resolve(to)
  if (existsSync(file)) throw new Error(`${file} already exists: choose another name with --to`)
  const draft = `${file}.unfinished-${process.pid}`
  const handle = await open(draft, 'wx', 0o600).catch((error) => {
    throw new Error(`the backup cannot be written to ${dirname(file)}: ${error.message}`)
  })
  return {
    name: file,
    stream: handle.createWriteStream({ flush: true }),
    async finish() {
      await rename(draft, file)
      const folder = process.platform === 'win32' ? undefined : await open(dirname(file))
      await folder?.sync().finally(() => folder.close())
      return ` (${inMebibytes((await stat(file)).size)})`
    },
    async discard() {
      await handle.close().catch(() => {})
      await rm(draft, { force: true })
    },
  }
}

export async function readPassphrase(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new Error(`--passphrase-file cannot be read: ${error.message}`)
  })
  const passphrase = text.replace(/\r?\n$/, '')
  if (passphrase === '') throw new Error(`--passphrase-file ${file} is empty`)
  return passphrase
}

const reportEveryMs = 5_000

/**
 * Prints a line every few seconds, so that an operator sees that long work moves. After Ctrl+C it throws, so that the
 * command can remove what is unfinished.
 */
export function createProgress(describe: () => string): (bytes: number) => void {
  let total = 0
  let last = performance.now()
  let stoppedBy: string | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      stoppedBy = signal
    })
  return (bytes) => {
    if (stoppedBy) throw new Error(`stopped by ${stoppedBy}`)
    total += bytes
    if (performance.now() < last + reportEveryMs) return
    last = performance.now()
    console.error(`${inMebibytes(total)}: ${describe()}`)
  }
}

const inMebibytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`

export const counted = (n: number, noun: string): string => `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`
