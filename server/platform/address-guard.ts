import { isIP, type LookupFunction } from 'node:net'
import { contains, rangeOf } from './address-ranges.ts'
import { createDnsLookup, forSockets, type HostLookup, lookUpBySystem, shareLookups } from './host-lookup.ts'

/**
 * Loopback, private, link-local and reserved ranges. An IPv6 address that embeds an IPv4 one (mapped, translated,
 * tunnelled) is refused whatever it embeds.
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

/** Blocks requests to URLs supplied by customers from reaching the internal network (SSRF). */
interface AddressGuard {
  /**
   * Whether the URL contains a forbidden literal address, in any notation. Host names are resolved only when
   * connecting.
   */
  isForbiddenAddress(url: string | URL): boolean
  /** Throws for a forbidden literal address; host names are checked by `lookup`. */
  checkHost(hostname: string): void
  /**
   * Returns only allowed addresses. The socket connects to exactly the address returned here, so DNS rebinding gains
   * nothing.
   */
  lookup: LookupFunction
}

interface AddressGuardOptions {
  /** Hosts, addresses and ranges that the operator allows despite the block list. */
  allow?: string[]
  /** DNS servers in place of the system's. */
  dnsServers?: string[]
  /** For tests: resolves all names. */
  lookup?: HostLookup
}

export function createAddressGuard({ allow = [], dnsServers = [], lookup }: AddressGuardOptions = {}): AddressGuard {
  const forbidden = contains(forbiddenRanges)
  const allowed = contains(allow.map(plainHost))
  const allowedHosts = new Set(allow.map(plainHost).filter((entry) => !rangeOf(entry)))

  const isForbidden = (address: string) => forbidden(address) && !allowed(address)
  const isForbiddenHost = (hostname: string) => {
    const host = plainHost(hostname)
    if (allowedHosts.has(host)) return false
    if (isIP(host)) return isForbidden(host)
    // These two names mean loopback by convention, whatever DNS answers.
    return (host === 'localhost' || host.endsWith('.localhost')) && isForbidden('127.0.0.1')
  }

  const ofOperator = lookup ?? lookUpBySystem
  const ofCustomer = lookup ?? createDnsLookup(dnsServers)
  const resolve = shareLookups((hostname, ...rest) =>
    (allowedHosts.has(plainHost(hostname)) ? ofOperator : ofCustomer)(hostname, ...rest),
  )

  return {
    // URL parsing normalizes 2130706433, 0x7f.1 and similar notations to the address they mean.
    isForbiddenAddress: (url) => isForbiddenHost(new URL(url).hostname),
    checkHost(hostname) {
      if (isForbiddenHost(hostname)) throw new ForbiddenAddress(hostname)
    },
    lookup: forSockets((hostname, options, resolved) =>
      resolve(hostname, options, (error, found) => {
        const usable = allowedHosts.has(plainHost(hostname))
          ? found
          : found.filter(({ address }) => !isForbidden(address))
        resolved(error ?? (usable.length > 0 ? null : new ForbiddenAddress(hostname)), usable)
      }),
    ),
  }
}

/** Returns the entries that are neither a host name nor an address nor a range. */
export const malformedAllowEntries = (entries: string[]): string[] =>
  entries.filter((entry) => !rangeOf(plainHost(entry)) && !/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?$/i.test(entry))

/**
 * Normalized for comparison: lower case, without IPv6 brackets and without the trailing dot of a fully qualified name.
 */
const plainHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\](?=\/|$)/, '$1')
    .replace(/\.$/, '')
