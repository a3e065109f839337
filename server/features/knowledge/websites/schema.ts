import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'

export const websiteKinds = ['page', 'site', 'sitemap'] as const
export const crawlSchedules = ['off', 'daily', 'weekly', 'monthly'] as const

const Patterns = (what: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^/' }), {
    maxItems: 50,
    description: `${what} A pattern begins with \`/\` and matches the beginning of a path; \`*\` stands for any characters, \`$\` for the end`,
    examples: [['/help/']],
  })

export const WebsiteUrl = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Address of a page, of the first page of a site, or of a sitemap',
  examples: ['https://example.com/help/'],
})

/** The members that can be changed later. */
export const websiteSettings = {
  include: Patterns('Only pages with these paths. By default, pages below the start page.'),
  exclude: Patterns('No pages with these paths.'),
  max_pages: Type.Integer({ minimum: 1, maximum: 2000, description: 'Maximum number of pages to read' }),
  max_depth: Type.Integer({
    minimum: 0,
    maximum: 20,
    description: 'Maximum number of links between the start page and a page',
  }),
  schedule: OneOf(crawlSchedules, { description: 'How often it is crawled again' }),
}

export const Website = Type.Object(
  {
    id: Id,
    organization_id: Id,
    url: WebsiteUrl,
    kind: OneOf(websiteKinds),
    ...websiteSettings,
    status: OneOf(['waiting', 'crawling', 'idle', 'stopped', 'failed'] as const, {
      description: 'A crawl is `waiting` or `crawling`; afterwards `idle`, `stopped` by a member, or `failed`',
    }),
    error: Nullable(Type.String({ description: 'Why the last crawl failed' })),
    pages: Type.Object({
      found: Type.Integer({ description: 'Pages of this crawl, in any state', examples: [48] }),
      queued: Type.Integer({ examples: [0] }),
      read: Type.Integer({ description: 'Pages that were read, or had not changed', examples: [45] }),
      changed: Type.Integer({ description: 'Pages that are new or have changed', examples: [3] }),
      failed: Type.Integer({ examples: [1] }),
      skipped: Type.Integer({ description: 'Redirects, duplicates and pages that may not be read', examples: [2] }),
      removed: Type.Integer({ description: 'Documents that were deleted because their page is gone', examples: [0] }),
      documents: Type.Integer({ description: 'Pages that searches find', examples: [45] }),
    }),
    started_at: Nullable(Instant),
    crawled_at: Nullable(Instant),
    next_crawl_at: Nullable(Instant),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Website' },
)
export type Website = Static<typeof Website>

export interface NewWebsite {
  kind: Website['kind']
  url: string
  include?: string[] | undefined
  exclude?: string[] | undefined
  max_pages?: number | undefined
  max_depth?: number | undefined
  schedule?: Website['schedule'] | undefined
}

export const WebsiteChanges = Type.Partial(Type.Object(websiteSettings), { examples: [{ schedule: 'weekly' }] })
export type WebsiteChanges = Static<typeof WebsiteChanges>

export const WebsiteFilter = Type.Object(CursorQuery)
export type WebsiteFilter = Static<typeof WebsiteFilter>
export const WebsitePath = Type.Object({ website_id: Id })
export const WebsitePage = Type.Object({ ...CursorPage(Website).properties }, { title: 'WebsitePage' })

const pageStates = ['queued', 'read', 'failed', 'skipped'] as const

export const CrawledPage = Type.Object(
  {
    id: Id,
    url: Type.String({ examples: ['https://example.com/help/refunds'] }),
    status: OneOf(pageStates),
    reason: Nullable(
      Type.String({ description: 'Why it failed or was skipped', examples: ['The server answered 404'] }),
    ),
    depth: Type.Integer({ minimum: 0 }),
    document_id: Nullable(Id),
    fetched_at: Nullable(Instant),
  },
  { title: 'CrawledPage' },
)
export type CrawledPage = Static<typeof CrawledPage>

export const CrawledPageFilter = Type.Object({
  ...CursorQuery,
  status: Type.Optional(OneOf(pageStates)),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the address, in any case' })),
})
export type CrawledPageFilter = Static<typeof CrawledPageFilter>
export const CrawledPages = Type.Object({ ...CursorPage(CrawledPage).properties }, { title: 'CrawledPages' })
