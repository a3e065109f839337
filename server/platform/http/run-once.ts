import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, TenantTx } from '../database.ts'
import { AppError } from '../errors.ts'
import { answer } from './answer.ts'
import { claimKey, isKept, keepAnswer, keepRefusal, releaseKey, requestHash, routeOf, takeKey } from './idempotency.ts'
import type { Operation } from './operation.ts'

type OperationAnswer = Pick<Operation, 'status' | 'secrets'>

/** Runs the work once per key; `bodyHash` is for bodies that were streamed past the JSON parser. */
export async function idempotently(
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  operation: OperationAnswer,
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
      const { sent, kept } = written(reply, operation, await work({ ...tx, last: tx }))
      await keepAnswer(tx, route, key, hash, kept)
      return { ...sent, replayed: false }
    })
    return send(reply, stored)
  } catch (error) {
    // The refusal rolled everything back; store it separately, so that the same request is refused the same way.
    if (claimed && isKept(error))
      await database.inTenant(scope, (tx) => keepRefusal(tx, route, key, hash, refusalOf(error)))
    throw error
  }
}

/** The same for work that has its own transactions; `bodyHash` as above. */
export async function onceAround(
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  operation: OperationAnswer,
  work: () => Promise<unknown>,
  bodyHash?: Buffer,
): Promise<FastifyReply> {
  const route = routeOf(request)
  const hash = requestHash(request, bodyHash)
  const inTenant = <T>(run: (tx: TenantTx) => Promise<T>) => database.inTenant(request.principal.scope, run)
  const earlier = await inTenant((tx) => takeKey(tx, route, key, hash))
  if (earlier) return send(reply, { ...earlier, replayed: true })
  try {
    const { sent, kept } = written(reply, operation, await work())
    await inTenant((tx) => keepAnswer(tx, route, key, hash, kept))
    return send(reply, { ...sent, replayed: false })
  } catch (error) {
    // A refusal is stored as the response. A validation error did nothing, so its key is released. After any other
    // error the outcome is unknown, and the key stays taken.
    if (isKept(error) || (error instanceof AppError && error.status === 502))
      await inTenant((tx) => keepAnswer(tx, route, key, hash, refusalOf(error)))
    else if (error instanceof AppError) await inTenant((tx) => releaseKey(tx, route, key))
    throw error
  }
}

/** A response as it is sent, and as replays repeat it. */
function written(reply: FastifyReply, { status: usual = 200, secrets }: OperationAnswer, result: unknown) {
  const body = reply.serialize(answer(reply, usual, result)) as string
  const status = reply.statusCode
  return { sent: { status, body }, kept: { status, body: withoutSecrets(body, secrets) } }
}

const refusalOf = ({ status, message, extra }: AppError) => ({
  status,
  body: JSON.stringify({ detail: message, ...extra }),
})

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
