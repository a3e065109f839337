import type { TenantTx } from '../../../platform/database.ts'
import type { Crawl } from './crawl.ts'
import { maxOfShape, pageAddress, shapeOf } from './page-address.ts'
import { queuePages } from './queries.ts'

/** Queues the addresses that are new and on the same origin, as far as the website has room for pages. */
export async function queueFound(
  tx: TenantTx,
  { website, crawlId }: Pick<Crawl, 'website' | 'crawlId'>,
  addresses: string[],
  at: { depth: number; hops: number },
): Promise<void> {
  const { id: websiteId, origin, max_pages: maxPages } = website
  const own = addresses.flatMap((address) => pageAddress(address, origin) ?? [])
  const urls = [...new Set(own)].filter((url) => new URL(url).origin === origin)
  if (urls.length === 0) return
  const pages = urls.map((url) => {
    const shape = shapeOf(url)
    return { url, shape, ...at, maxOfShape: maxOfShape(shape) }
  })
  await queuePages(tx, { websiteId, crawlId, maxPages }, pages)
}
