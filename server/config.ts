import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { isSupportedCountry } from 'libphonenumber-js/min'
import Type, { type Static, type TSchema } from 'typebox'
import { faultIn } from './platform/check-schema.ts'

/**
 * Every setting, its default and its bounds, in one place: checked at start, passed down as one object, and the
 * source of docs/configuration.md.
 */
export const Settings = Type.Object({
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 3000,
    description: 'Port to listen on. 0 picks a free one.',
  }),
  HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address to listen on. Anything beyond loopback demands `SECRET_KEY`.',
  }),
  DATA_DIR: Type.String({
    default: './data',
    description: 'Where the embedded database, its socket and the generated secret key live.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'A PostgreSQL 15 or newer to use in place of the embedded one, as `postgres://user:password@host:5432/database`. The user owns the database and may create roles. Demands `SECRET_KEY`.',
    }),
  ),
  DATABASE_POOL_SIZE: Type.Integer({
    minimum: 2,
    maximum: 200,
    default: 10,
    description: 'Connections a process opens for requests; about as many again serve jobs and sign-in.',
  }),
  ROLE: Type.Union([Type.Literal('all'), Type.Literal('api'), Type.Literal('worker')], {
    default: 'all',
    description: 'What this process does: answer requests, work on jobs, or both.',
  }),
  SECRET_KEY: Type.Optional(
    Type.String({
      minLength: 32,
      description:
        'At least 32 characters that encrypt stored secrets. The same on every node. An embedded run on loopback makes one in `DATA_DIR`.',
    }),
  ),
  PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/]+$',
      description:
        'How people reach this service, as `https://desk.example.com`. Sets the host names that are answered, the links that are printed and the issuer of tokens.',
    }),
  ),
  LOG_LEVEL: Type.Union(
    (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const).map((level) => Type.Literal(level)),
    { default: 'info', description: 'How much is logged. Lines at a terminal, JSON otherwise.' },
  ),
  DEFAULT_COUNTRY: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{2}$',
      description: 'Two-letter country of phone numbers written without `+`. Without it such numbers are refused.',
    }),
  ),
  BOOTSTRAP_API_KEY: Type.Optional(
    Type.String({
      pattern: '^svc_sk_(test|live)_[0-9A-Za-z]{32,}$',
      description:
        'Registers exactly this key, with full access, for the first organization. Never logged; once revoked it stays revoked.',
    }),
  ),
  DEMO_DATA: Type.Boolean({
    default: true,
    description: 'Whether the first start of an embedded run fills test mode with demo contacts and tasks.',
  }),
  CORS_ORIGINS: Type.Array(Type.String({ pattern: '^(\\*|https?://[^/]+)$' }), {
    default: [],
    description: 'Origins whose pages may call the API with a key, separated by commas, or `*`. Never with cookies.',
  }),
  TRUST_PROXY: Type.Boolean({
    default: false,
    description:
      'Whether to believe the `X-Forwarded-*` headers of the one proxy in front. Only behind a proxy that sets or appends them.',
  }),
  METRICS_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      description: 'Bearer token for `/metrics`. Without it, only loopback may read them.',
    }),
  ),
  RATE_LIMIT_PER_MINUTE: Type.Integer({
    minimum: 1,
    default: 6000,
    description: 'Requests a minute for each credential.',
  }),
  RATE_LIMIT_LOGINS_PER_MINUTE: Type.Integer({
    minimum: 1,
    default: 10,
    description: 'Sign-in attempts a minute for each account and for each address.',
  }),
  MAX_IMPORT_BYTES: Type.Integer({
    minimum: 1024,
    default: 50 * 1024 * 1024,
    description: 'Largest CSV file that a contact import accepts, in bytes.',
  }),
  EVENT_RETENTION_DAYS: Type.Integer({ minimum: 1, default: 30, description: 'How long events can be listed.' }),
  TRUSTED_ISSUER: Type.Optional(
    Type.String({ description: 'A second issuer of tokens, for single sign-on: the `iss` its tokens carry.' }),
  ),
  TRUSTED_AUDIENCE: Type.Optional(
    Type.String({ description: 'The `aud` that tokens of the second issuer must carry.' }),
  ),
  TRUSTED_JWKS_URL: Type.Optional(
    Type.String({ pattern: '^https?://', description: 'Where the second issuer publishes its keys.' }),
  ),
})
export type Settings = Static<typeof Settings>

/** What is wrong with the settings, a line each, in words for the person who starts the service. */
export class SettingsError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

export const isEmbedded = (settings: Settings): boolean => settings.DATABASE_URL === undefined

/** An embedded run that only this machine can reach: it may greet whoever started it with keys and links. */
export const isLocal = (settings: Settings): boolean => isEmbedded(settings) && isLoopback(settings.HOST)

function fromText(text: string, schema: TSchema): unknown {
  const { type } = schema as { type?: string }
  if (type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text
  if (type === 'boolean')
    return (
      ({ true: true, '1': true, yes: true, false: false, '0': false, no: false } as Record<string, boolean>)[
        text.toLowerCase()
      ] ?? text
    )
  if (type === 'array')
    return text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  return text
}

export function readSettings(env: Record<string, string | undefined>): Settings {
  const settings: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, schema] of Object.entries(Settings.properties) as [string, TSchema][]) {
    const text = env[name]?.trim()
    if (text === undefined || text === '') {
      const fallback = (schema as { default?: unknown }).default
      if (fallback !== undefined) settings[name] = fallback
      continue
    }
    settings[name] = fromText(text, schema)
    const fault = faultIn(schema, settings[name])
    if (fault) problems.push(`${name} ${explain(schema, fault)}`)
  }
  if (problems.length > 0) throw new SettingsError(problems)
  const checked = settings as Settings
  if (!checked.SECRET_KEY) {
    if (checked.DATABASE_URL)
      problems.push('SECRET_KEY is needed with DATABASE_URL: at least 32 random characters, the same on every node')
    else if (!isLoopback(checked.HOST))
      problems.push(`SECRET_KEY is needed when HOST (${checked.HOST}) is reachable from other machines`)
  }
  if (checked.DEFAULT_COUNTRY && !isSupportedCountry(checked.DEFAULT_COUNTRY))
    problems.push(`DEFAULT_COUNTRY must be a country with phone numbers, such as US, not ${checked.DEFAULT_COUNTRY}`)
  const trusted = [checked.TRUSTED_ISSUER, checked.TRUSTED_AUDIENCE, checked.TRUSTED_JWKS_URL].filter(Boolean)
  if (trusted.length === 1 || trusted.length === 2)
    problems.push('TRUSTED_ISSUER, TRUSTED_AUDIENCE and TRUSTED_JWKS_URL go together: set all three or none')
  if (problems.length > 0) throw new SettingsError(problems)
  return { ...checked, DATA_DIR: resolve(checked.DATA_DIR) }
}

function explain(schema: TSchema, fault: string): string {
  const { anyOf, pattern } = schema as { anyOf?: { const: string }[]; pattern?: string }
  if (anyOf) return `must be one of ${anyOf.map((option) => option.const).join(', ')}`
  // Never echo the value: it may be a secret.
  return pattern ? `does not look right: it must match ${pattern}` : fault
}

/** The key that encrypts stored secrets: given, or made once and kept beside the embedded database. */
export function secretKey(settings: Settings): string {
  if (settings.SECRET_KEY) return settings.SECRET_KEY
  const file = join(settings.DATA_DIR, 'secret.key')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    mkdirSync(settings.DATA_DIR, { recursive: true, mode: 0o700 })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
    try {
      // Appears whole or not at all; where another process of this data directory was faster, its key is the key.
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      unlinkSync(draft)
    }
    return readFileSync(file, 'utf8').trim()
  }
}
