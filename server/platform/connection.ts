import pg, { type ClientConfig } from 'pg'

/**
 * Session settings of every connection of the service. JIT compilation, on by default, takes tens of milliseconds for
 * any statement with a high estimated cost, even if it finds one row.
 */
export const serviceSettings = { jit: 'off' }

export const asOptions = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/**
 * A network that drops packets tells neither side. An idle connection is probed after 10 s and given up after ten
 * probes, a second apart.
 */
export const network = { connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/**
 * Used for each connection that the service opens. Later `options` override earlier ones, so ours override the
 * operator's.
 */
export const serviceConnection = <C extends ClientConfig>(connection: C, more = ''): C => ({
  ...network,
  ...connection,
  options: [connection.options, asOptions(serviceSettings), more].filter(Boolean).join(' '),
})

/**
 * A session of its own, not yet connected. If it breaks between two statements, the next statement fails: without a
 * listener the error would end the process.
 */
export function serviceClient(connection: ClientConfig, name: string, options = ''): pg.Client {
  const client = new pg.Client({ ...serviceConnection(connection, options), application_name: name })
  client.on('error', () => {})
  return client
}

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

/** The same user and password at the address of a pooler. */
export function atPooler(connection: ClientConfig, pooler: string): ClientConfig {
  const { user = '', password } = new pg.Client(connection)
  const url = new URL(pooler)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password ?? '')
  return { connectionString: url.href }
}
