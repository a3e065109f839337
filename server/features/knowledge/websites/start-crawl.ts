import type { SystemTx, TenantScope, TenantTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import { crawlJob } from '../job-kinds.ts'
import { maxOfShape, shapeOf } from './page-address.ts'
import { beginCrawl, queuePages } from './queries.ts'

/** Queues the start page and every page that is known, and enqueues the crawl. */
export async function startCrawl(tx: TenantTx, { id, url }: { id: string; url: string }): Promise<void> {
  const crawlId = newId()
  await beginCrawl(tx, id, crawlId)
  const shape = shapeOf(url)
  await queuePages(tx, { websiteId: id, crawlId, maxPages: Number.MAX_SAFE_INTEGER }, [
    { url, shape, depth: 0, hops: 0, maxOfShape: maxOfShape(shape) },
  ])
  await enqueueCrawl(tx, tx.scope, { id, crawlId })
}

export const enqueueCrawl = (
  tx: TenantTx | SystemTx,
  { organizationId, livemode }: TenantScope,
  { id, crawlId, afterSeconds = 0 }: { id: string; crawlId: string; afterSeconds?: number },
) =>
  tx.enqueue(
    crawlJob,
    { organization_id: organizationId, livemode, website_id: id, crawl_id: crawlId },
    { group: { id: organizationId }, ...(afterSeconds > 0 && { startAfter: Math.ceil(afterSeconds) }) },
  )
