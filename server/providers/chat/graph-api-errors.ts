import { parseObject } from '../../platform/parse-json.ts'
import { ChatError, type ChatErrorScope, type ChatVerdict } from './contract.ts'
import { explanationOf } from './explain-error.ts'

type Rule = [verdict: ChatVerdict, scope: ChatErrorScope, retryAfterMs?: number | undefined]
/** `doubtful` becomes `retry` for idempotent requests, and `unknown` for requests that must not be repeated. */
type CodeRule = [verdict: ChatVerdict | 'doubtful', scope: ChatErrorScope, retryAfterMs?: number]

const second = 1_000
const minute = 60 * second

/**
 * The platform's codes. A limit that was reached before the request was executed, or an account in maintenance (131057),
 * is a `retry`; for messages only if the code proves it, see `provesUnsent`.
 *
 * 131000, 131016 and 133004 come with status 5xx and prove nothing: the platform has been observed to return 131000 for
 * a message that it had accepted, so resending it sent the message twice. Codes 1 and 2 are just as doubtful; see
 * `ruleFor`. The failure advice must cover each of these codes.
 */
export const codeRules: Record<string, CodeRule> = {
  0: ['token_expired', 'account'],
  190: ['token_expired', 'account'],
  3: ['pause', 'account'],
  10: ['pause', 'account'],
  131005: ['pause', 'account'],
  368: ['pause', 'account'],
  131031: ['pause', 'account'],
  131042: ['pause', 'account'],
  131045: ['pause', 'number'],
  133010: ['pause', 'number'],
  133016: ['pause', 'number'],
  131048: ['pause', 'number', 60 * minute],
  132015: ['pause', 'template'],
  4: ['retry', 'app', 5 * minute],
  17: ['retry', 'app', 5 * minute],
  613: ['retry', 'app', 5 * minute],
  80007: ['retry', 'account', 5 * minute],
  80008: ['retry', 'account', 5 * minute],
  130429: ['retry', 'number', second],
  131056: ['retry', 'recipient', 4 * second],
  131000: ['doubtful', 'request', 5 * second],
  131016: ['doubtful', 'app', 5 * second],
  133004: ['doubtful', 'app', 5 * second],
  131057: ['retry', 'account', 5 * second],
  33: ['fail', 'request'],
  100: ['fail', 'request'],
  131008: ['fail', 'request'],
  131009: ['fail', 'request'],
  131051: ['fail', 'request'],
  131052: ['fail', 'request'],
  131053: ['fail', 'request'],
  132000: ['fail', 'request'],
  132005: ['fail', 'request'],
  132012: ['fail', 'request'],
  132018: ['fail', 'request'],
  132068: ['fail', 'request'],
  132069: ['fail', 'request'],
  135000: ['fail', 'request'],
  130472: ['fail', 'recipient'],
  130497: ['fail', 'recipient'],
  131021: ['fail', 'recipient'],
  131026: ['fail', 'recipient'],
  131030: ['fail', 'recipient'],
  131047: ['fail', 'recipient'],
  131049: ['fail', 'recipient'],
  131050: ['fail', 'recipient'],
  131062: ['fail', 'recipient'],
  137000: ['fail', 'recipient'],
  132001: ['fail', 'template'],
  132007: ['fail', 'template'],
  132016: ['fail', 'template'],
}

/** An unsuccessful response. */
interface Refusal {
  status: number
  headers: Record<string, string>
  /** The `error` member of the body, if the body was JSON and had one. */
  error?: Record<string, unknown> | undefined
  /** Whether the request is idempotent, like everything except sending a message and creating a template. */
  repeatable: boolean
  /** Removed from error messages, in case the platform repeats it. */
  token: string
}

export function chatErrorOf(refusal: Refusal): ChatError {
  const { error, status, headers } = refusal
  const code = textOf(error?.code)
  const [verdict, scope, retryAfterMs] = ruleFor(refusal, code)
  return new ChatError({
    verdict,
    scope,
    code: code ?? `http_${status}`,
    subcode: textOf(error?.error_subcode) ?? null,
    message: messageOf(refusal),
    ...(verdict === 'retry' || verdict === 'pause' ? waitFor(headers, code, retryAfterMs) : { retryAfterMs: null }),
  })
}

function ruleFor({ error, status, repeatable }: Refusal, code: string | undefined): Rule {
  const maybeDone: ChatVerdict = repeatable ? 'retry' : 'unknown'
  const known = code !== undefined && Object.hasOwn(codeRules, code) ? codeRules[code] : undefined
  if (known) {
    const [verdict, scope, retryAfterMs] = known
    return [verdict === 'doubtful' ? maybeDone : verdict, scope, retryAfterMs]
  }
  // Codes 200 to 299 mean that the token lacks a permission.
  if (code !== undefined && /^2\d\d$/.test(code)) return ['pause', 'account']
  if (status === 429) return ['retry', 'number']
  if (code === '1' || code === '2' || error?.is_transient === true) return [maybeDone, 'request']
  if (status === 401) return ['token_expired', 'account']
  if (status === 403) return ['pause', 'account']
  // Redirects are not followed, because the token would go along. A redirect means that the configured address is
  // wrong.
  if (status >= 300 && status < 500 && status !== 303 && status !== 408) return ['fail', 'request']
  // A response of a proxy or a failing server says nothing about what the platform has done.
  return [maybeDone, 'request']
}

function waitFor(headers: Record<string, string>, code: string | undefined, fallback?: number) {
  const namedMs = retryAfter(headers['retry-after']) ?? (isQuota(code) ? regainAccess(headers) : undefined)
  if (namedMs !== undefined) return { retryAfterMs: Math.min(namedMs, 24 * 60 * minute) }
  // Jitter, so that senders that were refused together do not retry together.
  const guess = code === '130429' && fallback ? Math.round(fallback * (1 + Math.random())) : fallback
  return { retryAfterMs: guess ?? null, waitIsGuessed: guess !== undefined }
}

const isQuota = (code?: string) => code === '4' || code === '17' || code === '613' || code?.startsWith('8000') === true

/** The header holds seconds or a date. */
function retryAfter(header: string | undefined): number | undefined {
  if (!header) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.round(Number(header) * second)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

/** The longest of the estimates, in minutes, of all accounts that the header lists. */
function regainAccess(headers: Record<string, string>): number | undefined {
  const minutes = Object.values(parseObject(headers['x-business-use-case-usage'] ?? '') ?? {})
    .flat()
    .map((entry) =>
      Number((entry as { estimated_time_to_regain_access?: unknown } | null)?.estimated_time_to_regain_access),
    )
    .filter((each) => each > 0)
  return minutes.length > 0 ? Math.max(...minutes) * minute : undefined
}

function messageOf({ error, status, token }: Refusal): string {
  const text = error && explanationOf(error)
  if (text === undefined) return `the platform answered with status ${status} and no explanation`
  // The token is removed before the text is truncated, which could leave part of it. NUL and lone surrogates cannot be
  // stored.
  return withoutToken(text, token).slice(0, 1_000).replaceAll('\0', '').toWellFormed()
}

const withoutToken = (text: string, token: string): string => (token === '' ? text : text.replaceAll(token, '[token]'))

const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined
