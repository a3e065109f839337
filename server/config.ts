import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { isSupportedCountry } from 'libphonenumber-js/min'
import Type, { type Static, type TSchema } from 'typebox'
import { malformedAllowEntries } from './platform/address-guard.ts'
import { faultIn } from './platform/check-schema.ts'
import { languageDataFile, languageDataPackage } from './platform/language-data.ts'
import { readModelFolder } from './providers/embeddings/model-folder.ts'

/**
 * Every setting, its default and its bounds, in one place: validated at start, passed down as one object, and the
 * source of docs/configuration.md.
 */
/** Rates for the cost of a call. */
const rate = (usd: number, what: string) =>
  Type.Number({ minimum: 0, default: usd, description: `${what} In USD, for the cost estimate of calls.` })

/** A secret, or an address that may contain one. `NAME_FILE` may name a file that contains it. */
const secret = (options: { pattern?: string; minLength?: number; description: string }) =>
  Type.Optional(Type.String({ ...options, isSecret: true }))

const pairsPattern = '^[^=,\\s]+=[^,]*(,\\s*[^=,\\s]+=[^,]*)*$'

const exporter = (description: string) =>
  Type.Union([Type.Literal('otlp'), Type.Literal('none')], { default: 'otlp', description })

export const isSecret = (schema: TSchema): boolean => (schema as { isSecret?: boolean }).isSecret === true

export const Settings = Type.Object({
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 3000,
    description: 'Port to listen on. 0 picks a free one.',
  }),
  WORKER_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'Port on which a worker (`ROLE=worker`) answers `/healthz`, `/readyz` and `/metrics`, and nothing else. Without it, a worker does not listen.',
    }),
  ),
  HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address to listen on. Any address other than loopback requires `SECRET_KEY`.',
  }),
  DATA_DIR: Type.String({
    default: './data',
    description: 'Folder for the embedded database, its socket, the generated secret key and stored files.',
  }),
  DATABASE_URL: secret({
    pattern: '^postgres(ql)?://',
    description:
      'A PostgreSQL server (15 or newer) to use in place of the embedded one, such as `postgres://user:password@host:5432/database`. The user must own the database and may create roles. Requires `SECRET_KEY`.',
  }),
  TENANT_DATABASE_URL: secret({
    pattern: '^postgres(ql)?://',
    description:
      'Connection for requests to the database of `DATABASE_URL`: the same address with a separate user, which sees one organization at a time and cannot become the owner. The migration creates that user with this password if it is missing. If unset, requests connect as the owner.',
  }),
  DATABASE_POOLER_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://[^@]+$',
      description:
        'A pooler such as PgBouncer in transaction mode, in front of the database of `DATABASE_URL`: `postgres://pooler:6432/frontdesk`, with the users and passwords of `DATABASE_URL` and `TENANT_DATABASE_URL`. Requests and work go through it. `DATABASE_URL` stays direct: migrations, the job queue and notifications need sessions.',
    }),
  ),
  REPLICA_DATABASE_URL: secret({
    pattern: '^postgres(ql)?://',
    description:
      'A streaming replica of the database of `DATABASE_URL`, with the user of `TENANT_DATABASE_URL`. Exports of contacts and of the audit log, reports and the daily figures of the dashboard are read from it while it is at most 10 seconds behind, else from the primary.',
  }),
  DATABASE_POOL_SIZE: Type.Integer({
    minimum: 2,
    maximum: 200,
    default: 10,
    description: 'Connections that a process opens for requests; about as many again serve jobs and sign-in.',
  }),
  ORGANIZATION_CONNECTIONS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      description:
        'How many of the `DATABASE_POOL_SIZE` connections a busy organization uses at once for its requests and jobs while others are active. Half of the cores that PostgreSQL has, divided by the number of processes, keeps the others fast. Defaults to half of the cores with the embedded server, otherwise to its share of the connections, at least a quarter. Live calls are not limited.',
    }),
  ),
  ROLE: Type.Union([Type.Literal('all'), Type.Literal('api'), Type.Literal('worker')], {
    default: 'all',
    description: 'What this process does: `api` serves requests, `worker` runs jobs, `all` does both.',
  }),
  DRAIN_DELAY_SECONDS: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 300,
      description:
        'How long a node that is told to stop keeps serving requests while `/readyz` returns 503, so that load balancers send no more. Longer than your balancer takes to notice. Defaults to 3, or to 0 for the embedded database on loopback.',
    }),
  ),
  SECRET_KEY: secret({
    minLength: 32,
    description:
      'Encrypts stored secrets; at least 32 characters, the same on every node. An embedded run on loopback generates one in `DATA_DIR`.',
  }),
  SECRET_KEY_PREVIOUS: secret({
    minLength: 32,
    description:
      'The other key while you rotate `SECRET_KEY`: stored secrets can be decrypted with either. Remove it after `frontdesk secrets rotate`.',
  }),
  PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/]+$',
      description:
        'Public address of this service, such as `https://desk.example.com`. Determines the accepted host names, the links it prints and the issuer of tokens.',
    }),
  ),
  LOG_LEVEL: Type.Union(
    (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const).map((level) => Type.Literal(level)),
    { default: 'info', description: 'Log level. Readable lines on a terminal, JSON otherwise.' },
  ),
  DEFAULT_COUNTRY: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{2}$',
      description:
        'Two-letter country code for phone numbers without `+`, for organizations that have not set their own. If unset, such numbers are refused.',
    }),
  ),
  BOOTSTRAP_API_KEY: secret({
    pattern: '^svc_sk_(test|live)_[0-9A-Za-z]{32,}$',
    description:
      'Registers exactly this key, with full access, for the first organization. It is never logged; once revoked it stays revoked.',
  }),
  DEMO_DATA: Type.Boolean({
    default: true,
    description: 'Whether the first start of an embedded run creates demo contacts and tasks in test mode.',
  }),
  CORS_ORIGINS: Type.Array(Type.String({ pattern: '^(\\*|https?://[^/]+)$' }), {
    default: [],
    description:
      'Origins whose pages may call the API with a key, separated by commas, or `*`. Cookies are never accepted across origins.',
  }),
  TRUST_PROXY: Type.Boolean({
    default: false,
    description:
      'Whether to trust the `X-Forwarded-*` headers of one proxy in front. Enable it only behind a proxy that sets or appends them.',
  }),
  METRICS_TOKEN: secret({
    minLength: 16,
    description: 'Bearer token for `/metrics`. If unset, only loopback may read the metrics.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+(/[^?#]*)?$',
      description:
        'Address of an OpenTelemetry collector that accepts OTLP over HTTP, such as `http://127.0.0.1:4318`. If unset, nothing is traced.',
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret({
    pattern: pairsPattern,
    description: 'Headers for the collector: `name=value`, separated by commas, values URL-encoded.',
  }),
  OTEL_TRACES_EXPORTER: exporter('Whether traces are sent to the collector.'),
  OTEL_METRICS_EXPORTER: exporter('Whether the metrics of `/metrics` are sent to the collector too.'),
  OTEL_TRACES_SAMPLER: Type.Union([Type.Literal('traceidratio'), Type.Literal('parentbased_traceidratio')], {
    default: 'traceidratio',
    description:
      'Who decides whether a request with a `traceparent` header is recorded: the share below, or (`parentbased_traceidratio`) its caller. Set the latter only if all callers are your own. A caller that does not record is respected in both cases.',
  }),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'Share of traces that are recorded.',
  }),
  OTEL_SERVICE_NAME: Type.String({ default: 'frontdesk', description: 'Name of this service in traces.' }),
  OTEL_RESOURCE_ATTRIBUTES: Type.Optional(
    Type.String({
      pattern: pairsPattern,
      description:
        'More attributes of this service, such as `deployment.environment.name=production`, separated by commas.',
    }),
  ),
  OTEL_BSP_SCHEDULE_DELAY: Type.Integer({
    minimum: 10,
    default: 5000,
    description: 'Milliseconds between two exports of spans.',
  }),
  OTEL_METRIC_EXPORT_INTERVAL: Type.Integer({
    minimum: 10,
    default: 60_000,
    description: 'Milliseconds between two exports of metrics.',
  }),
  RATE_LIMIT_PER_MINUTE: Type.Integer({
    minimum: 1,
    default: 6000,
    description: 'Requests per minute and credential.',
  }),
  RATE_LIMIT_LOGINS_PER_MINUTE: Type.Integer({
    minimum: 1,
    default: 10,
    description:
      'Sign-in attempts per minute for each IP address, and for each device that signed in before. If one account gets more attempts than this, attempts from other devices wait up to ten seconds each.',
  }),
  SESSION_HOURS: Type.Integer({
    minimum: 1,
    maximum: 9_600,
    default: 12,
    description: 'Longest time that a person stays signed in, in hours.',
  }),
  SESSION_IDLE_MINUTES: Type.Optional(
    Type.Integer({
      minimum: 5,
      maximum: 576_000,
      description:
        'Ends a session that sends no request for this long. An open console sends requests. If unset, only `SESSION_HOURS` ends it.',
    }),
  ),
  OPERATOR_SECOND_FACTOR: Type.Union([Type.Literal('auto'), Type.Literal('always'), Type.Literal('never')], {
    default: 'auto',
    description:
      'Whether operators of the installation need a second factor. `auto` requires it once there is more than one organization. Single sign-on is exempt: the provider asks for it.',
  }),
  RATE_LIMIT_CAMPAIGNS_PER_MINUTE: Type.Integer({
    minimum: 1,
    default: 60,
    description: 'Campaigns that a credential may create per minute.',
  }),
  CAMPAIGN_LEASE_SECONDS: Type.Integer({
    minimum: 2,
    maximum: 300,
    default: 15,
    description:
      'How long a worker that stops sending heartbeats keeps its claimed campaign messages. The same on every node.',
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
    description: 'Documents that a credential may upload to the knowledge base per minute.',
  }),
  CRAWL_MAX_PAGES: Type.Integer({
    minimum: 1,
    maximum: 2000,
    default: 2000,
    description: 'Most pages of one website that the knowledge base reads.',
  }),
  CRAWL_DELAY_MS: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    default: 1000,
    description:
      'Least time between two requests to the same web server, in milliseconds, over all organizations. A longer `Crawl-delay` in robots.txt is respected up to 10 seconds.',
  }),
  CRAWL_USER_AGENT: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_-]*(/.*)?$',
    default: 'FrontdeskBot/1.0',
    description: 'User agent of requests for web pages. robots.txt addresses it by the name before the slash.',
  }),
  OCR: Type.Array(Type.String({ pattern: '^[a-z]{3}(_[a-z]{3,4})?$' }), {
    default: [],
    description:
      'Languages of text recognition for images and scanned PDFs in the knowledge base, as Tesseract names them, separated by commas: `eng`, or `eng,deu`. The data of `eng` is installed; for others install the package `@tesseract.js-data/…`. If unset, such files fail.',
  }),
  OPENAI_API_KEY: secret({
    description: 'API key for the `openai` models of live agents. Test mode never calls a hosted model.',
  }),
  OPENAI_BASE_URL: Type.String({
    pattern: '^https?://',
    default: 'https://api.openai.com/v1',
    description:
      'Address of `openai`: any server with an OpenAI-compatible `POST {this}/chat/completions`. Your own server may need no key.',
  }),
  OPENAI_REALTIME_MODEL: Type.String({
    default: 'gpt-realtime',
    description:
      'Speech-to-speech model for live agents with `voice_settings.mode: "speech_to_speech"` that name none, at `OPENAI_BASE_URL` (WebSocket `{this}/realtime`).',
  }),
  ANTHROPIC_API_KEY: secret({ description: 'API key for the `anthropic` models of live agents.' }),
  ANTHROPIC_BASE_URL: Type.String({
    pattern: '^https?://',
    default: 'https://api.anthropic.com',
    description: 'Address of `anthropic`: any server with an Anthropic-compatible `POST {this}/v1/messages`.',
  }),
  GOOGLE_API_KEY: secret({ description: 'API key for the `google` (Gemini) models of live agents.' }),
  GOOGLE_BASE_URL: Type.String({
    pattern: '^https?://',
    default: 'https://generativelanguage.googleapis.com',
    description:
      'Address of `google`: any server with a Google-compatible `POST {this}/v1beta/models/…:streamGenerateContent`.',
  }),
  AGENT_REPLY_DELAY_MS: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    default: 1500,
    description:
      'How long an agent waits for another message from the same contact before it answers all of them in one reply.',
  }),
  AGENT_REPLIES_PER_HOUR: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 30,
    description:
      'Maximum number of agent replies to one contact per hour. After that a person has to reply, which ends a conversation between two machines.',
  }),
  DEEPGRAM_API_KEY: secret({
    description: 'API key for Deepgram speech recognition of live agents. Test mode never sends speech to a provider.',
  }),
  DEEPGRAM_BASE_URL: Type.String({
    pattern: '^https?://',
    default: 'https://api.deepgram.com',
    description: 'Address of Deepgram: any server with a Deepgram-compatible WebSocket at `{this}/v1/listen`.',
  }),
  DEEPGRAM_MODEL: Type.String({
    default: 'nova-3',
    description: 'Deepgram model for agents that name none.',
  }),
  ELEVENLABS_API_KEY: secret({ description: 'API key for ElevenLabs voices of live agents.' }),
  ELEVENLABS_BASE_URL: Type.String({
    pattern: '^https?://',
    default: 'https://api.elevenlabs.io',
    description:
      'Address of ElevenLabs: any server with an ElevenLabs-compatible `POST {this}/v1/text-to-speech/…/stream`. If it also has `…/stream/with-timestamps`, interruptions are cut to the exact word.',
  }),
  ELEVENLABS_MODEL: Type.String({
    default: 'eleven_flash_v2_5',
    description: 'Model for ElevenLabs voices.',
  }),
  CARTESIA_API_KEY: secret({
    description: 'API key for Cartesia speech recognition and voices of live agents, in many languages.',
  }),
  CARTESIA_BASE_URL: Type.String({
    pattern: '^https?://',
    default: 'https://api.cartesia.ai',
    description:
      'Address of Cartesia: any server with Cartesia-compatible WebSockets at `{this}/stt/websocket` and `{this}/tts/websocket`.',
  }),
  CARTESIA_TRANSCRIBER_MODEL: Type.String({
    default: 'ink-whisper',
    description: 'Cartesia speech recognition model for agents that name none.',
  }),
  CARTESIA_VOICE_MODEL: Type.String({ default: 'sonic-3', description: 'Model for Cartesia voices.' }),
  SPEECH_BASE_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+(/[^?#]*)?$',
      description:
        'A server with OpenAI-compatible `POST {this}/audio/transcriptions` and `POST {this}/audio/speech`, such as `https://api.openai.com/v1`. Live agents can use it for speech recognition and voices, as provider `openai`.',
    }),
  ),
  SPEECH_API_KEY: secret({ description: 'API key for the speech server, if it needs one.' }),
  SPEECH_TRANSCRIBER_MODEL: Type.String({
    default: 'gpt-4o-mini-transcribe',
    description: 'Speech recognition model of the speech server, for agents that name none.',
  }),
  SPEECH_VOICE_MODEL: Type.String({ default: 'gpt-4o-mini-tts', description: 'Voice model of the speech server.' }),
  SPEECH_PROCESSES: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description:
        'Number of local processes for speech recognition and synthesis, about 300 MB each while they work. Defaults to the number of processors, at most four.',
    }),
  ),
  LOCAL_EMBEDDING_MODEL: Type.Optional(
    Type.String({
      description:
        'Folder of an embedding model to use in place of the built-in English one, such as `/models/multilingual-e5-small`: `onnx/model.onnx`, `tokenizer.json` and `config.json`, as Hugging Face has them. All nodes need the same files. After a change, documents are embedded again in the background.',
    }),
  ),
  EMBEDDINGS_BASE_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+(/[^?#]*)?$',
      description:
        'A server with an OpenAI-compatible `POST {this}/embeddings`, such as `https://api.openai.com/v1`. It embeds live documents and questions. Test mode, and live mode if this is unset, use the local model. Requires `EMBEDDINGS_MODEL`.',
    }),
  ),
  EMBEDDINGS_API_KEY: secret({ description: 'API key for the embeddings server, if it needs one.' }),
  EMBEDDINGS_MODEL: Type.Optional(
    Type.String({
      description:
        'Model of the embeddings server. After a change, documents are embedded again in the background; searches use the old vectors until then.',
    }),
  ),
  EMBEDDINGS_DIMENSIONS: Type.Integer({
    minimum: 1,
    maximum: 16_384,
    default: 1536,
    description: 'Number of dimensions of the model’s vectors.',
  }),
  VECTOR_INDEX: Type.Union([Type.Literal('exact'), Type.Literal('pgvector')], {
    default: 'exact',
    description:
      'How vectors are compared: `exact` compares all vectors of an organization in this process; `pgvector` uses the PostgreSQL extension `vector`, which must be installed.',
  }),
  VECTOR_MEMORY_BYTES: Type.Integer({
    minimum: 1024 * 1024,
    maximum: 4 * 1024 * 1024 * 1024 - 65_536,
    default: 128 * 1024 * 1024,
    description: 'Memory for the vectors of the exact index, in bytes; the default holds about 150,000 chunks.',
  }),
  POSTINGS_MEMORY_BYTES: Type.Integer({
    minimum: 0,
    default: 128 * 1024 * 1024,
    description:
      'Memory for the words of documents, in bytes; the default holds about 150,000 chunks. Searches of an organization that does not fit are ranked in PostgreSQL; 0 does so for all.',
  }),
  KEYWORD_WEIGHT: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.45,
    description:
      'Weight of the keyword ranking in a hybrid search if documents contain all words of the question, a third of it if they contain none; the vector ranking gets the rest.',
  }),
  KNOWLEDGE_SEARCH_MS: Type.Integer({
    minimum: 100,
    maximum: 60_000,
    default: 2000,
    description:
      'Time limit of an agent’s search in its documents, in milliseconds. The agent then answers with what was found. On calls the limit is 40 % of this, because callers hear the silence.',
  }),
  AUDIT_RETENTION_DAYS: Type.Integer({
    minimum: 30,
    maximum: 36_500,
    default: 730,
    description: 'Days that entries of the audit log are kept; they are deleted up to a tenth of that time later.',
  }),
  EVENT_RETENTION_DAYS: Type.Integer({
    minimum: 1,
    default: 30,
    description:
      'Days that events can be listed; they are deleted up to a tenth of that time, and at least a day, later. An organization’s own retention is exact.',
  }),
  WEBHOOK_RETRY_SECONDS: Type.Array(Type.String({ pattern: '^\\d+(\\.\\d+)?$' }), {
    default: ['5', '300', '1800', '7200', '18000', '36000', '50400', '72000', '86400'],
    description:
      'Retry schedule of outgoing webhooks: the wait after the first failed attempt, after the second, and so on, in seconds separated by commas. Up to 20 % of jitter is added. After the last attempt the delivery has failed.',
  }),
  WEBHOOK_TIMEOUT_SECONDS: Type.Number({
    minimum: 0.1,
    maximum: 60,
    default: 15,
    description: 'How long an endpoint may take to respond to an outgoing webhook.',
  }),
  WEBHOOK_DISABLE_AFTER_SECONDS: Type.Number({
    minimum: 1,
    default: 432_000,
    description: 'An endpoint is disabled after every attempt has failed for this long; five days by default.',
  }),
  WEBHOOK_CONCURRENCY: Type.Integer({
    minimum: 4,
    maximum: 10_000,
    default: 256,
    description: 'Outgoing webhooks that a process has in flight at once; at most 32 of them to one endpoint.',
  }),
  STREAM_HEARTBEAT_SECONDS: Type.Number({
    minimum: 0.1,
    maximum: 300,
    default: 15,
    description:
      'How often an idle event stream sends a heartbeat. Keep it shorter than the idle timeout of your proxies.',
  }),
  GRAPH_API_BASE_URL: Type.String({
    pattern: '^https?://[^/?#]+(/[^?#]*)?$',
    default: 'https://graph.facebook.com',
    description:
      'Address of the chat platform for live channels: the Graph API or a compatible server. Test mode always uses the simulator.',
  }),
  GRAPH_API_VERSION: Type.String({
    pattern: '^v\\d+\\.\\d+$',
    default: 'v19.0',
    description:
      'Version of the Graph API to request. v19.0, the default, ended on 2026-05-21: set v25.0 for live use. The log, `frontdesk doctor` and the channel’s page show which version serves the requests, and warn 90 days before it ends.',
  }),
  TELEPHONY_BASE_URL: Type.String({
    pattern: '^https?://[^/?#]+(/[^?#]*)?$',
    default: 'https://api.twilio.com',
    description:
      'Address of the carrier for live channels: Twilio or a server with the same REST API. Test mode always uses the simulator.',
  }),
  CALLS_PER_ORGANIZATION: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 20,
    description: 'Concurrent calls of one organization in each mode; further outbound calls wait.',
  }),
  CALL_DRAIN_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    default: 600,
    description:
      'How long a node that is told to stop waits for the calls it holds. It takes no new ones and hangs up what is left. Your supervisor must wait longer before it kills the process.',
  }),
  RECORDING_RETENTION_DAYS: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Days that call recordings are kept. If unset, they are kept as long as their calls.',
    }),
  ),
  RATE_TELEPHONY_PER_MINUTE: rate(0.014, 'Per started minute of a phone call.'),
  RATE_TRANSCRIPTION_PER_MINUTE: rate(0.0077, 'Per minute of speech recognition.'),
  RATE_VOICE_PER_1000_CHARACTERS: rate(0.015, 'Per thousand characters of speech synthesis.'),
  RATE_LLM_PER_MILLION_INPUT_TOKENS: rate(0.25, 'Per million tokens that a language model reads during calls.'),
  RATE_LLM_PER_MILLION_OUTPUT_TOKENS: rate(2, 'Per million tokens that a language model writes during calls.'),
  RATE_SPEECH_PER_MILLION_INPUT_TOKENS: rate(32, 'Per million tokens of speech that a speech-to-speech model hears.'),
  RATE_SPEECH_PER_MILLION_OUTPUT_TOKENS: rate(64, 'Per million tokens of speech that a speech-to-speech model speaks.'),
  OUTBOUND_ALLOW: Type.Array(Type.String(), {
    default: [],
    description:
      'Hosts, addresses and ranges of your own network (such as `hooks.internal`, `10.1.2.3`, `10.0.0.0/8`) that webhooks, tools and other customer-supplied addresses may reach, separated by commas. All other internal addresses are refused.',
  }),
  SIMULATOR_SPEED: Type.Number({
    minimum: 0,
    default: 1,
    description: 'Speed of the simulated carriers of test mode: their delays are divided by it; 0 removes them.',
  }),
  SIMULATOR_URL: secret({
    pattern: '^https?://[^/?#]+(/[^?#]*)?$',
    description:
      'An external simulator (`frontdesk simulate`) for test mode, in place of the built-in one. Put its control token, if it has one, before the host: `http://token@sim.internal:3001`.',
  }),
  S3_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+/?$',
      description:
        'An S3-compatible store for files in place of `DATA_DIR`, such as `https://s3.eu-central-1.amazonaws.com`. Required with several nodes, unless they share `DATA_DIR`. Requires the bucket and both keys.',
    }),
  ),
  S3_BUCKET: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$', description: 'Bucket for files. It must exist.' }),
  ),
  S3_REGION: Type.String({
    default: 'us-east-1',
    description: 'Region that requests to the store are signed for.',
  }),
  S3_ACCESS_KEY_ID: secret({ description: 'Id of the access key; it must be able to read, write and delete.' }),
  S3_SECRET_ACCESS_KEY: secret({ description: 'Secret of the access key.' }),
  CHAT_APP_SECRET: secret({
    pattern: '^\\S+$',
    description:
      'Secret of a chat platform app for the whole installation: the platform posts its webhooks to `/hooks/chat`, and live channels need no app of their own. Requires `CHAT_VERIFY_TOKEN`.',
  }),
  CHAT_VERIFY_TOKEN: secret({
    description: 'Token that the platform echoes when it verifies `/hooks/chat`. Requires `CHAT_APP_SECRET`.',
  }),
  SMTP_URL: secret({
    pattern: '^smtps?://',
    description:
      'Mail server for invitations and password resets, such as `smtp://user:password@mail.example.com:587` (STARTTLS) or `smtps://…:465`. With a password, a server without encryption is refused. Requires `MAIL_FROM` and `PUBLIC_URL`. If unset, no email is sent and links are passed on by hand.',
  }),
  MAIL_FROM: Type.Optional(
    Type.String({
      pattern: '@',
      description: 'Sender of emails, such as `Frontdesk <desk@example.com>`. Requires `SMTP_URL`.',
    }),
  ),
  DNS_SERVERS: Type.Array(Type.String({ pattern: '^[0-9A-Fa-f.:\\[\\]]+$' }), {
    default: [],
    description:
      'DNS servers for names that customers choose (domains of organizations, addresses of webhooks and tools), such as `10.0.0.53` or `10.0.0.53:5353`, separated by commas. The system’s by default.',
  }),
  OIDC_ISSUER: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'An OpenID provider with which people sign in to the console: its issuer, such as `https://login.example.com`. Register `PUBLIC_URL` with `/auth/single-sign-on/callback` there as redirect address. Requires `OIDC_CLIENT_ID` and `PUBLIC_URL`.',
    }),
  ),
  OIDC_CLIENT_ID: Type.Optional(Type.String({ description: 'The client that you registered at the OpenID provider.' })),
  OIDC_CLIENT_SECRET: secret({ description: 'The secret of that client, unless it is a public one.' }),
  OIDC_NAME: Type.String({
    default: 'single sign-on',
    description: 'The name of the OpenID provider on the button of the sign-in page: “Continue with …”.',
  }),
  TRUSTED_ISSUER: Type.Optional(
    Type.String({ description: 'A second token issuer for single sign-on: the `iss` of its tokens.' }),
  ),
  TRUSTED_AUDIENCE: Type.Optional(
    Type.String({ description: 'The `aud` that tokens of the second issuer must have.' }),
  ),
  TRUSTED_JWKS_URL: Type.Optional(
    Type.String({ pattern: '^https?://', description: 'Where the second issuer publishes its public keys.' }),
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

/** Most balancers check every one or two seconds. None is in front of a worker or of an embedded run on loopback. */
export const drainDelayMs = (settings: Settings): number =>
  settings.ROLE === 'worker' ? 0 : (settings.DRAIN_DELAY_SECONDS ?? (isLocal(settings) ? 0 : 3)) * 1000

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

/** The value of a secret, from the environment or from the file that `NAME_FILE` names. */
function textOrFile(name: string, env: Record<string, string | undefined>): { text?: string; problem?: string } {
  const text = env[name]?.trim() ?? ''
  const file = env[`${name}_FILE`]?.trim() ?? ''
  if (file === '') return { text }
  if (text !== '') return { problem: `${name} and ${name}_FILE are both set: remove one of them` }
  try {
    const content = readFileSync(file, 'utf8').trim()
    return content === '' ? { problem: `${name}_FILE: ${file} is empty` } : { text: content }
  } catch (error) {
    return { problem: `${name}_FILE cannot be read: ${(error as Error).message}` }
  }
}

export function readSettings(env: Record<string, string | undefined>): Settings {
  const settings: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, schema] of Object.entries(Settings.properties) as [string, TSchema][]) {
    const { text, problem } = isSecret(schema) ? textOrFile(name, env) : { text: env[name]?.trim() }
    if (problem !== undefined) {
      problems.push(problem)
      continue
    }
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
  if (checked.DATABASE_POOLER_URL && !checked.DATABASE_URL)
    problems.push('DATABASE_POOLER_URL requires DATABASE_URL, the direct address of the same database')
  if (checked.REPLICA_DATABASE_URL && !checked.DATABASE_URL)
    problems.push('REPLICA_DATABASE_URL requires DATABASE_URL, the primary of the replica')
  if (checked.TENANT_DATABASE_URL && checked.TENANT_DATABASE_URL === checked.DATABASE_URL)
    problems.push('TENANT_DATABASE_URL must name another user than DATABASE_URL')
  if (checked.DEFAULT_COUNTRY && !isSupportedCountry(checked.DEFAULT_COUNTRY))
    problems.push(`DEFAULT_COUNTRY must be a country with phone numbers, such as US, not ${checked.DEFAULT_COUNTRY}`)
  const trusted = [checked.TRUSTED_ISSUER, checked.TRUSTED_AUDIENCE, checked.TRUSTED_JWKS_URL].filter(Boolean)
  if (trusted.length === 1 || trusted.length === 2)
    problems.push('TRUSTED_ISSUER, TRUSTED_AUDIENCE and TRUSTED_JWKS_URL go together: set all three or none')
  if ((checked.OIDC_ISSUER === undefined) !== (checked.OIDC_CLIENT_ID === undefined))
    problems.push('OIDC_ISSUER and OIDC_CLIENT_ID go together: set both or none')
  if (checked.OIDC_ISSUER && !checked.PUBLIC_URL)
    problems.push('OIDC_ISSUER requires PUBLIC_URL, which the provider sends people back to')
  if (checked.OIDC_ISSUER && !isSafeIssuer(checked.OIDC_ISSUER))
    problems.push('OIDC_ISSUER must be a valid https: URL; http: is possible on this machine alone')
  if ((checked.SMTP_URL === undefined) !== (checked.MAIL_FROM === undefined))
    problems.push('SMTP_URL and MAIL_FROM go together: set both or none')
  if (checked.SMTP_URL && !checked.PUBLIC_URL)
    problems.push('SMTP_URL requires PUBLIC_URL, which links in emails lead to')
  const store = [checked.S3_ENDPOINT, checked.S3_BUCKET, checked.S3_ACCESS_KEY_ID, checked.S3_SECRET_ACCESS_KEY]
  if (store.some(Boolean) && !store.every(Boolean))
    problems.push('S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: set all four or none')
  for (const name of ['GRAPH_API_BASE_URL', 'TELEPHONY_BASE_URL', 'S3_ENDPOINT'] as const)
    if (checked[name] && !URL.canParse(checked[name])) problems.push(`${name} must be a valid URL`)
  for (const language of checked.OCR)
    if (!languageDataFile(language))
      problems.push(
        `OCR needs the package ${languageDataPackage(language)} for ${language}: install it, or leave it out`,
      )
  if ((checked.EMBEDDINGS_BASE_URL === undefined) !== (checked.EMBEDDINGS_MODEL === undefined))
    problems.push('EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL go together: set both or none')
  if (checked.LOCAL_EMBEDDING_MODEL !== undefined)
    try {
      readModelFolder(checked.LOCAL_EMBEDDING_MODEL)
    } catch (error) {
      problems.push(`LOCAL_EMBEDDING_MODEL: ${(error as Error).message}`)
    }
  for (const entry of malformedAllowEntries(checked.OUTBOUND_ALLOW))
    problems.push(`OUTBOUND_ALLOW takes hosts, addresses and ranges such as 10.0.0.0/8, not ${entry}`)
  if ((checked.CHAT_APP_SECRET === undefined) !== (checked.CHAT_VERIFY_TOKEN === undefined))
    problems.push('CHAT_APP_SECRET and CHAT_VERIFY_TOKEN go together: set both or none')
  if (checked.SIMULATOR_URL && isRealPlatform(checked.SIMULATOR_URL))
    problems.push('SIMULATOR_URL must be the URL of a simulator: test mode never calls the real platform')
  if (problems.length > 0) throw new SettingsError(problems)
  return { ...checked, DATA_DIR: resolve(checked.DATA_DIR) }
}

const isSafeIssuer = (url: string): boolean =>
  URL.canParse(url) && (url.startsWith('https:') || isLoopback(new URL(url).hostname))

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
