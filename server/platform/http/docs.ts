import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { once } from '../once.ts'
import { FreeObject } from '../schemas.ts'
import { type KeptFile, keptText, sendKept } from './kept-file.ts'
import { type About, buildOpenApi } from './openapi.ts'
import { prefix, type Routes } from './routes.ts'

/** `/api/v1/openapi.json`, and `/docs`, which renders it. Everything is served from this server. */
export function docsRoutes(server: FastifyInstance, routes: Routes, about: About): void {
  const openApi = once(() =>
    keptText('application/json; charset=utf-8', JSON.stringify(buildOpenApi(routes.operations, about))),
  )
  routes.open({
    id: 'getOpenApi',
    method: 'GET',
    url: '/openapi.json',
    tag: 'Service',
    summary: 'Get the OpenAPI document',
    response: FreeObject({ examples: [{ openapi: '3.1.0' }] }),
    contentType: 'application/json',
    errors: [421],
    handler: async ({ request, reply }) => {
      reply.header('cache-control', 'public, max-age=300')
      return sendKept(request, reply, openApi())
    },
  })

  const page = keptText('text/html; charset=utf-8', pageOf(about.title))
  const starter = keptText('text/javascript; charset=utf-8', starterOf(about.title))
  const bundle = once(loadBundle)
  for (const url of ['/docs', '/docs/'])
    server.get(url, (request, reply) => {
      reply.headers({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' })
      return sendKept(request, reply, page)
    })
  server.get('/docs/start.js', (request, reply) => {
    reply.header('cache-control', 'no-cache')
    return sendKept(request, reply, starter)
  })
  server.get('/docs/scalar.js', async (request, reply) => {
    reply.header('cache-control', 'no-cache')
    return sendKept(request, reply, await bundle())
  })
}

/**
 * Scripts, requests, fonts and images of this origin only, so the page cannot send data elsewhere. Its script injects
 * the style sheet, so inline styles are allowed.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageOf = (title: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 12h12v2H2zM3 11a5 5 0 0 1 10 0zM7 3h2v2H7z' fill='%23777'/%3E%3C/svg%3E">
  </head>
  <body>
    <div id="app"></div>
    <noscript>This page needs JavaScript. The document itself is at <a href="${prefix}/openapi.json">${prefix}/openapi.json</a>.</noscript>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

/** Requests go to the origin at which the page was opened, so that they work under any host name. */
const starterOf = (title: string) => `Scalar.createApiReference('#app', {
  url: '${prefix}/openapi.json',
  title: ${JSON.stringify(title)},
  servers: [{ url: window.location.origin, description: 'This server' }],
  authentication: { preferredSecurityScheme: 'bearer' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
})
`

/**
 * The bundle is part of a module that takes 40 MB to import: a worker thread reads it at the first request for the
 * page, and exits.
 */
function loadBundle(): Promise<KeptFile> {
  const { promise, resolve, reject } = Promise.withResolvers<KeptFile>()
  const worker = new Worker(new URL('./read-scalar-bundle.ts', import.meta.url))
  worker.once('message', ({ gzipped, etag }) => {
    const gzip = Buffer.from(gzipped)
    resolve({ type: 'text/javascript; charset=utf-8', etag, bytes: { identity: () => gunzipSync(gzip), gzip } })
  })
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the documentation’s script could not be read')))
  return promise
}
