import type { Crawl } from './crawl.ts'
import { fetchPage, PageFault } from './fetch-page.ts'
import { withHost } from './host-lease.ts'
import { maxRobotsBytes } from './robots.ts'

/** Whether we may crawl is not known, so we do not. */
export class RobotsUnknown extends Error {}

const maxRedirects = 5

/** The text of robots.txt; empty where there is none (4xx), which allows everything (RFC 9309). */
export async function fetchRobots(
  { database, http, crawl: { userAgent, delayMs }, signal }: Pick<Crawl, 'database' | 'http' | 'crawl' | 'signal'>,
  origin: string,
): Promise<string> {
  let url = `${origin}/robots.txt`
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const request = { url, userAgent, maxBytes: maxRobotsBytes, signal }
    const answer = await withHost(database, { url, delayMs, signal }, () =>
      fetchPage(http, request).catch((error) => {
        if (error instanceof PageFault) throw new RobotsUnknown(`${url} could not be read: ${error.message}`)
        throw error
      }),
    )
    const { status, headers, body } = answer
    if (status >= 200 && status < 300) return body.toString('utf8').toWellFormed().replaceAll('\0', '')
    if (status >= 400 && status < 500 && status !== 429) return ''
    const target = headers.location
    if (status < 300 || status >= 400 || !target || !URL.canParse(target, url))
      throw new RobotsUnknown(`${url} could not be read: the server answered ${status}. Nothing was crawled`)
    url = new URL(target, url).href
  }
  // As unreachable by RFC 9309, which then allows everything.
  return ''
}
