import type { LlmEvent } from '../../providers/llm/contract.ts'
import type { Usage } from './turn.ts'

type ModelUsage = Extract<LlmEvent, { type: 'done' }>['usage']

/** Adds what a model has used. */
export function addUsage(usage: Usage, { inputTokens, outputTokens, model, isOwnKey }: ModelUsage): void {
  addTokens(usage, { input_tokens: inputTokens, output_tokens: outputTokens, model })
  usage.model = model
  if (isOwnKey) addOwnKey(usage, { input_tokens: inputTokens, output_tokens: outputTokens })
}

/** Adds the tokens of another request, and keeps the name of the model. */
export function addTokens(usage: Usage, more: Usage): void {
  usage.input_tokens += more.input_tokens
  usage.output_tokens += more.output_tokens
  if (more.own_key) addOwnKey(usage, more.own_key)
}

function addOwnKey(usage: Usage, more: NonNullable<Usage['own_key']>): void {
  usage.own_key ??= { input_tokens: 0, output_tokens: 0 }
  usage.own_key.input_tokens += more.input_tokens
  usage.own_key.output_tokens += more.output_tokens
}
