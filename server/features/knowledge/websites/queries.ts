import Type, { type Static } from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { newId } from '../../../platform/ids.ts'
import { Id, Nullable, OneOf } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { documentColumns } from '../queries.ts'
import { Document } from '../schema.ts'
import {
  type CrawledPage,
  type CrawledPageFilter,
  crawlSchedules,
  Website,
  type WebsiteFilter,
  websiteKinds,
} from './schema.ts'

const columns = sql`id, organization_id, url, kind, include, exclude, max_pages, max_depth, schedule, status, error,
  (select json_build_object('found', count(*), 'queued', count(*) filter (where p.status = 'queued'),
      'read', count(*) filter (where p.status = 'read'), 'changed', websites.pages_changed,
      'failed', count(*) filter (where p.status = 'failed'), 'skipped', count(*) filter (where p.status = 'skipped'),
      'removed', websites.pages_removed, 'documents', count(p.document_id))
    from website_pages p where p.website_id = websites.id) as pages,
  started_at, crawled_at, next_crawl_at, livemode, created_at, updated_at`

export const listWebsites = (tx: TenantSql, filter: WebsiteFilter) =>
  readCursorPage<Website>(tx, { columns, from: sql`websites` }, filter)

export const findWebsite = (tx: TenantSql, id: string) =>
  tx.maybe(Website)`select ${columns} from websites where id = ${id}`

export const lockWebsite = (tx: TenantTx, id: string) =>
  tx.maybe(Website)`select ${columns} from websites where id = ${id} for update`

const pageColumns = sql`id, url, status, reason, depth, document_id, fetched_at`

export const listPages = (tx: TenantSql, websiteId: string, { status, search = '', ...page }: CrawledPageFilter) => {
  const where = sql`website_id = ${websiteId} and (${status ?? null}::text is null or status = ${status ?? null})
    and (${search} = '' or strpos(lower(url), lower(${search})) > 0)`
  return readCursorPage<CrawledPage>(tx, { columns: pageColumns, from: sql`website_pages`, where }, page)
}

const Existing = Type.Object({ id: Type.String() })

export const findSameWebsite = (tx: TenantSql, { kind, url }: { kind: string; url: string }) =>
  tx.maybe(Existing)`select id from websites where kind = ${kind} and md5(url) = md5(${url})`

const Count = Type.Object({ n: Type.Integer() })

export const countWebsites = async (tx: TenantSql): Promise<number> =>
  (await tx.one(Count)`select count(*)::integer as n from websites`).n

type WebsiteValues = Pick<Website, 'include' | 'exclude' | 'max_pages' | 'max_depth' | 'schedule'>

export const insertWebsite = (
  tx: TenantTx,
  made: WebsiteValues & { id: string; url: string; kind: Website['kind']; origin: string; crawlId: string },
) =>
  tx.run`
    insert into websites (id, url, kind, origin, include, exclude, max_pages, max_depth, schedule, crawl_id)
    values (${made.id}, ${made.url}, ${made.kind}, ${made.origin}, ${made.include}, ${made.exclude}, ${made.max_pages},
      ${made.max_depth}, ${made.schedule}, ${made.crawlId})`

const nextCrawl = sql`case schedule when 'daily' then now() + interval '1 day' when 'weekly' then now() + interval '7 days'
  when 'monthly' then now() + interval '1 month' end`

export const updateWebsiteRow = (tx: TenantTx, id: string, values: WebsiteValues) =>
  tx.run`
    update websites set include = ${values.include}, exclude = ${values.exclude}, max_pages = ${values.max_pages},
      max_depth = ${values.max_depth}, schedule = ${values.schedule}, updated_at = now()
    where id = ${id}`

export const planNextCrawl = (tx: TenantTx, id: string) =>
  tx.run`update websites set next_crawl_at = ${nextCrawl} where id = ${id} and status not in ('waiting', 'crawling')`

export const deleteWebsiteRow = (tx: TenantTx, id: string) => tx.run`delete from websites where id = ${id}`

/** The pages of a website go with it. */
export const deletePageDocuments = (tx: TenantTx, websiteId: string) =>
  tx.all(Document)`
    delete from documents where id in (
      select document_id from website_pages where website_id = ${websiteId} and document_id is not null)
    returning ${documentColumns}`

/** Starts a crawl: pages that are documents are requested again, the others are forgotten. */
export const beginCrawl = async (tx: TenantTx, id: string, crawlId: string): Promise<void> => {
  await tx.run`
    update websites set crawl_id = ${crawlId}, status = 'waiting', error = null, robots = null, started_at = null,
      next_crawl_at = null, pages_changed = 0, pages_removed = 0, updated_at = now()
    where id = ${id}`
  await tx.run`delete from website_pages where website_id = ${id} and document_id is null`
  await tx.run`
    update website_pages set crawl_id = ${crawlId}, status = 'queued', reason = null, attempts = 0, hops = 0, due_at = now()
    where website_id = ${id}`
}

interface FoundPage {
  url: string
  shape: string
  depth: number
  hops: number
}

/** Adds pages that the website does not have yet, as far as there is room, and only so many of one shape. */
export const queuePages = (
  tx: TenantTx,
  { websiteId, crawlId, maxPages }: { websiteId: string; crawlId: string; maxPages: number },
  pages: (FoundPage & { maxOfShape: number })[],
) =>
  tx.run`
    with known as materialized (
      select shape, count(*) as same from website_pages where website_id = ${websiteId} and status in ('queued', 'read') group by shape
    ), room as (
      select ${maxPages} - coalesce(sum(same), 0) as left_over from known
    ), fresh as (
      select f.*, row_number() over (partition by f.shape order by f.ordinal) + coalesce(k.same, 0) as number
      from unnest(${pages.map(({ url }) => url)}::text[], ${pages.map(({ shape }) => shape)}::text[],
          ${pages.map(({ depth }) => depth)}::integer[], ${pages.map(({ hops }) => hops)}::integer[],
          ${pages.map(newId)}::uuid[], ${pages.map((page) => page.maxOfShape)}::integer[])
        with ordinality f (url, shape, depth, hops, id, max_of_shape, ordinal)
        left join known k on k.shape = f.shape
      where not exists (
        select from website_pages p where p.website_id = ${websiteId} and md5(p.url) = md5(f.url))
    )
    insert into website_pages (website_id, id, url, shape, depth, hops, crawl_id)
    select ${websiteId}, id, url, shape, depth, hops, ${crawlId} from fresh
    where number <= max_of_shape order by ordinal limit greatest((select left_over from room), 0)
    on conflict do nothing`

const CrawledWebsite = Type.Object({
  id: Type.String(),
  url: Type.String(),
  kind: OneOf(websiteKinds),
  origin: Type.String(),
  include: Type.Array(Type.String()),
  exclude: Type.Array(Type.String()),
  max_pages: Type.Integer(),
  max_depth: Type.Integer(),
  schedule: OneOf(crawlSchedules),
  robots: Nullable(Type.String()),
})
export type CrawledWebsite = Static<typeof CrawledWebsite>

/** Undefined when the crawl was stopped, or another one began. */
export const continueCrawl = (tx: TenantTx, id: string, crawlId: string) =>
  tx.maybe(CrawledWebsite)`
    update websites set status = 'crawling', started_at = coalesce(started_at, now()), updated_at = now()
    where id = ${id} and crawl_id = ${crawlId} and status in ('waiting', 'crawling')
    returning id, url, kind, origin, include, exclude, max_pages, max_depth, schedule, robots`

/** Keeps the website from being deleted until the transaction ends; undefined if it was. */
export const holdWebsite = (tx: TenantTx, id: string) =>
  tx.maybe(Type.Object({ id: Type.String() }))`select id from websites where id = ${id} for no key update`

export const keepRobots = (tx: TenantTx, id: string, { origin, robots }: { origin: string; robots: string | null }) =>
  tx.run`update websites set robots = ${robots}, origin = ${origin} where id = ${id}`

const PageToRead = Type.Object({
  id: Type.String(),
  url: Type.String(),
  depth: Type.Integer(),
  hops: Type.Integer(),
  attempts: Type.Integer(),
  document_id: Nullable(Type.String()),
  etag: Nullable(Type.String()),
  last_modified: Nullable(Type.String()),
  text_hash: Nullable(Type.String()),
})
export type PageToRead = Static<typeof PageToRead>

/** The next page that is due, nearest to the start first. */
export const findNextPage = (tx: TenantSql, websiteId: string, crawlId: string) =>
  tx.maybe(PageToRead)`
    select id, url, depth, hops, attempts, document_id, etag, last_modified, text_hash from website_pages
    where website_id = ${websiteId} and crawl_id = ${crawlId} and status = 'queued' and due_at <= now()
    order by depth, id limit 1`

const Due = Type.Object({ seconds: Type.Number() })

/** How long until the next page is due; undefined when none is left. */
export const secondsToNextPage = async (tx: TenantSql, websiteId: string, crawlId: string) => {
  const { seconds } = await tx.one(Type.Object({ seconds: Nullable(Due.properties.seconds) }))`
    select extract(epoch from min(due_at) - now())::float8 as seconds from website_pages
    where website_id = ${websiteId} and crawl_id = ${crawlId} and status = 'queued'`
  return seconds ?? undefined
}

interface PageResult {
  status: 'read' | 'failed' | 'skipped'
  reason?: string | undefined
  documentId?: string | null | undefined
  etag?: string | null | undefined
  lastModified?: string | null | undefined
  textHash?: string | null | undefined
}

export const endPage = (tx: TenantTx, websiteId: string, id: string, result: PageResult) =>
  tx.run`
    update website_pages set status = ${result.status}, reason = ${result.reason ?? null}, fetched_at = now(),
      document_id = ${result.documentId ?? null}, etag = ${result.etag ?? null},
      last_modified = ${result.lastModified ?? null}, text_hash = ${result.textHash ?? null}
    where website_id = ${websiteId} and id = ${id}`

export const postponePage = (
  tx: TenantTx,
  websiteId: string,
  id: string,
  { seconds, reason }: { seconds: number; reason: string },
) =>
  tx.run`
    update website_pages set attempts = attempts + 1, due_at = now() + make_interval(secs => ${seconds}), reason = ${reason}
    where website_id = ${websiteId} and id = ${id}`

export const countPage = (
  tx: TenantTx,
  id: string,
  { changed = 0, removed = 0 }: { changed?: number; removed?: number },
) =>
  tx.run`
    update websites set pages_changed = pages_changed + ${changed},
      pages_removed = pages_removed + ${removed}, updated_at = now()
    where id = ${id}`

/** Another page of the website whose document has the same text. */
export const findSameText = (tx: TenantSql, websiteId: string, { id, textHash }: { id: string; textHash: string }) =>
  tx.maybe(Type.Object({ url: Type.String() }))`
    select url from website_pages
    where website_id = ${websiteId} and id <> ${id} and text_hash = ${textHash} and document_id is not null limit 1`

const PageState = Type.Object({ status: Type.String() })

export const findPageState = (tx: TenantSql, websiteId: string, url: string) =>
  tx.maybe(PageState)`select status from website_pages where website_id = ${websiteId} and md5(url) = md5(${url})`

export const noteCrawled = (tx: TenantTx, documentId: string) =>
  tx.run`
    update documents set source = source || jsonb_build_object('crawled_at', iso(now())) where id = ${documentId}`

const Outcome = Type.Object({ documents: Type.Integer(), reason: Nullable(Type.String()) })

/** Why a sitemap is no document: nothing that a website failed for. */
export const isSitemapReason = 'It is a sitemap'

/** How many pages are documents, and what became of the start page or, of a sitemap, of its first page. */
export const readOutcome = (tx: TenantTx, websiteId: string) =>
  tx.one(Outcome)`
    select count(document_id)::integer as documents,
      (array_agg(reason order by reason = ${isSitemapReason}, depth, id) filter (where reason is not null))[1] as reason
    from website_pages where website_id = ${websiteId}`

export const endCrawl = (
  tx: TenantTx,
  id: string,
  { crawlId, status, error }: { crawlId: string; status: 'idle' | 'failed' | 'stopped'; error: string | null },
) =>
  tx.maybe(Website)`
    update websites set status = ${status}, error = ${error}, crawled_at = now(), next_crawl_at = ${nextCrawl},
      updated_at = now()
    where id = ${id} and crawl_id = ${crawlId} and status in ('waiting', 'crawling')
    returning ${columns}`

const Crawl = Type.Object({ organization_id: Id, livemode: Type.Boolean(), id: Id, crawl_id: Id })

export const findDueWebsites = (tx: SystemSql, limit: number) =>
  tx.all(Crawl)`
    select organization_id, livemode, id, crawl_id from websites
    where next_crawl_at <= now() and status not in ('waiting', 'crawling') order by next_crawl_at limit ${limit}`

/** Crawls whose job was lost. */
export const findLostCrawls = (tx: SystemSql, limit: number) =>
  tx.all(Crawl)`
    select organization_id, livemode, id, crawl_id from websites w
    where status in ('waiting', 'crawling') and updated_at < now() - interval '10 minutes' and not exists (
      select from pgboss.job where name = 'knowledge.crawl' and state in ('created', 'retry', 'active')
        and data ->> 'crawl_id' = w.crawl_id::text)
    order by updated_at limit ${limit}`

const CrawlId = Type.Object({ crawl_id: Type.String() })

export const readCrawlId = async (tx: TenantSql, id: string): Promise<string> =>
  (await tx.one(CrawlId)`select crawl_id from websites where id = ${id}`).crawl_id
