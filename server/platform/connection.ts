import type { ClientConfig } from 'pg'

/**
 * What every connection of the service asks of PostgreSQL. JIT compilation takes tens of milliseconds for statements that
 * find one row, wherever their estimated cost is high; a server's own default is on.
 */
const settings = '-c jit=off'

/** For each connection that the service opens; what comes later in `options` wins over what the operator gave. */
export const serviceConnection = <C extends ClientConfig>(connection: C, more = ''): C => ({
  ...connection,
  options: [connection.options, settings, more].filter(Boolean).join(' '),
})

/**
 * `pg` lets the members of an address win over those beside it: `options` in a DATABASE_URL would silently replace the role,
 * the time limits and all else that the service asks for. They are moved out of the address, in front of ours.
 */
export function connectionTo(address: string): ClientConfig {
  const url = URL.parse(address)
  const options = url?.searchParams.get('options')
  if (!url || !options) return { connectionString: address }
  url.searchParams.delete('options')
  return { connectionString: url.href, options }
}
