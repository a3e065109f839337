import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from './app.ts'
import { whenNpmStops } from './bin/when-npm-stops.js'
import { drainDelayMs, isLocal, type Settings } from './config.ts'
import { buildConsoleIfMissing } from './console/build-console.ts'
import type { Welcome } from './demo/first-start.ts'
import { createLog, type Log } from './platform/log.ts'
import { hasTenantLogin } from './platform/tenant-login.ts'
import { waitForDatabase } from './platform/wait-for-database.ts'
import { serveWorkerHealth, type WorkerHealth } from './platform/worker-health.ts'
import { openDatabase } from './services/open-database.ts'

/** Supervisors send SIGKILL 10 s after SIGTERM. What has not ended by then is retried by the node that takes over. */
const exitAfterMs = 9_500
/** Closing has at least this long, also after a drain delay that is longer than the default. */
const leastCloseMs = 6_500
/** How long a PostgreSQL that was started together with this node may take to accept connections. */
const databaseStartMs = 60_000
/** Time for the embedded PostgreSQL to stop. */
const databaseStopMs = 1_500
/** npm and bin/frontdesk.js forward a signal that the terminal has sent to this process too. */
const forwardedWithinMs = 1_000

/** Settings → database → migrations → api and/or worker; in reverse order at shutdown, or after a fault. */
export async function start(settings: Settings): Promise<void> {
  const log = createLog(settings.LOG_LEVEL)
  const { stopping, hurry, cutOff } = watchProcess(log)

  const opening = openDatabase(settings, (message) => log.info({ event: 'database.starting' }, message))
  // PostgreSQL starts while the rest of the program is loaded.
  const loading = Promise.all([
    import('./app.ts'),
    import('./cli/migrate-everything.ts'),
    import('./demo/first-start.ts'),
  ])
  const opened = await opening
  let app: App | undefined
  let workerHealth: WorkerHealth | undefined
  try {
    if (settings.DATABASE_URL)
      await waitForDatabase(opened.connection, {
        log: (message) => log.warn({ event: 'database.not_ready' }, message),
        timeoutMs: databaseStartMs,
      })
    if (settings.ROLE !== 'worker')
      await buildConsoleIfMissing((message) => log.info({ event: 'console.building' }, message))
    const [{ createApp }, { migrateEverything }, { firstStart }] = await loading
    const { connection, tenantConnection } = opened
    if (!hasTenantLogin(connection, tenantConnection))
      log.warn('database: TENANT_DATABASE_URL is not set, requests connect as the owner (docs/guides/running-it.md)')
    await migrateEverything(opened, (message) => log.info({ event: 'database.migrating' }, message))
    app = await createApp({ settings, connection, tenantConnection, log })
    const welcome = await firstStart(app, settings)
    if (settings.ROLE === 'worker') {
      workerHealth = await listenAsWorker(app, settings)
      log.info({ address: workerHealth?.url }, 'worker: working on jobs')
    } else {
      const address = await listen(app, settings)
      if (isLocal(settings)) greet(address, welcome)
      else log.info({ address }, 'http: listening')
    }
    log.info({ signal: await stopping }, 'process: draining')
    await app.drain(hurry)
  } finally {
    const closeMs = Math.max(exitAfterMs - drainDelayMs(settings), leastCloseMs)
    setTimeout(() => process.exit(1), closeMs).unref()
    const isClosed = await Promise.race([
      Promise.resolve(app?.close()).then(() => true),
      sleep(closeMs - databaseStopMs, false, { ref: false }),
      cutOff,
    ])
    // Until here a worker that drains says so.
    workerHealth?.close()
    if (!isClosed) log.error('process: stopping with work unfinished')
    await opened.close({ cutOffOwnConnections: !isClosed })
  }
}

interface ProcessWatch {
  /**
   * Resolves with the signal that asks the process to stop. Rejects after an uncaught exception or unhandled rejection:
   * the process is then in an unknown state, so it takes no more work, finishes what it has, stops the embedded
   * PostgreSQL and exits with 1 for the supervisor to start it again.
   */
  stopping: Promise<string>
  /** Aborted by a second signal or a fault: balancers and calls are not waited for. */
  hurry: AbortSignal
  /** Resolves after a second signal: requests and jobs are not waited for either. */
  cutOff: Promise<false>
}

function watchProcess(log: Log): ProcessWatch {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const cutOff = Promise.withResolvers<false>()
  const hurry = new AbortController()
  let firstAt: number | undefined
  const stop = (signal: string) => {
    firstAt ??= performance.now()
    resolve(signal)
    if (performance.now() - firstAt < forwardedWithinMs) return
    // Also if the process is still starting and would not look at the rest.
    setTimeout(() => process.exit(1), databaseStopMs).unref()
    process.exitCode = 1
    hurry.abort()
    cutOff.resolve(false)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  // A second signal would cut the drain short.
  whenNpmStops(() => firstAt ?? stop('SIGTERM'))
  // Stays installed while the process drains: a second fault must not interrupt the drain.
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'process: uncaught exception, draining and exiting')
    // Start-up may be waiting for what the fault has broken; then nothing else would end the process.
    setTimeout(() => process.exit(1), exitAfterMs).unref()
    process.exitCode = 1
    hurry.abort()
    reject(new Error(`stopped after an uncaught exception: ${error instanceof Error ? error.message : error}`))
  })
  // Start-up may not await this yet; without a handler a rejection would count as unhandled.
  promise.catch(() => {})
  return { stopping: promise, hurry: hurry.signal, cutOff: cutOff.promise }
}

async function listen(app: App, { HOST, PORT, PUBLIC_URL }: Settings): Promise<string> {
  const address = await app.server.listen({ host: HOST, port: PORT }).catch(explainPort('PORT', HOST, PORT))
  return PUBLIC_URL ?? address
}

async function listenAsWorker(app: App, { HOST, WORKER_PORT }: Settings): Promise<WorkerHealth | undefined> {
  if (WORKER_PORT === undefined) return undefined
  const listening = serveWorkerHealth(app.server, { host: HOST, port: WORKER_PORT })
  return listening.catch(explainPort('WORKER_PORT', HOST, WORKER_PORT))
}

const explainPort = (setting: string, host: string, port: number) => (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  throw new Error(
    `Port ${port} on ${host} is in use. Stop the process that uses it, or set ${setting} to another number`,
  )
}

function greet(address: string, welcome: Welcome | undefined): void {
  const lines = [``, `  Frontdesk is running at ${address}`, ``]
  if (welcome) {
    lines.push(`  Sign in    ${address}/#sign-in=${welcome.signInToken}`)
    lines.push(`             (works once, within 15 minutes; restart to print a new link)`)
  }
  if (welcome?.testKey) {
    lines.push(`  Test key   ${welcome.testKey}`)
    lines.push(`             (shown only once; create more with: npx frontdesk key create)`)
    lines.push(`  Try it     curl -H "Authorization: Bearer ${welcome.testKey}" ${address}/api/v1/crm/dashboard`)
  } else {
    lines.push(`  Test key   shown at the first start only; create another with: npx frontdesk key create`)
  }
  lines.push(`  API docs   ${address}/docs`, ``)
  console.log(lines.join('\n'))
}
