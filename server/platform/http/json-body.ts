import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { badRequest, type Fault, InvalidInput } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the raw body; only where an Idempotency-Key asks for it. */
    bodyHash?: Buffer
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** NUL and half surrogate pairs cannot be stored by PostgreSQL; they come as escapes, so most bodies need no walk. */
const suspicious = /\\u(?:0000|d[89a-f])/i
const loneSurrogate = /\p{Surrogate}/u

/** Deeper than anything that people write; what a stack or jsonb would choke on lies far beyond. */
export const maxDepth = 64

export function acceptJson(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, raw, done) => {
    const bytes = raw as Buffer
    if (bytes.length === 0) {
      // Clients send the header on bodiless DELETEs and POSTs; only a route with a body schema misses it.
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

/** Throws for NUL bytes and lone surrogates, each with its place. */
export function refuseUnstorable(value: unknown, where: string): void {
  const faults: Fault[] = []
  const check = (text: string, loc: string[]) => {
    if (text.includes('\0')) faults.push({ loc, msg: 'NUL characters are not allowed', type: 'string_unicode' })
    else if (loneSurrogate.test(text))
      faults.push({ loc, msg: 'Lone surrogates are not allowed', type: 'string_unicode' })
  }
  // A stack of our own: a body may be nested deeper than the engine's.
  const open: { value: unknown; loc: string[] }[] = [{ value, loc: [where] }]
  while (open.length > 0 && faults.length < 20) {
    const { value, loc } = open.pop() as { value: unknown; loc: string[] }
    if (typeof value === 'string') check(value, loc)
    else if (value !== null && typeof value === 'object') {
      if (loc.length > maxDepth + 8) continue
      for (const [key, member] of Object.entries(value)) {
        check(key, loc)
        open.push({ value: member, loc: [...loc, key.replaceAll('\0', '').toWellFormed()] })
      }
    }
  }
  if (faults.length > 0) throw new InvalidInput(faults.reverse())
}
