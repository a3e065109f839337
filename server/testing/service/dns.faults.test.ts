import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bodyFrom } from '../call-service.ts'
import { dnsServer } from '../dns-server.ts'
import { startInstalledPostgres } from '../installed-postgres.ts'
import { startLoad } from '../load.ts'
import { startProcess, temporaryFolder, until } from '../process.ts'
import { startTestSimulator } from '../simulator.ts'
import { receiver } from '../webhook-receivers.ts'

/**
 * The DNS server never answers for some names, as when a customer's name server is gone. The service has a mount
 * namespace of its own, with this server in its /etc/resolv.conf.
 */

const key = `svc_sk_test_${'d'.repeat(40)}`
const recipients = 1_000
const nameserver = '127.53.53.53'

test('names without an answer delay neither those of other webhooks nor that of the database', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('needs root, for a mount namespace and port 53')
  const dns = await dnsServer({ address: nameserver, port: 53 })
  dns.hosts.set('database.example.com', '127.0.0.1').set('hooks.example.com', '127.0.0.1')
  const folder = await temporaryFolder()
  const [resolvers, hosts] = [join(folder, 'resolv.conf'), join(folder, 'hosts')]
  writeFileSync(resolvers, `nameserver ${nameserver}\n`)
  writeFileSync(hosts, '127.0.0.1 localhost listed.example.com\n')
  const postgres = await startInstalledPostgres({ max_connections: '200' })
  if (!postgres) return t.skip('no PostgreSQL of the distribution is installed')
  t.after(() => postgres.stop())
  const simulator = await startTestSimulator()
  const mounts = `mount --bind ${resolvers} /etc/resolv.conf && mount --bind ${hosts} /etc/hosts && exec "$0" "$@"`
  const { url } = await startProcess(
    folder,
    {
      DATABASE_URL: postgres.url.replace('127.0.0.1', 'database.example.com'),
      SECRET_KEY: randomBytes(32).toString('base64'),
      SIMULATOR_URL: simulator.url,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      BOOTSTRAP_API_KEY: key,
      DEMO_DATA: 'false',
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'fatal',
    },
    { under: ['unshare', '--mount', 'sh', '-c', mounts] },
  )
  const call = bodyFrom(url, key)
  const [byDns, byFile] = [await receiver(), await receiver()]
  const at = ({ url }: { url: string }, name: string) => url.replace('127.0.0.1', name)
  for (let n = 0; n < 20; n++)
    await call('POST', 'webhooks', { url: `http://host${n}.customer.silent/`, events: ['contact.created'] })
  for (const each of [at(byDns, 'hooks.example.com'), at(byFile, 'listed.example.com')])
    await call('POST', 'webhooks', { url: each, events: ['contact.created'] })

  const load = await startLoad({ url, key, databaseUrl: postgres.url, simulator }, recipients)
  // All connections are replaced: each looks up the database's name again.
  await postgres.restart('fast')
  await load.writers.more(100)
  const seen = await load.finish()
  t.diagnostic(seen.summary)
  assert.deepEqual([seen.lost, seen.repeated], [0, 0])
  const written = load.writers.acknowledged.size
  for (const { received } of [byDns, byFile])
    await until(async () => new Set(received.map(({ id }) => id)).size >= written)
  // Slower by far than a lookup that succeeds, and far quicker than one that waits for the lookups before it.
  assert.ok(load.writers.longestGap() < 10, `no write for ${load.writers.longestGap()} s`)
})
