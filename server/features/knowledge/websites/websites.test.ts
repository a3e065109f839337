import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { newId } from '../../../platform/ids.ts'
import { type CallAs, ok, startTestApp } from '../../../testing/app.ts'
import { until } from '../../../testing/process.ts'
import { html, startWebsite } from '../../../testing/website.ts'
import { sweepKnowledgeJob } from '../job-kinds.ts'

const errors: string[] = []
const app = await startTestApp({
  settings: { OUTBOUND_ALLOW: ['127.0.0.1', 'Wiki'], CRAWL_DELAY_MS: 0, CRAWL_MAX_PAGES: 200 },
  log: pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }),
})

const add = (call: CallAs, body: object) => call('POST', 'knowledge-base/sources', body)
const get = async (call: CallAs, id: string) => (await call('GET', `knowledge-base/websites/${id}`)).body
const crawled = async (call: CallAs, id: string) => {
  await until(async () => !['waiting', 'crawling'].includes((await get(call, id)).status))
  return get(call, id)
}
const crawlAgain = async (call: CallAs, id: string) => {
  assert.equal((await call('POST', `knowledge-base/websites/${id}/crawl`)).status, 202)
  return crawled(call, id)
}
/** Each path with its state and reason. */
async function pagesOf(call: CallAs, id: string): Promise<Record<string, string>> {
  const { data } = (await call('GET', `knowledge-base/websites/${id}/pages?limit=100`)).body
  return Object.fromEntries(
    data.map(({ url, status, reason }: { url: string; status: string; reason: string | null }) => [
      new URL(url).pathname + new URL(url).search,
      reason ? `${status}: ${reason}` : status,
    ]),
  )
}
const text = (body: string, headers: Record<string, string> = {}) => ({
  headers: { 'content-type': 'text/plain', ...headers },
  body,
})
const sitemap = (url: string, paths: string[]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><urlset>${paths.map((path) => `<url><loc>${url}${path}</loc></url>`).join('')}</urlset>`,
})

test('a site is read page by page: links, redirects, loops, copies, robots.txt and limits', async () => {
  const { call } = await app.organization()
  const site = await startWebsite({
    '/robots.txt': text('User-agent: *\nDisallow: /\n\nUser-agent: FrontdeskBot\nDisallow: /secret\n'),
    '/help/': html('Help', 'Ask us about refunds and shipping, at any time of the day.', [
      '/help/refunds?utm_source=mail#top',
      '/help/moved',
      '/help/loop-a',
      '/secret',
      '/help/secret/../../secret',
      '/help/picture',
      '/help/copy',
      '/help/a/a/a/a',
      '/outside',
      'https://elsewhere.example/help/',
      'mailto:help@example.com',
    ]),
    '/help/refunds': html('Refunds', 'Refunds arrive within fourteen days of the return of the goods.', ['./']),
    '/help/moved': { status: 301, headers: { location: '/help/refunds' } },
    '/help/loop-a': { status: 302, headers: { location: '/help/loop-b' } },
    '/help/loop-b': { status: 302, headers: { location: '/help/loop-a' } },
    '/help/picture': { headers: { 'content-type': 'image/png' }, body: Buffer.from('89504e470d0a1a0a00', 'hex') },
    '/help/copy': html(
      'Refunds',
      'A printable copy of the page about refunds.',
      [],
      '<link rel="canonical" href="/help/refunds">',
    ),
    '/secret': html('Secret', 'Not for crawlers.'),
  })
  const added = ok(await add(call, { kind: 'site', url: `${site.url}/help/`, include: ['/help/', '/secret'] }), 201)
  assert.deepEqual([added.kind, added.document], ['site', null])
  const website = await crawled(call, added.website.id)
  assert.deepEqual([website.status, website.error], ['idle', null])
  assert.deepEqual(await pagesOf(call, website.id), {
    '/help/': 'read',
    '/help/refunds': 'read',
    '/help/moved': `skipped: It redirects to ${site.url}/help/refunds`,
    '/help/loop-a': `skipped: It redirects to ${site.url}/help/loop-b`,
    '/help/loop-b': `skipped: It redirects to ${site.url}/help/loop-a`,
    '/secret': 'skipped: robots.txt does not allow it',
    '/help/picture': 'skipped: It is a picture',
    '/help/copy': `skipped: It is a copy of ${site.url}/help/refunds`,
  })
  assert.deepEqual(
    [website.pages.found, website.pages.documents, website.pages.changed, website.pages.skipped],
    [8, 2, 2, 6],
  )
  assert.ok(!site.requests.includes('/secret'))
  assert.equal(site.mostInFlight(), 1)
  await until(async () => {
    const { documents } = (await call('GET', 'knowledge-base')).body
    return documents.every(({ status }: { status: string }) => status === 'ready')
  })
  const { results } = (await call('POST', 'knowledge-base/search', { query: 'refunds within fourteen days' })).body
  const document = (await call('GET', `knowledge-base/${results[0].document_id}`)).body
  assert.deepEqual(
    [document.document_type, document.file_name, document.source.kind, document.source.url, document.source.website_id],
    ['txt', 'Refunds.txt', 'web_page', `${site.url}/help/refunds`, website.id],
  )
  const download = await call('GET', `knowledge-base/${document.id}/download`)
  assert.match(download.text, /fourteen days/)
  assert.match(String(download.headers['content-type']), /^text\/plain/)
})

test('a short page becomes a document without its menu and cookie banner', async () => {
  const { call } = await app.organization()
  const nav = ['Home', 'About', 'Jobs'].map((name) => `<a href="/${name}">${name}</a>`).join(' ')
  const site = await startWebsite({
    '/menu': `<html><body><header><nav>${nav}</nav></header><div id="cookie-banner">We use cookies.</div>
      <div class="content"><h1>Menu</h1><ul><li><a href="/soup">Soup 6 €</a></li><li>Espresso 2 €</li></ul></div></body></html>`,
  })
  const { id } = (await add(call, { kind: 'page', url: `${site.url}/menu` })).body.website
  assert.equal((await crawled(call, id)).status, 'idle')
  const [document] = (await call('GET', 'knowledge-base')).body.documents
  const { text: stored } = await call('GET', `knowledge-base/${document.id}/download`)
  assert.match(stored, /Menu\s+- Soup 6 €[\s\S]*- Espresso 2 €$/)
  assert.doesNotMatch(stored, /Home|About|cookies/)
})

test('a crawl again reads what changed, deletes what is gone, and keeps what is unknown', async () => {
  const { call } = await app.organization()
  const seen: (string | undefined)[] = []
  const site = await startWebsite({})
  const { pages, url } = site
  const paths = ['/same', '/tagged', '/changing', '/vanishing', '/broken', '/twin']
  Object.assign(pages, {
    '/sitemap.xml': sitemap(url, paths),
    '/same': text('The opening hours are from nine to five.'),
    '/tagged': (headers: Record<string, string>) => {
      seen.push(headers['if-none-match'])
      return headers['if-none-match'] === '"v1"' ? { status: 304 } : text('Parking is free.', { etag: '"v1"' })
    },
    '/changing': text('The deposit is ten euros.'),
    '/vanishing': text('The summer sale has begun.'),
    '/broken': text('The address is Main Street 1.'),
    '/twin': text('The opening hours are from nine to five.'),
  })
  const { id } = (await add(call, { kind: 'sitemap', url: `${url}/sitemap.xml`, schedule: 'daily' })).body.website
  const first = await crawled(call, id)
  assert.deepEqual([first.status, first.pages.documents, first.pages.changed], ['idle', 5, 5])
  assert.ok(Date.parse(first.next_crawl_at) > Date.now())
  assert.match((await pagesOf(call, id))['/twin'] as string, /same text as .*\/same/)
  const ready = async () => {
    const { documents } = (await call('GET', 'knowledge-base')).body
    return documents.every(
      ({ status, replacement }: { status: string; replacement: null }) => status === 'ready' && !replacement,
    )
  }
  await until(ready)
  pages['/changing'] = text('The deposit is twenty euros.')
  pages['/vanishing'] = { status: 410 }
  pages['/broken'] = { status: 500 }
  const second = await crawlAgain(call, id)
  assert.deepEqual(
    [second.status, second.pages.documents, second.pages.changed, second.pages.removed, second.pages.failed],
    ['idle', 4, 1, 1, 2],
  )
  const states = await pagesOf(call, id)
  assert.deepEqual(
    [states['/same'], states['/tagged'], states['/vanishing'], states['/broken']],
    ['read', 'read', 'failed: The server answered 410', 'failed: The server answered 500'],
  )
  assert.deepEqual(seen, [undefined, '"v1"'])
  await until(ready)
  const found = async (query: string) =>
    (await call('POST', 'knowledge-base/search', { query, mode: 'keyword' })).body.results.map(
      (hit: { text: string }) => hit.text,
    )
  assert.deepEqual(await found('deposit'), ['The deposit is twenty euros.'])
  assert.deepEqual(await found('summer sale'), [])
  assert.deepEqual(await found('Main Street'), ['The address is Main Street 1.'])
  // A document that a member deleted comes back with the next crawl.
  const { documents } = (await call('GET', 'knowledge-base')).body
  for (const document of documents) await call('DELETE', `knowledge-base/${document.id}`)
  delete pages['/broken']
  assert.equal((await crawlAgain(call, id)).pages.documents, 3)
  // Without its pages.
  assert.equal((await call('DELETE', `knowledge-base/websites/${id}`)).status, 200)
  assert.deepEqual((await call('GET', 'knowledge-base')).body.documents, [])
  const types = new Set((await call('GET', 'events?limit=100')).body.data.map(({ type }: { type: string }) => type))
  for (const type of ['website.created', 'website.crawled', 'website.deleted', 'document.updated', 'document.deleted'])
    assert.ok(types.has(type), type)
})

test('hostile servers: bombs, huge pages, endless paths and calendars, Retry-After', async () => {
  const { call } = await app.organization()
  const site = await startWebsite({})
  const { pages, url } = site
  let busy = 0
  const days = Array.from({ length: 150 }, (_, day) => `/calendar?day=${day}`)
  Object.assign(pages, {
    '/sitemap.xml': sitemap(url, [
      '/bomb',
      '/huge',
      '/a/b/a/b/a/b',
      '/busy',
      '/page',
      '/other',
      '/robots-meta',
      ...days,
    ]),
    '/bomb': {
      headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(40 << 20)),
    },
    '/huge': { headers: { 'content-type': 'text/plain', 'content-length': String(1 << 30) } },
    '/busy': () => (busy++ === 0 ? { status: 429, headers: { 'retry-after': '0' } } : text('We were busy.')),
    '/page': text('A page.'),
    '/other': { status: 302, headers: { location: 'http://192.168.0.1/' } },
    '/robots-meta': { headers: { 'content-type': 'application/octet-stream' }, body: Buffer.from([0, 1, 2, 3, 0, 5]) },
    '/calendar?': text('A day.'),
  })
  const { id } = (await add(call, { kind: 'sitemap', url: `${url}/sitemap.xml`, max_pages: 150 })).body.website
  const website = await crawled(call, id)
  const states = await pagesOf(call, id)
  const all = (await call('GET', `knowledge-base/websites/${id}/pages?search=calendar`)).body.total_count
  assert.equal(all, 100)
  assert.equal(website.pages.documents, 3)
  const hostile = (await call('GET', `knowledge-base/websites/${id}/pages?status=failed`)).body
  assert.equal(hostile.total_count, 2)
  for (const { reason } of hostile.data) assert.match(reason, /larger than/)
  assert.equal(busy, 2)
  const skipped = (await call('GET', `knowledge-base/websites/${id}/pages?status=skipped&search=/a/b`)).body.data[0]
  assert.equal(skipped.reason, 'Its address repeats itself')
  assert.ok(Object.keys(states).length > 0)
})

test('sitemaps in sitemaps, some of them compressed, lead to their pages; one that lists itself ends', async () => {
  const { call } = await app.organization()
  const site = await startWebsite({})
  const index = (paths: string[]) =>
    `<sitemapindex>${paths.map((path) => `<sitemap><loc>${site.url}${path}</loc></sitemap>`).join('')}</sitemapindex>`
  const xml = { 'content-type': 'application/xml' }
  Object.assign(site.pages, {
    '/sitemap.xml': { headers: xml, body: index(['/inner.xml', '/packed.xml.gz', '/sitemap.xml', '/gone.xml']) },
    '/inner.xml': { headers: xml, body: index(['/deepest.xml']) },
    '/deepest.xml': sitemap(site.url, ['/a']),
    '/packed.xml.gz': {
      headers: { 'content-type': 'application/gzip' },
      body: gzipSync(sitemap(site.url, ['/b', '/c']).body),
    },
    '/a': html('Alpha', 'The first page says that parcels leave on Mondays.'),
    '/b': html('Beta', 'The second page says that letters leave on Tuesdays.'),
    '/c': html('Gamma', 'The third page says that pallets leave on Fridays.'),
  })
  const { website } = (await add(call, { kind: 'sitemap', url: `${site.url}/sitemap.xml` })).body
  await crawled(call, website.id)
  const pages = await pagesOf(call, website.id)
  assert.deepEqual(
    Object.keys(pages)
      .filter((path) => pages[path] === 'read')
      .sort(),
    ['/a', '/b', '/c'],
    JSON.stringify(pages),
  )
  assert.equal(site.requests.filter((path) => path === '/sitemap.xml').length, 1)
})

test('two organizations that crawl one host share its limit of one request at a time, and nothing else', async () => {
  const site = await startWebsite({
    '/': html('Home', 'This is the home page of the bicycle shop by the river.', ['/x', '/y', '/z']),
    '/x': html('Hours', 'The workshop is open on Saturdays until noon.'),
    '/y': html('Prices', 'A new chain costs thirty euros, including the work.'),
    '/z': html('Rental', 'Tandems are rented out by the day, with two helmets.'),
  })
  const [one, two] = [await app.organization(), await app.organization()]
  const added = await Promise.all([one, two].map(({ call }) => add(call, { kind: 'site', url: `${site.url}/` })))
  const ids = added.map(({ body }) => body.website.id as string)
  await Promise.all([crawled(one.call, ids[0] as string), crawled(two.call, ids[1] as string)])
  assert.equal(site.mostInFlight(), 1)
  for (const [i, { call }] of [one, two].entries()) {
    assert.equal(Object.values(await pagesOf(call, ids[i] as string)).filter((state) => state === 'read').length, 4)
    assert.equal((await call('GET', `knowledge-base/websites/${ids[1 - i]}`)).status, 404)
  }
  // Deleting one leaves the other.
  assert.equal((await one.call('DELETE', `knowledge-base/websites/${ids[0]}`)).status, 200)
  const found = async ({ call }: typeof one): Promise<string[]> => {
    const { results } = (await call('POST', 'knowledge-base/search', { query: 'What does a chain cost?' })).body
    return results.map(({ text: passage }: { text: string }) => passage)
  }
  await until(async () => (await found(two)).some((passage) => passage.includes('thirty euros')))
  assert.deepEqual(await found(one), [])
})

test('one page; robots.txt that cannot be read; a page that is not there; stopping', async () => {
  const { call } = await app.organization()
  const site = await startWebsite({
    '/robots.txt': { status: 503 },
    '/only': text('Only this page.'),
  })
  const { id } = (await add(call, { kind: 'page', url: `${site.url}/only` })).body.website
  const refused = await crawled(call, id)
  assert.equal(refused.status, 'failed')
  assert.match(refused.error, /robots\.txt could not be read: the server answered 503/)
  assert.deepEqual(site.requests, ['/robots.txt'])
  delete site.pages['/robots.txt']
  const website = await crawlAgain(call, id)
  assert.deepEqual([website.status, website.pages.documents, website.max_pages], ['idle', 1, 1])
  const missing = (await add(call, { kind: 'page', url: `${site.url}/missing` })).body.website
  assert.equal((await crawled(call, missing.id)).error, 'No page could be read: The server answered 404')
  site.pages['/sitemap.xml'] = sitemap(site.url, ['/gone'])
  const listed = (await add(call, { kind: 'sitemap', url: `${site.url}/sitemap.xml` })).body.website
  assert.equal((await crawled(call, listed.id)).error, 'No page could be read: The server answered 404')
  assert.equal((await call('POST', `knowledge-base/websites/${id}/stop`)).status, 409)
  site.pages['/only'] = { status: 503, headers: { 'retry-after': '600' } }
  await call('POST', `knowledge-base/websites/${id}/crawl`)
  await until(async () => (await pagesOf(call, id))['/only'] !== 'queued')
  assert.equal((await call('POST', `knowledge-base/websites/${id}/crawl`)).status, 409)
  const stopped = await call('POST', `knowledge-base/websites/${id}/stop`)
  assert.deepEqual([stopped.status, stopped.body.status, stopped.body.pages.documents], [200, 'stopped', 1])
})

test('a website or a document of it that is deleted during a crawl ends the crawl without a failed job', async () => {
  const { call } = await app.organization()
  /** Deletes something while the page is requested. */
  let remove: () => Promise<unknown> = async () => {}
  const page = async (answer: { status?: number; body?: string; headers?: Record<string, string> }) => {
    const removing = remove
    remove = async () => {}
    await removing()
    return answer
  }
  const site = await startWebsite({
    '/plain': () => page(text('The pool opens at seven.')),
    '/links': () =>
      page({ headers: { 'content-type': 'text/html' }, body: html('Links', 'See our rooms.', ['/a', '/b']) }),
    '/tagged': ({ 'if-none-match': tag }) => page(tag ? { status: 304 } : text('Parking is free.', { etag: '"v1"' })),
    '/gone': () => page({ status: 404 }),
    '/busy': () => page({ status: 503 }),
  })
  const deleteWebsite = async (id: string) =>
    assert.equal((await call('DELETE', `knowledge-base/websites/${id}`)).status, 200)
  const documents = async () => (await call('GET', 'knowledge-base')).body.documents
  const failed = errors.length
  for (const path of ['/plain', '/links', '/gone', '/busy']) {
    const added = Promise.withResolvers<string>()
    const removed = Promise.withResolvers<void>()
    remove = async () => deleteWebsite(await added.promise).then(removed.resolve)
    const { website } = (await add(call, { kind: 'site', url: site.url + path })).body
    added.resolve(website.id)
    await removed.promise
  }
  const { id } = (await add(call, { kind: 'page', url: `${site.url}/tagged` })).body.website
  await crawled(call, id)
  const [document, orphan] = await documents()
  assert.equal(orphan, undefined, 'of a deleted website')
  remove = () => call('DELETE', `knowledge-base/${document.id}`)
  assert.equal((await crawlAgain(call, id)).status, 'failed')
  assert.deepEqual([await documents(), await pagesOf(call, id)], [[], { '/tagged': 'read' }])
  assert.equal((await crawlAgain(call, id)).status, 'idle')
  assert.equal((await documents()).length, 1, 'the next crawl brings it back')
  assert.deepEqual(errors.slice(failed), [])
})

test('a schedule starts a crawl when it is due', async () => {
  const { call, id: organizationId } = await app.organization()
  const site = await startWebsite({ '/': text('Version one.') })
  const { id } = (await add(call, { kind: 'page', url: site.url, schedule: 'off' })).body.website
  assert.equal((await crawled(call, id)).next_crawl_at, null)
  const changed = await call('PATCH', `knowledge-base/websites/${id}`, { schedule: 'monthly', exclude: ['/x'] })
  assert.deepEqual([changed.status, changed.body.schedule, changed.body.exclude], [200, 'monthly', ['/x']])
  assert.ok(Date.parse(changed.body.next_crawl_at) > Date.now() + 27 * 86_400_000)
  const { crawled_at } = await get(call, id)
  await app.database.inTenant(
    { organizationId, livemode: false },
    (tx) => tx.run`update websites set next_crawl_at = now() - interval '1 second' where id = ${id}`,
  )
  await app.database.inSystem((tx) => tx.enqueue(sweepKnowledgeJob, {}))
  await until(async () => (await get(call, id)).crawled_at !== crawled_at)
})

test('refusals: bad addresses and values, duplicates, unknown ids, other tenants, missing scopes', async () => {
  const [org, other] = [await app.organization(), await app.organization()]
  const site = await startWebsite({ '/': text('Hello.') })
  const bad: [object, string][] = [
    [{ kind: 'page' }, 'url'],
    [{ kind: 'page', url: 'ftp://example.com/' }, 'url'],
    [{ kind: 'site', url: 'nonsense' }, 'url'],
    [{ kind: 'page', url: 'https://nonsense/page' }, 'url'],
    [{ kind: 'page', url: 'https://user:secret@example.com/' }, 'url'],
    [{ kind: 'site', url: 'http://10.0.0.1/' }, 'url'],
    [{ kind: 'site', url: 'http://[::1]/' }, 'url'],
    [{ kind: 'site', url: 'https://example.com', max_pages: 201 }, 'max_pages'],
    [{ kind: 'site', url: 'https://example.com', max_depth: -1 }, 'max_depth'],
    [{ kind: 'site', url: 'https://example.com', include: ['help'] }, 'include'],
    [{ kind: 'site', url: 'https://example.com', schedule: 'hourly' }, 'schedule'],
    [{ kind: 'faq', question: 'Q?' }, 'answer'],
    [{ kind: 'book' }, 'kind'],
  ]
  for (const [body, member] of bad) {
    const answer = await add(org.call, body)
    assert.equal(answer.status, 422, JSON.stringify(body))
    assert.equal(answer.body.detail[0].loc[1], member)
  }
  assert.equal((await add(org.call, { kind: 'page', url: 'wiki' })).status, 201, 'the operator allows it')
  const { website } = (await add(org.call, { kind: 'page', url: site.url })).body
  const again = await add(org.call, { kind: 'page', url: `${site.url}/#top` })
  assert.deepEqual([again.status, again.body.existing_id], [409, website.id])
  const path = `knowledge-base/websites/${website.id}`
  const reader = app.as((await app.key(org.id, { scopes: ['knowledge:read'] })).secret)
  const calls: [string, string, object?][] = [
    ['GET', ''],
    ['GET', '/pages'],
    ['PATCH', '', { schedule: 'off' }],
    ['POST', '/crawl'],
    ['POST', '/stop'],
    ['DELETE', ''],
  ]
  for (const [method, rest, body] of calls) {
    assert.equal((await other.call(method, path + rest, body)).status, 404)
    assert.equal((await org.call(method, `knowledge-base/websites/${newId()}${rest}`, body)).status, 404)
    assert.equal((await app.call(method, path + rest, body)).status, 401)
    if (method !== 'GET') assert.equal((await reader(method, path + rest, body)).status, 403)
  }
  assert.equal((await add(reader, { kind: 'page', url: site.url })).status, 403)
  assert.equal((await org.call('PATCH', path, { max_pages: 0 })).status, 422)
  assert.equal((await org.call('PATCH', path, { max_pages: 201 })).status, 422)
  assert.equal((await reader('GET', 'knowledge-base/websites')).body.total_count, 2)
  assert.equal((await other.call('GET', 'knowledge-base/websites')).body.total_count, 0)
  await crawled(org.call, website.id)
})
