import { found } from '../../../platform/errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted, deleted } from '../../../platform/schemas.ts'
import { findWebsite, listPages, listWebsites } from './queries.ts'
import {
  CrawledPageFilter,
  CrawledPages,
  Website,
  WebsiteChanges,
  WebsiteFilter,
  WebsitePage,
  WebsitePath,
} from './schema.ts'
import { crawlNow, deleteWebsite, stopCrawl, updateWebsite, type WebsiteLimits } from './write-website.ts'

const tag = 'Websites'
const reading = { tag, scope: 'knowledge:read' }
const writing = { tag, scope: 'knowledge:write', params: WebsitePath }

/** A website is added with `POST /knowledge-base/sources`. */
export function websiteRoutes(routes: Routes, limits: WebsiteLimits): void {
  routes.read({
    ...reading,
    id: 'listWebsites',
    method: 'GET',
    url: '/knowledge-base/websites',
    summary: 'List websites',
    description: 'Sites, sitemaps and single pages, newest first.',
    query: WebsiteFilter,
    response: WebsitePage,
    handler: (sql, { query }) => listWebsites(sql, query),
  })

  routes.read({
    ...reading,
    id: 'getWebsite',
    method: 'GET',
    url: '/knowledge-base/websites/{website_id}',
    summary: 'Get a website',
    description: 'With the progress of its crawl.',
    params: WebsitePath,
    response: Website,
    handler: async (sql, { params }) => found(await findWebsite(sql, params.website_id), 'Website'),
  })

  routes.read({
    ...reading,
    id: 'listWebsitePages',
    method: 'GET',
    url: '/knowledge-base/websites/{website_id}/pages',
    summary: 'List pages of a website',
    description: 'Each page with its document, or with the reason why it has none. Newest first.',
    params: WebsitePath,
    query: CrawledPageFilter,
    response: CrawledPages,
    handler: async (sql, { params, query }) => {
      found(await findWebsite(sql, params.website_id), 'Website')
      return listPages(sql, params.website_id, query)
    },
  })

  routes.write({
    ...writing,
    id: 'updateWebsite',
    method: 'PATCH',
    url: '/knowledge-base/websites/{website_id}',
    summary: 'Update a website',
    description: 'Applies from the next crawl on. A new schedule counts from now.',
    body: WebsiteChanges,
    response: Website,
    handler: (tx, { params, body }) => updateWebsite(tx, limits, params.website_id, body),
  })

  routes.write({
    ...writing,
    id: 'crawlWebsite',
    method: 'POST',
    url: '/knowledge-base/websites/{website_id}/crawl',
    summary: 'Crawl a website now',
    description: 'Returns at once. 409 while a crawl is running.',
    response: Website,
    status: 202,
    errors: [409],
    handler: (tx, { params }) => crawlNow(tx, params.website_id),
  })

  routes.write({
    ...writing,
    id: 'stopWebsiteCrawl',
    method: 'POST',
    url: '/knowledge-base/websites/{website_id}/stop',
    summary: 'Stop the crawl of a website',
    description: 'Pages that were read stay. 409 if no crawl is running.',
    response: Website,
    errors: [409],
    handler: (tx, { params }) => stopCrawl(tx, params.website_id),
  })

  routes.write({
    ...writing,
    id: 'deleteWebsite',
    method: 'DELETE',
    url: '/knowledge-base/websites/{website_id}',
    summary: 'Delete a website',
    description: 'Deletes the documents of its pages too, even during a crawl.',
    response: Deleted,
    handler: (tx, { params }) => deleteWebsite(tx, params.website_id).then(() => deleted('Website')),
  })
}
