import type { Metrics } from '../../platform/metrics.ts'
import { type Attributes, currentSpan, iterateIn } from '../../platform/tracing/trace.ts'
import { type Llm, LlmError, type LlmEvent, type LlmRequest } from './contract.ts'
import { costOfTokens, type TokenRates } from './token-cost.ts'

interface ObserveOptions {
  metrics: Metrics
  /** Prices in USD, for the estimated cost. */
  rates: TokenRates
}

/** Customers name the model, so only those that have answered become a label, and not endlessly many. */
const mostModels = 50

/** Counts requests, failures, tokens and the estimated cost of models, and traces each request. */
export function createLlmObserver({ metrics, rates }: ObserveOptions) {
  const labels = ['provider', 'model'] as const
  const requests = metrics.counter(
    'frontdesk_model_requests_total',
    'Requests to language models; `outcome` is `succeeded`, `cancelled` or the kind of failure',
    [...labels, 'outcome'],
  )
  const tokens = metrics.counter('frontdesk_model_tokens_total', 'Tokens that language models read and wrote', [
    ...labels,
    'direction',
  ])
  const cost = metrics.counter('frontdesk_model_cost_usd_total', 'Estimated cost of language models, by your rates', [
    ...labels,
  ])
  const durations = metrics.histogram(
    'frontdesk_model_first_token_seconds',
    'From the request to the first words of a language model',
    [...labels],
    [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 45],
  )
  const answered = new Set<string>()

  async function* observed<E extends LlmEvent | OtherEvent>(
    answer: AsyncIterable<E>,
    request: LlmRequest,
  ): AsyncGenerator<E> {
    const { provider, model } = request
    const labelled = () => ({ provider, model: answered.has(model) ? model : 'other' })
    const began = performance.now()
    let firstSeconds: number | undefined
    let outcome = 'cancelled'
    const span = currentSpan()?.child(`chat ${model}`, { kind: 'client', attributes: requestAttributes(request) })
    let used: Attributes = {}
    try {
      for await (const event of span ? iterateIn(span, answer) : answer) {
        firstSeconds ??= (performance.now() - began) / 1000
        if (event.type === 'done') {
          const { inputTokens, outputTokens } = event.usage
          if (answered.size < mostModels) answered.add(model)
          outcome = 'succeeded'
          used = {
            'gen_ai.response.model': event.usage.model,
            'gen_ai.usage.input_tokens': inputTokens,
            'gen_ai.usage.output_tokens': outputTokens,
          }
          tokens.inc({ ...labelled(), direction: 'input' }, inputTokens)
          tokens.inc({ ...labelled(), direction: 'output' }, outputTokens)
          // What an organization pays itself is no cost of the installation.
          if (!event.usage.isOwnKey) cost.inc(labelled(), costOfTokens(event.usage, rates))
        }
        yield event
      }
    } catch (error) {
      if (!request.signal.aborted) outcome = error instanceof LlmError ? error.fault : 'failed'
      throw error
    } finally {
      requests.inc({ ...labelled(), outcome })
      span?.end(used, outcome === 'succeeded' ? undefined : outcome)
      if (firstSeconds !== undefined) durations.observe(labelled(), firstSeconds)
    }
  }

  return {
    observe: (llm: Llm): Llm => ({ stream: (request) => observed(llm.stream(request), request) }),
    observed,
  }
}

export type LlmObserver = ReturnType<typeof createLlmObserver>

/** Events of models that speak. */
type OtherEvent = { type: 'speech' | 'spoken' }

/** The semantic conventions for generative AI. Prompts and answers are never part of a trace. */
const requestAttributes = ({ provider, model, maxOutputTokens }: LlmRequest): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': providerNames[provider],
  // The older name of the same attribute.
  'gen_ai.system': providerNames[provider],
  'gen_ai.request.model': model,
  'gen_ai.request.max_tokens': maxOutputTokens,
})

const providerNames: Record<LlmRequest['provider'], string> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'gcp.gemini',
}
