import type { TenantScope } from '../../../platform/database.ts'
import { addUsage } from '../answering/add-usage.ts'
import { askedModel } from '../answering/asked-model.ts'
import type { Conversing, OpenAgent, Usage } from '../answering/turn.ts'

interface Writing {
  scope: TenantScope
  agent: OpenAgent
  instructions: string
  /** The material, as the only message. */
  text: string
  maxOutputTokens: number
  signal: AbortSignal
}

/** One text by the agent's model, without a conversation and tools. Throws an `LlmError` if the model is unavailable. */
export async function writeText(
  { llm }: Pick<Conversing, 'llm'>,
  { scope, agent, instructions, text, maxOutputTokens, signal }: Writing,
): Promise<{ text: string; usage: Usage }> {
  const answer = llm.stream({
    ...askedModel({ scope, agent }),
    system: instructions,
    messages: [{ role: 'user', text }],
    tools: [],
    firstWordsMs: 30_000,
    pauseMs: 20_000,
    maxOutputTokens,
    signal,
  })
  let written = ''
  const usage: Usage = { input_tokens: 0, output_tokens: 0, model: agent.config.llm_model }
  for await (const event of answer) {
    if (event.type === 'text') written += event.text
    if (event.type === 'done') addUsage(usage, event.usage)
  }
  return { text: written.trim(), usage }
}
