import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type KeptFile, sendKept, tagOf } from '../platform/http/kept-file.ts'
import { once } from '../platform/once.ts'

const folder = join(import.meta.dirname, '../../console/dist')

/** The first path segments of the console's pages. Every other unknown path stays a 404. */
const places = [
  'inbox',
  'contacts',
  'tasks',
  'campaigns',
  'templates',
  'agents',
  'calls',
  'knowledge',
  'reports',
  'developers',
  'settings',
  'installation',
]

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wav': 'audio/wav',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

/**
 * Allows only our own files and API. Styles may be inline, since the components position their menus with them; scripts
 * may not. Recordings play from the API, and browser calls load their audio worklet from a file.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The console at `/`, its pages and assets. The files are read into memory at start, so that an upgrade under a running
 * service removes nothing from open pages and no requested path ever reaches the disk.
 */
export function consolePages(server: FastifyInstance): void {
  const index = readIndex()
  if (!index) {
    server.get('/', (_, reply) =>
      reply.type('text/plain; charset=utf-8').send('The console is not built: run `npm run build`.\n'),
    )
    return
  }
  for (const path of ['/', ...places.flatMap((place) => [`/${place}`, `/${place}/*`])])
    server.get(path, (request, reply) => sendPage(request, reply.header('cache-control', 'no-cache'), index))
  const assets = new Map<string, KeptFile>()
  for (const [name, file] of readFiles()) {
    const [first, second] = name.split(sep)
    if (first === 'assets' && second) assets.set(second, file)
    else
      server.get(`/${name.replaceAll(sep, '/')}`, (request, reply) =>
        sendKept(request, reply.header('cache-control', 'no-cache'), file),
      )
  }
  server.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const file = assets.get(request.params['*'])
    if (!file) return reply.callNotFound()
    // The build puts a content hash into these names, so they can be cached forever.
    return sendKept(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file)
  })
}

const readIndex = once(() => (existsSync(join(folder, 'index.html')) ? read('index.html') : undefined))

/** Everything else that browsers load, by its path in the folder. */
const readFiles = once(() =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => contentTypes[extname(name)] && name !== 'index.html')
    .map((name) => [name, read(name)] as const),
)

function sendPage(request: FastifyRequest, reply: FastifyReply, index: KeptFile): FastifyReply {
  reply.header('content-security-policy', contentSecurityPolicy)
  // Test calls with an agent need the microphone; other origins get no access.
  reply.header('permissions-policy', 'microphone=(self), camera=(), geolocation=()')
  return sendKept(request, reply, index)
}

/** For an unknown path that a browser navigates to: the console, which says that there is no such page. */
export function missingPage(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const index = readIndex()
  const isNavigation = request.method === 'GET' && request.headers.accept?.includes('text/html')
  if (!index || !isNavigation || /^\/(api|hooks|assets)\//.test(request.url)) return undefined
  return sendPage(request, reply.code(404).header('cache-control', 'no-store'), index)
}

function read(name: string): KeptFile {
  const path = join(folder, name)
  const identity = readFileSync(path)
  const pressed = (extension: string) => (existsSync(path + extension) ? readFileSync(path + extension) : undefined)
  return {
    type: contentTypes[extname(name)] as string,
    etag: tagOf(identity),
    bytes: { identity, br: pressed('.br'), gzip: pressed('.gz') },
  }
}
