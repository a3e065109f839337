import { invalid } from '../../platform/errors.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'

/**
 * Returns the address as it will be called. Host names are resolved only when connecting, where the address guard
 * checks again.
 */
export function checkUrl(text: string, http: Pick<OutboundHttp, 'isForbiddenAddress'>): string {
  const refuse = (why: string) => invalid(['body', 'url'], why, 'url_parsing')
  if (!URL.canParse(text)) throw refuse('Not an address: give one such as https://example.com/hooks')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('Only https and http addresses can be called')
  if (url.username || url.password) throw refuse('An address with a user name or password in it is not called')
  if (url.port === '0') throw refuse('Nothing can be called at port 0')
  if (http.isForbiddenAddress(url)) throw refuse('An address of this machine or its network, which may not be called')
  url.hash = ''
  return url.href
}
