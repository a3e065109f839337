import type { TokenUsage } from '../../../providers/llm/token-cost.ts'
import type { Usage } from '../../agents/answering/turn.ts'

/** Adds the tokens of a turn. */
export function addTokens(total: TokenUsage, used: Pick<Usage, 'input_tokens' | 'output_tokens' | 'audio'>): void {
  total.inputTokens += used.input_tokens
  total.outputTokens += used.output_tokens
  if (!used.audio) return
  total.audioInputTokens = (total.audioInputTokens ?? 0) + used.audio.input_tokens
  total.audioOutputTokens = (total.audioOutputTokens ?? 0) + used.audio.output_tokens
}
