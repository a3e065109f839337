import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, unauthorized } from '../../platform/errors.ts'
import type { Authenticate } from '../../platform/http/principal.ts'
import { ownLimit, type RateLimit, type RateLimiter } from '../../platform/http/rate-limit.ts'
import { answerHandshake } from './answer-handshake.ts'
import { answerStateless, isStateless } from './answer-stateless.ts'
import type { Toolbox } from './toolbox.ts'

export interface McpDependencies {
  toolbox: Toolbox
  authenticate: Authenticate
  rateLimiter: RateLimiter
  rateLimit: RateLimit
  /** Origins that may call besides our own; `*` for all. */
  origins: string[]
  version: string
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The endpoint for assistants that speak the Model Context Protocol: POST only, without sessions. */
export function mcpRoutes(server: FastifyInstance, deps: McpDependencies): void {
  const { toolbox, authenticate, rateLimiter, rateLimit, origins, version } = deps

  server.register(async (mcp) => {
    mcp.removeAllContentTypeParsers()
    mcp.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, raw, done) => done(null, raw))
    mcp.route({
      method: 'POST',
      url: '/mcp',
      onRequest: async (request) => {
        checkOrigin(request, origins)
        // Cookies do not count here: an assistant sends its credential in the header.
        if (request.headers.authorization === undefined) throw unauthorized()
        request.principal = await authenticate(request)
        await rateLimiter.take(ownLimit(request.principal, rateLimit), request.principal.credential)
      },
      handler: async (request, reply) => {
        const { headers, principal } = request
        const body = parse(request.body as Buffer | null)
        if (body === undefined)
          return reply
            .code(400)
            .send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error: this is not JSON' } })
        const caller = { principal, requestId: request.id }
        if (isStateless(body, headers)) {
          const answer = await answerStateless(toolbox, caller, { body, headers, version })
          return reply.code(answer.status).send(answer.body)
        }
        // Old revisions send several messages at once: each counts.
        for (let more = Array.isArray(body) ? body.length : 1; more > 1; more--)
          await rateLimiter.take(ownLimit(principal, rateLimit), principal.credential)
        const answer = await answerHandshake(toolbox, caller, { body, headers, version })
        const text = await answer.text()
        if (text) reply.type('application/json; charset=utf-8')
        return reply.code(answer.status).send(text || undefined)
      },
    })
  })
}

function parse(raw: Buffer | null): unknown {
  try {
    return raw ? JSON.parse(decoder.decode(raw)) : undefined
  } catch {
    return undefined
  }
}

/** Another site's page must not reach a service in its visitor's network. */
function checkOrigin(request: FastifyRequest, origins: string[]): void {
  const { origin } = request.headers
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return
  if (URL.canParse(origin) && new URL(origin).host === request.host) return
  throw new AppError(403, 'This origin is not allowed: add it to CORS_ORIGINS')
}
