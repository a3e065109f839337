import type { Log } from '../../../platform/log.ts'
import type { LlmToolCall } from '../../../providers/llm/contract.ts'
import type { TurnInput } from '../answering/turn.ts'
import { faultInArguments } from './check-arguments.ts'
import { failed, type RunnableTool, type ToolOutcome } from './contract.ts'

export interface Call extends Omit<LlmToolCall, 'arguments'> {
  arguments: Record<string, unknown> | null
}

export const asMade = (call: Call): LlmToolCall => ({ ...call, arguments: call.arguments ?? {} })

/** All at once; results are reported when all are there, in the order of the calls. */
export async function* runTools(
  { tools, calls, said, log }: { tools: RunnableTool[]; calls: Call[]; said: string; log: Log },
  { medium, signal }: TurnInput,
) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  for (const call of calls)
    yield { type: 'tool_call' as const, id: call.id, name: call.name, arguments: call.arguments ?? {} }
  // Silence on the phone sounds like a lost connection; in chat it does not matter.
  const meanwhile = calls.map(({ name }) => byName.get(name)?.sayWhileRunning).find((line) => line)
  if (medium === 'voice' && meanwhile && said.trim() === '') yield { type: 'say_meanwhile' as const, text: meanwhile }
  const ran = await Promise.all(
    calls.map(async (call) => {
      const began = performance.now()
      const { result, isError } = await outcomeOf(byName.get(call.name), call, signal, log)
      return { id: call.id, name: call.name, result, isError, tookMs: Math.round(performance.now() - began) }
    }),
  )
  signal.throwIfAborted()
  for (const { id, name, result, isError, tookMs } of ran)
    yield { type: 'tool_result' as const, id, name, result, is_error: isError, took_ms: tookMs }
  return ran
}

async function outcomeOf(
  tool: RunnableTool | undefined,
  call: Call,
  signal: AbortSignal,
  log: Log,
): Promise<ToolOutcome> {
  if (!tool) return failed('There is no such tool')
  if (call.arguments === null) return failed('The arguments are not a JSON object')
  const fault = faultInArguments(tool.parameters, call.arguments)
  if (fault) return failed(fault)
  return tool.run(call.arguments, signal).catch((error) => {
    signal.throwIfAborted()
    // An internal error: the conversation continues without this result.
    log.error({ err: error, tool: tool.name }, 'agent tools: tool failed')
    return failed('The tool failed')
  })
}
