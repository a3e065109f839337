import type { App } from './app.ts'
import { buildConsoleIfMissing } from './build-console.ts'
import { isLocal, type Settings } from './config.ts'
import type { Welcome } from './first-start.ts'
import { openDatabase } from './open-database.ts'
import { createLog } from './platform/log.ts'
import { hasTenantLogin } from './platform/tenant-login.ts'

/** Settings → database → migrations → api and/or worker; and back again when asked to stop. */
export async function start(settings: Settings): Promise<void> {
  const log = createLog(settings.LOG_LEVEL)
  const stopping = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stopping.resolve(signal))

  const opening = openDatabase(settings, (message) => log.info(message))
  // PostgreSQL boots while the rest of the program is loaded.
  const loading = Promise.all([import('./app.ts'), import('./migrate-everything.ts'), import('./first-start.ts')])
  const opened = await opening
  if (settings.ROLE !== 'worker') await buildConsoleIfMissing((message) => log.info(message))
  let app: App | undefined
  try {
    const [{ createApp }, { migrateEverything }, { firstStart }] = await loading
    const { connection, tenantConnection } = opened
    if (!hasTenantLogin(connection, tenantConnection))
      log.warn('database: TENANT_DATABASE_URL is not set, requests connect as the owner (docs/guides/running-it.md)')
    await migrateEverything(opened, (message) => log.info(message))
    app = await createApp({ settings, connection, tenantConnection, log })
    const welcome = await firstStart(app.database, settings)
    const address = settings.ROLE === 'worker' ? undefined : await listen(app, settings)
    if (isLocal(settings)) greet(address, welcome)
    else log.info(address ? `listening on ${address}` : 'working on jobs')
    log.info({ signal: await stopping.promise }, 'stopping')
  } finally {
    // Ten seconds is what supervisors grant; what has not ended by then is retried by whoever takes over.
    setTimeout(() => process.exit(1), 9_500).unref()
    await app?.close()
    await opened.close()
  }
}

async function listen(app: App, { HOST, PORT, PUBLIC_URL }: Settings): Promise<string> {
  try {
    const address = await app.server.listen({ host: HOST, port: PORT })
    return PUBLIC_URL ?? address
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new Error(`Port ${PORT} of ${HOST} is in use: stop what listens there, or set PORT to another number`)
    throw error
  }
}

function greet(address: string | undefined, welcome: Welcome | undefined): void {
  if (!address) return
  const lines = [``, `  Frontdesk is running at ${address}`, ``]
  if (welcome) {
    lines.push(`  Sign in    ${address}/#sign-in=${welcome.signInToken}`)
    lines.push(`             (this link works once, for 15 minutes; a restart prints a new one)`)
  }
  if (welcome?.testKey) {
    lines.push(`  Test key   ${welcome.testKey}`)
    lines.push(`             (shown this once; make more with: npx frontdesk key create)`)
    lines.push(`  Try it     curl -H "Authorization: Bearer ${welcome.testKey}" ${address}/api/v1/crm/dashboard`)
  } else {
    lines.push(`  Test key   was shown at the first start; make another with: npx frontdesk key create`)
  }
  lines.push(`  API docs   ${address}/docs`, ``)
  console.log(lines.join('\n'))
}
