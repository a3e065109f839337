import { isIPv4 } from 'node:net'

/** Whether a host, as in a URL or as an address to listen on, is this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
