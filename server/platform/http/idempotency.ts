import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { TenantTx } from '../database.ts'
import { AppError, badRequest, conflict, StillRunning } from '../errors.ts'
import { Nullable } from '../schemas.ts'
import { type Fragment, type Sql, sql } from '../sql.ts'

interface StoredAnswer {
  status: number
  body: string
}

/** Status null: a request that calls out has taken the key and not answered yet, or was interrupted. */
const Kept = Type.Object({
  status: Nullable(Type.Integer()),
  body: Nullable(Type.String()),
  same_request: Type.Boolean(),
})
const Locked = Type.Object({ locked: Type.Boolean() })

export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > 255)
    throw badRequest('Idempotency-Key must have 1 to 255 characters')
  return key
}

export const routeOf = (request: FastifyRequest): string => `${request.method} ${request.url.split('?', 1)[0]}`

/** Two requests with one key must have the same body and query. */
export function requestHash(request: FastifyRequest, bodyHash = request.bodyHash): Buffer {
  return createHash('sha256')
    .update(request.url.split('?').slice(1).join('?'))
    .update('\0')
    .update(bodyHash ?? '')
    .digest()
}

/**
 * Finds the stored response for this key, or takes the key for this transaction. The work, its events and its response
 * commit together, so a crash at any point leaves either all of it or nothing, and a retry is always safe.
 */
export async function claimKey(
  tx: TenantTx,
  route: string,
  key: string,
  hash: Buffer,
): Promise<StoredAnswer | undefined> {
  const { organizationId, livemode } = tx.scope
  const { locked } = await tx.one(Locked)`
    select pg_try_advisory_xact_lock(hashtextextended(${`${organizationId} ${livemode} ${route} ${key}`}, 0)) as locked`
  if (!locked) throw new StillRunning('A request with this Idempotency-Key is still running')
  const kept = await tx.maybe(Kept)`
    select status, body, request_hash = ${hash} as same_request from idempotency_keys
    where route = ${route} and key = ${key} and created_at > now() - interval '24 hours'`
  if (!kept) return undefined
  if (!kept.same_request) throw conflict('This Idempotency-Key was used with a different request')
  if (kept.status === null || kept.body === null)
    throw new StillRunning(
      'A request with this Idempotency-Key is still running, or was interrupted before its outcome was known',
    )
  return { status: kept.status, body: kept.body }
}

/**
 * For work that calls out between transactions: the key is stored before the work begins and is never free to run
 * again.
 */
export async function takeKey(
  tx: TenantTx,
  route: string,
  key: string,
  hash: Buffer,
): Promise<StoredAnswer | undefined> {
  const earlier = await claimKey(tx, route, key, hash)
  if (!earlier) await keep(tx, route, key, hash, { status: null, body: null }, sql``)
  return earlier
}

/** For requests that turned out to have done nothing: the key may be used again. */
export const releaseKey = (tx: TenantTx, route: string, key: string) =>
  tx.run`delete from idempotency_keys where route = ${route} and key = ${key} and status is null`

/** For the request that holds the key: the response commits with its work. */
export const keepAnswer = (tx: TenantTx, route: string, key: string, hash: Buffer, answer: StoredAnswer) =>
  keep(tx, route, key, hash, answer, sql``)

/**
 * For a request whose transaction, and with it the key, was rolled back: a response that another request stored
 * meanwhile stays.
 */
export const keepRefusal = (tx: TenantTx, route: string, key: string, hash: Buffer, answer: StoredAnswer) =>
  keep(tx, route, key, hash, answer, sql`where kept.created_at <= now() - interval '24 hours'`)

async function keep(
  tx: TenantTx,
  route: string,
  key: string,
  hash: Buffer,
  { status, body }: { [part in keyof StoredAnswer]: StoredAnswer[part] | null },
  unlessKept: Fragment,
): Promise<void> {
  await tx.run`
    insert into idempotency_keys as kept (route, key, request_hash, status, body)
    values (${route}, ${key}, ${hash}, ${status}, ${body})
    on conflict (organization_id, livemode, route, key) do update
    set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = now()
    ${unlessKept}`
}

/** Refusals that depend on the state, not on the form of the request, are stored too. */
export const isKept = (error: unknown): error is AppError =>
  error instanceof AppError && [400, 404, 409].includes(error.status)

export const deleteAnswersMentioning = (tx: Sql, patterns: string[]) =>
  tx.run`delete from idempotency_keys where body ~ any (${patterns}::text[])`
