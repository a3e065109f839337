import type { ModelMessage, ToolSet } from 'ai'
import { LlmError, type LlmEvent, type LlmMessage, type LlmRequest } from './contract.ts'

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

export function toEvent(given: { type: string }, { model }: LlmRequest): LlmEvent | undefined {
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

export async function toToolSet({ tools }: LlmRequest): Promise<ToolSet> {
  const { jsonSchema, tool } = await import('ai')
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  )
}

export function toModelMessage(message: LlmMessage): ModelMessage {
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
