import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { connectOwner } from '../connect-owner.ts'
import { startInstalledPostgres } from '../installed-postgres.ts'
import { startProcess, temporaryFolder, until } from '../process.ts'
import { openStream } from '../streams.ts'
import { startWriters, storedNumbers } from '../writers.ts'

/** Packets between a node and its PostgreSQL vanish, as behind a firewall: neither side is told. */

const key = `svc_sk_test_${'n'.repeat(40)}`
const table = 'frontdesk_network_test'

const nft = (...words: string[]) => execFileSync('nft', words, { stdio: ['ignore', 'pipe', 'pipe'] })

/** Why packets cannot be dropped here, or undefined. */
function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root, to drop packets'
  try {
    nft('add', 'table', 'inet', table)
    nft('add', 'chain', 'inet', table, 'input', '{ type filter hook input priority 0; }')
    return undefined
  } catch (error) {
    return `needs nftables, to drop packets: ${(error as Error).message.split('\n')[0]}`
  }
}

/** Drops packets to and from these ports of this machine, until `restore` is called. */
function drop(ports: number[]): { restore(): void } {
  for (const side of ['sport', 'dport'])
    nft('add', 'rule', 'inet', table, 'input', 'tcp', side, `{ ${ports.join(', ')} }`, 'drop')
  return { restore: () => void nft('flush', 'chain', 'inet', table, 'input') }
}

async function startNode(t: TestContext) {
  const cannot = obstacle()
  if (cannot) return t.skip(cannot)
  t.after(() => nft('delete', 'table', 'inet', table))
  const postgres = await startInstalledPostgres({ max_connections: '200' })
  if (!postgres) return t.skip('no PostgreSQL of the distribution is installed')
  t.after(() => postgres.stop())
  const node = await startProcess(await temporaryFolder(), {
    DATABASE_URL: postgres.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_API_KEY: key,
    DEMO_DATA: 'false',
    RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'fatal',
  })
  return { postgres, node }
}

/** The status of `/readyz`, which must answer soon whatever the database does. */
const readiness = async (url: string) => (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(15_000) })).status

/** The node becomes ready, everything acknowledged is stored, and a stream gets new events. */
async function checkRecovery(t: TestContext, url: string, writers: ReturnType<typeof startWriters>) {
  await writers.more(100)
  const stream = await openStream(`${url}/api/v1/stream`, { authorization: `Bearer ${key}` })
  await until(async () => stream.events.some(({ data }) => data.type === 'contact.created'))
  stream.close()
  await writers.stop()
  await until(async () => (await readiness(url)) === 200)
  const stored = await storedNumbers(url, key)
  for (const number of writers.acknowledged) assert.ok(stored.has(number), `${number} was acknowledged and is gone`)
  t.diagnostic(`no write for ${writers.longestGap().toFixed(1)} s; answers ${JSON.stringify(writers.answers)}`)
}

test('while no packet reaches the database the node is alive but not ready, and it recovers by itself', async (t) => {
  const started = await startNode(t)
  if (!started) return
  const { postgres, node } = started
  const writers = startWriters(node.url, key)
  await writers.more(100)
  const { restore } = drop([postgres.port])
  await until(async () => (await readiness(node.url)) === 503)
  assert.equal((await fetch(`${node.url}/healthz`)).status, 200)
  restore()
  await checkRecovery(t, node.url, writers)
})

test('connections that are dead without a word are replaced', async (t) => {
  const started = await startNode(t)
  if (!started) return
  const { postgres, node } = started
  const writers = startWriters(node.url, key)
  await writers.more(100)
  const owner = await connectOwner({ connection: { connectionString: postgres.url } })
  const { rows } = await owner.query(
    `select client_port from pg_stat_activity where client_port > 0 and pid <> pg_backend_pid()`,
  )
  drop(rows.map(({ client_port }) => client_port))
  await checkRecovery(t, node.url, writers)
})
