import type { FastifyReply } from 'fastify'

/** A response whose status is not the operation's usual one. */
export class Answer<T> {
  readonly status: number
  readonly body: T
  constructor(status: number, body: T) {
    this.status = status
    this.body = body
  }
}

/** Gives the reply the status of a handler's result, and returns the body. */
export function answer(reply: FastifyReply, status: number | undefined, result: unknown): unknown {
  if (result === reply) return reply
  if (result instanceof Answer) {
    reply.code(result.status)
    return result.body
  }
  if (status !== undefined) reply.code(status)
  return result
}
