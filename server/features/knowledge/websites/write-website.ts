import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found, invalid, violates } from '../../../platform/errors.ts'
import { emit, emitMany } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { documentDeleted } from '../events.ts'
import { websiteCrawled, websiteCreated, websiteDeleted, websiteUpdated } from './events.ts'
import { pageAddress } from './page-address.ts'
import {
  countWebsites,
  deletePageDocuments,
  deleteWebsiteRow,
  endCrawl,
  findSameWebsite,
  findWebsite,
  insertWebsite,
  lockWebsite,
  planNextCrawl,
  readCrawlId,
  updateWebsiteRow,
} from './queries.ts'
import type { NewWebsite, Website, WebsiteChanges } from './schema.ts'
import { startCrawl } from './start-crawl.ts'

export interface WebsiteLimits {
  /** Pages of one website. */
  maxPages: number
  isForbiddenAddress(url: string): boolean
  /** Hosts that may have a name without a dot, such as a wiki in the operator's network. */
  allowedHosts: string[]
}

/** Single pages count too. */
const maxWebsites = 500

/** Adds a website and starts its first crawl. */
export async function createWebsite(tx: TenantTx, limits: WebsiteLimits, given: NewWebsite): Promise<Website> {
  const url = addressOf(given.url, limits)
  const { kind } = given
  const same = await findSameWebsite(tx, { kind, url })
  if (same) throw conflict(`${url} was added before: crawl it again instead`, same.id)
  if ((await countWebsites(tx)) >= maxWebsites)
    throw conflict(`There are ${maxWebsites} websites already: delete one first`)
  const id = newId()
  const values = {
    include: given.include ?? [],
    exclude: given.exclude ?? [],
    max_pages: kind === 'page' ? 1 : pagesWithin(limits, given.max_pages ?? Math.min(500, limits.maxPages)),
    max_depth: kind === 'page' ? 0 : (given.max_depth ?? 5),
    schedule: given.schedule ?? 'weekly',
  }
  try {
    await insertWebsite(tx, { id, url, kind, origin: new URL(url).origin, crawlId: newId(), ...values })
  } catch (error) {
    if (violates(error, 'websites_url_is_unique')) throw conflict(`${url} was added before: crawl it again instead`)
    throw error
  }
  await startCrawl(tx, { id, url })
  const website = (await findWebsite(tx, id)) as Website
  await emit(tx, websiteCreated, website)
  return website
}

function addressOf(given: string, { isForbiddenAddress, allowedHosts }: WebsiteLimits): string {
  const text = given.trim()
  const url = pageAddress(
    /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d+(?:\/|$)/.test(text) ? text : `https://${text}`,
  )
  if (!url) throw invalid(['body', 'url'], 'Enter an http or https address without a user name', 'url')
  if (isForbiddenAddress(url)) throw invalid(['body', 'url'], 'The address belongs to a private network', 'url')
  const { hostname } = new URL(url)
  if (!/[.:]/.test(hostname) && !allowedHosts.some((host) => host.toLowerCase() === hostname))
    throw invalid(['body', 'url'], `${text} names no website: enter an address such as https://example.com`, 'url')
  return url
}

function pagesWithin({ maxPages }: WebsiteLimits, wanted: number): number {
  if (wanted <= maxPages) return wanted
  throw invalid(['body', 'max_pages'], `At most ${maxPages} pages of a website are read`, 'less_than_equal')
}

/** Changes what the next crawl reads and when it starts. */
export async function updateWebsite(
  tx: TenantTx,
  limits: WebsiteLimits,
  id: string,
  changes: WebsiteChanges,
): Promise<Website> {
  const previous = found(await lockWebsite(tx, id), 'Website')
  const { include, exclude, max_pages, max_depth, schedule } = { ...previous, ...changes }
  if (changes.max_pages !== undefined) pagesWithin(limits, max_pages)
  await updateWebsiteRow(tx, id, { include, exclude, max_pages, max_depth, schedule })
  if (schedule !== previous.schedule) await planNextCrawl(tx, id)
  const website = (await findWebsite(tx, id)) as Website
  await emit(tx, websiteUpdated, website)
  return website
}

export async function crawlNow(tx: TenantTx, id: string): Promise<Website> {
  const website = found(await lockWebsite(tx, id), 'Website')
  if (isRunning(website)) throw conflict('A crawl of this website is running: stop it first, or wait for its end')
  await startCrawl(tx, website)
  return (await findWebsite(tx, id)) as Website
}

/** Pages that were read stay. The worker notices before its next page. */
export async function stopCrawl(tx: TenantTx, id: string): Promise<Website> {
  const website = found(await lockWebsite(tx, id), 'Website')
  if (!isRunning(website)) throw conflict('No crawl of this website is running')
  const stopped = (await endCrawl(tx, id, {
    crawlId: await readCrawlId(tx, id),
    status: 'stopped',
    error: null,
  })) as Website
  await emit(tx, websiteCrawled, stopped)
  return stopped
}

const isRunning = ({ status }: Website) => status === 'waiting' || status === 'crawling'

/** Deletes the documents of its pages too. */
export async function deleteWebsite(tx: TenantTx, id: string): Promise<void> {
  const website = found(await lockWebsite(tx, id), 'Website')
  await emitMany(tx, documentDeleted, await deletePageDocuments(tx, id))
  await deleteWebsiteRow(tx, id)
  await emit(tx, websiteDeleted, website)
}
