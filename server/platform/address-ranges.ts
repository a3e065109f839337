import { BlockList, isIP, isIPv6 } from 'node:net'

/** One list per address family: in a shared list every IPv4 address would match the IPv4-mapped IPv6 range. */
export function contains(entries: readonly string[]): (address: string) => boolean {
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

/** An address or a range in CIDR notation, or undefined. */
export function rangeOf(text: string) {
  const [address = '', prefix, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || more.length > 0) return undefined
  const longest = version === 6 ? 128 : 32
  if (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest)) return undefined
  return {
    address,
    prefix: prefix === undefined ? longest : Number(prefix),
    family: version === 6 ? ('ipv6' as const) : ('ipv4' as const),
  }
}
