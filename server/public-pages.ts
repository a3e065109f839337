import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const folder = join(import.meta.dirname, 'public')

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Our own files and our own API, nothing else; and scripts may never turn text into markup. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/**
 * The front page at `/` and what it needs under `/assets/`. The files are read once, and each has a route of its own,
 * so no path that a caller makes up ever reaches the disk.
 */
export function publicPages(server: FastifyInstance): void {
  for (const name of readdirSync(folder)) {
    const type = contentTypes[extname(name)]
    if (!type) continue
    const content = readFileSync(join(folder, name))
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`
    server.get(name === 'index.html' ? '/' : `/assets/${name}`, (request, reply) => {
      // Browsers keep the file and ask each time whether it is still the one: a new version is seen at once.
      reply.headers({ 'cache-control': 'no-cache', etag, 'content-security-policy': contentSecurityPolicy })
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
      return reply.type(type).send(content)
    })
  }
}
