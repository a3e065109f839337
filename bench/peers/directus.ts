import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createContactsTable } from './contacts-table.ts'
import { newContact, type Peer, poolSize } from './peer.ts'

/**
 * On an existing table, by the static token of an administrator, for whom no permissions are computed. Its default of
 * recording who did what stays on: a create also writes an activity and a revision, in the same transaction.
 *
 * Its licence (MSCL 1.0, the BSL before version 12) restricts use in production, not measuring. Nothing of it is
 * shipped with Frontdesk.
 */
export const directus: Peer = {
  name: 'Directus',
  packages: { directus: '12.4.0' },
  // Version 5 does not compile on Node 24. Only scripts of flows and extensions run in it.
  overrides: { 'isolated-vm': '6.1.2' },
  list: (key) => ({ url: '/items/contacts?limit=20&sort=-id&meta=total_count', headers: headers(key) }),
  create: (key) => ({ url: '/items/contacts', method: 'POST', headers: headers(key), body: newContact }),
  async serve({ connection, key, folder }) {
    await createContactsTable(connection)
    const { host, port, user, database } = connection
    Object.assign(process.env, {
      SECRET: 'a secret that only benchmarks use',
      DB_CLIENT: 'pg',
      DB_HOST: host,
      DB_PORT: String(port),
      DB_DATABASE: database,
      DB_USER: user,
      DB_POOL__MIN: '0',
      DB_POOL__MAX: String(poolSize),
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'a password that only benchmarks use',
      ADMIN_TOKEN: key,
      LOG_LEVEL: 'warn',
      LOG_STYLE: 'raw',
      SERVE_APP: 'false',
      TELEMETRY: 'false',
      RATE_LIMITER_ENABLED: 'false',
    })
    process.chdir(folder)
    const load = (file: string) => join(folder, 'node_modules/@directus/api/dist', file)
    const { status } = spawnSync(process.execPath, [load('cli/run.js'), 'bootstrap'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) throw new Error(`directus bootstrap ended with ${status}`)
    const { createServer } = await import(pathToFileURL(load('server.js')).href)
    const server = await createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${server.address().port}`
  },
}

const headers = (key: string) => ({ authorization: `Bearer ${key}` })
