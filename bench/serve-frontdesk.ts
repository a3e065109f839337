import { createApp } from '../server/app.ts'
import { readSettings } from '../server/config.ts'
import { createLog } from '../server/platform/log.ts'
import { embeddedTenantConnection } from '../server/platform/tenant-login.ts'

/** Frontdesk as it is, on the benchmark's database. */
const settings = readSettings({ SECRET_KEY: 'a secret key that only benchmarks use', ...process.env, PORT: '0' })
const connection = JSON.parse(process.env.BENCH_CONNECTION as string)
const app = await createApp({
  settings,
  connection,
  tenantConnection: embeddedTenantConnection(connection),
  log: createLog(settings.LOG_LEVEL),
})
const port = Number(process.env.BENCH_PORT ?? 0)
console.log(`listening ${await app.server.listen({ host: '127.0.0.1', port })}`)
process.once('SIGTERM', () => void app.close().then(() => process.exit()))
