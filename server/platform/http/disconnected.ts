import type { FastifyReply } from 'fastify'

/** Aborted when the caller disconnects before the answer was sent, so that work for it can stop. */
export function untilDisconnected({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
