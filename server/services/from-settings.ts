import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../config.ts'
import { createEmbedders, type Embedders } from '../features/knowledge/embedders.ts'
import { createTrustedIssuer } from '../features/organizations/credentials/trusted-issuer.ts'
import type { Installation } from '../features/organizations/schema.ts'
import { callbackPath } from '../features/organizations/single-sign-on/routes.ts'
import { createSignOnProvider, type SignOnProvider } from '../features/organizations/single-sign-on/sign-on-provider.ts'
import type { InstalledProviders } from '../features/provider-keys/describe-keys.ts'
import { isLoopback } from '../platform/loopback.ts'
import { createMailer, type Mailer } from '../platform/mail.ts'
import type { OutboundHttp } from '../platform/outbound-fetch.ts'
import { type KeysOf, unopenedKey } from '../providers/accounts/contract.ts'
import { EmbeddingError } from '../providers/embeddings/contract.ts'
import { createLocalEmbedder } from '../providers/embeddings/local.ts'
import { readModelFolder } from '../providers/embeddings/model-folder.ts'
import { createHostedEmbedder } from '../providers/embeddings/openai-compatible.ts'
import type { FileStore } from '../providers/files/contract.ts'
import { createDiskFiles } from '../providers/files/disk.ts'
import { createS3Files } from '../providers/files/s3.ts'
import { createHostedLlm, standardAddresses } from '../providers/llm/ai-sdk.ts'
import type { Llm, LlmProvider } from '../providers/llm/contract.ts'
import type { SpeechAccounts } from '../providers/speech/hosted-speech.ts'
import type { RealtimeAccount } from '../providers/speech-to-speech/openai-realtime.ts'

/** Turns settings into the objects that they describe. */

/** The URL of this process for other processes on this machine or in its network. */
export function listeningAddress(server: FastifyInstance): string {
  const [where] = server.addresses()
  if (!where || typeof where === 'string') throw new Error('the server does not listen')
  const host = where.address === '0.0.0.0' || where.address === '::' ? '127.0.0.1' : where.address
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${where.port}`
}

/** The embedded server has the cores of this machine; those of another server are not known. */
export function connectionsPerBusyOrganization(settings: Settings): number | undefined {
  if (settings.ORGANIZATION_CONNECTIONS !== undefined) return settings.ORGANIZATION_CONNECTIONS
  return settings.DATABASE_URL ? undefined : Math.max(1, Math.floor(availableParallelism() / 2))
}

export function installationApp({ CHAT_APP_SECRET: appSecret, CHAT_VERIFY_TOKEN: verifyToken }: Settings) {
  return appSecret && verifyToken ? { appSecret, verifyToken } : undefined
}

/** The built-in embedding model, or the one in a folder, and the hosted one if it is configured. */
export function createEmbeddersFor(settings: Settings, http: OutboundHttp, keysOf: KeysOf): Embedders {
  const { EMBEDDINGS_BASE_URL: baseUrl, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: apiKey } = settings
  const dimensions = settings.EMBEDDINGS_DIMENSIONS
  const folder = settings.LOCAL_EMBEDDING_MODEL && readModelFolder(settings.LOCAL_EMBEDDING_MODEL)
  return createEmbedders({
    local: createLocalEmbedder(folder ? { folder } : {}),
    ...(folder && { previous: createLocalEmbedder() }),
    ...(baseUrl &&
      model && {
        hosted: createHostedEmbedder({
          http,
          baseUrl,
          model,
          dimensions,
          apiKey,
          ...(embedsWithOpenAi(settings) && {
            ownKeyOf: async (organizationId: string) => {
              const { openai } = await keysOf(organizationId)
              if (openai === null) throw new EmbeddingError('fail', unopenedKey('openai'))
              return openai
            },
          }),
        }),
      }),
  })
}

export const serverSettings = (settings: Settings) => ({
  corsOrigins: settings.CORS_ORIGINS,
  trustProxy: settings.TRUST_PROXY,
  allowedHosts: allowedHosts(settings),
  // Without a token, pages of other sites could read the metrics through a host name of theirs that leads to loopback.
  probes: new Set(['/healthz', '/readyz', ...(settings.METRICS_TOKEN ? ['/metrics'] : [])]),
  secure: settings.PUBLIC_URL?.startsWith('https:') ?? false,
})

export const callRates = (settings: Settings) => ({
  telephonyPerMinute: settings.RATE_TELEPHONY_PER_MINUTE,
  transcriptionPerMinute: settings.RATE_TRANSCRIPTION_PER_MINUTE,
  voicePerThousandCharacters: settings.RATE_VOICE_PER_1000_CHARACTERS,
  llmPerMillionInputTokens: settings.RATE_LLM_PER_MILLION_INPUT_TOKENS,
  llmPerMillionOutputTokens: settings.RATE_LLM_PER_MILLION_OUTPUT_TOKENS,
  speechPerMillionInputTokens: settings.RATE_SPEECH_PER_MILLION_INPUT_TOKENS,
  speechPerMillionOutputTokens: settings.RATE_SPEECH_PER_MILLION_OUTPUT_TOKENS,
})

/** What the API tells organizations about this installation. */
export function installationOf(settings: Settings): Omit<Installation, 'chat_api'> {
  const rates = callRates(settings)
  return {
    limits: {
      requests_per_minute: settings.RATE_LIMIT_PER_MINUTE,
      campaigns_per_minute: settings.RATE_LIMIT_CAMPAIGNS_PER_MINUTE,
      uploads_per_minute: settings.RATE_LIMIT_UPLOADS_PER_MINUTE,
      upload_bytes: settings.MAX_UPLOAD_BYTES,
      import_bytes: settings.MAX_IMPORT_BYTES,
      calls_at_once: settings.CALLS_PER_ORGANIZATION,
      event_days: settings.EVENT_RETENTION_DAYS,
      recording_days: settings.RECORDING_RETENTION_DAYS ?? null,
    },
    call_rates: {
      telephony_per_minute: rates.telephonyPerMinute,
      transcription_per_minute: rates.transcriptionPerMinute,
      voice_per_1000_characters: rates.voicePerThousandCharacters,
      llm_per_million_input_tokens: rates.llmPerMillionInputTokens,
      llm_per_million_output_tokens: rates.llmPerMillionOutputTokens,
      speech_per_million_input_tokens: rates.speechPerMillionInputTokens,
      speech_per_million_output_tokens: rates.speechPerMillionOutputTokens,
    },
  }
}

/** Speech recognition and synthesis: always on this machine, hosted if there is a key or URL. */
export function speechAccounts(settings: Settings): SpeechAccounts {
  const { SPEECH_BASE_URL, OPENAI_BASE_URL } = settings
  return {
    deepgram: {
      baseUrl: settings.DEEPGRAM_BASE_URL,
      apiKey: settings.DEEPGRAM_API_KEY,
      model: settings.DEEPGRAM_MODEL,
    },
    elevenlabs: {
      baseUrl: settings.ELEVENLABS_BASE_URL,
      apiKey: settings.ELEVENLABS_API_KEY,
      model: settings.ELEVENLABS_MODEL,
    },
    cartesia: {
      baseUrl: settings.CARTESIA_BASE_URL,
      apiKey: settings.CARTESIA_API_KEY,
      transcriberModel: settings.CARTESIA_TRANSCRIBER_MODEL,
      voiceModel: settings.CARTESIA_VOICE_MODEL,
    },
    openai: {
      baseUrl: SPEECH_BASE_URL ?? OPENAI_BASE_URL,
      apiKey: settings.SPEECH_API_KEY,
      transcriberModel: settings.SPEECH_TRANSCRIBER_MODEL,
      voiceModel: settings.SPEECH_VOICE_MODEL,
      isOffered: SPEECH_BASE_URL !== undefined,
      takesOwnKey: SPEECH_BASE_URL === undefined || isSameServer(SPEECH_BASE_URL, OPENAI_BASE_URL),
    },
  }
}

/** Speech-to-speech runs at the server of the models. */
export const realtimeAccount = (settings: Settings): RealtimeAccount => ({
  baseUrl: settings.OPENAI_BASE_URL,
  apiKey: settings.OPENAI_API_KEY,
  model: settings.OPENAI_REALTIME_MODEL,
  transcriberModel: 'gpt-4o-mini-transcribe',
})

/** A key for one server must not be sent to another. */
const isSameServer = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin

const embedsWithOpenAi = ({ EMBEDDINGS_BASE_URL: url, OPENAI_BASE_URL }: Settings): boolean =>
  url !== undefined && isSameServer(url, OPENAI_BASE_URL)

/** What organizations can use each provider for, and whether the installation has a key for it. */
export function installedProviders(settings: Settings): InstalledProviders {
  const speech = speechAccounts(settings)
  // A self-hosted server may need no key; the provider always does.
  const model = (provider: LlmProvider, baseUrl: string, apiKey: string | undefined) => ({
    baseUrl,
    hasKey: apiKey !== undefined || baseUrl !== standardAddresses[provider],
  })
  const openai = model('openai', settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY)
  return {
    openai: {
      ...openai,
      usedFor: [
        'model',
        ...(speech.openai.takesOwnKey ? (['transcriber', 'voice'] as const) : []),
        ...(embedsWithOpenAi(settings) ? (['embeddings'] as const) : []),
      ],
    },
    anthropic: {
      ...model('anthropic', settings.ANTHROPIC_BASE_URL, settings.ANTHROPIC_API_KEY),
      usedFor: ['model'],
    },
    google: { ...model('google', settings.GOOGLE_BASE_URL, settings.GOOGLE_API_KEY), usedFor: ['model'] },
    deepgram: {
      baseUrl: speech.deepgram.baseUrl,
      hasKey: speech.deepgram.apiKey !== undefined,
      usedFor: ['transcriber'],
    },
    elevenlabs: {
      baseUrl: speech.elevenlabs.baseUrl,
      hasKey: speech.elevenlabs.apiKey !== undefined,
      usedFor: ['voice'],
    },
    cartesia: {
      baseUrl: speech.cartesia.baseUrl,
      hasKey: speech.cartesia.apiKey !== undefined,
      usedFor: ['transcriber', 'voice'],
    },
  }
}

/** The hosted models of live mode. */
export function createLlm(settings: Settings, http: OutboundHttp, keysOf: KeysOf): Llm {
  return createHostedLlm({
    http,
    keysOf,
    providers: {
      openai: { baseUrl: settings.OPENAI_BASE_URL, apiKey: settings.OPENAI_API_KEY },
      anthropic: { baseUrl: settings.ANTHROPIC_BASE_URL, apiKey: settings.ANTHROPIC_API_KEY },
      google: { baseUrl: settings.GOOGLE_BASE_URL, apiKey: settings.GOOGLE_API_KEY },
    },
  })
}

/** In a bucket if one is configured, otherwise beside the embedded database. */
export function createFileStore(settings: Settings, http: OutboundHttp): FileStore {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = settings
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  return endpoint && bucket && accessKeyId && secretAccessKey
    ? createS3Files({ endpoint, bucket, region, accessKeyId, secretAccessKey, http })
    : createDiskFiles(join(settings.DATA_DIR, 'files'))
}

/** The public URL of this service, for URLs in responses. */
export function serviceUrl({ PUBLIC_URL, HOST, PORT }: Settings): string {
  return PUBLIC_URL ?? `http://${isIP(HOST) === 6 ? `[${HOST}]` : HOST}:${PORT}`
}

export const createMailerFor = ({ SMTP_URL: url, MAIL_FROM: from }: Settings): Mailer | undefined =>
  url && from ? createMailer({ url, from }) : undefined

export function trustedIssuer({
  TRUSTED_ISSUER: issuer,
  TRUSTED_AUDIENCE: audience,
  TRUSTED_JWKS_URL: jwksUrl,
}: Settings) {
  return issuer && audience && jwksUrl ? createTrustedIssuer({ issuer, audience, jwksUrl }) : undefined
}

export function createSignOnProviderFor(settings: Settings, http: OutboundHttp): SignOnProvider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, PUBLIC_URL } = settings
  if (!issuer || !clientId || !PUBLIC_URL) return undefined
  const redirectUri = PUBLIC_URL + callbackPath
  return createSignOnProvider({ name: settings.OIDC_NAME, issuer, clientId, clientSecret, redirectUri }, http)
}

/** Only this service's own host names are answered, which prevents DNS rebinding by other pages. */
export function allowedHosts({ HOST, PUBLIC_URL }: Settings): ReadonlySet<string> | undefined {
  if (!PUBLIC_URL && !isLoopback(HOST)) return undefined
  const names = ['localhost', '127.0.0.1', '[::1]', HOST]
  if (PUBLIC_URL) names.push(new URL(PUBLIC_URL).hostname)
  return new Set(names)
}
