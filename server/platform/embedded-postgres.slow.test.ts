import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { after, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { until } from '../testing/process.ts'
import type { EmbeddedPostgres } from './embedded-postgres.ts'
import { embeddedPostgresMissing, startEmbeddedPostgres } from './embedded-postgres.ts'

const modulePath = fileURLToPath(new URL('./embedded-postgres.ts', import.meta.url))
const skip = embeddedPostgresMissing()
const onlyAsRoot = skip ?? (process.getuid?.() === 0 ? false : 'needs root')
const hangGuard = { timeout: 900_000 }

async function eventually<T>(condition: () => Promise<T> | T): Promise<NonNullable<T>> {
  let value: T | undefined
  await until(async () => {
    value = await condition()
    return Boolean(value)
  })
  return value as NonNullable<T>
}

/** False for zombies, too: an orphan may wait long until init reaps it. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function postmasterPid(dataDir: string): Promise<number> {
  const text = await fs.readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(text, 10) || 0
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** A data directory for this test; servers started in it are stopped when the test ends. */
async function workspace(t: TestContext, ...below: string[]) {
  const folder = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), 'embedded-postgres-test-'))
  const dataDir = path.join(folder, ...below)
  // Outside the data directory and readable by every user, like the default folders for a copy of the programs.
  const copies = await fs.mkdtemp(path.join(os.tmpdir(), 'embedded-postgres-copy-'))
  await fs.chmod(copies, 0o755)
  const servers: EmbeddedPostgres[] = []
  const children: ChildProcess[] = []
  const messages: string[] = []
  t.after(async () => {
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map(ended))
    for (const server of servers) await server.close()
    const left = await postmasterPid(dataDir)
    const command = left ? await fs.readFile(`/proc/${left}/cmdline`, 'utf8').catch(() => '') : ''
    if (command.includes(dataDir)) {
      process.kill(left, 'SIGQUIT')
      await eventually(() => !isRunning(left))
    }
    for (const each of [folder, copies]) await fs.rm(each, { recursive: true, force: true, maxRetries: 10 })
  })

  const start = async (settings?: Record<string, string>) => {
    const server = await startEmbeddedPostgres({
      dataDir,
      log: (message) => messages.push(message),
      settings,
      copyTo: [copies],
    })
    servers.push(server)
    return server
  }
  /** Runs the module in a separate process, which closes when its input ends. */
  const app = (env: NodeJS.ProcessEnv = {}, { module = modulePath, copyTo = [copies] } = {}) => {
    const code = `
      import { startEmbeddedPostgres } from ${JSON.stringify(module)}
      const copyTo = ${JSON.stringify(copyTo)}
      const server = await startEmbeddedPostgres({ dataDir: process.argv[1], log: console.error, copyTo })
      console.log(JSON.stringify(server.connection))
      for await (const _ of process.stdin);
      await server.close()`
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code, dataDir]
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'pipe' })
    children.push(child)
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    const connection = new Promise<EmbeddedPostgres['connection']>((resolve, reject) => {
      createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line)))
      child.once('close', () => reject(new Error(errors)))
    })
    connection.catch(() => {})
    return { child, connection, said: () => errors }
  }
  return { folder, dataDir, copies, messages, start, app }
}

let prepared: Promise<string> | undefined

/** The folder of a cluster that was created and stopped once. Copying it takes a fraction of the time of initdb. */
async function prepareCluster(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), 'embedded-postgres-prepared-'))
  // The user of the server may have to reach a copy of its programs there.
  await fs.chmod(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'data'), log: () => {}, copyTo: [folder] })
  await server.close()
  return folder
}

/** The same with a stopped cluster, for tests that are not about its creation. */
async function usedWorkspace(t: TestContext, ...below: string[]) {
  const made = await workspace(t, ...below)
  await fs.mkdir(made.dataDir, { recursive: true, mode: 0o700 })
  prepared ??= prepareCluster()
  // The files keep their owner.
  await promisify(execFile)('cp', [
    '-a',
    path.join(await prepared, 'data', 'postgres'),
    path.join(made.dataDir, 'postgres'),
  ])
  return made
}

async function query(at: { connection: EmbeddedPostgres['connection'] }, text: string) {
  const client = new pg.Client(at.connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const queryWhenBack = (at: { connection: EmbeddedPostgres['connection'] }, text: string) =>
  eventually(() => query(at, text).catch(() => undefined))

async function attempts(dataDir: string): Promise<string[]> {
  return (await fs.readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'))
}

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
const packageFolder = skip ? '' : fileURLToPath(new URL('..', import.meta.resolve(packageName)))

/** The module in a folder of its own, like a clone of the repository, except for the package with PostgreSQL. */
async function install(folder: string): Promise<{ module: string; installed: string }> {
  const modules = path.join(folder, 'node_modules')
  await fs.mkdir(modules)
  await fs.writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  for (const file of [
    'embedded-postgres.ts',
    'make-folder.ts',
    'postgres-binaries.ts',
    'postgres-cluster.ts',
    'postgres-copy.ts',
    'postgres-user.ts',
    'postmaster.ts',
  ])
    await fs.copyFile(path.join(path.dirname(modulePath), file), path.join(folder, file))
  await fs.symlink(fileURLToPath(new URL('..', import.meta.resolve('pg'))), path.join(modules, 'pg'))
  return { module: path.join(folder, 'embedded-postgres.ts'), installed: path.join(modules, packageName) }
}

/** An environment in which `unshare` is refused, as in most containers. */
async function withoutNamespaces(folder: string): Promise<NodeJS.ProcessEnv> {
  const bin = path.join(folder, 'bin')
  await fs.mkdir(bin)
  await fs.writeFile(path.join(bin, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  return { PATH: `${bin}:${process.env.PATH}` }
}

suite('embedded PostgreSQL', { ...hangGuard, skip, concurrency: 2 }, () => {
  after(async () => prepared && fs.rm(await prepared, { recursive: true, force: true }))

  test('the first start creates a cluster that does not depend on the locale or time zone of this machine', async (t) => {
    const { dataDir, start, messages } = await workspace(t, 'private', 'data')
    await fs.mkdir(path.dirname(dataDir), { mode: 0o700 })
    const server = await start()
    const { host, ...rest } = server.connection
    assert.deepEqual(rest, { port: 5432, user: 'frontdesk', database: 'frontdesk' })
    // As root without user namespaces, PostgreSQL runs as a user who cannot create a socket here.
    if (messages.some((message) => message.includes('may not enter'))) t.after(() => fs.rm(host, { recursive: true }))
    else assert.equal(host, path.join(dataDir, 'run'))
    const [row] = await query(
      server,
      `select current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
         current_setting('TimeZone') as zone, datlocprovider as provider, datlocale as locale
       from pg_database where datname = current_database()`,
    )
    assert.deepEqual(row, {
      checksums: 'on',
      encoding: 'UTF8',
      zone: 'UTC',
      provider: 'b',
      locale: 'C.UTF-8',
    })
    assert.equal((await fs.stat(dataDir)).mode & 0o777, 0o700)
    assert.equal((await fs.stat(server.connection.host)).mode & 0o777, 0o700)
    assert.deepEqual(await attempts(dataDir), [])
  })

  test('a second start uses the running server, and the last process to close stops it', async (t) => {
    const { dataDir, start } = await usedWorkspace(t)
    const first = await start()
    const pid = await postmasterPid(dataDir)
    const second = await start()
    assert.equal(await postmasterPid(dataDir), pid)
    await query(first, 'create table note (body text)')
    await first.close()
    assert.ok(isRunning(pid))
    assert.deepEqual(await query(second, 'select * from note'), [])
    await second.close()
    assert.ok(!isRunning(pid))
    const third = await start()
    assert.deepEqual(await query(third, 'select * from note'), [])
  })

  test('when all processes close at the same moment, the server stops', async (t) => {
    const { dataDir, start } = await usedWorkspace(t)
    const servers = [await start(), await start(), await start()]
    const pid = await postmasterPid(dataDir)
    await Promise.all(servers.map((server) => server.close()))
    await eventually(() => !isRunning(pid))
  })

  test('a process that starts while the last one closes gets a running server', async (t) => {
    const { start } = await usedWorkspace(t)
    let current = await start()
    for (let round = 0; round < 5; round++) {
      const [next] = await Promise.all([start(), current.close()])
      assert.deepEqual(await query(next, 'select 1 as one'), [{ one: 1 }])
      current = next
    }
  })

  test('close leaves the server running for other clients', async (t) => {
    const { dataDir, start } = await usedWorkspace(t)
    const server = await start()
    const pid = await postmasterPid(dataDir)
    const client = new pg.Client(server.connection)
    await client.connect()
    await server.close()
    assert.equal((await client.query('select 1 as one')).rows[0].one, 1)
    await client.end()
    await (await start()).close()
    assert.ok(!isRunning(pid))
  })

  test('a process that could not drain cuts off its own connections and no others', async (t) => {
    const { dataDir, start } = await usedWorkspace(t)
    const connected = async (application_name: string) => {
      const client = new pg.Client({ ...server.connection, application_name })
      client.on('error', () => {})
      await client.connect()
      return client
    }
    let server = await start()
    const other = await connected('psql')
    await server.close({ cutOffOwnConnections: true })
    assert.equal((await other.query('select 1 as one')).rows[0].one, 1)
    server = await start()
    await other.end()
    await connected('frontdesk jobs')
    const pid = await postmasterPid(dataDir)
    await server.close({ cutOffOwnConnections: true })
    assert.ok(!isRunning(pid))
  })

  test('after kill -9 of the server it restarts with everything that was committed', async (t) => {
    const { dataDir, start, messages } = await usedWorkspace(t)
    const server = await start()
    await query(server, "create table note as select 'kept' as body")
    const pid = await postmasterPid(dataDir)
    process.kill(pid, 'SIGKILL')
    assert.deepEqual(await queryWhenBack(server, 'select * from note'), [{ body: 'kept' }])
    assert.notEqual(await postmasterPid(dataDir), pid)
    assert.ok(messages.some((message) => message.includes(`process ${pid}`)))
  })

  test('kill -9 of the app leaves the server running; the next start adopts and supervises it', async (t) => {
    const { dataDir, start, app } = await usedWorkspace(t)
    const killed = app()
    const connection = await killed.connection
    await query({ connection }, "create table note as select 'kept' as body")
    const pid = await postmasterPid(dataDir)
    killed.child.kill('SIGKILL')
    await ended(killed.child)
    const server = await start()
    assert.equal(await postmasterPid(dataDir), pid)
    assert.deepEqual(await query(server, 'select * from note'), [{ body: 'kept' }])
    process.kill(pid, 'SIGKILL')
    assert.deepEqual(await queryWhenBack(server, 'select * from note'), [{ body: 'kept' }])
  })

  test('a restart waits for orphaned backends to release the shared memory', async (t) => {
    const { dataDir, start, messages } = await usedWorkspace(t)
    const server = await start()
    const client = new pg.Client(server.connection)
    client.on('error', () => {})
    await client.connect()
    const backend: number = (await client.query('select pg_backend_pid() as pid')).rows[0].pid
    process.kill(backend, 'SIGSTOP')
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    await eventually(() => messages.some((message) => message.includes('pre-existing shared memory block')))
    process.kill(backend, 'SIGKILL')
    assert.deepEqual(await queryWhenBack(server, 'select 1 as one'), [{ one: 1 }])
  })

  test('close right after kill -9 of the server leaves nothing running', async (t) => {
    const { dataDir, start } = await usedWorkspace(t)
    const server = await start()
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    await server.close()
    // The killed server may still be exiting; a new one would stay.
    await eventually(async () => {
      const left = await postmasterPid(dataDir)
      return !left || !isRunning(left)
    })
  })

  test('two processes starting at once in an empty folder share one server', async (t) => {
    const { dataDir, app } = await workspace(t)
    const apps = [app(), app()]
    const [one, other] = await Promise.all(apps.map(({ connection }) => connection))
    assert.ok(one && other)
    assert.deepEqual(one, other)
    await query({ connection: one }, "create table note as select 'shared' as body")
    assert.deepEqual(await query({ connection: other }, 'select * from note'), [{ body: 'shared' }])
    assert.deepEqual(await attempts(dataDir), [])
    const pid = await postmasterPid(dataDir)
    for (const { child } of apps) child.stdin?.end()
    assert.deepEqual(await Promise.all(apps.map(({ child }) => ended(child))), [0, 0])
    assert.ok(!isRunning(pid))
  })

  test('a stale pid file that names an unrelated process is ignored', async (t) => {
    const { dataDir, start, app } = await usedWorkspace(t)
    const killed = app()
    const connection = await killed.connection
    await query({ connection }, "create table note as select 'kept' as body")
    killed.child.kill('SIGKILL')
    await ended(killed.child)
    const pid = await postmasterPid(dataDir)
    process.kill(pid, 'SIGKILL')
    await eventually(() => !isRunning(pid))
    const unrelated = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'])
    t.after(() => unrelated.kill('SIGKILL'))
    for (const file of ['postgres/postmaster.pid', 'run/.s.PGSQL.5432.lock']) {
      const text = await fs.readFile(path.join(dataDir, file), 'utf8')
      await fs.writeFile(path.join(dataDir, file), text.replace(/^\d+/, `${unrelated.pid}`))
    }
    const server = await start()
    assert.deepEqual(await query(server, 'select * from note'), [{ body: 'kept' }])
    assert.equal(unrelated.exitCode, null)
  })

  test('an empty pid file left by a power cut does not block the start', async (t) => {
    const { dataDir, start } = await usedWorkspace(t)
    await (await start()).close()
    const file = path.join(dataDir, 'postgres', 'postmaster.pid')
    await fs.writeFile(file, '')
    await fs.utimes(file, 0, 0)
    assert.deepEqual(await query(await start(), 'select 1 as one'), [{ one: 1 }])
  })

  test('the leftovers of a killed initdb are removed', async (t) => {
    const { dataDir, start, app } = await workspace(t)
    const killed = app()
    await eventually(async () => {
      const [attempt] = existsSync(dataDir) ? await attempts(dataDir) : []
      const isBegun = attempt && existsSync(path.join(dataDir, attempt, 'base'))
      // On a slow machine it can be over before this looks again.
      return isBegun || existsSync(path.join(dataDir, 'postgres'))
    })
    killed.child.kill('SIGKILL')
    await ended(killed.child)
    const server = await start()
    assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
    await server.close()
    // The orphaned initdb may still write after the first clean-up.
    await eventually(async () => {
      await (await start()).close()
      return (await attempts(dataDir)).length === 0
    })
  })

  test('nothing listens on TCP', async (t) => {
    const { dataDir, start } = await usedWorkspace(t)
    const server = await start()
    assert.deepEqual(await query(server, 'show listen_addresses'), [{ listen_addresses: '' }])
    if (process.platform !== 'linux') return
    const fds = `/proc/${await postmasterPid(dataDir)}/fd`
    const targets = await Promise.all(
      (await fs.readdir(fds)).map((fd) => fs.readlink(path.join(fds, fd)).catch(() => '')),
    )
    const sockets = targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [])
    assert.ok(sockets.length > 0)
    for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
      const lines = (await fs.readFile(table, 'utf8').catch(() => '')).split('\n')
      const inodes = lines.map((line) => line.trim().split(/\s+/)[9])
      assert.deepEqual(
        sockets.filter((socket) => inodes.includes(socket)),
        [],
      )
    }
  })

  test('a path too long for a socket gets a private socket folder elsewhere', async (t) => {
    const { dataDir, start } = await usedWorkspace(t, 'a folder, "quoted" '.repeat(4), 'ünïcode'.repeat(8))
    const server = await start()
    t.after(() => fs.rm(server.connection.host, { recursive: true, force: true }))
    assert.ok(!server.connection.host.startsWith(dataDir))
    assert.equal((await fs.stat(server.connection.host)).mode & 0o777, 0o700)
    assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
    await server.close()
    if (process.getuid?.() !== 0) return
    await fs.chown(server.connection.host, 65534, 65534)
    await assert.rejects(start(), /belongs to user 65534/)
  })

  test('a path with quotes and commas works', async (t) => {
    const { start } = await usedWorkspace(t, 'a, "b" c')
    assert.deepEqual(await query(await start(), 'select 1 as one'), [{ one: 1 }])
  })

  test('settings override the defaults, and an invalid one is quoted from the log', async (t) => {
    const { start } = await usedWorkspace(t)
    const server = await start({ work_mem: '7MB', max_connections: '20' })
    assert.deepEqual(await query(server, 'show work_mem'), [{ work_mem: '7MB' }])
    assert.deepEqual(await query(server, 'show max_connections'), [{ max_connections: '20' }])
    await server.close()
    await assert.rejects(start({ work_mem: 'plenty' }), /invalid value for parameter "work_mem": "plenty"/)
  })

  test('root without user namespaces runs PostgreSQL as another user, also at the next start', {
    skip: onlyAsRoot,
  }, async (t) => {
    const { folder, dataDir, start, app } = await workspace(t, 'data')
    await fs.chmod(folder, 0o755)
    const env = await withoutNamespaces(folder)
    const fallback = app(env)
    const connection = await fallback.connection
    await query({ connection }, "create table note as select 'kept' as body")
    const { uid } = await fs.stat(path.join(dataDir, 'postgres'))
    assert.notEqual(uid, 0)
    fallback.child.stdin?.end()
    assert.equal(await ended(fallback.child), 0)

    const server = await start()
    assert.equal((await fs.stat(`/proc/${await postmasterPid(dataDir)}`)).uid, uid)
    assert.deepEqual(await query(server, 'select * from note'), [{ body: 'kept' }])
    await server.close()

    // The parent folders are closed to that user from now on; the data is the same.
    await fs.chmod(folder, 0o700)
    const shutOut = app(env)
    const reached = await shutOut.connection
    t.after(() => fs.rm(reached.host, { recursive: true, force: true }))
    assert.deepEqual(await query({ connection: reached }, 'select * from note'), [{ body: 'kept' }])
    assert.match(shutOut.said(), /may not enter .*the database stays there/)
    assert.equal((await fs.stat(`/proc/${await postmasterPid(dataDir)}`)).uid, uid)
    assert.deepEqual(await query(await start(), 'select * from note'), [{ body: 'kept' }], 'another process joins it')
  })

  test('root without user namespaces, in folders that only root can enter, copies the programs and keeps the data', {
    skip: onlyAsRoot,
  }, async (t) => {
    const { folder, dataDir, copies, app } = await workspace(t, 'a clone', 'data')
    const clone = path.join(folder, 'a clone')
    await fs.mkdir(clone, { mode: 0o700 })
    const { module, installed } = await install(clone)
    await fs.cp(packageFolder, installed, { recursive: true, verbatimSymlinks: true })
    const env = await withoutNamespaces(folder)
    await assert.rejects(app(env, { module, copyTo: [] }).connection, /refuses to run as root.*DATABASE_URL/s)

    const first = app(env, { module })
    const connection = await first.connection
    t.after(() => fs.rm(connection.host, { recursive: true, force: true }))
    await eventually(() => /programs were copied to .*embedded-postgres-copy-/.test(first.said()))
    await query({ connection }, "create table note as select 'kept' as body")
    const pid = await postmasterPid(dataDir)
    assert.notEqual((await fs.stat(`/proc/${pid}`)).uid, 0)
    process.kill(pid, 'SIGKILL')
    assert.deepEqual(await queryWhenBack({ connection }, 'select * from note'), [{ body: 'kept' }])
    first.child.stdin?.end()
    assert.equal(await ended(first.child), 0)
    assert.equal(await postmasterPid(dataDir), 0, 'stopped in good order')

    // A copy that another user could have changed is not run.
    const [copy = ''] = await fs.readdir(copies)
    await fs.chmod(path.join(copies, copy), 0o777)
    await assert.rejects(app(env, { module }).connection, /does not belong to root alone/)
  })

  test('an installation without its install scripts is completed, and a missing package is explained', async (t) => {
    const { folder } = await workspace(t)
    const { installed } = await install(folder)
    const isLink = async (file: string) => (await fs.lstat(file)).isSymbolicLink()
    const ask = async () => {
      const code =
        "import { embeddedPostgresMissing } from './embedded-postgres.ts'\nconsole.log(embeddedPostgresMissing())"
      const args = ['--input-type=module', '-e', code]
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })
      return stdout.trim()
    }
    assert.match(await ask(), /is not installed.*DATABASE_URL/)
    await fs.cp(packageFolder, installed, { recursive: true, filter: async (file) => !(await isLink(file)) })
    await fs.chmod(path.join(installed, 'native', 'bin', 'postgres'), 0o644)
    assert.equal(await ask(), 'undefined')
  })
})
