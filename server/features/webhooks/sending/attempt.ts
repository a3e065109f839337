import { OutboundError, type OutboundHttp } from '../../../platform/outbound-fetch.ts'
import { currentTraceparent } from '../../../platform/tracing/trace.ts'
import { requestHeaders } from '../event-request.ts'
import type { Attempt } from '../schema.ts'

/** Stored part of a response, and the most that is read of it. */
const keptCharacters = 2_000
const maxBytes = 16 * 1024

interface EventRequest {
  id: string
  url: string | URL
  body: string
  sign(id: string, at: Date, body: string): string
}

/** What came back, or why nothing did. `Attempt` is the part of it that the delivery's history keeps. */
export interface AttemptOutcome extends Attempt {
  /** Of the response. */
  body: string | null
  /** From the Retry-After header. */
  retryAfterMs: number | null
}

/** Posts the event. Every failure is an outcome. Redirects are not followed and count as failures. */
export async function attempt(
  { id, url, body, sign }: EventRequest,
  { http, timeLimitMs }: { http: OutboundHttp; timeLimitMs: number },
): Promise<AttemptOutcome> {
  const at = new Date()
  const begun = performance.now()
  const ended = () => ({ attempted_at: at.toISOString(), duration_ms: Math.round(performance.now() - begun) })
  try {
    const headers: Record<string, string> = requestHeaders(id, at)
    headers['webhook-signature'] = sign(id, at, body)
    const traceparent = currentTraceparent()
    if (traceparent !== undefined) headers.traceparent = traceparent
    // A dropped connection is a failed attempt like any other and follows the retry schedule: the endpoint may have
    // received the event.
    const answer = await http.fetch({
      url,
      method: 'POST',
      headers,
      body,
      timeLimitMs,
      maxBytes,
      cutOff: true,
      guarded: true,
    })
    const isSuccess = answer.status >= 200 && answer.status < 300
    return {
      ...ended(),
      response_status: answer.status,
      error: isSuccess ? null : `The endpoint returned status ${answer.status}`,
      body: answer.body.length === 0 ? '' : readable(answer.body),
      retryAfterMs: isSuccess ? null : retryAfter(answer.headers['retry-after'], at.getTime()),
    }
  } catch (error) {
    const isOutbound = error instanceof OutboundError
    return {
      ...ended(),
      response_status: null,
      error: isOutbound ? error.message : 'The request could not be sent',
      body: null,
      retryAfterMs: null,
    }
  }
}

/** PostgreSQL text cannot hold NUL, and the cut may split a surrogate pair. */
const readable = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '').slice(0, keptCharacters).toWellFormed()

/** Seconds or an HTTP date; null if it is neither. */
function retryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) && ms > 0 ? ms : null
}
