import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'

type Resolved = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void
/** Finds all addresses of a name. */
export type HostLookup = (hostname: string, options: LookupOptions, resolved: Resolved) => void

/** By the system: hosts file, DNS with search domains, and whatever else it is configured for. */
export const lookUpBySystem: HostLookup = (hostname, options, resolved) =>
  systemLookup(hostname, { ...options, all: true }, (error, found) => resolved(error, error ? [] : found))

/** As sockets call it: they may ask for one address only. */
export const forSockets =
  (lookup: HostLookup): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, options, (error, found) => {
      const [first] = found
      if (error || !first || options.all) callback(error, found)
      else callback(null, first.address, first.family)
    })

/** Concurrent lookups of one name share one request; the result is not cached. */
export function shareLookups(lookup: HostLookup): HostLookup {
  const asking = new Map<string, Resolved[]>()
  return (hostname, options, resolved) => {
    const question = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`
    const waiting = asking.get(question)
    if (waiting) return void waiting.push(resolved)
    const all = [resolved]
    asking.set(question, all)
    lookup(hostname, options, (error, found) => {
      asking.delete(question)
      for (const each of all) each(error, found)
    })
  }
}

/** Per try; a lost packet is repeated. */
const queryTimeoutMs = 1_000
/** Shorter than the time to connect, so that the failure is known as one of the lookup. */
const lookupTimeoutMs = 4_000

/**
 * For names that customers choose: by DNS alone. A lookup by the system occupies one of Node.js's two threads for
 * lookups until the name server answers, so two names without an answer would delay all others, that of the database
 * included. Only names that no customer can make hang go to the system: those of the hosts file and those without a
 * dot.
 */
export const createDnsLookup =
  (servers: string[]): HostLookup =>
  (hostname, options, resolved) => {
    resolveHost(servers, hostname, options).then(
      (found) => (found ? resolved(null, found) : lookUpBySystem(hostname, options, resolved)),
      (error) => resolved(error, []),
    )
  }

async function resolveHost(servers: string[], hostname: string, { family }: LookupOptions) {
  if (!hostname.replace(/\.$/, '').includes('.') || (await isInHostsFile(hostname))) return undefined
  // A new one each time, because it reads the system's DNS servers only when it is created.
  const resolver = new Resolver({ timeout: queryTimeoutMs })
  if (servers.length > 0) resolver.setServers(servers)
  const deadline = setTimeout(() => resolver.cancel(), lookupTimeoutMs)
  const [v4, v6] = await Promise.allSettled([
    family === 6 || family === 'IPv6' ? [] : resolver.resolve4(hostname),
    family === 4 || family === 'IPv4' ? [] : resolver.resolve6(hostname),
  ])
  clearTimeout(deadline)
  const found = [
    ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
    ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
  ]
  if (found.length > 0) return found
  throw v4.status === 'rejected' ? v4.reason : (v6 as PromiseRejectedResult).reason
}

/** Read each time, as the system does: operators change it while the service runs. */
async function isInHostsFile(hostname: string): Promise<boolean> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '')
  return text
    .toLowerCase()
    .split('\n')
    .some((line) => line.replace(/#.*/, '').trim().split(/\s+/).indexOf(hostname.toLowerCase()) > 0)
}
