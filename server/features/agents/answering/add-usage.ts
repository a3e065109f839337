import type { LlmEvent } from '../../../providers/llm/contract.ts'
import type { Usage } from './turn.ts'

type ModelUsage = Extract<LlmEvent, { type: 'done' }>['usage']

/** Adds what a model has used. */
export function addUsage(
  usage: Usage,
  { inputTokens, outputTokens, audioInputTokens = 0, audioOutputTokens = 0, model, isOwnKey }: ModelUsage,
): void {
  const tokens = {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...(audioInputTokens + audioOutputTokens > 0 && {
      audio: { input_tokens: audioInputTokens, output_tokens: audioOutputTokens },
    }),
  }
  addTokens(usage, { ...tokens, model, ...(isOwnKey && { own_key: tokens }) })
  usage.model = model
}

/** Adds the tokens of another request, and keeps the name of the model. */
export function addTokens(usage: Usage, more: Usage): void {
  addCounts(usage, more)
  if (!more.own_key) return
  usage.own_key ??= { input_tokens: 0, output_tokens: 0 }
  addCounts(usage.own_key, more.own_key)
}

type Counts = NonNullable<Usage['own_key']>

function addCounts(counts: Counts, { input_tokens, output_tokens, audio }: Counts): void {
  counts.input_tokens += input_tokens
  counts.output_tokens += output_tokens
  if (!audio) return
  counts.audio ??= { input_tokens: 0, output_tokens: 0 }
  counts.audio.input_tokens += audio.input_tokens
  counts.audio.output_tokens += audio.output_tokens
}
