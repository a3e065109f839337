import type { Database, TenantScope, TenantTx } from '../../../platform/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { OutboundHttp } from '../../../platform/outbound-fetch.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import type { CrawledWebsite } from './queries.ts'
import type { Robots } from './robots.ts'

export interface Crawling {
  database: Database
  files: FileStore
  http: OutboundHttp
  log: Log
  crawl: CrawlSettings
}

interface CrawlSettings {
  /** Least time between two requests to a host. */
  delayMs: number
  /** `name/version`; robots.txt knows us by the name. */
  userAgent: string
  /** Of a file that a page links to. */
  maxFileBytes: number
}

export interface CrawlRun {
  scope: TenantScope
  websiteId: string
  crawlId: string
  signal: AbortSignal
}

/** A crawl and everything that reading a page needs. */
export interface Crawl extends Crawling, CrawlRun {
  website: CrawledWebsite
  robots: Robots
  delayMs: number
  /** Holds the website's row until it commits. Throws `WebsiteGone` after the website was deleted. */
  inTenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
}

/** The website was deleted while its crawl was running: there is nothing left to record. */
export class WebsiteGone extends Error {}
