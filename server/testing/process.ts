import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { copyFolder, serverVariable, type TestServer } from './server.ts'

/** Real processes, for tests of starting, stopping and killing them. */

const program = join(import.meta.dirname, '../bin/frontdesk.js')

export interface Running {
  child: ChildProcess
  url: string
  /** Everything printed so far. */
  output(): string
  /** Resolves with the exit code. */
  exited: Promise<number | null>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** The settings of a process that runs on the database of a test's app. */
export const environmentOf = (app: { connection: ClientConfig; settings: { SECRET_KEY?: string | undefined } }) => ({
  DATABASE_URL: databaseUrl(app.connection),
  SECRET_KEY: app.settings.SECRET_KEY as string,
})

/** The processes running on each folder. */
const started = new Map<string, (() => Promise<unknown>)[]>()

/** A folder for this test file; when the file ends, processes in it are stopped and it is removed. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-process-'))
  after(async () => {
    await stopProcesses(folder)
    await stopDatabase(folder)
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

export async function stopProcesses(folder: string): Promise<void> {
  await Promise.all((started.get(folder) ?? []).map((stop) => stop()))
}

/**
 * A temporary folder with a migrated database that has no organization: the service starts in it without creating a
 * cluster. Empty where none is kept; then the service does it.
 */
export async function dataFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const { cluster }: TestServer = JSON.parse(process.env[serverVariable] as string)
  if (cluster) await copyFolder(cluster, join(folder, 'postgres'))
  return folder
}

/** Above 10080, which browsers refuse, and below the ports that the kernel chooses itself. */
const firstPort = 10_100
const blockCount = 236
const blockSize = 25
let block: Promise<number> | undefined
let given = 0

/**
 * A port for a server that starts later, from a block that this process has reserved. No other test process gets it, and
 * the kernel gives it neither to a connection nor to a server on port 0.
 */
export async function freePort(): Promise<number> {
  block ??= reserveBlock()
  const first = await block
  for (let tries = 1; tries < blockSize; tries++) {
    const port = first + 1 + (given++ % (blockSize - 1))
    const server = await listenAt(port)
    if (!server) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
  throw new Error(`no port between ${first} and ${first + blockSize} is free`)
}

/** The first port of a block. This process listens on it until it ends, so that others skip the block. */
async function reserveBlock(): Promise<number> {
  for (let n = 0; n < blockCount; n++) {
    const port = firstPort + ((process.pid + n) % blockCount) * blockSize
    const guard = await listenAt(port)
    if (!guard) continue
    guard.unref()
    return port
  }
  throw new Error(`all ${blockCount} blocks of ports from ${firstPort} on are reserved`)
}

/** Undefined if the port is in use. */
function listenAt(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

interface ProcessOptions {
  /** The program of another release. */
  ofRelease?: string
  /** A command that replaces itself by the one that follows it, such as `nice`. */
  under?: string[]
}

/** `frontdesk start`, ready to serve. */
export async function startProcess(
  dataDir: string,
  env: Record<string, string> = {},
  { ofRelease = program, under = [] }: ProcessOptions = {},
): Promise<Running> {
  const port = env.PORT ?? String(await freePort())
  const [command = '', ...args] = [...under, process.execPath, ofRelease, 'start']
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: port,
      LOG_LEVEL: 'warn',
      // Tests of other things do not wait for balancers.
      DRAIN_DELAY_SECONDS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  // The end of the output may come after the exit.
  const closed = new Promise((resolve) => child.once('close', resolve))
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  const stopIfRunning = async () => child.exitCode === null && child.signalCode === null && stop()
  started.set(dataDir, [...(started.get(dataDir) ?? []), stopIfRunning])
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    const end = child.exitCode ?? child.signalCode
    if (end !== null) throw new Error(`it ended with ${end}`)
    if (env.ROLE === 'worker') return true
    return (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200
  }).catch(async (error) => {
    await stop('SIGKILL')
    await closed
    throw new Error(`it did not start:\n${output}`, { cause: error })
  })
  return { child, url, output: () => output, exited, stop }
}

/** The test's own database as a URL for another process. */
export function databaseUrl({ connectionString, host, user, database }: ClientConfig): string {
  if (connectionString) return connectionString
  const url = new URL(`postgres://localhost/${database}`)
  url.username = user as string
  url.searchParams.set('host', host as string)
  return url.href
}

/** Runs a CLI command to its end. */
export function runCommand(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr }),
    )
  })
}

export async function postmasterPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => undefined)
  return text ? Number(text.split('\n', 1)[0]) : undefined
}

/** A killed app leaves its database running for the next one, and after the tests there is none. */
async function stopDatabase(dataDir: string): Promise<void> {
  const pid = await postmasterPid(dataDir)
  if (pid === undefined) return
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {
    return
  }
  await until(async () => !isAlive(pid))
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Waits until the condition holds, polling less often the longer it takes, because other processes need the CPU. A
 * timeout of minutes fails the test with the condition instead of hanging it.
 */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const timeout = AbortSignal.timeout(180_000)
  for (let pauseMs = 10; !(await condition()); pauseMs = Math.min(pauseMs * 1.4, 150)) {
    if (timeout.aborted) throw new Error(`timed out waiting for ${condition}`)
    await sleep(pauseMs)
  }
}

/** The same without pauses, for a condition that also asserts that nothing is wrong in between. */
export async function untilWithoutGap(condition: () => Promise<boolean>): Promise<void> {
  const timeout = AbortSignal.timeout(180_000)
  while (!(await condition())) if (timeout.aborted) throw new Error(`timed out waiting for ${condition}`)
}
