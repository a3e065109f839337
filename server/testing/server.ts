import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg, { type ClientConfig } from 'pg'
import { jobKinds } from '../app.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { migrateJobs } from '../platform/jobs.ts'
import { forbidTemporaryTables, migrate } from '../platform/migrate.ts'
import { embeddedTenantConnection } from '../platform/tenant-login.ts'

/** The tests' PostgreSQL and the template database to clone; passed to every test file through its environment. */
export interface TestServer {
  connection: ClientConfig
  /** How requests connect: as a role that can become `frontdesk_tenant` only. */
  tenantConnection: ClientConfig
  template: string
}

export const serverVariable = 'FRONTDESK_TEST_SERVER'

/** TEST_DATABASE_URL, or an embedded server in a temporary folder, for the whole run. */
export async function startTestServer(): Promise<{ server: TestServer; stop(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL
  if (url) {
    const connection = { connectionString: url }
    const tenantUrl = new URL(url)
    tenantUrl.username = 'frontdesk_test_login'
    tenantUrl.password = 'only tests use it'
    const tenantConnection = { connectionString: tenantUrl.href }
    const template = await makeTemplate(connection, tenantConnection)
    return { server: { connection, tenantConnection, template }, stop: () => dropDatabase(connection, template) }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-test-'))
  const embedded = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: { fsync: 'off', max_connections: '500' },
    copyTo: [tmpdir(), '/tmp'],
  })
  const tenantConnection = embeddedTenantConnection(embedded.connection)
  const template = await makeTemplate(embedded.connection, tenantConnection)
  return {
    server: { connection: embedded.connection, tenantConnection, template },
    async stop() {
      await embedded.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Migrated once; each test file clones it, which takes a tenth of the time. */
async function makeTemplate(connection: ClientConfig, tenantConnection: ClientConfig): Promise<string> {
  const template = `frontdesk_template_${process.pid}_${await migrationsHash()}`
  await onServer(connection, async (client) => {
    await client.query(`drop database if exists ${template}`)
    await client.query(`create database ${template}`)
  })
  const owner = inDatabase(connection, template)
  await migrate(owner, {
    tenantConnection: inDatabase(tenantConnection, template),
    afterwards: () => migrateJobs(owner, jobKinds),
  })
  return template
}

async function migrationsHash(): Promise<string> {
  const dir = join(import.meta.dirname, '../migrations')
  const hash = createHash('sha256')
  for (const file of (await readdir(dir)).sort()) hash.update(await readFile(join(dir, file)))
  return hash.digest('hex').slice(0, 8)
}

interface ClonedDatabase {
  connection: ClientConfig
  tenantConnection: ClientConfig
  drop(): Promise<void>
}

export async function cloneDatabase({ connection, tenantConnection, template }: TestServer): Promise<ClonedDatabase> {
  const name = `frontdesk_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await onServer(connection, async (client) => {
    await client.query(`create database ${name} template ${template}`)
    await client.query(forbidTemporaryTables(name))
  })
  return {
    connection: inDatabase(connection, name),
    tenantConnection: inDatabase(tenantConnection, name),
    drop: () => dropDatabase(connection, name),
  }
}

const dropDatabase = (connection: ClientConfig, name: string) =>
  onServer(connection, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`).catch((error) => {
      // Only a superuser can terminate autovacuum with `force`; without it PostgreSQL asks autovacuum to stop by
      // itself.
      if (error.code !== '42501') throw error
      return client.query(`drop database if exists ${name}`)
    })
  })

export function inDatabase(connection: ClientConfig, database: string): ClientConfig {
  if (!connection.connectionString) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

async function onServer<T>(connection: ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
