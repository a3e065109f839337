import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg, { type ClientConfig } from 'pg'
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { forbidTemporaryTables, migrate } from '../platform/migrate.ts'
import { migrateJobs } from '../platform/migrate-jobs.ts'
import { embeddedTenantConnection } from '../platform/tenant-login.ts'

/** The tests' PostgreSQL and the template database to clone; passed to every test file through its environment. */
export interface TestServer {
  connection: ClientConfig
  /** How requests connect: as a role that can become `frontdesk_tenant` only. */
  tenantConnection: ClientConfig
  template: string
  /** A stopped embedded cluster whose database `frontdesk` is the template, if one could be kept. */
  cluster?: string
}

export const serverVariable = 'FRONTDESK_TEST_SERVER'

const root = join(import.meta.dirname, '../..')
const cacheFolder = join(root, 'node_modules/.cache/frontdesk-tests')

/** TEST_DATABASE_URL, or an embedded server in a temporary folder, for the whole run. */
export async function startTestServer(): Promise<{ server: TestServer; stop(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL
  if (url) {
    const connection = { connectionString: url }
    const tenantUrl = new URL(url)
    tenantUrl.username = 'frontdesk_test_login'
    tenantUrl.password = 'only tests use it'
    const tenantConnection = { connectionString: tenantUrl.href }
    const template = `frontdesk_template_${process.pid}`
    const server = { connection, tenantConnection, template }
    await onServer(connection, async (client) => {
      await client.query(`drop database if exists ${template}`)
      await client.query(`create database ${template}`)
    })
    await migrateTemplate(server)
    return { server, stop: () => dropDatabase(connection, template) }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-test-'))
  const start = () =>
    startEmbeddedPostgres({
      dataDir,
      log: () => {},
      settings: { fsync: 'off', max_connections: '500' },
      copyTo: [tmpdir(), '/tmp'],
    })
  const cluster = join(dataDir, 'postgres')
  const kept = join(cacheFolder, `migrated-${await schemaHash()}`)
  let isKept = await copyFolder(kept, cluster)
  let embedded = await start()
  const template = embedded.connection.database
  // A database to which others are connected cannot be cloned.
  const connection = inDatabase(embedded.connection, 'postgres')
  const server = { connection, tenantConnection: embeddedTenantConnection(connection), template }
  if (!isKept) {
    await migrateTemplate(server)
    await embedded.close()
    isKept = await keepCluster(cluster, kept)
    embedded = await start()
  }
  return {
    server: { ...server, ...(isKept && { cluster: kept }) },
    async stop() {
      await embedded.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** False if there is nothing to copy, or it cannot be read. */
export async function copyFolder(from: string, to: string): Promise<boolean> {
  try {
    await cp(from, to, { recursive: true })
    return true
  } catch {
    await rm(to, { recursive: true, force: true })
    return false
  }
}

/** Creating and migrating a cluster takes most of the start of a run, so the stopped cluster is kept for the next one. */
async function keepCluster(cluster: string, kept: string): Promise<boolean> {
  // As root without user namespaces it belongs to another user, to whom a copy would have to be given.
  if ((await stat(cluster)).uid !== process.getuid?.()) return false
  try {
    await rm(cacheFolder, { recursive: true, force: true })
    const unfinished = `${kept}-${process.pid}`
    await mkdir(cacheFolder, { recursive: true })
    if (!(await copyFolder(cluster, unfinished))) return false
    await rename(unfinished, kept)
    return true
  } catch {
    // node_modules can be read-only, and another run can have been faster.
    return false
  }
}

/** Migrated once; each test file clones it, which takes a tenth of the time. */
async function migrateTemplate({ connection, tenantConnection, template }: TestServer): Promise<void> {
  // Loads the whole service, which a run with a kept cluster does without.
  const { jobKinds } = await import('../app.ts')
  const owner = inDatabase(connection, template)
  await migrate(owner, {
    tenantConnection: inDatabase(tenantConnection, template),
    afterwards: () => migrateJobs(owner, jobKinds),
  })
}

/** Changes with the migrations, the job queues and the versions of PostgreSQL and the job library. */
async function schemaHash(): Promise<string> {
  const hash = createHash('sha256')
  const files = globSync(['package-lock.json', 'server/migrations/*.sql', 'server/{features,platform}/**/*.ts'], {
    cwd: root,
  })
  for (const file of files.sort()) {
    const text = await readFile(join(root, file), 'utf8')
    if (!file.endsWith('.ts') || text.includes('defineJob(')) hash.update(text)
  }
  return hash.digest('hex').slice(0, 16)
}

interface ClonedDatabase {
  connection: ClientConfig
  tenantConnection: ClientConfig
  drop(): Promise<void>
}

export async function cloneDatabase({ connection, tenantConnection, template }: TestServer): Promise<ClonedDatabase> {
  const name = `frontdesk_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await onServer(connection, async (client) => {
    await client.query(`create database ${name} template ${template} strategy file_copy`)
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
