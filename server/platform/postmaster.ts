import { execFile } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

export type PostmasterFile = NonNullable<Awaited<ReturnType<typeof readPostmasterFile>>>

export async function readPostmasterFile(clusterDir: string, log: (message: string) => void) {
  const file = path.join(clusterDir, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const [pid = '', , , port, socketDir = '', , , line] = text.split('\n').map((line) => line.trim())
  // PostgreSQL writes the line last: until then it is missing or empty.
  const status = line || 'starting'
  if (/^\d+$/.test(pid)) return { pid: Number(pid), port: Number(port), socketDir, status, ready: status === 'ready' }
  // PostgreSQL writes the file's content at once, so an old empty file was left by a power cut and would block every
  // start.
  const written = (await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now()
  if (!/^-\d+$/.test(pid) && Date.now() - written > 3000) {
    log(`embedded postgres: removing ${file}, which a crash left unreadable`)
    await rm(file, { force: true })
  }
  return undefined
}

/**
 * A setting without effect that identifies the cluster on the command line of a server whose `-D` does not name its
 * folder.
 */
export const clusterSetting = 'frontdesk.cluster'

/** After a crash the pid may be unused, a zombie, or an unrelated process. */
export async function isPostmaster(pid: number, clusterDir: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform === 'win32')
    return (await outputOf('tasklist', ['/NH', '/FI', `PID eq ${pid}`])).includes('postgres.exe')
  if (process.platform !== 'linux') {
    return (await outputOf('ps', ['-ww', '-o', 'command=', '-p', `${pid}`])).includes(`postgres -D ${clusterDir} `)
  }
  const [program = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  if (path.basename(program) !== 'postgres') return false
  // The working directory survives renames; without ptrace rights only the command line can be read.
  const works = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
  const cluster = await stat(clusterDir).catch(() => undefined)
  if (works && cluster) return works.dev === cluster.dev && works.ino === cluster.ino
  return args.includes(clusterDir) || args.includes(`${clusterSetting}=${clusterDir}`)
}

/** An exiting process loses its command line first; only as a zombie has it released everything. */
export async function hasEnded(pid: number, clusterDir: string): Promise<boolean> {
  if (await isPostmaster(pid, clusterDir)) return false
  if (process.platform !== 'linux') return true
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State: X')
  return commandLine !== '' || /^State:\s+[ZX]/m.test(status)
}

async function outputOf(command: string, args: string[]): Promise<string> {
  return promisify(execFile)(command, args).then(
    ({ stdout }) => stdout,
    () => '',
  )
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
