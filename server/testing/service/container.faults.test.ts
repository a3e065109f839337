import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { ClientConfig } from 'pg'
import { startTestApp } from '../app.ts'
import { databaseOverTcp } from '../database-over-tcp.ts'
import { databaseUrl, freePort, until } from '../process.ts'

/**
 * Builds the image, runs two nodes of it behind Caddy and replaces them one after the other. Needs podman, caddy, the npm
 * registry, and a base image: CONTAINER_BASE, the one that the Dockerfile names, or one made with mmdebstrap.
 */

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const folder = await mkdtemp(join(tmpdir(), 'frontdesk-container-'))
const limits = ['--ulimit', 'nofile=8192:8192', '--ulimit', 'nproc=4096:4096']
let podmanOptions: string[] = []
const podman = async (...args: string[]) => {
  const options = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run'), ...podmanOptions]
  return (await run('podman', [...options, ...args], { maxBuffer: 64 * 1024 ** 2 })).stdout.trim()
}
const started: (() => Promise<unknown>)[] = []
after(async () => {
  for (const stop of started.reverse()) await stop()
  await podman('rm', '--all', '--force', '--volumes', '--time', '0').catch(() => {})
  await podman('rmi', '--all', '--force').catch(() => {})
  await rm(folder, { recursive: true, force: true })
})

const has = (command: string, ...args: string[]) =>
  run(command, args).then(
    () => true,
    () => false,
  )

/** An image with Node: the first of several that this machine can provide. Throws if there is none. */
async function findBase(): Promise<string> {
  const named = /^ARG BASE=(.*)$/m.exec(await readFile(join(root, 'Dockerfile'), 'utf8'))?.[1] as string
  for (const image of [process.env.CONTAINER_BASE, named])
    if (image && (await podman('pull', '--quiet', image).catch(() => ''))) return image
  if (!(await has('mmdebstrap', '--version')))
    throw new Error(`${named} cannot be pulled, and mmdebstrap is not installed`)
  const context = join(folder, 'base')
  await mkdir(context)
  const exclude = ['doc', 'man', 'locale'].flatMap((each) => ['--dpkgopt', `path-exclude=/usr/share/${each}/*`])
  await run('mmdebstrap', [
    '--variant=minbase',
    '--include=ca-certificates,libstdc++6',
    ...exclude,
    'bookworm',
    join(context, 'debian.tar'),
  ])
  await copyFile(process.execPath, join(context, 'node'))
  const npm = dirname(dirname(await realpath((await run('which', ['npm'])).stdout.trim())))
  await cp(npm, join(context, 'npm'), { recursive: true, dereference: true })
  // Networks that inspect TLS have a certificate authority of their own.
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  await (authorities ? copyFile(authorities, join(context, 'ca.crt')) : writeFile(join(context, 'ca.crt'), ''))
  await writeFile(
    join(context, 'Dockerfile'),
    `FROM scratch
ADD debian.tar /
COPY node /usr/local/bin/
COPY npm /usr/local/lib/node_modules/npm
COPY ca.crt /etc/extra-ca.crt
ENV NODE_EXTRA_CA_CERTS=/etc/extra-ca.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
`,
  )
  await podman('build', '--quiet', ...limits, '--tag', 'localhost/base', context)
  return 'localhost/base'
}

/** Whether this machine can run containers at all, and with which runtime; otherwise the reason. */
async function findRuntime(): Promise<string | undefined> {
  if (!(await has('podman', '--version'))) return 'podman is not installed'
  if (!(await has('caddy', 'version'))) return 'caddy is not installed'
  await mkdir(join(folder, 'probe'))
  await copyFile(process.execPath, join(folder, 'probe/node'))
  const reasons: string[] = []
  for (const options of [[], ['--runtime', 'runc']]) {
    podmanOptions = options
    try {
      await writeFile(join(folder, 'probe/Dockerfile'), 'FROM scratch\nCOPY node /\n')
      await podman('build', '--quiet', '--tag', 'localhost/probe', join(folder, 'probe'))
      // Without libraries the program cannot start, but the runtime has done its part.
      await podman('run', '--rm', '--network', 'host', ...limits, 'localhost/probe', '/node').catch((error) => {
        if (!/no such file or directory/i.test(error.stderr) || /netavark/.test(error.stderr)) throw error
      })
      return undefined
    } catch (error) {
      reasons.push((error as { stderr?: string }).stderr?.trim() || (error as Error).message)
    }
  }
  // The cleanup fails with a runtime that is not installed, and leaves a mount behind.
  podmanOptions = []
  return `podman cannot run containers here: ${reasons.join('; ')}`
}

test('the image runs read-only as an ordinary user behind Caddy, and a rolling restart fails no request', async (t) => {
  const unable = await findRuntime()
  if (unable) return t.skip(unable)
  let base: string
  try {
    base = await findBase()
  } catch (error) {
    return t.skip((error as Error).message)
  }
  const { stdout: cache } = await run('npm', ['config', 'get', 'cache'])
  const build = [
    'build',
    '--quiet',
    '--format',
    'docker',
    '--network',
    'host',
    '--volume',
    `${cache.trim()}:/root/.npm`,
    '--build-arg',
    `BASE=${base}`,
  ]
  await podman(...build, ...limits, '--tag', 'localhost/frontdesk', root)
  const megabytes = async (image: string) =>
    Number(await podman('image', 'inspect', '--format', '{{.Size}}', image)) / 1e6
  t.diagnostic(
    `the image has ${(await megabytes('localhost/frontdesk')).toFixed()} MB, ${(await megabytes(base)).toFixed()} of them in its base`,
  )

  const app = await startTestApp()
  const org = await app.organization()
  const port = app.connection.connectionString ? undefined : await databaseOverTcp(app.connection)
  const urlOf = (connection: ClientConfig) =>
    port ? `postgres://${connection.user}@127.0.0.1:${port}/${connection.database}` : databaseUrl(connection)
  const secrets = join(folder, 'secrets')
  await mkdir(secrets)
  for (const [name, value] of Object.entries({
    database_url: urlOf(app.connection),
    tenant_database_url: urlOf(app.tenantConnection),
    secret_key: app.settings.SECRET_KEY as string,
  })) {
    await writeFile(join(secrets, name), `${value}\n`)
    await chmod(join(secrets, name), 0o644)
  }
  await chmod(folder, 0o755)
  const [first, second, https] = [await freePort(), await freePort(), await freePort()]
  const start = async (name: string, port: number) => {
    const env = {
      ROLE: 'api',
      PORT: String(port),
      PUBLIC_URL: `https://localhost:${https}`,
      TRUST_PROXY: 'true',
      RATE_LIMIT_PER_MINUTE: '1000000',
      DATABASE_URL_FILE: '/run/secrets/database_url',
      TENANT_DATABASE_URL_FILE: '/run/secrets/tenant_database_url',
      SECRET_KEY_FILE: '/run/secrets/secret_key',
    }
    const hardening = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
    const settings = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`])
    await podman(
      'run',
      '--detach',
      '--name',
      name,
      '--network',
      'host',
      ...limits,
      ...hardening,
      ...settings,
      '--volume',
      `${secrets}:/run/secrets:ro`,
      'localhost/frontdesk',
    )
    await until(async () => {
      if ((await podman('inspect', '--format', '{{.State.Running}}', name)) !== 'true')
        throw new Error(await podman('logs', name))
      return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200
    })
  }
  await Promise.all([start('api-1', first), start('api-2', second)])
  await podman('healthcheck', 'run', 'api-1')
  const inside = (...command: string[]) => podman('exec', 'api-1', ...command)
  assert.equal(await inside('id', '-u'), '10001')
  await assert.rejects(inside('touch', '/app/file'), /Read-only file system/)
  await inside('touch', '/var/lib/frontdesk/file')

  const caddyfile = join(folder, 'Caddyfile')
  await writeFile(
    caddyfile,
    `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\nimport ${join(root, 'deploy/Caddyfile')}\n`,
  )
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: folder,
    DOMAIN: `localhost:${https}`,
    UPSTREAMS: `127.0.0.1:${first} 127.0.0.1:${second}`,
  }
  const caddy = spawn('caddy', ['run', '--config', caddyfile, '--adapter', 'caddyfile'], {
    env: environment,
    stdio: 'ignore',
  })
  started.push(async () => {
    caddy.kill()
    if (caddy.exitCode === null) await once(caddy, 'exit')
  })
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt')
  const get = async () => {
    const ca = await readFile(authority)
    return new Promise<number>((resolve, reject) => {
      const sent = request(
        {
          host: 'localhost',
          port: https,
          path: '/api/v1/contacts',
          ca,
          headers: { authorization: `Bearer ${org.key}` },
        },
        (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode as number))
        },
      )
      sent.once('error', reject).end()
    })
  }
  await until(async () => (await get().catch(() => 0)) === 200)

  let isOver = false
  t.after(() => {
    isOver = true
  })
  let sent = 0
  const failures: unknown[] = []
  const clients = Array.from({ length: 4 }, async () => {
    for (; !isOver; sent++) {
      const status = await get().catch((error) => String(error))
      if (status !== 200) failures.push(status)
    }
  })
  for (const [name, port] of [
    ['api-1', first],
    ['api-2', second],
    ['api-1', first],
  ] as const) {
    await podman('stop', '--time', '60', name)
    assert.equal(await podman('inspect', '--format', '{{.State.ExitCode}}', name), '0', await podman('logs', name))
    await podman('rm', '--volumes', name)
    await start(name, port)
    // Caddy notices within a second that the node is back.
    const before = sent
    await until(async () => sent > before + 100)
  }
  isOver = true
  await Promise.all(clients)
  assert.deepEqual(failures, [], `of ${sent} requests`)
  t.diagnostic(`${sent} requests during three restarts`)
})
