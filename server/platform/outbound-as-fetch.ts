import { Readable } from 'node:stream'
import type { OutboundHttp, OutboundRequest } from './outbound-fetch.ts'

type Limits = Pick<OutboundRequest, 'timeLimitMs' | 'maxBytes' | 'guarded'>

/** Statuses without a body: `Response` refuses one, even if it is empty. */
const withoutBody = new Set([204, 205, 304])

/** A `fetch` for libraries that make their own requests: they get our limits and the address guard. */
export function asFetch(http: OutboundHttp, limits: Limits): typeof fetch {
  return async (address, init = {}) => {
    if (address instanceof Request) throw new TypeError('give the address and its options apart')
    const { body, signal } = init
    if (body != null && typeof body !== 'string' && !(body instanceof Uint8Array))
      throw new TypeError('a body is text or bytes here')
    const answer = await http.stream({
      ...limits,
      url: address,
      method: (init.method ?? 'GET') as NonNullable<OutboundRequest['method']>,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(body != null && { body }),
      ...(signal && { signal }),
    })
    if (withoutBody.has(answer.status)) answer.body.destroy()
    return new Response(
      withoutBody.has(answer.status) ? null : (Readable.toWeb(answer.body) as ReadableStream<Uint8Array>),
      { status: answer.status, headers: answer.headers },
    )
  }
}
