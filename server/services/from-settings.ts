import { isIP } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { isLoopback, type Settings } from '../config.ts'
import { createEmbedders, type Embedders } from '../features/knowledge/embedders.ts'
import { createTrustedIssuer } from '../features/organizations/credentials/trusted-issuer.ts'
import type { Installation } from '../features/organizations/schema.ts'
import { callbackPath } from '../features/organizations/single-sign-on/routes.ts'
import { createSignOnProvider, type SignOnProvider } from '../features/organizations/single-sign-on/sign-on-provider.ts'
import { createMailer, type Mailer } from '../platform/mail.ts'
import type { OutboundHttp } from '../platform/outbound-fetch.ts'
import { createLocalEmbedder } from '../providers/embeddings/local.ts'
import { readModelFolder } from '../providers/embeddings/model-folder.ts'
import { createHostedEmbedder } from '../providers/embeddings/openai-compatible.ts'
import type { FileStore } from '../providers/files/contract.ts'
import { createDiskFiles } from '../providers/files/disk.ts'
import { createS3Files } from '../providers/files/s3.ts'
import { createHostedLlm } from '../providers/llm/ai-sdk.ts'
import type { Llm } from '../providers/llm/contract.ts'
import type { SpeechOptions } from '../providers/speech/speech.ts'

/** Turns settings into the objects that they describe. */

/** The URL of this process for other processes on this machine or in its network. */
export function listeningAddress(server: FastifyInstance): string {
  const [where] = server.addresses()
  if (!where || typeof where === 'string') throw new Error('the server does not listen')
  const host = where.address === '0.0.0.0' || where.address === '::' ? '127.0.0.1' : where.address
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${where.port}`
}

export function installationApp({ CHAT_APP_SECRET: appSecret, CHAT_VERIFY_TOKEN: verifyToken }: Settings) {
  return appSecret && verifyToken ? { appSecret, verifyToken } : undefined
}

/** The built-in embedding model, or the one in a folder, and the hosted one if it is configured. */
export function createEmbeddersFor(settings: Settings, http: OutboundHttp): Embedders {
  const { EMBEDDINGS_BASE_URL: baseUrl, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: apiKey } = settings
  const dimensions = settings.EMBEDDINGS_DIMENSIONS
  const folder = settings.LOCAL_EMBEDDING_MODEL && readModelFolder(settings.LOCAL_EMBEDDING_MODEL)
  return createEmbedders({
    local: createLocalEmbedder(folder ? { folder } : {}),
    ...(folder && { previous: createLocalEmbedder() }),
    ...(baseUrl && model && { hosted: createHostedEmbedder({ http, baseUrl, model, dimensions, apiKey }) }),
  })
}

export const serverSettings = (settings: Settings) => ({
  corsOrigins: settings.CORS_ORIGINS,
  trustProxy: settings.TRUST_PROXY,
  allowedHosts: allowedHosts(settings),
  secure: settings.PUBLIC_URL?.startsWith('https:') ?? false,
})

export const callRates = (settings: Settings) => ({
  telephonyPerMinute: settings.RATE_TELEPHONY_PER_MINUTE,
  transcriptionPerMinute: settings.RATE_TRANSCRIPTION_PER_MINUTE,
  voicePerThousandCharacters: settings.RATE_VOICE_PER_1000_CHARACTERS,
  llmPerMillionInputTokens: settings.RATE_LLM_PER_MILLION_INPUT_TOKENS,
  llmPerMillionOutputTokens: settings.RATE_LLM_PER_MILLION_OUTPUT_TOKENS,
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
    },
  }
}

/** Speech recognition and synthesis: always on this machine, hosted if there is a key or URL. */
export function speechOptions(settings: Settings, http: OutboundHttp): SpeechOptions {
  const { DEEPGRAM_API_KEY, ELEVENLABS_API_KEY, SPEECH_BASE_URL, SPEECH_PROCESSES: processes } = settings
  const { DEEPGRAM_BASE_URL, DEEPGRAM_MODEL, ELEVENLABS_BASE_URL, ELEVENLABS_MODEL } = settings
  return {
    http,
    ...(processes && { processes }),
    ...(DEEPGRAM_API_KEY && {
      deepgram: { baseUrl: DEEPGRAM_BASE_URL, apiKey: DEEPGRAM_API_KEY, model: DEEPGRAM_MODEL },
    }),
    ...(ELEVENLABS_API_KEY && {
      elevenlabs: { baseUrl: ELEVENLABS_BASE_URL, apiKey: ELEVENLABS_API_KEY, model: ELEVENLABS_MODEL },
    }),
    ...(SPEECH_BASE_URL && {
      openai: {
        baseUrl: SPEECH_BASE_URL,
        apiKey: settings.SPEECH_API_KEY,
        transcriberModel: settings.SPEECH_TRANSCRIBER_MODEL,
        voiceModel: settings.SPEECH_VOICE_MODEL,
      },
    }),
  }
}

/** The hosted models of live mode. */
export function createLlm(settings: Settings, http: OutboundHttp): Llm {
  return createHostedLlm({
    http,
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
