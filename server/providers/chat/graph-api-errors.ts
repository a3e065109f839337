import { ChatError, type ChatErrorScope, type ChatVerdict, explanationOf } from './contract.ts'

type Rule = [verdict: ChatVerdict, scope: ChatErrorScope, retryAfterMs?: number]
/** `doubtful` becomes `retry` where repeating the request does no harm, and `unknown` where it could do it twice. */
type CodeRule = [verdict: ChatVerdict | 'doubtful', scope: ChatErrorScope, retryAfterMs?: number]

const second = 1_000
const minute = 60 * second

/**
 * The platform's codes. Only a refusal that proves that nothing was sent is a `retry`: a limit that was reached before the
 * request was carried out (4, 17, 613, 80007, 80008, 130429, 131056), or an account in maintenance (131057).
 *
 * 131000, 131016 and 133004 come with status 5xx and prove nothing: the platform was seen to answer 131000 to a message that it
 * had taken, so resending it sent the message twice. Codes 1 and 2 are as doubtful; see `ruleFor`.
 */
const rules: Record<string, CodeRule> = {
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

/** Whoever explains failures to people has something to say about each. */
export const knownCodes = Object.keys(rules)

/** What is known of an answer that was no success. */
export interface Refusal {
  status: number
  headers: Record<string, string>
  /** The `error` member of the body, if the body was JSON and had one. */
  error?: Record<string, unknown>
  /** Doing it twice does no harm, as with everything but sending a message and creating a template. */
  repeatable: boolean
  /** Never to be seen in a message, even if the platform repeats it. */
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
  const known = code !== undefined && Object.hasOwn(rules, code) ? rules[code] : undefined
  if (known) {
    const [verdict, scope, retryAfterMs] = known
    return [verdict === 'doubtful' ? maybeDone : verdict, scope, retryAfterMs]
  }
  // 200 to 299 are one family: permissions that the token lacks.
  if (code !== undefined && /^2\d\d$/.test(code)) return ['pause', 'account']
  if (status === 429) return ['retry', 'number']
  if (code === '1' || code === '2' || error?.is_transient === true) return [maybeDone, 'request']
  if (status === 401) return ['token_expired', 'account']
  if (status === 403) return ['pause', 'account']
  // A redirect is never followed, since the token would go along: the address in the settings is wrong.
  if (status >= 300 && status < 500 && status !== 303 && status !== 408) return ['fail', 'request']
  // What a proxy or a failing server says in the platform's place tells nothing of what the platform has done.
  return [maybeDone, 'request']
}

function waitFor(headers: Record<string, string>, code: string | undefined, fallback?: number) {
  const told = retryAfter(headers['retry-after']) ?? (isQuota(code) ? regainAccess(headers) : undefined)
  if (told !== undefined) return { retryAfterMs: Math.min(told, 24 * 60 * minute) }
  // Senders that were refused together must not come back together.
  const guess = code === '130429' && fallback ? Math.round(fallback * (1 + Math.random())) : fallback
  return { retryAfterMs: guess ?? null, waitIsGuessed: guess !== undefined }
}

const isQuota = (code?: string) => code === '4' || code === '17' || code === '613' || code?.startsWith('8000') === true

/** Seconds, or a date. */
function retryAfter(header: string | undefined): number | undefined {
  if (!header) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.round(Number(header) * second)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

/** The longest of the minutes that the platform estimates, of all accounts that its header speaks of. */
function regainAccess(headers: Record<string, string>): number | undefined {
  let usage: unknown
  try {
    usage = JSON.parse(headers['x-business-use-case-usage'] ?? 'null')
  } catch {
    return undefined
  }
  const minutes = Object.values(usage && typeof usage === 'object' ? usage : {})
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
  // The token goes before the text is cut: half a token would be left. NUL and half a character cannot be stored.
  return withoutToken(text, token).slice(0, 1_000).replaceAll('\0', '').toWellFormed()
}

export const withoutToken = (text: string, token: string): string =>
  token === '' ? text : text.replaceAll(token, '[token]')

const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined
