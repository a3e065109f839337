import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresBinaries, RunAs } from './postgres-binaries.ts'
import { environment, handOver, lastLines, run, spawnAs, useYourOwnServer } from './postgres-binaries.ts'
import { chooseUser, type Footing } from './postgres-user.ts'
import { clusterSetting, hasEnded, isAlive, isPostmaster } from './postmaster.ts'

export interface Server {
  dataDir: string
  clusterDir: string
  logFile: string
  binaries: PostgresBinaries
  settings: Record<string, string>
  /** Where programs may be copied that the other user cannot reach in node_modules. */
  copyTo: string[]
  address: { host: string; port: number }
  /** True once the server has run: from then on a missing cluster is a fault, not a first start. */
  inUse: boolean
  log: (message: string) => void
}

export interface Launched {
  /** How the process ended, if it has; 'stopped' after an orderly shutdown. */
  readonly ending: string | undefined
  /** The last lines of its log. */
  said(): Promise<string>
}

export const pollMs = 15
const isWindows = process.platform === 'win32'
const logLimit = 10 * 1024 * 1024
const stopTimeoutMs = 8000

const laptopSettings = {
  max_connections: '100',
  // The calls of an organization with a million of them are counted in 174 MB of index.
  shared_buffers: '256MB',
  max_wal_size: '1GB',
  synchronous_commit: 'on',
  // Off: this build only has pglz, whose CPU time costs a laptop more than the WAL it saves.
  wal_compression: 'off',
  autovacuum: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
}

/** Unix sockets are accessible to this user only; their paths are limited to the size of the kernel's sockaddr_un. */
export async function chooseAddress(dataDir: string): Promise<{ host: string; port: number }> {
  // PostgreSQL on Windows has no usable Unix sockets: use the loopback interface and any free port.
  if (isWindows) return { host: '127.0.0.1', port: await freePort() }
  const name = socketFolderName(dataDir)
  const folders = [path.join(dataDir, 'run'), path.join(os.tmpdir(), name)]
  const limit = process.platform === 'linux' ? 107 : 103
  const host = folders.find((folder) => Buffer.byteLength(path.join(folder, '.s.PGSQL.5432')) <= limit)
  return { host: host ?? path.join('/tmp', name), port: 5432 }
}

const socketFolderName = (dataDir: string) =>
  `frontdesk-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function prepareSocketDir(folder: string, who: RunAs, clusterOwner: number): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(folder)
  if (!found.isDirectory() || ![process.getuid?.(), who.uid, clusterOwner].includes(found.uid)) {
    const what = found.isDirectory() ? `belongs to user ${found.uid}` : 'is not a folder'
    throw new Error(`${folder} should hold PostgreSQL's socket but ${what}. Remove it and start again.`)
  }
  if (found.mode & 0o077) await chmod(folder, 0o700)
  await handOver(folder, who)
}

const attemptsOfThisProcess = new Set<string>()

/**
 * initdb runs beside the final location, and one rename puts the cluster in place: it is complete and on disk, or
 * absent.
 */
async function createCluster({ dataDir, clusterDir, log }: Server, { who, binaries }: Footing): Promise<void> {
  const name = `postgres.new-${process.pid}-${randomBytes(4).toString('hex')}`
  const attempt = path.join(dataDir, name)
  attemptsOfThisProcess.add(name)
  log('embedded postgres: creating a new database cluster')
  try {
    await mkdir(attempt, { mode: 0o700 })
    await handOver(attempt, who)
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const folder = folderFor(who, attempt)
    const args = ['-D', folder.path, '--username=frontdesk', '--auth=trust', '--no-instructions', ...locale]
    await run(who, binaries.initdb, args, folder.cwd ?? binaries.folder).catch((error) => {
      throw new Error(`PostgreSQL's initdb failed: ${error.message}\n${useYourOwnServer}`)
    })
    await rename(attempt, clusterDir).catch((error) => {
      if (isCluster(clusterDir)) return
      throw new Error(`${clusterDir} is in the way of PostgreSQL's files: ${error.message}`)
    })
    if (!isWindows) await syncFolder(dataDir)
  } finally {
    await rm(attempt, { recursive: true, force: true })
    attemptsOfThisProcess.delete(name)
  }
}

/** The path by which a program that runs as this user reaches the folder. */
const folderFor = (who: RunAs, folder: string): { path: string; cwd?: string } =>
  who.isShutOut ? { path: '/proc/self/cwd', cwd: folder } : { path: folder }

const isCluster = (folder: string) => existsSync(path.join(folder, 'PG_VERSION'))

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

async function sweepDeadAttempts({ dataDir, log }: Server): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const maker = Number(/^postgres\.new-(\d+)-/.exec(name)?.[1])
    if (!maker || attemptsOfThisProcess.has(name)) continue
    const attempt = path.join(dataDir, name)
    const age = Date.now() - ((await stat(attempt).catch(() => undefined))?.mtimeMs ?? 0)
    // In containers the next process often has the same pid, and elsewhere pids are reused.
    if (maker !== process.pid && isAlive(maker) && age < 3_600_000) continue
    // An orphaned initdb may still be writing there.
    await rm(attempt, { recursive: true, force: true, maxRetries: 5 }).catch((error) =>
      log(`embedded postgres: could not remove ${attempt} of an interrupted start yet: ${error.message}`),
    )
  }
}

/** The lock file beside the socket survives a crash like postmaster.pid does, and can exist without it. */
async function pidInStaleSocketLock(server: Server): Promise<number | undefined> {
  const { host, port } = server.address
  const pid = Number.parseInt(await readFile(path.join(host, `.s.PGSQL.${port}.lock`), 'utf8').catch(() => ''), 10)
  return pid > 0 && !(await isPostmaster(pid, server.clusterDir)) ? pid : undefined
}

export async function launch(server: Server, stalePid?: number): Promise<Launched> {
  const { dataDir, clusterDir, logFile } = server
  await sweepDeadAttempts(server)
  const footing = await chooseUser(server)
  const { who, binaries } = footing
  // This user could not reach a socket in the data folder either.
  if (who.isShutOut) server.address = { ...server.address, host: path.join('/tmp', socketFolderName(dataDir)) }
  const { address } = server
  if (!isCluster(clusterDir)) {
    // Creating an empty database in place of one that was in use would look like total data loss.
    if (server.inUse) throw new Error(`The database in ${clusterDir} has been removed while Frontdesk was using it.`)
    await createCluster(server, footing)
  }
  if (!isWindows) await prepareSocketDir(address.host, who, (await stat(clusterDir)).uid)
  await handOver(clusterDir, who)

  const listen = isWindows
    ? { listen_addresses: address.host, unix_socket_directories: '' }
    : { listen_addresses: '', unix_socket_directories: `"${address.host.replaceAll('"', '""')}"` }
  const folder = folderFor(who, clusterDir)
  const place = {
    ...listen,
    port: `${address.port}`,
    unix_socket_permissions: '0700',
    // Tells `isPostmaster` which cluster it is where the command line does not name the folder.
    ...(folder.cwd && { [clusterSetting]: clusterDir }),
  }
  const settings = Object.entries({ ...laptopSettings, ...server.settings, ...place })
  const args = ['-D', folder.path, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])]

  const logged = (await stat(logFile).catch(() => undefined))?.size ?? 0
  if (logged > logLimit) await rename(logFile, `${logFile}.1`)
  const output = await open(logFile, 'a', 0o600)
  const from = (await output.stat()).size
  // PostgreSQL ignores this pid, which now belongs to an unrelated process, and still checks for orphaned backends.
  const overlooked = stalePid ?? (await pidInStaleSocketLock(server))
  const env = { ...environment(), ...(overlooked && { PG_GRANDPARENT_PID: `${overlooked}` }) }
  const stdio = ['ignore', output.fd, output.fd] as const
  // Detached, so that Ctrl-C reaches only this process, which then stops the server in an orderly way.
  const child = spawnAs(who, binaries.postgres, args, {
    cwd: folder.cwd ?? binaries.folder,
    env,
    detached: true,
    stdio: [...stdio],
  })
  child.unref()
  let ending: string | undefined
  child.once('error', (error) => {
    ending = `PostgreSQL cannot be run: ${error.message}`
  })
  child.once('exit', (code, signal) => {
    ending = code === 0 ? 'stopped' : `PostgreSQL ended with ${signal ?? `exit code ${code}`}. From ${logFile}:`
  })
  await output.close()
  return {
    get ending() {
      return ending
    },
    said: async () => lastLines((await readFile(logFile)).subarray(from).toString()),
  }
}

export async function stop(server: Server, pid: number): Promise<void> {
  const { clusterDir, binaries, log } = server
  if (isWindows) {
    // Windows has no signals; Node's kill would crash the server.
    return run({ prefix: [] }, binaries.pgCtl, ['stop', '-D', clusterDir, '-m', 'fast'], binaries.folder)
  }
  signal(pid, 'SIGINT')
  let killAt = Date.now() + stopTimeoutMs
  while (!(await hasEnded(pid, clusterDir))) {
    if (Date.now() > killAt) {
      log(
        `embedded postgres: process ${pid} did not stop in time, sending SIGQUIT; the next start recovers from the write-ahead log`,
      )
      signal(pid, 'SIGQUIT')
      killAt = Infinity
    }
    await sleep(pollMs)
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
