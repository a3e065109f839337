import type { TenantTx } from '../../../platform/database.ts'
import { emit } from '../../../platform/events.ts'
import { type Crawl, type Crawling, type CrawlRun, WebsiteGone } from './crawl.ts'
import { websiteCrawled } from './events.ts'
import { fetchRobots, RobotsUnknown } from './fetch-robots.ts'
import { HostBusy } from './host-lease.ts'
import {
  continueCrawl,
  endCrawl,
  findNextPage,
  holdWebsite,
  keepRobots,
  readOutcome,
  secondsToNextPage,
} from './queries.ts'
import { queueFound } from './queue-found.ts'
import { readPage } from './read-page.ts'
import { parseRobots } from './robots.ts'
import { enqueueCrawl } from './start-crawl.ts'

/** Short enough that other organizations' crawls get their turn, long enough that jobs cost little. */
const pagesPerJob = 25
/** A robots.txt that asks for more would make a crawl take days. */
const longestDelayMs = 10_000

/** Reads the next pages of a crawl, and enqueues the rest of it. */
export async function crawlWebsite(deps: Crawling, run: CrawlRun): Promise<void> {
  const { scope, websiteId, crawlId } = run
  const inTenant: Crawl['inTenant'] = (work) => deps.database.inTenant(scope, work)
  const whileThere: Crawl['inTenant'] = (work) =>
    inTenant(async (tx) => {
      if (!(await holdWebsite(tx, websiteId))) throw new WebsiteGone('the website was deleted')
      return work(tx)
    })
  const enqueueRest = (afterSeconds = 0) =>
    inTenant((tx) => enqueueCrawl(tx, scope, { id: websiteId, crawlId, afterSeconds }))
  try {
    for (let pages = 0; pages < pagesPerJob; pages++) {
      const website = await inTenant((tx) => continueCrawl(tx, websiteId, crawlId))
      if (!website) return
      const crawl = await openCrawl({ ...deps, ...run, inTenant: whileThere, website })
      const page = await findNextPage(deps.database.forTenant(scope), websiteId, crawlId)
      if (page) {
        await readPage(crawl, page)
        continue
      }
      const seconds = await secondsToNextPage(deps.database.forTenant(scope), websiteId, crawlId)
      if (seconds === undefined) return await finish(crawl)
      return await enqueueRest(seconds)
    }
    await enqueueRest()
  } catch (error) {
    if (error instanceof WebsiteGone) return
    if (error instanceof HostBusy) return await enqueueRest(5)
    if (!(error instanceof RobotsUnknown)) throw error
    await inTenant((tx) => end(tx, websiteId, { crawlId, status: 'failed', error: error.message }))
  }
}

async function openCrawl(crawl: Omit<Crawl, 'robots' | 'delayMs'>): Promise<Crawl> {
  const { website, inTenant } = crawl
  const agent = crawl.crawl.userAgent.split('/')[0] as string
  const isNew = website.robots === null
  const text = website.robots ?? (await fetchRobots(crawl, website.origin))
  const robots = parseRobots(text, agent)
  const delayMs = Math.min(Math.max(crawl.crawl.delayMs, (robots.crawlDelay ?? 0) * 1000), longestDelayMs)
  const opened = { ...crawl, robots, delayMs }
  if (isNew)
    await inTenant(async (tx) => {
      await keepRobots(tx, website.id, { origin: website.origin, robots: text })
      if (website.kind === 'site') await queueFound(tx, opened, robots.sitemaps, { depth: 0, hops: 0 })
    })
  return opened
}

const finish = ({ inTenant, website, crawlId }: Crawl) =>
  inTenant(async (tx) => {
    const { documents, reason } = await readOutcome(tx, website.id)
    const failed = documents === 0
    await end(tx, website.id, {
      crawlId,
      status: failed ? 'failed' : 'idle',
      error: failed ? `No page could be read: ${reason ?? 'the website has none'}` : null,
    })
  })

async function end(tx: TenantTx, id: string, outcome: Parameters<typeof endCrawl>[2]): Promise<void> {
  const website = await endCrawl(tx, id, outcome)
  if (website) await emit(tx, websiteCrawled, website)
}
