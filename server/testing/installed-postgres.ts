import { execFile, execFileSync } from 'node:child_process'
import { chownSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './process.ts'

interface InstalledPostgres {
  /** Such as `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`. */
  version: string
  /** As a superuser. */
  url: string
  logFile: string
  port: number
  /** The folder of `pg_dump` and the other programs. */
  bin: string
  /** Ends it like a power cut. */
  kill(): void
  /** `fast` rolls back what runs and ends connections; `immediate` is a crash, with recovery at the start. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
  /** Turns a replica into a primary. */
  promote(): void
  stop(): Promise<void>
}

/**
 * The newest PostgreSQL that a distribution has installed, with a new cluster or as a streaming replica of another one;
 * undefined if there is none. `preload` is a library that its processes load first.
 */
export async function startInstalledPostgres(
  settings: Record<string, string> = {},
  { replicaOf, preload }: { replicaOf?: InstalledPostgres; preload?: string } = {},
): Promise<InstalledPostgres | undefined> {
  const [postgres] = globSync('/usr/lib/postgresql/*/bin/postgres').sort().slice(-1)
  if (!postgres) return undefined
  const bin = dirname(postgres)
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-installed-'))
  const port = await freePort()
  const isRoot = userInfo().uid === 0
  const commandOf = (program: string, args: string[]): [string, string[]] => {
    const command = [...(preload ? [`LD_PRELOAD=${preload}`] : []), join(bin, program), ...args]
    return isRoot ? ['su', ['postgres', '-s', '/bin/sh', '-c', '"$0" "$@"', '--', 'env', ...command]] : ['env', command]
  }
  const asPostgres = (program: string, ...args: string[]) => execFileSync(...commandOf(program, args))
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])))
    chownSync(folder, uid as number, gid as number)
  }
  const logFile = join(folder, 'log')
  const all = { ...settings, port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: folder }
  const data = join(folder, 'data')
  if (replicaOf) asPostgres('pg_basebackup', '-D', data, '-R', '-c', 'fast', '-d', replicaOf.url)
  else asPostgres('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8')
  const flags = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)
  asPostgres('pg_ctl', '-D', data, '-w', '-l', logFile, '-o', flags.join(' '), 'start')
  let isKilled = false
  return {
    version: execFileSync(postgres, ['--version'], { encoding: 'utf8' }).trim(),
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    logFile,
    port,
    bin,
    kill() {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
      isKilled = true
    },
    async restart(mode) {
      await promisify(execFile)(...commandOf('pg_ctl', ['-D', data, '-w', '-l', logFile, '-m', mode, 'restart']))
    },
    promote: () => void asPostgres('pg_ctl', '-D', data, '-w', 'promote'),
    async stop() {
      if (!isKilled) asPostgres('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
