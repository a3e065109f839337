import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { TenantTx } from '../../../platform/database.ts'
import { emit } from '../../../platform/events.ts'
import { documentDeleted } from '../events.ts'
import { detectKind } from '../parsing/detect-kind.ts'
import { UnreadableDocument } from '../parsing/document.ts'
import { type FileKind, factsOf, fileKinds } from '../parsing/file-kinds.ts'
import { readWebPage } from '../parsing/read-web-page.ts'
import { deleteDocumentRow } from '../queries.ts'
import { lockDocument } from '../replacements/queries.ts'
import type { Crawl } from './crawl.ts'
import { fetchPage, PageFault, type PageResponse, retryAfterSeconds } from './fetch-page.ts'
import { withHost } from './host-lease.ts'
import { decoded, isInScope, isSameSite, looksEndless, pageAddress } from './page-address.ts'
import {
  countPage,
  endPage,
  findPageState,
  findSameText,
  isSitemapReason,
  keepRobots,
  noteCrawled,
  type PageToRead,
  postponePage,
} from './queries.ts'
import { queueFound } from './queue-found.ts'
import { isSitemap, readSitemap } from './sitemap.ts'
import { storePage } from './store-page.ts'

const maxHtmlBytes = 5 << 20
const maxAttempts = 3
const maxHops = 5
/** Times the least time between requests, times the attempts so far. */
const backoff = 20

/** Requests one page and records what became of it. */
export async function readPage(crawl: Crawl, page: PageToRead): Promise<void> {
  const refusal = refusalOf(crawl, page)
  if (refusal) return skip(crawl, page, refusal)
  let response: PageResponse
  try {
    response = await request(crawl, page)
  } catch (error) {
    if (!(error instanceof PageFault)) throw error
    return error.isFinal ? fail(crawl, page, error.message) : postpone(crawl, page, error.message)
  }
  const { status, headers } = response
  if (status === 304 && page.document_id) return keep(crawl, page, page)
  if (status >= 200 && status < 300) return readContent(crawl, page, response)
  if (status >= 300 && status < 400) return redirect(crawl, page, headers.location)
  const reason = `The server answered ${status}`
  if (status === 408 || status === 429 || status >= 500)
    return postpone(crawl, page, reason, retryAfterSeconds(headers))
  return fail(crawl, page, reason)
}

/** Why a page is not requested. */
function refusalOf({ website, robots }: Crawl, { url, depth }: PageToRead): string | undefined {
  const { pathname, search } = new URL(url)
  if (!robots.allows(pathname + search)) return 'robots.txt does not allow it'
  // The start page, what it redirects to and sitemaps are read whatever their path.
  if (depth === 0) return undefined
  if (depth > website.max_depth) return 'It is too many links away from the start page'
  if (!isInScope(website, url)) return 'It is excluded by the settings of the website'
  return looksEndless(url) ? 'Its address repeats itself' : undefined
}

function request(
  { database, http, crawl, delayMs, signal }: Crawl,
  { url, document_id, etag, last_modified }: PageToRead,
) {
  const maxBytes = Math.max(maxHtmlBytes, crawl.maxFileBytes)
  // Without a document there is nothing that a 304 could keep.
  const known = document_id ? { etag, lastModified: last_modified } : {}
  return withHost(database, { url, delayMs, signal }, () =>
    fetchPage(http, { url, userAgent: crawl.userAgent, maxBytes, signal, ...known }),
  )
}

/** The target becomes a page of its own: it is checked like any other, and a loop ends at the first page that is known. */
async function redirect(crawl: Crawl, page: PageToRead, location: string | undefined): Promise<void> {
  const { website, inTenant } = crawl
  const target = location === undefined ? undefined : pageAddress(location, page.url)
  if (!target) return skip(crawl, page, 'It redirects to no usable address')
  if (page.hops >= maxHops) return skip(crawl, page, 'It redirects too often')
  const { origin } = new URL(target)
  const moves = origin !== website.origin && page.depth === 0 && isSameSite(origin, website.origin)
  if (origin !== website.origin && !moves) return skip(crawl, page, `It redirects to another site: ${target}`)
  await inTenant(async (tx) => {
    // Another origin has a robots.txt of its own.
    if (moves) await keepRobots(tx, website.id, { origin, robots: null })
    await end(tx, crawl, page, { status: 'skipped', reason: `It redirects to ${target}` })
    await queueFound(tx, moves ? { ...crawl, website: { ...website, origin } } : crawl, [target], {
      depth: page.depth,
      hops: page.hops + 1,
    })
  })
}

async function readContent(crawl: Crawl, page: PageToRead, { headers, body }: PageResponse): Promise<void> {
  const { website, inTenant } = crawl
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const sitemap = website.kind === 'page' ? undefined : await sitemapOf(body)
  if (sitemap !== undefined) {
    const listed = readSitemap(sitemap)
    const sitemaps = listed.filter((url) => /\.xml(?:\.gz)?(?:$|\?)/i.test(url))
    return inTenant(async (tx) => {
      await end(tx, crawl, page, { status: 'skipped', reason: isSitemapReason })
      // A sitemap in a sitemap is read like the first one; a page is one link away.
      await queueFound(tx, crawl, sitemaps, { depth: 0, hops: 0 })
      await queueFound(tx, crawl, listed, { depth: 1, hops: 0 })
    })
  }
  const kind = detectKind(body.subarray(0, 64 << 10), nameFor(page.url, type))
  if (!kind) return skip(crawl, page, `It is not text or a document (${type || 'unknown type'})`)
  if (kind !== 'html') return keepFile(crawl, page, { body, headers, kind })
  if (body.length > maxHtmlBytes)
    return fail(crawl, page, `The page is larger than ${maxHtmlBytes.toLocaleString('en')} bytes`)
  return readHtml(crawl, page, { body, headers })
}

async function readHtml(
  crawl: Crawl,
  page: PageToRead,
  { body, headers }: Pick<PageResponse, 'body' | 'headers'>,
): Promise<void> {
  const { website, inTenant, signal } = crawl
  const charset = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1]
  try {
    const { title, text, links, canonical, noindex } = await readWebPage(body, { url: page.url, charset, signal })
    if (website.kind === 'site')
      await inTenant((tx) =>
        queueFound(
          tx,
          crawl,
          links.filter((url) => mayFollow(crawl, url)),
          { depth: page.depth + 1, hops: 0 },
        ),
      )
    if (noindex || /\bnoindex\b/i.test(headers['x-robots-tag'] ?? ''))
      return skip(crawl, page, 'The page asks not to be indexed')
    if (canonical && (await isCopyOf(crawl, page, canonical))) return
    await keepFile(crawl, page, { body: Buffer.from(text), headers, kind: 'md', title })
  } catch (error) {
    if (error instanceof UnreadableDocument) return fail(crawl, page, error.message)
    throw error
  }
}

/** Links that will never be read need no row. */
const mayFollow = ({ website }: Crawl, link: string): boolean => {
  const url = pageAddress(link)
  return url !== undefined && isInScope(website, url) && !looksEndless(url)
}

/** Whether the page names another page of the website as its original; that one is read instead. */
async function isCopyOf(crawl: Crawl, page: PageToRead, canonical: string): Promise<boolean> {
  const { website, inTenant } = crawl
  const original = pageAddress(canonical, page.url)
  if (!original || original === page.url || new URL(original).origin !== website.origin) return false
  return inTenant(async (tx) => {
    const known = await findPageState(tx, website.id, original)
    // It failed, or names this page in turn: one of the two has to be read.
    if (known && known.status !== 'read' && known.status !== 'queued') return false
    await end(tx, crawl, page, { status: 'skipped', reason: `It is a copy of ${original}` })
    await queueFound(tx, crawl, [original], { depth: page.depth, hops: page.hops + 1 })
    return true
  })
}

/** Stores what was read, unless it is what we have. */
async function keepFile(
  crawl: Crawl,
  page: PageToRead,
  { body, headers, kind, title }: { body: Buffer; headers: Record<string, string>; kind: FileKind; title?: string },
): Promise<void> {
  const { website, database, scope } = crawl
  const textHash = createHash('sha256').update(body).digest('hex')
  const facts = {
    etag: headers.etag?.slice(0, 500) ?? null,
    last_modified: headers['last-modified']?.slice(0, 100) ?? null,
    text_hash: textHash,
  }
  if (page.document_id && page.text_hash === textHash) return keep(crawl, page, facts)
  const same = await findSameText(database.forTenant(scope), website.id, { id: page.id, textHash })
  if (same) return skip(crawl, page, `It has the same text as ${same.url}`)
  if (factsOf(kind).isImage) return skip(crawl, page, 'It is a picture')
  await storePage(crawl, page, { body, kind, title, facts })
}

/** The content has not changed. */
const keep = (
  { website, inTenant }: Crawl,
  page: PageToRead,
  { etag, last_modified: lastModified, text_hash: textHash }: Pick<PageToRead, 'etag' | 'last_modified' | 'text_hash'>,
) =>
  inTenant(async (tx) => {
    const documentId = await documentOf(tx, page)
    await endPage(tx, website.id, page.id, { status: 'read', documentId, etag, lastModified, textHash })
    if (documentId) await noteCrawled(tx, documentId)
    await countPage(tx, website.id, {})
  })

/** The page's document, locked; null if it was deleted while the page was requested. */
const documentOf = async (tx: TenantTx, { document_id }: PageToRead): Promise<string | null> =>
  (document_id && (await lockDocument(tx, document_id))?.id) || null

/** We do not know whether the page still exists: its document stays. */
async function postpone(crawl: Crawl, page: PageToRead, reason: string, retryAfter?: number): Promise<void> {
  const { website, inTenant, delayMs } = crawl
  const attempts = page.attempts + 1
  const seconds = Math.max(retryAfter ?? 0, (delayMs * backoff * attempts) / 1000)
  await inTenant(async (tx) => {
    if (attempts < maxAttempts) await postponePage(tx, website.id, page.id, { seconds, reason })
    else {
      const { etag, last_modified: lastModified, text_hash: textHash } = page
      const documentId = await documentOf(tx, page)
      await endPage(tx, website.id, page.id, { status: 'failed', reason, documentId, etag, lastModified, textHash })
    }
    await countPage(tx, website.id, {})
  })
}

/** The page is gone, or cannot be read. */
const fail = (crawl: Crawl, page: PageToRead, reason: string) =>
  crawl.inTenant((tx) => end(tx, crawl, page, { status: 'failed', reason }))

/** The page may not or need not be read. */
const skip = (crawl: Crawl, page: PageToRead, reason: string) =>
  crawl.inTenant((tx) => end(tx, crawl, page, { status: 'skipped', reason }))

async function end(
  tx: TenantTx,
  { website }: Crawl,
  page: PageToRead,
  result: { status: 'failed' | 'skipped'; reason: string },
): Promise<void> {
  await endPage(tx, website.id, page.id, result)
  const removed = page.document_id ? await deleteDocumentRow(tx, page.document_id) : undefined
  if (removed) await emit(tx, documentDeleted, removed)
  await countPage(tx, website.id, { removed: removed ? 1 : 0 })
}

const unzip = promisify(gunzip)

/** The text of a sitemap, which may be compressed; undefined if the file is something else. */
async function sitemapOf(body: Buffer): Promise<string | undefined> {
  const isZipped = body[0] === 0x1f && body[1] === 0x8b
  const text = isZipped ? await unzip(body, { maxOutputLength: 50 << 20 }).catch(() => Buffer.alloc(0)) : body
  return isSitemap(text.subarray(0, 1000).toString('utf8')) ? text.toString('utf8') : undefined
}

const extensionOf = new Map(
  (Object.keys(fileKinds) as FileKind[]).map((kind) => [factsOf(kind).mediaType, factsOf(kind).extensions[0]]),
)

/** A name that tells the kind of the file: the response's type decides, then the address. */
function nameFor(url: string, type: string): string {
  const extension = type === 'application/xhtml+xml' ? 'html' : extensionOf.get(type)
  const name = decoded(new URL(url).pathname.split('/').at(-1) ?? '')
  return extension ? `${name.replace(/\.[a-z0-9]{1,8}$/i, '') || 'page'}.${extension}` : name
}
