import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { isSupportedCountry } from 'libphonenumber-js/min'
import Type, { type Static, type TSchema } from 'typebox'
import { malformedAllowEntries } from './platform/address-guard.ts'
import { faultIn } from './platform/check-schema.ts'

/**
 * Every setting, its default and its bounds, in one place: validated at start, passed down as one object, and the
 * source of docs/configuration.md.
 */
/** Rates for the cost of a call. */
const rate = (usd: number, what: string) =>
  Type.Number({ minimum: 0, default: usd, description: `${what} In USD, for the cost that calls show.` })

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
    description: 'Where the embedded database, its socket, the generated secret key and stored files live.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'A PostgreSQL 15 or newer to use in place of the embedded one, as `postgres://user:password@host:5432/database`. The user owns the database and may create roles. Demands `SECRET_KEY`.',
    }),
  ),
  TENANT_DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'How requests reach the database of `DATABASE_URL`: the same address with a user of their own, who can see one organization at a time and cannot become the owner. The migration makes that user, with this password, if it is missing. Without it requests connect as the owner.',
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
  SECRET_KEY_PREVIOUS: Type.Optional(
    Type.String({
      minLength: 32,
      description:
        'While `SECRET_KEY` is being replaced: the other key, with which stored secrets can be opened too. Remove it after `frontdesk secrets rotate`.',
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
    description:
      'Sign-in attempts a minute for each address, and for each device that signed in before. Beyond that many at one account, attempts from other devices wait up to ten seconds each.',
  }),
  RATE_LIMIT_CAMPAIGNS_PER_MINUTE: Type.Integer({
    minimum: 1,
    default: 60,
    description: 'Campaigns that each credential may create in a minute.',
  }),
  CAMPAIGN_LEASE_SECONDS: Type.Integer({
    minimum: 2,
    maximum: 300,
    default: 15,
    description:
      'How long a worker that has fallen silent keeps the campaign messages it had claimed. The same on every node.',
  }),
  MAX_IMPORT_BYTES: Type.Integer({
    minimum: 1024,
    default: 50 * 1024 * 1024,
    description: 'Largest CSV file that a contact import accepts, in bytes.',
  }),
  MAX_UPLOAD_BYTES: Type.Integer({
    minimum: 1024,
    default: 25 * 1024 * 1024,
    description: 'Largest document that the knowledge base accepts, in bytes.',
  }),
  RATE_LIMIT_UPLOADS_PER_MINUTE: Type.Integer({
    minimum: 1,
    default: 60,
    description: 'Documents a minute that each credential may upload to the knowledge base.',
  }),
  OPENAI_API_KEY: Type.Optional(
    Type.String({ description: 'Opens the models of `openai` to live agents. Test mode never asks a hosted model.' }),
  ),
  OPENAI_BASE_URL: Type.String({
    pattern: '^https?://',
    default: 'https://api.openai.com/v1',
    description:
      'Where `openai` is: any server that answers `POST {this}/chat/completions` as OpenAI does can stand here, and one of your own may need no key.',
  }),
  ANTHROPIC_API_KEY: Type.Optional(Type.String({ description: 'Opens the models of `anthropic` to live agents.' })),
  ANTHROPIC_BASE_URL: Type.String({
    pattern: '^https?://',
    default: 'https://api.anthropic.com',
    description: 'Where `anthropic` is: a server that answers `POST {this}/v1/messages` as Anthropic does.',
  }),
  GOOGLE_API_KEY: Type.Optional(Type.String({ description: 'Opens the models of `google` (Gemini) to live agents.' })),
  GOOGLE_BASE_URL: Type.String({
    pattern: '^https?://',
    default: 'https://generativelanguage.googleapis.com',
    description:
      'Where `google` is: a server that answers `POST {this}/v1beta/models/…:streamGenerateContent` as Google does.',
  }),
  AGENT_REPLY_DELAY_MS: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    default: 1500,
    description: 'How long an agent waits for another message of the same contact before it answers them in one.',
  }),
  AGENT_REPLIES_PER_HOUR: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 30,
    description:
      'How many answers of an agent one contact gets within an hour. The next one is left to a person: this ends a conversation between two machines.',
  }),
  DEEPGRAM_API_KEY: Type.Optional(
    Type.String({ description: 'Lets live agents hear with Deepgram. Test mode never sends speech anywhere.' }),
  ),
  DEEPGRAM_BASE_URL: Type.String({
    pattern: '^https?://',
    default: 'https://api.deepgram.com',
    description: 'Where Deepgram is: a server that takes a WebSocket at `{this}/v1/listen` as Deepgram does.',
  }),
  DEEPGRAM_MODEL: Type.String({
    default: 'nova-3',
    description: 'What Deepgram is asked for by agents that name no model.',
  }),
  ELEVENLABS_API_KEY: Type.Optional(
    Type.String({ description: 'Lets live agents speak with the voices of ElevenLabs.' }),
  ),
  ELEVENLABS_BASE_URL: Type.String({
    pattern: '^https?://',
    default: 'https://api.elevenlabs.io',
    description:
      'Where ElevenLabs is: a server that answers `POST {this}/v1/text-to-speech/…/stream` as ElevenLabs does.',
  }),
  ELEVENLABS_MODEL: Type.String({
    default: 'eleven_flash_v2_5',
    description: 'The model behind the voices of ElevenLabs.',
  }),
  SPEECH_BASE_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+(/[^?#]*)?$',
      description:
        'A server that answers `POST {this}/audio/transcriptions` and `POST {this}/audio/speech` as OpenAI does, as `https://api.openai.com/v1`: live agents can hear and speak with it, as provider `openai`.',
    }),
  ),
  SPEECH_API_KEY: Type.Optional(Type.String({ description: 'The key for that server, where it wants one.' })),
  SPEECH_TRANSCRIBER_MODEL: Type.String({
    default: 'gpt-4o-mini-transcribe',
    description: 'What that server hears with, for agents that name no model.',
  }),
  SPEECH_VOICE_MODEL: Type.String({ default: 'gpt-4o-mini-tts', description: 'What that server speaks with.' }),
  SPEECH_PROCESSES: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description:
        'How many processes may speak and recognise on this machine, about 300 MB each while they work; as many as it has processors, at most four, where nothing is said.',
    }),
  ),
  EMBEDDINGS_BASE_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+(/[^?#]*)?$',
      description:
        'A server that answers `POST {this}/embeddings` as OpenAI does, as `https://api.openai.com/v1`: it makes the vectors of live documents and questions. Test mode, and live mode without it, use the model that comes along. Goes with `EMBEDDINGS_MODEL`.',
    }),
  ),
  EMBEDDINGS_API_KEY: Type.Optional(Type.String({ description: 'The key for that server, where it wants one.' })),
  EMBEDDINGS_MODEL: Type.Optional(
    Type.String({
      description:
        'The model to ask there. After a change documents are embedded anew in the background, and the old vectors answer until then.',
    }),
  ),
  EMBEDDINGS_DIMENSIONS: Type.Integer({
    minimum: 1,
    maximum: 16_384,
    default: 1536,
    description: 'How many dimensions the vectors of that model have.',
  }),
  VECTOR_INDEX: Type.Union([Type.Literal('exact'), Type.Literal('pgvector')], {
    default: 'exact',
    description:
      'What compares vectors: this process, every one of an organization, or PostgreSQL with its extension `vector`, which then must be installed there.',
  }),
  VECTOR_MEMORY_BYTES: Type.Integer({
    minimum: 1024 * 1024,
    maximum: 4 * 1024 * 1024 * 1024 - 65_536,
    default: 128 * 1024 * 1024,
    description:
      'Memory in which the exact index keeps the vectors of the organizations that search; enough for some 150,000 pieces of documents.',
  }),
  KEYWORD_WEIGHT: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.65,
    description:
      'How much the words of a question count in a hybrid search when documents have all of them; its meaning counts the rest.',
  }),
  EVENT_RETENTION_DAYS: Type.Integer({ minimum: 1, default: 30, description: 'How long events can be listed.' }),
  WEBHOOK_RETRY_SECONDS: Type.Array(Type.String({ pattern: '^\\d+(\\.\\d+)?$' }), {
    default: ['5', '300', '1800', '7200', '18000', '36000', '50400', '72000', '86400'],
    description:
      'How long an outgoing webhook waits after its first failed attempt, after its second, and so on, in seconds separated by commas. Up to a fifth is added, so that what failed together does not come back together. After the last one it has failed.',
  }),
  WEBHOOK_TIMEOUT_SECONDS: Type.Number({
    minimum: 0.1,
    maximum: 60,
    default: 15,
    description: 'How long an endpoint may take to answer an outgoing webhook.',
  }),
  WEBHOOK_DISABLE_AFTER_SECONDS: Type.Number({
    minimum: 1,
    default: 432_000,
    description: 'An endpoint whose every attempt has failed for this long is disabled; five days.',
  }),
  WEBHOOK_CONCURRENCY: Type.Integer({
    minimum: 4,
    maximum: 10_000,
    default: 256,
    description: 'Outgoing webhooks that a process has on their way at once; at most 32 of them to one endpoint.',
  }),
  STREAM_HEARTBEAT_SECONDS: Type.Number({
    minimum: 0.1,
    maximum: 300,
    default: 15,
    description: 'How often a quiet event stream says that it is still there: more often than proxies cut off silence.',
  }),
  GRAPH_API_BASE_URL: Type.String({
    pattern: '^https?://[^/?#]+(/[^?#]*)?$',
    default: 'https://graph.facebook.com',
    description:
      'Where live channels reach the chat platform: the Graph API, or any server that speaks it. Test mode always goes to the simulator.',
  }),
  GRAPH_API_VERSION: Type.String({
    pattern: '^v\\d+\\.\\d+$',
    default: 'v19.0',
    description:
      'Version of the Graph API that is asked for. v19.0, the default, ended on 2026-05-21: set v25.0 for live use. The log, `frontdesk doctor` and the channel’s page say which version serves, and warn 90 days before it ends.',
  }),
  TELEPHONY_BASE_URL: Type.String({
    pattern: '^https?://[^/?#]+(/[^?#]*)?$',
    default: 'https://api.twilio.com',
    description:
      'Where live channels reach their carrier: Twilio, or any server that speaks its REST API. Test mode always goes to the simulator.',
  }),
  CALLS_PER_ORGANIZATION: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 20,
    description: 'How many calls of one organization may run at once, in each mode; further ones wait their turn.',
  }),
  RECORDING_RETENTION_DAYS: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'How long recordings of calls are kept. Without it they stay as long as their calls.',
    }),
  ),
  RATE_TELEPHONY_PER_MINUTE: rate(0.014, 'For each minute that a phone call began.'),
  RATE_TRANSCRIPTION_PER_MINUTE: rate(0.0077, 'For a minute of speech that is turned into text.'),
  RATE_VOICE_PER_1000_CHARACTERS: rate(0.015, 'For a thousand characters that an agent speaks.'),
  RATE_LLM_PER_MILLION_INPUT_TOKENS: rate(0.25, 'For a million tokens that a language model reads during calls.'),
  RATE_LLM_PER_MILLION_OUTPUT_TOKENS: rate(2, 'For a million tokens that a language model writes during calls.'),
  OUTBOUND_ALLOW: Type.Array(Type.String(), {
    default: [],
    description:
      'Hosts, addresses and ranges (as `hooks.internal`, `10.1.2.3`, `10.0.0.0/8`) of the own network that webhooks, tools and other addresses which customers type may reach, separated by commas. Everything else inside is refused.',
  }),
  SIMULATOR_SPEED: Type.Number({
    minimum: 0,
    default: 1,
    description:
      'How fast the simulated carriers of test mode are: their waits are divided by it, and 0 takes them away.',
  }),
  SIMULATOR_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+(/[^?#]*)?$',
      description:
        'A simulator that runs elsewhere (`frontdesk simulate`) for test mode to use in place of the built-in one. Its control token, if it has one, stands before the host: `http://token@sim.internal:3001`.',
    }),
  ),
  S3_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+/?$',
      description:
        'An S3-compatible store that keeps files in place of `DATA_DIR`, as `https://s3.eu-central-1.amazonaws.com`. Needed with several nodes, unless they share `DATA_DIR`. Goes with the bucket and both keys.',
    }),
  ),
  S3_BUCKET: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$', description: 'The bucket for files. It must exist.' }),
  ),
  S3_REGION: Type.String({
    default: 'us-east-1',
    description: 'The region that requests to the store are signed for.',
  }),
  S3_ACCESS_KEY_ID: Type.Optional(Type.String({ description: 'Names the key that may read, write and delete there.' })),
  S3_SECRET_ACCESS_KEY: Type.Optional(Type.String({ description: 'The secret of that key.' })),
  CHAT_APP_SECRET: Type.Optional(
    Type.String({
      pattern: '^\\S+$',
      description:
        'Secret of a chat platform app that serves the whole installation: its webhooks come to `/hooks/chat`, and live channels need no app of their own. Goes with `CHAT_VERIFY_TOKEN`.',
    }),
  ),
  CHAT_VERIFY_TOKEN: Type.Optional(
    Type.String({
      description: 'What the platform repeats when it verifies `/hooks/chat`. Goes with `CHAT_APP_SECRET`.',
    }),
  ),
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

/** What is wrong with the settings, one line each, for the operator. */
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

/** An embedded run that only this machine can reach: it may print keys and sign-in links on the terminal. */
export const isLocal = (settings: Settings): boolean => isEmbedded(settings) && isLoopback(settings.HOST)

function fromText(text: string, schema: TSchema): unknown {
  const { type } = schema as { type?: string }
  if (type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
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
  if (checked.SECRET_KEY_PREVIOUS && checked.SECRET_KEY_PREVIOUS === checked.SECRET_KEY)
    problems.push('SECRET_KEY_PREVIOUS must be another key than SECRET_KEY')
  if (checked.TENANT_DATABASE_URL && !checked.DATABASE_URL)
    problems.push('TENANT_DATABASE_URL requires DATABASE_URL: the embedded database already has such a user')
  if (checked.TENANT_DATABASE_URL && checked.TENANT_DATABASE_URL === checked.DATABASE_URL)
    problems.push('TENANT_DATABASE_URL must name another user than DATABASE_URL')
  if (checked.DEFAULT_COUNTRY && !isSupportedCountry(checked.DEFAULT_COUNTRY))
    problems.push(`DEFAULT_COUNTRY must be a country with phone numbers, such as US, not ${checked.DEFAULT_COUNTRY}`)
  const trusted = [checked.TRUSTED_ISSUER, checked.TRUSTED_AUDIENCE, checked.TRUSTED_JWKS_URL].filter(Boolean)
  if (trusted.length === 1 || trusted.length === 2)
    problems.push('TRUSTED_ISSUER, TRUSTED_AUDIENCE and TRUSTED_JWKS_URL go together: set all three or none')
  const store = [checked.S3_ENDPOINT, checked.S3_BUCKET, checked.S3_ACCESS_KEY_ID, checked.S3_SECRET_ACCESS_KEY]
  if (store.some(Boolean) && !store.every(Boolean))
    problems.push('S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: set all four or none')
  for (const name of ['GRAPH_API_BASE_URL', 'TELEPHONY_BASE_URL', 'S3_ENDPOINT'] as const)
    if (checked[name] && !URL.canParse(checked[name])) problems.push(`${name} must be a valid URL`)
  if ((checked.EMBEDDINGS_BASE_URL === undefined) !== (checked.EMBEDDINGS_MODEL === undefined))
    problems.push('EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL go together: set both or none')
  for (const entry of malformedAllowEntries(checked.OUTBOUND_ALLOW))
    problems.push(`OUTBOUND_ALLOW takes hosts, addresses and ranges such as 10.0.0.0/8, not ${entry}`)
  if ((checked.CHAT_APP_SECRET === undefined) !== (checked.CHAT_VERIFY_TOKEN === undefined))
    problems.push('CHAT_APP_SECRET and CHAT_VERIFY_TOKEN go together: set both or none')
  if (checked.SIMULATOR_URL && isRealPlatform(checked.SIMULATOR_URL))
    problems.push('SIMULATOR_URL must be the URL of a simulator: test mode never calls the real platform')
  if (problems.length > 0) throw new SettingsError(problems)
  return { ...checked, DATA_DIR: resolve(checked.DATA_DIR) }
}

const isRealPlatform = (url: string): boolean =>
  !URL.canParse(url) || /(^|\.)(facebook|whatsapp|fbsbx|twilio)\.(com|net)\.?$/i.test(new URL(url).hostname)

function explain(schema: TSchema, fault: string): string {
  const { anyOf, pattern } = schema as { anyOf?: { const: string }[]; pattern?: string }
  if (anyOf) return `must be one of ${anyOf.map((option) => option.const).join(', ')}`
  // Never echo the value: it may be a secret.
  return pattern ? `must match ${pattern}` : fault
}

/** The key that encrypts stored secrets: given, or generated once and kept beside the embedded database. */
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
      // The file appears complete or not at all; if another process of this data directory was faster, its key is used.
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      unlinkSync(draft)
    }
    return readFileSync(file, 'utf8').trim()
  }
}
