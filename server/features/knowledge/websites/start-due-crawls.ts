import type { Database } from '../../../platform/database.ts'
import { forgetHosts } from './host-lease.ts'
import { findDueWebsites, findLostCrawls, findWebsite } from './queries.ts'
import { enqueueCrawl, startCrawl } from './start-crawl.ts'

const atOnce = 200

/** Starts the crawls that are due, and continues those whose job was lost. */
export async function startDueCrawls(database: Database): Promise<void> {
  const due = await findDueWebsites(database.forSystem(), atOnce)
  for (const { organization_id: organizationId, livemode, id } of due)
    await database.inTenant({ organizationId, livemode }, async (tx) => {
      const website = await findWebsite(tx, id)
      // Another node, or a member, was faster.
      if (!website?.next_crawl_at || Date.parse(website.next_crawl_at) > Date.now()) return
      await startCrawl(tx, website)
    })
  await database.inSystem(async (tx) => {
    for (const { organization_id: organizationId, livemode, id, crawl_id: crawlId } of await findLostCrawls(tx, atOnce))
      await enqueueCrawl(tx, { organizationId, livemode }, { id, crawlId })
    await forgetHosts(tx)
  })
}
