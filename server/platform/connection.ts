import type { ClientConfig } from 'pg'

/**
 * Session settings of every connection of the service. JIT compilation, on by default, takes tens of milliseconds for
 * any statement with a high estimated cost, even if it finds one row.
 */
const settings = '-c jit=off'

/**
 * Used for each connection that the service opens. Later `options` override earlier ones, so ours override the
 * operator's.
 */
export const serviceConnection = <C extends ClientConfig>(connection: C, more = ''): C => ({
  ...connection,
  options: [connection.options, settings, more].filter(Boolean).join(' '),
})

/**
 * `pg` lets parameters in the URL override those passed beside it: `options` in a DATABASE_URL would silently replace
 * the role, the timeouts and everything else the service sets. They are moved out of the URL and placed before ours.
 */
export function connectionTo(address: string): ClientConfig {
  const url = URL.parse(address)
  const options = url?.searchParams.get('options')
  if (!url || !options) return { connectionString: address }
  url.searchParams.delete('options')
  return { connectionString: url.href, options }
}
