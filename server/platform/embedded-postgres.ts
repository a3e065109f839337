import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeFolder } from './make-folder.ts'
import { environment, findBinaries, lastLines, useYourOwnServer } from './postgres-binaries.ts'
import type { Launched, Server } from './postgres-cluster.ts'
import { chooseAddress, launch, pollMs, stop } from './postgres-cluster.ts'
import { usualCopyFolders } from './postgres-copy.ts'
import type { PostmasterFile } from './postmaster.ts'
import { isPostmaster, readPostmasterFile } from './postmaster.ts'

export interface EmbeddedPostgres {
  /** Fields of a pg connection config: { host: <socket dir>, port: 5432, user: 'frontdesk', database: 'frontdesk' } */
  readonly connection: { host: string; port: number; user: string; database: string }
  /**
   * Stops the server unless another process uses it. A process that could not close its own connections asks to have
   * them cut off: otherwise they would count as another user and the server would keep running without a supervisor.
   */
  close(options?: { cutOffOwnConnections?: boolean }): Promise<void>
}

/**
 * A connection held for as long as this process uses the server. Its end tells us that the server stopped; its lock
 * tells other processes that the server is in use.
 */
interface Keeper {
  // @types/pg lacks these two.
  client: pg.Client & { ref?(): void; unref?(): void }
  pid: number
  ended: Promise<unknown>
}

const keeperLock = 7_236_033_975
const startTimeoutMs = 30_000
const notYetFree = /pre-existing shared memory block|lock file ".*" (already exists|is empty)/

export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: (message: string) => void
  settings?: Record<string, string> | undefined
  /** For root on a machine without user namespaces: where to copy programs that the other user cannot reach. */
  copyTo?: string[]
}): Promise<EmbeddedPostgres> {
  await makeFolder(options.dataDir).catch((error) => {
    throw new Error(`Cannot create the data folder ${options.dataDir}: ${error.message}`, { cause: error })
  })
  const dataDir = await realpath(options.dataDir)
  const { log } = options
  const server: Server = {
    dataDir,
    clusterDir: path.join(dataDir, 'postgres'),
    logFile: path.join(dataDir, 'postgres.log'),
    binaries: findBinaries(),
    settings: options.settings ?? {},
    copyTo: options.copyTo ?? usualCopyFolders,
    address: await chooseAddress(dataDir),
    inUse: false,
    log,
  }
  const leaving = new AbortController()
  let closed: Promise<void> | undefined
  let recovery: Promise<void> | undefined

  const retryUntil = Date.now() + startTimeoutMs
  let keeper = await retry(server, { ref: true }, (error) => notYetFree.test(error.message) && Date.now() < retryUntil)
  const watch = () => {
    keeper.client.unref?.()
    void keeper.ended.then(() => {
      if (!closed) recovery = recover()
    })
  }
  const recover = async () => {
    log(`embedded postgres: connection to process ${keeper.pid} lost, restarting`)
    try {
      keeper = await retry(server, { ref: false, signal: leaving.signal }, () => !closed)
      log(`embedded postgres: running again (process ${keeper.pid})`)
      watch()
    } catch (error) {
      log(`embedded postgres: restart abandoned at shutdown: ${(error as Error).message}`)
    }
  }
  watch()
  return {
    connection: { ...server.address, user: 'frontdesk', database: 'frontdesk' },
    close: ({ cutOffOwnConnections = false } = {}) =>
      (closed ??= (async () => {
        leaving.abort()
        await recovery
        await leave(server, keeper, cutOffOwnConnections)
      })()),
  }
}

/** Undefined when PostgreSQL's programs exist for this platform and run, otherwise a sentence that says why not. */
export function embeddedPostgresMissing(): string | undefined {
  try {
    const { postgres } = findBinaries()
    const { status, error, stderr } = spawnSync(postgres, ['--version'], {
      encoding: 'utf8',
      env: environment(),
    })
    if (status === 0) return undefined
    const reason = error?.message ?? lastLines(stderr)
    return `The PostgreSQL programs in node_modules do not run on this machine (${reason}). ${useYourOwnServer}`
  } catch (error) {
    return (error as Error).message
  }
}

async function retry(
  server: Server,
  sleeping: { ref: boolean; signal?: AbortSignal },
  worthwhile: (error: Error) => boolean,
): Promise<Keeper> {
  for (let delay = 50; ; delay = Math.min(delay * 2, 5000)) {
    try {
      return await joinOrLaunch(server)
    } catch (error) {
      if (!worthwhile(error as Error)) throw error
      const { message } = error as Error
      const reason = /FATAL: +(.+)/.exec(message)?.[1] ?? message
      server.log(`embedded postgres: not running yet: ${reason} (retrying in ${delay} ms)`)
      await sleep(delay, undefined, sleeping)
    }
  }
}

/**
 * PostgreSQL's own postmaster.pid lets one server win; every other process joins that server, whichever process
 * launched it.
 */
async function joinOrLaunch(server: Server): Promise<Keeper> {
  let launched: Launched | undefined
  let remindAt = Date.now() + 5000
  let unresponsiveSince: number | undefined
  for (;;) {
    // Read before the pid file: our server may have failed because another one has started in this folder meanwhile.
    const ending = launched?.ending
    const found = await readPostmasterFile(server.clusterDir, server.log)
    if (found && (await isPostmaster(found.pid, server.clusterDir))) {
      try {
        if (found.ready) return await join(server, found)
      } catch (error) {
        unresponsiveSince ??= Date.now()
        if (Date.now() > unresponsiveSince + startTimeoutMs) throw error
      }
      if (Date.now() > remindAt) {
        server.log(`embedded postgres: waiting for process ${found.pid}, which is ${found.status}`)
        remindAt = Date.now() + 5000
      }
    } else if (ending === 'stopped') {
      launched = undefined
    } else if (ending) {
      throw new Error(`${ending}\n${await launched?.said()}`)
    } else if (!launched) {
      launched = await launch(server, found?.pid)
    }
    await sleep(pollMs)
  }
}

async function join(server: Server, found: PostmasterFile): Promise<Keeper> {
  const host = process.platform === 'win32' || !existsSync(found.socketDir) ? server.address.host : found.socketDir
  const client = new pg.Client({
    host,
    port: found.port,
    user: 'frontdesk',
    // Not `frontdesk`: a connection to it would prevent dropping it or using it as a template.
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5000,
    application_name: 'frontdesk-keeper',
    options: '-c statement_timeout=0 -c lock_timeout=0 -c idle_session_timeout=0',
  })
  client.on('error', () => {})
  const ended = new Promise((resolve) => client.once('end', resolve))
  try {
    await client.connect()
    const { rows } = await client.query("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid")
    if (rows[0].pid !== found.pid) throw new Error(`Another PostgreSQL (process ${rows[0].pid}) answers in ${host}.`)
    // Blocks while a process that saw no other user is about to stop the server.
    await client.query('select pg_advisory_lock_shared($1)', [keeperLock])
    const { rowCount } = await client.query("select from pg_database where datname = 'frontdesk'")
    if (!rowCount) await client.query('create database frontdesk').catch(unlessItExists)
    server.address = { host, port: found.port }
    server.inUse = true
    return { client, pid: found.pid, ended }
  } catch (error) {
    client.end().catch(() => {})
    throw error
  }
}

function unlessItExists(error: pg.DatabaseError): void {
  if (error.code !== '42P04' && error.code !== '23505') throw error
}

async function leave(server: Server, { client, pid }: Keeper, cutOffOwnConnections: boolean): Promise<void> {
  client.ref?.()
  try {
    await client.query("set application_name = 'frontdesk-leaving'")
    await client.query('select pg_advisory_unlock_shared($1)', [keeperLock])
    // Backends of pools that were just closed need a moment to exit, longer on a busy machine.
    for (let look = 0; look < 20; look++) {
      const { rows: locks } = await client.query('select pg_try_advisory_lock($1) as alone', [keeperLock])
      // Every Frontdesk process holds the shared lock. Once we hold it exclusively, all remaining connections of this
      // service are ours.
      const { rows: others } = await client.query(
        `select from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> 'frontdesk-leaving'
           and not ($1 and application_name like 'frontdesk %')`,
        [cutOffOwnConnections],
      )
      if (locks[0].alone && others.length === 0) return await stop(server, pid)
      await sleep(pollMs)
    }
  } catch (error) {
    server.log(`embedded postgres: ended before it could be stopped: ${(error as Error).message}`)
  } finally {
    client.end().catch(() => {})
  }
}
