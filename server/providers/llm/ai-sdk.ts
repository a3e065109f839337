import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModel } from 'ai'
import { asFetch } from '../../platform/outbound-as-fetch.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { type KeysOf, unopenedKey } from '../accounts/contract.ts'
import { EmptyAnswer, explain, OutOfTime, retryDelayMs } from './ai-sdk-errors.ts'
import { toEvent, toModelMessage, toToolSet } from './ai-sdk-messages.ts'
import { type Llm, LlmError, type LlmEvent, type LlmProvider, type LlmRequest } from './contract.ts'

interface HostedProvider {
  baseUrl: string
  apiKey: string | undefined
}

interface HostedOptions {
  http: OutboundHttp
  providers: Record<LlmProvider, HostedProvider>
  keysOf?: KeysOf
}

/** Default URL of each provider, as in its own library. */
export const standardAddresses: Record<LlmProvider, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  google: 'https://generativelanguage.googleapis.com',
}

/** Providers whose base URLs are given without the version prefix of the paths. */
const versions: Partial<Record<LlmProvider, string>> = { anthropic: '/v1', google: '/v1beta' }

/** Limits for one answer: the longest time and the largest size. Both are far beyond any useful answer. */
const limits = { timeLimitMs: 300_000, maxBytes: 16 * 1024 * 1024 }

const attempts = 3
const firstDelayMs = 300
const retried = new Set(['overloaded', 'unreachable', 'empty_answer'])

/** The models of openai, anthropic and google, and of any compatible server at a given URL. */
export function createHostedLlm({ http, providers, keysOf = async () => ({}) }: HostedOptions): Llm {
  const fetch = asFetch(http, limits)
  const made = new Map<string, Promise<LanguageModel>>()

  const modelOf = ({ provider, model }: LlmRequest, ownKey: string | undefined) => {
    const { baseUrl, apiKey } = providers[provider]
    if (ownKey !== undefined) return openModel(provider, model, { baseUrl, apiKey: ownKey, fetch })
    // A self-hosted server may need no key; the provider always does.
    if (!apiKey && baseUrl === standardAddresses[provider])
      throw new LlmError(
        'unconfigured',
        `There is no key for ${provider}: add one under provider keys, or set ${keySettings[provider]}`,
      )
    const name = `${provider} ${model}`
    const found = made.get(name) ?? openModel(provider, model, { baseUrl, apiKey: apiKey ?? 'none', fetch })
    made.set(name, found)
    return found
  }

  return {
    async *stream(request) {
      const ownKey = request.organizationId ? (await keysOf(request.organizationId))[request.provider] : undefined
      if (ownKey === null) throw new LlmError('unconfigured', unopenedKey(request.provider))
      const model = await modelOf(request, ownKey)
      const deadline = performance.now() + request.firstWordsMs
      for (let attempt = 1; ; attempt++) {
        let spoke = false
        try {
          for await (const event of ask(model, request, deadline)) {
            spoke = true
            yield event.type === 'done' && ownKey ? { ...event, usage: { ...event.usage, isOwnKey: true } } : event
          }
          return
        } catch (error) {
          request.signal.throwIfAborted()
          const failure = explain(error, request, spoke)
          const delayMs = retryDelayMs(error) ?? firstDelayMs * 2 ** (attempt - 1) * (1 + Math.random() / 4)
          const mayRetry = !spoke && retried.has(failure.fault)
          // Once text was streamed, a retry would repeat it; fail instead.
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

/** Loaded at first use: most runs never use a hosted model. */
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

async function* ask(model: LanguageModel, request: LlmRequest, deadline: number): AsyncGenerator<LlmEvent> {
  const { NoOutputGeneratedError, streamText } = await import('ai')
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new OutOfTime()), Math.max(0, deadline - performance.now()))
  let pause: NodeJS.Timeout | undefined
  let isEmpty = true
  try {
    const { stream } = streamText({
      model,
      instructions: request.system,
      messages: request.messages.map(toModelMessage),
      tools: await toToolSet(request),
      maxOutputTokens: request.maxOutputTokens,
      // The contact or caller is waiting for the first words.
      ...(reasons(request.model) && { reasoning: 'low' as const }),
      maxRetries: 0,
      abortSignal: AbortSignal.any([request.signal, late.signal]),
      // It is thrown below, where it can be handled.
      onError: () => {},
    })
    for await (const part of stream) {
      if (part.type === 'error')
        throw isEmpty && NoOutputGeneratedError.isInstance(part.error) ? new EmptyAnswer() : part.error
      if (part.type === 'abort') throw late.signal.reason ?? request.signal.reason
      const event = toEvent(part, request)
      if (!event) continue
      // Blanks alone are no answer.
      if (isEmpty && event.type === 'text' && event.text.trim() === '') continue
      if (event.type !== 'done') isEmpty = false
      else if (isEmpty && !(request.mayBeEmpty && part.type === 'finish-step' && part.finishReason === 'stop'))
        throw new EmptyAnswer()
      clearTimeout(timer)
      clearTimeout(pause)
      pause = setTimeout(() => late.abort(new OutOfTime()), request.pauseMs)
      yield event
      if (event.type === 'done') return
    }
    throw isEmpty ? new EmptyAnswer() : new Error('the stream of the model ended without a finish event')
  } finally {
    clearTimeout(timer)
    clearTimeout(pause)
    // The reader may have stopped early: close the connection.
    late.abort(new OutOfTime())
  }
}

/** Reasoning models that support the setting that limits their reasoning. */
const reasons = (model: string) => /^(gpt-5|o\d|gemini-[3-9])/.test(model)
