import { Resolver } from 'node:dns/promises'
import type { Domain } from './schema.ts'

/** Asks these DNS servers, or the system's if there are none. */
export function createDnsResolver(servers: string[]): Resolver {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return resolver
}

/** Whether the TXT record that proves the domain is there. A DNS server that does not answer counts as a missing record. */
export async function hasDnsRecord(
  resolver: Resolver,
  { record_name, record_value }: Pick<Domain, 'record_name' | 'record_value'>,
): Promise<boolean> {
  const records = await resolver.resolveTxt(record_name).catch(() => [])
  // A long record arrives in several pieces.
  return records.some((pieces) => pieces.join('') === record_value)
}
