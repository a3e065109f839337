import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Database, TenantSql, TenantTx } from '../database.ts'
import { AppError, insufficientScope } from '../errors.ts'
import { type Origin, withOrigin } from '../origin.ts'
import { type ErrorShape, errorShapeOf } from './error-shape.ts'
import {
  claimKey,
  idempotencyKey,
  isKept,
  keepAnswer,
  keepRefusal,
  releaseKey,
  requestHash,
  routeOf,
  takeKey,
} from './idempotency.ts'
import { type Authenticate, meets, operatorScope, type Principal, type Requirement } from './principal.ts'
import { ownLimit, type RateLimit, type RateLimiter } from './rate-limit.ts'
import { acceptForms } from './upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
  }
}

type In<S> = S extends TSchema ? Static<S> : undefined

/** One operation of the API: everything that is validated and documented about it, besides its handler. */
interface Operation<P = TSchema | undefined, Q = TSchema | undefined, B = TSchema | undefined, R = TSchema>
  extends Requirement {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  tag: string
  summary: string
  description?: string
  /** The scope that a credential needs; `any` for every valid credential. */
  scope: string
  /** Refuses API keys: the account of a person who is signed in. */
  peopleOnly?: true
  /** Whether a person who belongs to several organizations may omit the organization. */
  organization?: 'optional'
  params?: P
  query?: Q
  body?: B
  /**
   * The parts of a multipart form: documented here, read and validated by the handler as they stream in. With `body`
   * beside it the caller may send either.
   */
  form?: TSchema
  /** The body of the response, or the content of a file. */
  response: R
  status?: 200 | 201 | 202
  /** A second success status, where there is one. */
  otherStatus?: 200
  contentType?: string
  /** The 4xx and 5xx statuses besides those that its shape implies. */
  errors?: number[]
  rateLimit?: RateLimit
  bodyLimit?: number
  /** Members of the response that are shown once: replays of an idempotent request contain null instead. */
  secrets?: string[]
  /** Whether it supports Idempotency-Key: every POST that is a write does; a stream sets it itself. */
  idempotent?: boolean
  /** For a read whose figures may be seconds old: it may come from a replica. */
  isReport?: boolean
  /** For frequent writes that the audit log does not cover: they do not pay for naming who is acting. */
  unaudited?: boolean
}

/** An operation as the API reference describes it. */
export type Documented = Operation & { open?: boolean; errorShape?: ErrorShape | undefined }

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

/** A response whose status is not the operation's usual one. */
export class Answer<T> {
  readonly status: number
  readonly body: T
  constructor(status: number, body: T) {
    this.status = status
    this.body = body
  }
}

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

function answer(reply: FastifyReply, status: number | undefined, result: unknown): unknown {
  if (result === reply) return reply
  if (result instanceof Answer) {
    reply.code(result.status)
    return result.body
  }
  if (status !== undefined) reply.code(status)
  return result
}

/** Runs the work once per key; `bodyHash` is for bodies that were streamed past the JSON parser. */
export async function idempotently(
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  operation: Pick<Operation, 'status' | 'secrets'>,
  work: (tx: TenantTx) => Promise<unknown>,
  bodyHash?: Buffer,
): Promise<FastifyReply> {
  const route = routeOf(request)
  const hash = requestHash(request, bodyHash)
  const { scope } = request.principal
  let claimed = false
  try {
    const stored = await database.inTenant(scope, async (tx) => {
      // A transaction that lost a race is run again; another request may have taken the key meanwhile.
      claimed = false
      const earlier = await claimKey(tx, route, key, hash)
      if (earlier) return { ...earlier, replayed: true }
      claimed = true
      // The response commits with the work, so no statement of the work may commit before it.
      const result = answer(reply, operation.status ?? 200, await work({ ...tx, last: tx }))
      const body = reply.serialize(result) as string
      const status = reply.statusCode
      await keepAnswer(tx, route, key, hash, { status, body: withoutSecrets(body, operation.secrets) })
      return { status, body, replayed: false }
    })
    return send(reply, stored)
  } catch (error) {
    // The refusal rolled everything back; store it separately, so that the same request is refused the same way.
    if (claimed && isKept(error)) {
      const body = JSON.stringify({ detail: error.message, ...error.extra })
      await database.inTenant(scope, (tx) => keepRefusal(tx, route, key, hash, { status: error.status, body }))
    }
    throw error
  }
}

/** The same for work that has its own transactions; `bodyHash` as above. */
export async function onceAround(
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  operation: Pick<Operation, 'status' | 'secrets'>,
  work: () => Promise<unknown>,
  bodyHash?: Buffer,
): Promise<FastifyReply> {
  const route = routeOf(request)
  const hash = requestHash(request, bodyHash)
  const inTenant = <T>(run: (tx: TenantTx) => Promise<T>) => database.inTenant(request.principal.scope, run)
  const earlier = await inTenant((tx) => takeKey(tx, route, key, hash))
  if (earlier) return send(reply, { ...earlier, replayed: true })
  try {
    const result = answer(reply, operation.status ?? 200, await work())
    const body = reply.serialize(result) as string
    const status = reply.statusCode
    await inTenant((tx) => keepAnswer(tx, route, key, hash, { status, body: withoutSecrets(body, operation.secrets) }))
    return send(reply, { status, body, replayed: false })
  } catch (error) {
    // A refusal is stored as the response. A validation error did nothing, so its key is released. After any other
    // error the outcome is unknown, and the key stays taken.
    if (isKept(error) || (error instanceof AppError && error.status === 502)) {
      const body = JSON.stringify({ detail: error.message, ...error.extra })
      await inTenant((tx) => keepAnswer(tx, route, key, hash, { status: error.status, body }))
    } else if (error instanceof AppError) await inTenant((tx) => releaseKey(tx, route, key))
    throw error
  }
}

function send(reply: FastifyReply, { status, body, replayed }: { status: number; body: string; replayed: boolean }) {
  if (replayed) {
    reply.header('idempotent-replayed', 'true')
    // A stored refusal is thrown again, so that it is written in the error shape of its route.
    if (status >= 400) {
      const { detail, ...extra } = JSON.parse(body)
      throw new AppError(status, detail, extra)
    }
  }
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}

function withoutSecrets(body: string, secrets: string[] = []): string {
  if (secrets.length === 0) return body
  const members = JSON.parse(body)
  for (const name of secrets) if (name in members) members[name] = null
  return JSON.stringify(members)
}
