/** As the sitemap protocol allows. */
const maxAddresses = 50_000

export const isSitemap = (text: string): boolean =>
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(text)

/** The addresses of a sitemap, or of the sitemaps that an index lists. */
export function readSitemap(text: string): string[] {
  const found: string[] = []
  for (const [, address = ''] of text.matchAll(
    /<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]+?)\s*(?:\]\]>)?\s*<\/(?:\w+:)?loc>/g,
  )) {
    if (found.length === maxAddresses) break
    found.push(address.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof entities) => entities[name]))
  }
  return found
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
