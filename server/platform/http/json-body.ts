import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { badRequest, type Fault, InvalidInput } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the raw body; only computed for requests with an Idempotency-Key. */
    bodyHash?: Buffer
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * PostgreSQL cannot store NUL or lone surrogates. They arrive as escapes, so bodies without these escapes need no walk.
 */
const suspicious = /\\u(?:0000|d[89a-f])/i
const loneSurrogate = /\p{Surrogate}/u

/** Deeper than any legitimate body, and far below what would overflow a stack or jsonb. */
export const maxDepth = 64

export function acceptJson(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, raw, done) => {
    const bytes = raw as Buffer
    if (bytes.length === 0) {
      // Clients send the content-type header on DELETE and POST without a body; only a route with a body schema
      // requires a body.
      done(null, undefined)
      return
    }
    try {
      if (request.headers['idempotency-key'] !== undefined)
        request.bodyHash = createHash('sha256').update(bytes).digest()
      const text = decoder.decode(bytes)
      const body = JSON.parse(text)
      if (suspicious.test(text)) refuseUnstorable(body, 'body')
      done(null, body)
    } catch (error) {
      done(error instanceof InvalidInput ? error : (badRequest('The body is not valid JSON') as Error))
    }
  })
}

/** A value of the body and its parent: the path is only built for values that are refused. */
interface BodyNode {
  value: unknown
  key: string | number
  within: BodyNode | undefined
  depth: number
}

function locOf({ key, within }: BodyNode): string[] {
  const name = String(key).replaceAll('\0', '').toWellFormed()
  return within ? [...locOf(within), name] : [name]
}

/** Throws for NUL bytes and lone surrogates, each with its location. */
export function refuseUnstorable(value: unknown, where: string): void {
  const faults: Fault[] = []
  const check = (text: string, place: BodyNode) => {
    if (text.includes('\0'))
      faults.push({ loc: locOf(place), msg: 'NUL characters are not allowed', type: 'string_unicode' })
    else if (loneSurrogate.test(text))
      faults.push({ loc: locOf(place), msg: 'Lone surrogates are not allowed', type: 'string_unicode' })
  }
  // An explicit stack: a body may be nested deeper than the engine's call stack.
  const open: BodyNode[] = [{ value, key: where, within: undefined, depth: 1 }]
  const enter = (member: unknown, key: string | number, within: BodyNode) => {
    if (typeof member === 'string' || (member !== null && typeof member === 'object'))
      open.push({ value: member, key, within, depth: within.depth + 1 })
  }
  while (open.length > 0 && faults.length < 20) {
    const place = open.pop() as BodyNode
    const { value, depth } = place
    if (typeof value === 'string') check(value, place)
    else if (value === null || typeof value !== 'object' || depth > maxDepth + 8) continue
    else if (Array.isArray(value)) for (let i = 0; i < value.length; i++) enter(value[i], i, place)
    else
      for (const [key, member] of Object.entries(value)) {
        check(key, place)
        enter(member, key, place)
      }
  }
  if (faults.length > 0) throw new InvalidInput(faults.reverse())
}
