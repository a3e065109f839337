import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

/**
 * Addresses that lead back to this machine, its network or nowhere in particular. An address that wraps an IPv4 one
 * (mapped, translated, tunnelled) is refused whatever it wraps.
 */
const forbiddenRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

export class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} is an address of this machine or its network, which may not be called`)
  }
}

/** Keeps requests to addresses that customers type away from the inside of the network. */
export interface AddressGuard {
  /** Whether the URL names a forbidden address outright, in whatever notation. Names are only resolved when connecting. */
  isForbiddenAddress(url: string | URL): boolean
  /** Throws for a literal address; for a name, `lookup` decides. */
  checkHost(hostname: string): void
  /** Answers only addresses that may be connected to: what it answers is what the socket then connects to. */
  lookup: LookupFunction
}

export interface AddressGuardOptions {
  /** Hosts, addresses and ranges that may be called nevertheless. */
  allow?: string[]
  /** Resolves names as the machine does, unless a test wants a name server of its own. */
  lookup?: typeof systemLookup
}

type Resolved = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void

export function createAddressGuard({ allow = [], lookup = systemLookup }: AddressGuardOptions = {}): AddressGuard {
  const forbidden = contains(forbiddenRanges)
  const allowed = contains(allow)
  const allowedHosts = new Set(allow.filter((entry) => !rangeOf(entry)).map(plainHost))

  const isForbidden = (address: string) => forbidden(address) && !allowed(address)
  const isForbiddenHost = (hostname: string) => {
    const host = plainHost(hostname)
    if (allowedHosts.has(host)) return false
    if (isIP(host)) return isForbidden(host)
    // These two mean loopback by convention, whatever a name server says.
    return (host === 'localhost' || host.endsWith('.localhost')) && isForbidden('127.0.0.1')
  }

  /**
   * Requests for one name at once ask for it once: a machine resolves only a few names at a time, and one whose name server
   * is silent must not take all of these places with its many connections.
   */
  const asking = new Map<string, Resolved[]>()
  function resolve(hostname: string, options: LookupOptions, resolved: Resolved): void {
    const question = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`
    const waiting = asking.get(question)
    if (waiting) return void waiting.push(resolved)
    const all = [resolved]
    asking.set(question, all)
    lookup(hostname, { ...options, all: true }, (error, found) => {
      asking.delete(question)
      for (const each of all) each(error, found)
    })
  }

  return {
    // Parsing turns 2130706433, 0x7f.1 and the like into the address that they mean.
    isForbiddenAddress: (url) => isForbiddenHost(new URL(url).hostname),
    checkHost(hostname) {
      if (isForbiddenHost(hostname)) throw new ForbiddenAddress(hostname)
    },
    lookup(hostname, options, callback) {
      resolve(hostname, options, (error, found) => {
        if (error) return callback(error, [])
        const usable = allowedHosts.has(plainHost(hostname))
          ? found
          : found.filter(({ address }) => !isForbidden(address))
        const [first] = usable
        if (!first) return callback(new ForbiddenAddress(hostname), [])
        if (options.all) callback(null, usable)
        else callback(null, first.address, first.family)
      })
    },
  }
}

/** The entries that are neither a host name nor an address nor a range. */
export const malformedAllowEntries = (entries: string[]): string[] =>
  entries.filter((entry) => !rangeOf(entry) && !/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?$/i.test(entry))

/** A list for each family: one list for both would find every IPv4 address in the range of the mapped ones. */
function contains(entries: string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const entry of entries) {
    const range = rangeOf(entry)
    if (range) lists[range.family].addSubnet(range.address, range.prefix, range.family)
  }
  return (address) => {
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    return lists[family].check(address, family)
  }
}

function rangeOf(text: string) {
  const [address = '', prefix, ...more] = text.split('/')
  const version = isIP(plainHost(address))
  if (version === 0 || more.length > 0) return undefined
  const longest = version === 6 ? 128 : 32
  if (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest)) return undefined
  return {
    address: plainHost(address),
    prefix: prefix === undefined ? longest : Number(prefix),
    family: version === 6 ? ('ipv6' as const) : ('ipv4' as const),
  }
}

/** As it is compared: lower case, without the brackets of IPv6 or the dot that ends a full name. */
const plainHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
