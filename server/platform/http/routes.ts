import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Database, TenantSql, TenantTx } from '../database.ts'
import { insufficientScope } from '../errors.ts'
import { type Origin, withOrigin } from '../origin.ts'
import { type Answer, answer } from './answer.ts'
import { type ErrorShape, errorShapeOf } from './error-shape.ts'
import { idempotencyKey } from './idempotency.ts'
import type { Documented, Operation } from './operation.ts'
import { type Authenticate, meets, operatorScope, type Principal } from './principal.ts'
import { ownLimit, type RateLimit, type RateLimiter } from './rate-limit.ts'
import { idempotently, onceAround } from './run-once.ts'
import { acceptForms } from './upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
  }
}

type In<S> = S extends TSchema ? Static<S> : undefined

/** The input of a handler. */
interface Call<P = unknown, Q = unknown, B = unknown> {
  params: P
  query: Q
  body: B
  principal: Principal
  request: FastifyRequest
  reply: FastifyReply
}

type OpenCall<P, Q, B> = Omit<Call<P, Q, B>, 'principal'>

type Result<R> = Promise<In<R> | Answer<In<R>>>

/** How features register their operations. The names say what a handler is given. */
export interface Routes {
  readonly operations: Documented[]
  /** Statements without a transaction, one round trip each. */
  read<P, Q, B, R>(
    operation: Operation<P, Q, B, R> & { handler(sql: TenantSql, call: Call<In<P>, In<Q>, In<B>>): Result<R> },
  ): void
  /** One transaction around the whole handler; for POST it also supports Idempotency-Key. */
  write<P, Q, B, R>(
    operation: Operation<P, Q, B, R> & { handler(tx: TenantTx, call: Call<In<P>, In<Q>, In<B>>): Result<R> },
  ): void
  /**
   * Calls out between its own transactions. For POST it supports Idempotency-Key: the key is stored before the handler
   * runs, so that even an interrupted request is never run twice.
   */
  callOut<P, Q, B, R>(operation: Operation<P, Q, B, R> & { handler(call: Call<In<P>, In<Q>, In<B>>): Result<R> }): void
  /** No statement is opened: for streams. */
  stream<P, Q, B, R>(
    operation: Operation<P, Q, B, R> & { handler(call: Call<In<P>, In<Q>, In<B>>): Promise<unknown> },
  ): void
  /** For operators of the installation. The handler opens its own statements, over all organizations. */
  operator<P, Q, B, R>(
    operation: Omit<Operation<P, Q, B, R>, 'scope'> & { handler(call: Call<In<P>, In<Q>, In<B>>): Result<R> },
  ): void
  /** Needs no credential: for signing in. */
  open<P, Q, B, R>(
    operation: Omit<Operation<P, Q, B, R>, 'scope'> & {
      handler(call: OpenCall<In<P>, In<Q>, In<B>>): Promise<unknown>
    },
  ): void
}

interface RouteDependencies {
  database: Database
  authenticate: Authenticate
  authenticateOperator: Authenticate
  rateLimiter: RateLimiter
  defaultRateLimit: RateLimit
  errorShapes: ErrorShape[]
}

export const prefix = '/api/v1'

/** The body is read before the caller is authenticated, so it must be short. */
const openBodyLimit = 32 * 1024

export function createRoutes(app: FastifyInstance, deps: RouteDependencies): Routes {
  const { database, authenticate, authenticateOperator, rateLimiter, defaultRateLimit } = deps
  const operations: Routes['operations'] = []
  app.decorateRequest('principal', null as never)
  const limitFor = (principal: Principal, limit: RateLimit) =>
    limit === defaultRateLimit ? ownLimit(principal, limit) : limit

  function add(operation: Documented, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) {
    operations.push({ ...operation, errorShape: errorShapeOf(deps.errorShapes, operation.url) })
    const { scope, rateLimit = defaultRateLimit } = operation
    const route: RouteOptions = {
      method: operation.method,
      url: prefix + operation.url.replace(/\{(\w+)\}/g, ':$1'),
      ...(operation.bodyLimit !== undefined && { bodyLimit: operation.bodyLimit }),
      schema: {
        ...(operation.params && { params: operation.params }),
        ...(operation.query && { querystring: operation.query }),
        // Where a form may replace JSON, only JSON is validated here.
        ...(operation.body && {
          body: operation.form ? { content: { 'application/json': { schema: operation.body } } } : operation.body,
        }),
        ...(!operation.contentType && {
          response: {
            [operation.status ?? 200]: operation.response,
            ...(operation.otherStatus && { [operation.otherStatus]: operation.response }),
          },
        }),
      },
      ...(!operation.open && {
        onRequest: async (request) => {
          const identify = scope === operatorScope ? authenticateOperator : authenticate
          const principal = await identify(request, operation.organization && { organization: operation.organization })
          request.principal = principal
          if (!meets(principal, operation)) throw insufficientScope(scope)
          await rateLimiter.take(limitFor(principal, rateLimit), principal.credential)
        },
      }),
      // A plain read changes nothing that would be recorded; a file that leaves the service does.
      handler:
        operation.unaudited || (operation.method === 'GET' && !operation.contentType)
          ? handler
          : (request, reply) => withOrigin(originOf(request), () => handler(request, reply)),
    }
    if (!operation.form) app.route(route)
    else
      app.register(async (forms) => {
        await acceptForms(forms, { orJson: operation.body !== undefined })
        forms.route(route)
      })
  }

  const callOf = (request: FastifyRequest, reply: FastifyReply): Call<never, never, never> => ({
    params: request.params as never,
    query: request.query as never,
    body: request.body as never,
    principal: request.principal,
    request,
    reply,
  })

  return {
    operations,
    read({ handler, ...operation }) {
      const open = operation.isReport ? database.forReports : database.forTenant
      add(operation as Operation, async (request, reply) => {
        const sql = open(request.principal.scope)
        return answer(reply, operation.status, await handler(sql, callOf(request, reply)))
      })
    },
    write({ handler, ...operation }) {
      const idempotent = operation.method === 'POST'
      add({ ...operation, idempotent } as Operation, async (request, reply) => {
        const key = idempotent ? idempotencyKey(request) : undefined
        const work = (tx: TenantTx) => handler(tx, callOf(request, reply))
        const { scope } = request.principal
        if (key === undefined) return answer(reply, operation.status, await database.inTenant(scope, work))
        return idempotently(database, request, reply, key, operation as Operation, work)
      })
    },
    callOut({ handler, ...operation }) {
      const idempotent = operation.method === 'POST'
      add({ ...operation, idempotent } as Operation, async (request, reply) => {
        const key = idempotent ? idempotencyKey(request) : undefined
        const work = () => handler(callOf(request, reply))
        if (key === undefined) return answer(reply, operation.status, await work())
        return onceAround(database, request, reply, key, operation as Operation, work)
      })
    },
    stream({ handler, ...operation }) {
      add(operation as Operation, async (request, reply) =>
        answer(reply, operation.status, await handler(callOf(request, reply))),
      )
    },
    operator({ handler, ...operation }) {
      add({ ...operation, scope: operatorScope } as Operation, async (request, reply) =>
        answer(reply, operation.status, await handler(callOf(request, reply))),
      )
    },
    open({ handler, ...operation }) {
      add({ bodyLimit: openBodyLimit, ...operation, scope: 'any', open: true } as never, async (request, reply) =>
        answer(reply, operation.status, await handler(callOf(request, reply))),
      )
    },
  }
}

/** The origin of a request; without an actor before it is authenticated. */
export function originOf({ principal, ip, id }: FastifyRequest): Origin {
  const { person, keyId, scopes } = principal ?? {}
  const actor = person ? { type: 'user' as const, id: person.userId } : keyId && { type: 'key' as const, id: keyId }
  return { ...(actor && { actor }), isOperator: scopes?.has(operatorScope) ?? false, ipAddress: ip, requestId: id }
}
