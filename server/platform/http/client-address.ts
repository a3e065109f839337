import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/**
 * The client's address, by the HTTP server's rule: behind one trusted proxy it is the entry that the proxy appended to
 * `X-Forwarded-For`. Earlier entries were written by the client and are ignored.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? headers['x-forwarded-for'] : undefined
  const [appended = ''] = String(forwarded ?? '')
    .split(',')
    .slice(-1)
  return appended.trim() || (socket.remoteAddress ?? '')
}

/** IPv4 in IPv6, as a socket that listens on both reports it, as IPv4. */
export const unmapped = (address: string): string => address.replace(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i, '$1')

/** Groups the addresses that one client can hold: an IPv6 /64 network counts as one, and IPv4 in IPv6 as IPv4. */
export function networkOf(address: string): string {
  if (!isIPv6(unmapped(address))) return unmapped(address)
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array(8 - groups.length - rest.length).fill('0')
  return [...groups, ...zeros, ...rest]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
