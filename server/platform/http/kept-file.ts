import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file that is the same for every client, held in memory and served with an ETag. */
export interface KeptFile {
  type: string
  etag: string
  /** By content coding, compressed once. The uncompressed form may be a function, since few clients ask for it. */
  bytes: { identity: string | Buffer | (() => Buffer); br?: Buffer | undefined; gzip?: Buffer | undefined }
}

export const tagOf = (bytes: string | Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

export const keptText = (type: string, text: string): KeptFile => ({
  type,
  etag: tagOf(text),
  bytes: { identity: text },
})

export function sendKept(request: FastifyRequest, reply: FastifyReply, { type, etag, bytes }: KeptFile): FastifyReply {
  reply.header('etag', etag)
  if (bytes.br || bytes.gzip) reply.header('vary', 'accept-encoding')
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const coding = (['br', 'gzip'] as const).find((each) => bytes[each] && new RegExp(`\\b${each}\\b`).test(accepted))
  if (coding) reply.header('content-encoding', coding)
  const body = bytes[coding ?? 'identity']
  return reply.type(type).send(typeof body === 'function' ? body() : body)
}
