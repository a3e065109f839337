import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/**
 * Where a request comes from, by the rule of the HTTP server: behind one trusted proxy it is what that proxy appended to
 * `X-Forwarded-For`. What stands before that was written by the client and counts for nothing.
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

/** What one client can have many addresses of: an IPv6 network of 64 bits counts as one, and IPv4 in IPv6 as IPv4. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array(8 - groups.length - rest.length).fill('0')
  return [...groups, ...zeros, ...rest]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
