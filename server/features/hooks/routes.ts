import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '../../platform/ids.ts'
import { currentTraceparent } from '../../platform/tracing/trace.ts'
import { isSameWord, isSignedWith, readSignature } from './check-signature.ts'
import type { HookApp, HookSecretCache } from './hook-secret-cache.ts'
import type { HookStore } from './store-hooks.ts'

/** The platform posts up to three megabytes; a little more does no harm. */
const mostBytes = 4 * 1024 * 1024

const warnEveryMs = 10_000

type HookRequest = FastifyRequest<{ Params: { hook_id?: string }; Querystring: Record<string, unknown> }>

declare module 'fastify' {
  interface FastifyRequest {
    hookApps?: HookApp[]
    hookSignature?: Buffer
  }
}

/** Where the chat platform calls us. It is answered once the webhook is stored; processing follows. */
export function hookRoutes(
  server: FastifyInstance,
  { cache, store }: { cache: HookSecretCache; store: HookStore },
): void {
  // One answer for everything invalid, so that it does not reveal which addresses exist.
  const refuse = (reply: FastifyReply) => reply.code(403).send({ detail: 'Forbidden' })
  const appsFor = ({ params }: HookRequest) => cache.appsOf(params.hook_id ?? null)
  let warnedAt = -Infinity
  /** Logged now and then: most likely a wrong secret was pasted. A flood of requests must not flood the log. */
  const warn = ({ log, url }: FastifyRequest) => {
    if (performance.now() - warnedAt < warnEveryMs) return
    warnedAt = performance.now()
    log.warn({ url: url.split('?', 1)[0] }, 'inbound webhook: not signed with the secret of its hook')
  }

  void server.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    )

    for (const url of ['/hooks/chat', '/hooks/chat/:hook_id']) {
      hooks.get(url, async (request: HookRequest, reply) => {
        const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = request.query
        if (mode !== 'subscribe' || typeof token !== 'string' || typeof challenge !== 'string') return refuse(reply)
        const tokens = (await appsFor(request)).flatMap(({ verifyTokens }) => verifyTokens)
        if (!tokens.some((expected) => isSameWord(token, expected))) return refuse(reply)
        return reply.type('text/plain; charset=utf-8').send(challenge)
      })

      hooks.post(
        url,
        {
          bodyLimit: mostBytes,
          // A request that cannot be signed correctly is refused before its body is read.
          onRequest: async (request, reply) => {
            const signature = readSignature(request.headers['x-hub-signature-256'])
            const apps = signature ? await appsFor(request as HookRequest) : []
            if (!signature || apps.length === 0) return refuse(reply)
            request.hookApps = apps
            request.hookSignature = signature
          },
        },
        async (request, reply) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
          const signer = request.hookApps?.find(({ appSecret }) =>
            isSignedWith(appSecret, body, request.hookSignature as Buffer),
          )
          if (!signer) {
            warn(request)
            return refuse(reply)
          }
          await store.store({ id: newId(), owner: signer.owner, body, traceparent: currentTraceparent() ?? null })
          return reply.code(200).send()
        },
      )
    }
  })
}
