import { invalid } from '../../platform/errors.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'

/** Returns the URL as it will be called. The address guard checks again when it has resolved the host name. */
export function checkUrl(text: string, http: Pick<OutboundHttp, 'isForbiddenAddress'>): string {
  const refuse = (why: string) => invalid(['body', 'url'], why, 'url_parsing')
  if (!URL.canParse(text)) throw refuse('Not a URL: use one such as https://example.com/hooks')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('The URL must begin with https:// or http://')
  if (url.username || url.password) throw refuse('The URL must not contain a user name or password')
  if (url.port === '0') throw refuse('Port 0 cannot be used')
  if (http.isForbiddenAddress(url)) throw refuse('The URL must not be in this service’s own network')
  url.hash = ''
  return url.href
}
