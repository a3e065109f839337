import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import { asFetch } from '../../platform/outbound-as-fetch.ts'
import { OutboundError, type OutboundHttp } from '../../platform/outbound-fetch.ts'
import { type Llm, LlmError, type LlmEvent, type LlmMessage, type LlmProvider, type LlmRequest } from './contract.ts'

export interface HostedProvider {
  baseUrl: string
  apiKey: string | undefined
}

export interface HostedOptions {
  http: OutboundHttp
  providers: Record<LlmProvider, HostedProvider>
}

/** Where each provider is when nobody says otherwise; as their own libraries have it. */
export const standardAddresses: Record<LlmProvider, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  google: 'https://generativelanguage.googleapis.com',
}

/** Providers whose addresses are given without the version that the paths begin with. */
const versions: Partial<Record<LlmProvider, string>> = { anthropic: '/v1', google: '/v1beta' }

/** The longest answer that a connection is kept open for, and its size: far more than anybody listens to. */
const limits = { timeLimitMs: 300_000, maxBytes: 16 * 1024 * 1024 }

const attempts = 3
const firstDelayMs = 300

/** The models of openai, anthropic and google, and of whatever speaks like one of them at a given address. */
export function createHostedLlm({ http, providers }: HostedOptions): Llm {
  const fetch = asFetch(http, limits)
  const made = new Map<string, Promise<LanguageModel>>()

  const modelOf = ({ provider, model }: LlmRequest) => {
    const { baseUrl, apiKey } = providers[provider]
    // A server of one's own may want no key; the provider's always does.
    if (!apiKey && baseUrl === standardAddresses[provider])
      throw new LlmError('unconfigured', `There is no key for ${provider}: set ${keySettings[provider]}`)
    const name = `${provider} ${model}`
    const found = made.get(name) ?? openModel(provider, model, { baseUrl, apiKey: apiKey ?? 'none', fetch })
    made.set(name, found)
    return found
  }

  return {
    async *stream(request) {
      const model = await modelOf(request)
      const deadline = performance.now() + request.firstWordsMs
      for (let attempt = 1; ; attempt++) {
        let spoke = false
        try {
          for await (const event of ask(model, request, deadline)) {
            spoke = true
            yield event
          }
          return
        } catch (error) {
          request.signal.throwIfAborted()
          const failure = explain(error, request, spoke)
          const delayMs = retryDelayMs(error) ?? firstDelayMs * 2 ** (attempt - 1) * (1 + Math.random() / 4)
          const mayRetry = !spoke && (failure.fault === 'overloaded' || failure.fault === 'unreachable')
          // Once words were heard, saying them again would be worse than stopping.
          if (!mayRetry || attempt === attempts || performance.now() + delayMs > deadline) throw failure
          await sleep(delayMs, undefined, { signal: request.signal }).catch(() => request.signal.throwIfAborted())
        }
      }
    },
  }
}

const keySettings: Record<LlmProvider, string> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_API_KEY',
}

/** Loaded when first used: most runs never ask a hosted model. */
async function openModel(
  provider: LlmProvider,
  model: string,
  { baseUrl, ...options }: { baseUrl: string; apiKey: string; fetch: typeof fetch },
): Promise<LanguageModel> {
  const address = baseUrl.replace(/\/+$/, '')
  const baseURL = /\/v\d\w*$/.test(address) ? address : address + (versions[provider] ?? '')
  if (provider === 'openai') return (await import('@ai-sdk/openai')).createOpenAI({ baseURL, ...options }).chat(model)
  if (provider === 'anthropic')
    return (await import('@ai-sdk/anthropic')).createAnthropic({ baseURL, ...options })(model)
  return (await import('@ai-sdk/google')).createGoogle({ baseURL, ...options })(model)
}

class OutOfTime extends Error {}

async function* ask(model: LanguageModel, request: LlmRequest, deadline: number): AsyncGenerator<LlmEvent> {
  const { streamText } = await import('ai')
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new OutOfTime()), Math.max(0, deadline - performance.now()))
  let pause: NodeJS.Timeout | undefined
  try {
    const { stream } = streamText({
      model,
      instructions: request.system,
      messages: request.messages.map(toModelMessage),
      tools: await toToolSet(request),
      maxOutputTokens: request.maxOutputTokens,
      // Somebody waits for the first word.
      ...(reasons(request.model) && { reasoning: 'low' as const }),
      maxRetries: 0,
      abortSignal: AbortSignal.any([request.signal, late.signal]),
      // It is thrown below, where it can be handled.
      onError: () => {},
    })
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'abort') throw late.signal.reason ?? request.signal.reason
      const event = toEvent(part, request)
      if (!event) continue
      clearTimeout(timer)
      clearTimeout(pause)
      pause = setTimeout(() => late.abort(new OutOfTime()), request.pauseMs)
      yield event
      if (event.type === 'done') return
    }
    throw new Error('the answer ended without its end')
  } finally {
    clearTimeout(timer)
    clearTimeout(pause)
    // Whoever stopped listening wants no more of it.
    late.abort(new OutOfTime())
  }
}

/** Models that think before they speak, and take the setting that keeps it short. */
const reasons = (model: string) => /^(gpt-5|o\d|gemini-[3-9])/.test(model)

type Part =
  | { type: 'text-delta'; text: string }
  | {
      type: 'tool-call'
      toolCallId: string
      toolName: string
      input: unknown
      invalid?: boolean | undefined
      providerMetadata?: unknown
    }
  | {
      type: 'finish-step'
      finishReason: string
      usage: { inputTokens: number | undefined; outputTokens: number | undefined }
      response: { modelId?: string }
    }
  | { type: Exclude<string, 'text-delta' | 'tool-call' | 'finish-step'> }

function toEvent(given: { type: string }, { model }: LlmRequest): LlmEvent | undefined {
  const part = given as Part
  if (isPart(part, 'text-delta')) return part.text === '' ? undefined : { type: 'text', text: part.text }
  if (isPart(part, 'tool-call')) {
    const isObject = part.input !== null && typeof part.input === 'object' && !Array.isArray(part.input)
    return {
      type: 'tool_call',
      id: part.toolCallId,
      name: part.toolName,
      arguments: isObject ? (part.input as Record<string, unknown>) : null,
      ...(part.providerMetadata !== undefined && { seal: part.providerMetadata }),
    }
  }
  if (!isPart(part, 'finish-step')) return undefined
  if (part.finishReason === 'content-filter') throw new LlmError('refused', 'The model declined to answer this')
  const { inputTokens, outputTokens } = part.usage
  const usage = {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    model: part.response.modelId || model,
  }
  return { type: 'done', usage }
}

const isPart = <T extends Part['type']>(part: Part, type: T): part is Extract<Part, { type: T }> => part.type === type

async function toToolSet({ tools }: LlmRequest): Promise<ToolSet> {
  const { jsonSchema, tool } = await import('ai')
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  )
}

function toModelMessage(message: LlmMessage): ModelMessage {
  if (message.role === 'user') return { role: 'user', content: message.text }
  if (message.role === 'tool')
    return {
      role: 'tool',
      content: message.results.map(({ id, name, result, isError }) => ({
        type: 'tool-result' as const,
        toolCallId: id,
        toolName: name,
        output: { type: isError ? ('error-text' as const) : ('text' as const), value: result },
      })),
    }
  return {
    role: 'assistant',
    content: [
      ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
      ...message.toolCalls.map(({ id, name, arguments: input, seal }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input,
        ...(seal !== undefined && { providerOptions: seal as never }),
      })),
    ],
  }
}

interface Refusal {
  statusCode?: number
  responseHeaders?: Record<string, string>
  data?: { error?: { code?: unknown; type?: unknown; status?: unknown } }
}

/** In words of ours, and without its cause: the provider's own may quote what people said, and our key. */
function explain(error: unknown, { provider }: LlmRequest, spoke: boolean): LlmError {
  if (error instanceof LlmError) return error
  if (error instanceof OutOfTime) return new LlmError('timeout', `${provider} did not answer in time`)
  if (spoke) return new LlmError('cut_off', `${provider} broke off its answer`)
  if (outboundErrorIn(error)) return new LlmError('unreachable', `${provider} cannot be reached`)
  const { statusCode: status } = error as Refusal
  if (status === undefined) return new LlmError('unreachable', `${provider} answered something that is no answer`)
  const what = [status, codeOf(error as Refusal)].filter(Boolean).join(' ')
  if (status === 429 || status === 529 || status === 503)
    return new LlmError('overloaded', `${provider} is overloaded or our limit there is reached (${what})`)
  if (status >= 500) return new LlmError('unreachable', `${provider} failed (${what})`)
  if (status === 401 || status === 403) return new LlmError('refused', `${provider} does not accept our key (${what})`)
  if (status === 404) return new LlmError('refused', `${provider} does not know this model (${what})`)
  return new LlmError('refused', `${provider} refused the request (${what})`)
}

/** Only what is a word for machines. */
function codeOf({ data }: Refusal): string {
  const { code, status, type } = data?.error ?? {}
  return (
    [code, status, type].find((word): word is string => typeof word === 'string' && /^[\w.-]{1,64}$/.test(word)) ?? ''
  )
}

const outboundErrorIn = (error: unknown) =>
  error instanceof OutboundError || (error as { cause?: unknown }).cause instanceof OutboundError

/** What the provider asks to wait, as each of them says it. */
function retryDelayMs(error: unknown): number | undefined {
  const { responseHeaders: headers } = error as Refusal
  const precise = Number.parseFloat(headers?.['retry-after-ms'] ?? '')
  if (precise >= 0) return precise
  const seconds = Number.parseFloat(headers?.['retry-after'] ?? '')
  return seconds >= 0 ? seconds * 1000 : undefined
}
